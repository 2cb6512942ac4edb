package redos

import (
	"fmt"
	"regexp/syntax"
	"strings"
	"testing"
)

func mustJudge(t *testing.T, pattern string) Verdict {
	t.Helper()
	v, err := Judge(pattern, syntax.Perl)
	if err != nil {
		t.Fatalf("%s: %v", pattern, err)
	}
	return v
}

func TestJudge(t *testing.T) {
	tests := []struct {
		reason, pattern string
		growth          Growth
		degree          int
		part            string
	}{
		// Where tools that know the height of stars only go wrong.
		{"a repetition in a repetition", `(a+)+$`, Exponential, 0, `(a+)+`},
		{"aa is read in two ways", `(a|aa)+$`, Exponential, 0, `(a|aa)+`},
		{"ab is read in one way, from each place on", `(a|ab)*c`, Polynomial, 2, `(a|ab)*`},
		{"two places to choose, from each place on", `.*.*=.*`, Polynomial, 3, `.*.*`},
		{"the end is looked for from each space on", `\s+$`, Polynomial, 2, `\s+`},
		{"nothing is repeated", `^(foo-?bar)?side`, Linear, 1, ""},
		// What has been slow in Python.
		{"the same alternative twice", `(a|a)*$`, Exponential, 0, `(a|a)*`},
		{"limits that are beyond reach", `^(a{1,30}){1,30}$`, Exponential, 0, `(a{1,30}){1,30}`},

		{"the group captures nothing", `(?:a+)+$`, Exponential, 0, `(?:a+)+`},
		{"a repetition of what can be nothing", `(a*)*$`, Exponential, 0, `(a*)*`},
		{"of what can only be nothing", `(?:(?:)|^)*$`, Linear, 1, ""},
		{"of what can be left out", `(a?)*$`, Polynomial, 2, `(a?)*`},
		{"of two things that can be left out", `(a?a?)*$`, Exponential, 0, `(a?a?)*`},
		{"nothing can fail after it", `(a+)+`, Linear, 1, ""},
		{"all that can follow fits", `(?s)(a+)+.*`, Linear, 1, ""},
		{"the first way can fail though the second never does", `(a+)+b|a`, Exponential, 0, `(a+)+`},
		{"the last way is not tried where the first one matches", `a|(a+)+b`, Linear, 1, ""},
		{"lazy is slow as well", `(a+?)+?$`, Exponential, 0, `(a+?)+?`},
		{"a separator makes it clear", `^(a+,)+$`, Linear, 1, ""},
		{"a separator that can be left out does not", `^(a+,?)+$`, Exponential, 0, `(a+,?)+`},
		{"the beginning is at one place", `^a*b`, Linear, 1, ""},
		{"the beginning can be anywhere", `a*b`, Polynomial, 2, `a*`},
		{"a word begins at one place", `\ba*b`, Linear, 1, ""},
		{"a line begins at one place", `(?m)^a*b`, Linear, 1, ""},
		{"and a class that has line ends begins anywhere", `(?m)^[a\n]*b`, Polynomial, 2, `[a\n]*`},
		{"a sign can't begin in the middle", `<[a-z]*>`, Linear, 1, ""},
		{"a sign that the class has can", `<[^>]*>`, Polynomial, 2, `[^>]*`},
		{"two classes with something in common", `^\w+\d+$`, Polynomial, 2, `\w+\d+`},
		{"two classes with nothing in common", `^[a-z]+\d+$`, Linear, 1, ""},
		{"case is ignored", `(?i)^[a-z]+[A-Z]+$`, Polynomial, 2, `[a-z]+[A-Z]+`},
		{"case matters", `^[a-z]+[A-Z]+$`, Linear, 1, ""},
		{"the part in between is optional", `^\s*-?\s*$`, Polynomial, 2, `\s*-?\s*`},
		{"the part in between is required", `^\s*-\s*$`, Linear, 1, ""},
		{"three in a row", `^\d*\d*\d*x`, Polynomial, 3, `\d*\d*`},
		{"a limit within reach", `^(a{1,3}){1,3}$`, Linear, 1, ""},
		{"limits that are large and multiply nothing", `x{1,500}y{1,500}z`, Linear, 1, ""},
		{"a limit beside none", `^\w{1,9}\w*!`, Linear, 1, ""},
		{"no limit inside of one", `^(\w+){3}!`, Polynomial, 3, `(\w+){3}`},
		{"numbers with points", `\b\d{1,3}(\.\d{1,3}){3}\b`, Linear, 1, ""},
		{"nothing or a letter, very often", `(a?){30}a{30}`, Exponential, 0, `(a?){30}a{30}`},
		{"an address as it is often written", `^([a-z0-9])(([-.]|_+)?([a-z0-9]+))*@[a-z]+$`, Exponential, 0, `(([-.]|_+)?([a-z0-9]+))*`},
		{"quoted signs are plain", `\Q(a+)+$\E`, Linear, 1, ""},
		{"a word", `\betc\b`, Linear, 1, ""},
		{"nothing", ``, Linear, 1, ""},
		{"a class that has no character", `[^\x00-\x{10FFFF}]*$`, Linear, 1, ""},
	}
	for _, tt := range tests {
		v := mustJudge(t, tt.pattern)
		if part := tt.pattern[v.Part.At:v.Part.End]; v.Growth != tt.growth || v.Degree != tt.degree || part != tt.part {
			t.Errorf("%s: %s is %s of degree %d by %q, want %s of degree %d by %q", tt.reason, tt.pattern, v.Growth, v.Degree, part, tt.growth, tt.degree, tt.part)
		}
		if slow := v.Growth >= Polynomial; slow != (v.Attack != nil) {
			t.Errorf("%s: %s is %s, has an attack: %t", tt.reason, tt.pattern, v.Growth, v.Attack != nil)
		}
	}
}

func TestFlagsAreThoseOfPackageSyntax(t *testing.T) {
	tests := []struct {
		reason, pattern string
		flags           syntax.Flags
		want            Growth
	}{
		{"the text has one beginning", `^a*b`, syntax.Perl, Linear},
		{"a line ends after what is repeated", `^[a\n]*b`, syntax.Perl &^ syntax.OneLine, Polynomial},
		{"capitals are others", `^a*A*b`, syntax.Perl, Linear},
		{"capitals are the same", `^a*A*b`, syntax.Perl | syntax.FoldCase, Polynomial},
	}
	for _, tt := range tests {
		if v, err := Judge(tt.pattern, tt.flags); v.Growth != tt.want || err != nil {
			t.Errorf("%s: %s is %s, want %s (%v)", tt.reason, tt.pattern, v.Growth, tt.want, err)
		}
	}
}

// TestWorkIsBounded judges what would take far more work than it is worth.
func TestWorkIsBounded(t *testing.T) {
	for reason, pattern := range map[string]string{
		"very many instructions":          strings.Repeat(`(?:[a-z]{1,10}){1,100}x`, 100) + `$`,
		"very many outcomes":              `[ab]*a[ab]{40}c[ab]*b[ab]{40}c$`,
		"very many ways without a letter": `(?:` + strings.Repeat(`(?:|||)`, 2000) + `a*)*$`,
		"very many sets":                  strings.Repeat(`[\pL\pN]*[\pS\pP]*[^\pL]+`, 200) + `$`,
		"very many loops":                 strings.Repeat(`\w*`, 1500) + `$`,
		"very many rounds":                `(?:[a-z]+[,;] ?){0,80}end`,
		"more rounds":                     `(?:\w+ ){0,1000}x`,
		"deep groups":                     strings.Repeat(`(`, 400) + `a*` + strings.Repeat(`)*`, 400) + `$`,
	} {
		v := mustJudge(t, pattern)
		if v.Growth == Linear {
			t.Errorf("%s: the pattern is called linear", reason)
		}
		// A stage can go beyond its budget by what it does in one step.
		if most := 8*workPerByte*(len(pattern)+moreBytes) + 100_000; v.Work > most {
			t.Errorf("%s: the work is %d, more than %d", reason, v.Work, most)
		}
		t.Logf("%s: %s", reason, v.Growth)
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
		"many outcomes before it":   `[ab]*a[ab]{40}c%s`,
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
			if v := mustJudge(t, pattern); v.Growth != Exponential && v.Growth != Unjudged {
				t.Errorf("%s with %s is %s of degree %d", reason, padding, v.Growth, v.Degree)
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
		"numbers as people write them": `\b\d{1,3}(?:[.,]\d{3})*(?:[.,]\d+)? ?(?:%|percent)`,
		"many ways to say the same":    `(?m)\bassert(?:_?true|_?that)?[ \t]*!?\([ \t]*true[ \t]*\)|\bassert[ \t]+true[ \t]*(?:#[^\n]*)?$|\bassert_?equals?\([ \t]*(?:true,[ \t]*true|1,[ \t]*1)[ \t]*\)|\bexpect\([ \t]*(?:true|1)[ \t]*\)\.to`,
		"the text between two words":   `\b(?:should|must)\b[^.\n]{0,80}\b(?:maybe|perhaps)\b`,
	} {
		if v := mustJudge(t, pattern); v.Growth == Unjudged {
			t.Errorf("%s is called too complex", reason)
		}
	}
}
