package regex

import (
	"fmt"
	"regexp/syntax"
	"strings"
	"testing"
)

func growthOf(pattern string) Growth { return JudgeBacktracking(pattern, syntax.Perl).Growth }

func TestJudge(t *testing.T) {
	tests := []struct {
		reason, pattern string
		part            string // that makes it exponential; "*" if there is none
	}{
		{"a repetition in a repetition", `(a+)+$`, `(a+)+`},
		{"aa is read in two ways", `(a|aa)+$`, `(a|aa)+`},
		{"ab is read in one way", `(a|ab)*c`, ""},
		{"the same alternative twice", `(a|a)*$`, `(a|a)*`},
		{"two alternatives with a character in common", `(\w|\d)*$`, `(\w|\d)*`},
		{"two alternatives with none", `([a-z]|\d)*$`, ""},
		{"the group captures nothing", `(?:a+)+$`, `(?:a+)+`},
		{"a repetition of what can be nothing", `(a*)*$`, `(a*)*`},
		{"of what can only be nothing", `(?:(?:)|^)*$`, ""},
		{"of what can be left out", `(a?)*$`, ""},
		{"of two things that can be left out", `(a?a?)*$`, `(a?a?)*`},
		{"nothing in two ways", `(?:(?:|)a)*$`, `(?:(?:|)a)*`},
		{"Python tries an empty round of a loop", `^(?:a(?:b?)*)*$`, `(?:a(?:b?)*)*`},
		{"after one that is required", `^(?:a(?:b?)+)*$`, `(?:a(?:b?)+)*`},
		{"and of what is optional", `^(?:a(?:b?)?)*$`, `(?:a(?:b?)?)*`},
		{"but only one", `(?:a?){0,19}(?:a?){0,19}b`, ""},
		{"nothing can fail after it", `(a+)+`, ""},
		{"nor after the same alternative twice", `(a|a)*`, ""},
		{"nor after a repetition of what can be nothing", `(a*)*`, ""},
		{"all that can follow fits", `(?s)(a+)+.*`, ""},
		{"the first way can fail though the second never does", `(a+)+b|a`, `(a+)+`},
		{"what comes first and fails", `a(?:(b+)+c)?`, `(b+)+`},
		{"lazy is slow as well", `(a+?)+?$`, `(a+?)+?`},
		{"a separator makes it clear", `^(a+,)+$`, ""},
		{"a separator that can be left out does not", `^(a+,?)+$`, `(a+,?)+`},
		{"words with one", `(\w+\s?)+TBD`, `(\w+\s?)+`},
		{"words with boundaries", `(?:\b\w+\b\s*)+TBD`, ""},
		{"words with boundaries on one side", `(?:\b\w+\s*)+TBD`, ""},
		{"what no text leads to", `a^(b+)+c`, ""},
		{"a place inside of a word", `\B(b+)+c`, `(b+)+`},
		{"line ends", `(?:^a*\n?)*b`, ""},
		{"line ends in lines", `(?m)(?:^a*\n?$)*b`, ""},
		{"an address as it is often written", `^([a-z0-9])(([-.]|_+)?([a-z0-9]+))*@[a-z]+$`, `(([-.]|_+)?([a-z0-9]+))*`},
		{"quoted signs are plain", `\Q(a+)+$\E`, ""},
		{"the end of a quotation", `(?:\Qba\E+)+$`, ""},
		{"a class that has no character", `(?:[^\x00-\x{10FFFF}]*)*$`, ""},
		{"both cases in a class", `(?:[aA]|a)*$`, `(?:[aA]|a)*`},
		{"a change of flags", `(?:a|(?i)A)*(?-i)$`, `(?:a|(?i)A)*`},
		{"flags that end with their group", `(?:(?i)x)?(?:a|A)*b`, ""},
		{"a letter with three cases", `(?:(?i:k)|K)*$`, `(?:(?i:k)|K)*`},
		{"words with the same beginning", `(?:ab|ac|abc)*$`, ""},
		{"words with the same beginning, read in two ways", `(?:ab|abc|c)*$`, `(?:ab|abc|c)*`},

		{"powers", `.*.*=.*`, ""},
		{"a power that counts as exponential", strings.Repeat(`\w*`, 12) + `-`, "*"},
		{"limits that are low", `^(a{1,3}){1,3}$`, ""},
		{"limits that are high", `^(a{1,30}){1,30}$`, `(a{1,30}){1,30}`},
		{"many ways with low limits", `^(a{1,8}){1,8}$`, `(a{1,8}){1,8}`},
		{"words with limits", `(\w{1,40}\W?){1,20}TBD`, `(\w{1,40}\W?){1,20}`},
		{"limits that are high and multiply nothing", `x{1,500}y{1,500}z`, ""},
		{"parts of an address", `\b(?:[0-9a-f]{1,4}:?){8}\b`, ""},
		{"rounds that can be left out", `(?:\w+ ?){1,5}end`, ""},
		{"nothing or a letter, very often", `(a?){30}a{30}`, "*"},
		{"nothing or a letter, written out", strings.Repeat(`a?`, 30) + strings.Repeat(`a`, 30), "*"},
		{"one letter or two, written out", strings.Repeat(`(?:a|aa)`, 40) + `b`, "*"},
		{"nothing or a letter, a few times", strings.Repeat(`a?`, 9) + strings.Repeat(`a`, 9), ""},
		{"options that do not overlap", strings.Repeat(`a?b?c?d?,`, 20) + `!`, ""},
	}
	for _, tt := range tests {
		v := JudgeBacktracking(tt.pattern, syntax.Perl)
		part := ""
		switch {
		case v.Attack != nil:
			part = tt.pattern[v.Attack.Part.At:v.Attack.Part.End]
		case v.Growth != Polynomial:
			part = "*"
		}
		if part != tt.part || part != "" && v.Growth != Exponential {
			t.Errorf("%s: in %s, %q is exponential, want %q (%d)", tt.reason, tt.pattern, part, tt.part, v.Growth)
		}
	}
}

func TestFlagsAreThoseOfPackageSyntax(t *testing.T) {
	tests := []struct {
		reason, pattern string
		flags           syntax.Flags
		want            Growth
	}{
		{"the text has one beginning", `(?:^a*\n)*(?:^a*)*b`, syntax.Perl, Polynomial},
		{"each line begins", `(?:^a*\n?|^\n)*b`, syntax.Perl &^ syntax.OneLine, Exponential},
		{"the text has one end", `(?:a$\n|a\n)*b`, syntax.Perl, Polynomial},
		{"each line has one", `(?:a$\n|a\n)*b`, syntax.Perl &^ syntax.OneLine, Exponential},
		{"capitals are others", `(?:a|A)*b`, syntax.Perl, Polynomial},
		{"capitals are the same", `(?:a|A)*b`, syntax.Perl | syntax.FoldCase, Exponential},
	}
	for _, tt := range tests {
		if v := JudgeBacktracking(tt.pattern, tt.flags); v.Growth != tt.want {
			t.Errorf("%s: %s is %d, want %d", tt.reason, tt.pattern, v.Growth, tt.want)
		}
	}
}

// TestWorkIsBounded judges what would take far more work than it is worth.
func TestWorkIsBounded(t *testing.T) {
	for reason, pattern := range map[string]string{
		"very many instructions":          strings.Repeat(`(?:[a-z]{1,10}){1,100}x`, 100) + `$`,
		"very many pairs":                 strings.Repeat(`[ab]{0,8}`, 300) + `!`,
		"very many ways without a letter": `(?:` + strings.Repeat(`(?:|||)`, 2000) + `a*)*$`,
		"very many sets":                  strings.Repeat(`[\pL\pN]*[\pS\pP]*[^\pL]+`, 200) + `$`,
		"very many loops":                 strings.Repeat(`\w*`, 1500) + `$`,
		"very many options":               `(a?){1000}!`,
		"deep groups":                     strings.Repeat(`(`, 400) + `a*` + strings.Repeat(`)*`, 400) + `$`,
	} {
		most := workPerByte * (len(pattern) + moreBytes)
		v, left := judgeBacktracking(pattern, syntax.Perl, most)
		if v.Growth == Polynomial {
			t.Errorf("%s: the pattern is called harmless", reason)
		}
		// The last step can go beyond the limit.
		if left < -most {
			t.Errorf("%s: the work exceeds the limit by %d", reason, -left)
		}
		t.Logf("%s: %d after %d of %d", reason, v.Growth, most-left, most)
	}
}

// listOfWords is a list of words that are as many as it takes for so many bytes.
func listOfWords(length int) string {
	var b strings.Builder
	for i := 0; b.Len() < length; i++ {
		fmt.Fprintf(&b, "w%dx|", i*7919%100_003)
	}
	return b.String() + "end"
}

// TestPaddingHidesNothing: what makes an engine hang is found, or at least not called
// harmless, whatever is next to it in the pattern.
func TestPaddingHidesNothing(t *testing.T) {
	hangs := map[string]string{
		"a loop in a loop":           `(\w+\s?)+TBD`,
		"rounds of rounds":           `(?:(?:ab){1,40}){1,20}c`,
		"rounds of what can be left": `(?:a?){30}a{30}`,
		"a row of rounds":            strings.Repeat(`[ab]{0,9}`, 30) + `!`,
		"alternatives":               strings.Repeat(`(?:a|aa)`, 40) + `b`,
	}
	paddings := map[string]string{
		"nothing":                   `%s`,
		"many rounds before it":     `(?:[a-z]+[,;] ?){0,80}%s`,
		"many rounds after it":      `%s(?:[a-z]+[,;] ?){0,80}`,
		"many loops before it":      strings.Repeat(`\w*`, 60) + `-%s`,
		"many states before it":     `[ab]*a[ab]{40}c%s`,
		"a literal before it":       strings.Repeat("a long text, ", 40) + `%s`,
		"a long list beside it":     listOfWords(30_000) + `|%s`,
		"a list before it":          `(?:` + listOfWords(3000) + `)%s`,
		"classes before it":         strings.Repeat(`\pL`, 400) + `%s`,
		"harmless rounds beside it": `(?:x{1,2}){1,3}y|%s`,
		"the same in two rounds":    `(?:(?:x{1,2}){1,3}y|%s){1,2}`,
		"a loop that always ends":   `(?:x+)+|%s`,
	}
	for reason, hang := range hangs {
		for padding, format := range paddings {
			pattern := fmt.Sprintf(format, hang)
			if _, err := syntax.Parse(pattern, syntax.Perl); err != nil {
				continue // too many rounds for Go
			}
			if growthOf(pattern) == Polynomial {
				t.Errorf("%s with %s is called harmless", reason, padding)
			}
		}
	}
}

// TestWordsAreNeverTooComplex: without repetitions nothing is, and neither is a long
// list that is followed by one.
func TestWordsAreNeverTooComplex(t *testing.T) {
	list := listOfWords(30_000)
	for reason, pattern := range map[string]string{
		"a literal":                    strings.Repeat("a long text, ", 10_000),
		"a list":                       list,
		"a list with both ends":        `\b(?:` + list + `)\b`,
		"a list after many lists":      strings.Repeat(`(?:good|great|gold) `, 12) + `(?:` + list + `)`,
		"many lists":                   strings.Repeat(`(?:`+listOfWords(2000)+`) `, 12),
		"letters that can be left out": strings.Repeat(`colou?r `, 3000),
		"a list of words, and endings": `\b(?:` + list + `)\w*`,
		"lists of words, repeated":     `(?:` + list + `)*(?:` + list + `)*\.`,
		"a list of words in a text":    `(?:\b(?:` + list + `)\b\s*)+\.`,
		"numbers as people write them": `\b\d{1,3}(?:[.,]\d{3})*(?:[.,]\d+)? ?(?:%|percent)`,
		"many ways to say the same":    `(?m)\bassert(?:_?true|_?that)?[ \t]*!?\([ \t]*true[ \t]*\)|\bassert[ \t]+true[ \t]*(?:#[^\n]*)?$|\bassert_?equals?\([ \t]*(?:true,[ \t]*true|1,[ \t]*1)[ \t]*\)|\bexpect\([ \t]*(?:true|1)[ \t]*\)\.to`,
		"the text between two words":   `\b(?:should|must)\b[^.\n]{0,80}\b(?:maybe|perhaps)\b`,
		"the text around a word":       `.{0,200}\bTODO\b.{0,200}\bFIXME\b.{0,200}`,
	} {
		if got := growthOf(pattern); got != Polynomial {
			t.Errorf("%s is %d", reason, got)
		}
	}
}

func FuzzJudge(f *testing.F) {
	for _, pattern := range []string{`(a+)+$`, `^(a{1,30}){1,30}$`, `(?i)\bas[a-z]*p\b`, `[\pL-]{3,}\s+?$`, `\Qa\E*[[:alpha:]]`, `((a*)*b?)*c`, `(?:ab|abc|c)*\B$`} {
		f.Add(pattern)
	}
	f.Fuzz(func(t *testing.T, pattern string) {
		if _, err := syntax.Parse(pattern, syntax.Perl); err != nil {
			return
		}
		a := JudgeBacktracking(pattern, syntax.Perl).Attack
		if a != nil && (a.Pump == "" || a.Part.At < 0 || a.Part.End > len(pattern) || a.Part.At >= a.Part.End) {
			t.Errorf("%q: %+v", pattern, *a)
		}
	})
}
