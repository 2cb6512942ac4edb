package regex_test

import (
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/text/regex"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// subject is an expression with texts that are likely to show what is special
// about it.
type subject struct {
	pattern string
	flags   regex.Flags
	texts   []string
}

// part is a piece of an expression with texts that it may match, or that others
// think it matches.
type part struct {
	pattern string
	texts   []string
	// loops is how many unlimited repetitions are nested.
	loops int
}

func p(pattern string, texts ...string) part {
	return part{pattern, texts, strings.Count(pattern, "*") + strings.Count(pattern, "+")}
}

// shared are the parts that every language is believed to read alike.
var shared = []part{
	p("a", "a", "A"), p("b", "b"), p("c", "c"), p("s", "s", "S", "ſ"), p("K", "k", "K", "\u212a"),
	p("foo", "foo", "FOO"), p("-", "-"), p("_", "_"), p(" ", " "), p("#", "#"), p("/", "/"), p("&", "&"), p(`"`, `"`), p(",", ","), p("<", "<"),
	p(`\d`, "1", "٣"), p(`\D`, "a", "٣"), p(`\w`, "w", "_", "é", "ſ"), p(`\W`, "-", "é", "ſ"), p(`\b`, "", " "), p(`\b`, "é"),
	p(`\.`, "."), p(`\\`, `\`), p(`\*`, "*"), p(`\+`, "+"), p(`\?`, "?"), p(`\(`, "("), p(`\)`, ")"), p(`\[`, "["), p(`\]`, "]"),
	p(`\{`, "{"), p(`\}`, "}"), p(`\|`, "|"), p(`\/`, "/"), p(`\^`, "^"), p(`\$`, "$"), p(`\n`, "\n"), p(`\t`, "\t"), p(`\r`, "\n"), p(`\f`, "\f"), p(`\v`, "\v"),
	p(`\0`, "\x00"), p(`\x41`, "A"), p(`\xe9`, "é", "É"), p("é", "é", "É"), p("漢", "漢"), p("😀", "😀", "😁"),
	p("[ab]", "a", "B"), p("[^a]", "b", "\n", "😀", "é"), p("[a-c]", "b", "B"), p("[^a-c]", "d", "\u2028"), p(`[^\n]`, "x", "\u2028", "\v"), p("[a-]", "-"), p("[-a]", "-"),
	p(`[\w-]`, "-", "w"), p(`[\w.]`, ".", "w"), p(`[\d,]`, "7", ","), p(`[\]a]`, "]"), p(`[\^a]`, "^"), p(`[a\-z]`, "-"), p("[a-c-e]", "-", "d"), p("[a[b]", "["),
	p(`[\s\S]`, "\n", "\u00a0"), p(`[\t ]`, "\t"), p("[😀-😎]", "😀", "😁"), p("[à-ö]", "é", "É"), p("[.]", "."), p("[{}]", "{", "}"), p(`["']`, `'`),
	p("[0-9A-Fa-f]", "f", "G"), p("[^ -~]", "é", "\n"), p(`[\x00-\x1f]`, "\x01"), p("[!-/]", "/"), p("[^]^]", "^", "a"), p("^", ""), p("[K-S]", "k", "ſ", "\u212a"),
	p("[^s]", "ſ", "S"), p(`\B`, "a", "é"), p(`[\W]`, "é"), p(`[^\W]`, "é", "w"), p(`[^\d]`, "1"), p("(?:x|y)", "x", "y"), p("(x|xy|z)", "xy", "z"), p("(?:c){0}", ""),
}

// doubtful are the parts that some language is known to read otherwise.
var doubtful = []part{
	p(".", "x", "\u2028", "\n"), p(".", "\u2029"), p(`\s`, "\v", "\u00a0", " "), p(`\S`, "\ufeff", "\v", "x"), p(`[\s,]`, "\u00a0", "\v"),
	p(`[^\s]`, "\u2003", "\v"), p(`[\S]`, "\v"), p(`[\S\n]`, "\v", "\n"), p(`\A`, ""), p(`\z`, "", "\n"), p(`\Z`, "\n"), p(`\a`, "\a"), p(`\x{41}`, "A"), p(`\x{1F600}`, "😀"),
	p(`\x{e9}`, "é"), p(`\Qa.b\E`, "a.b", "axb"), p(`\Q\E`, ""), p(`\Q`, ""), p(`\pL`, "é"), p(`\p{L}`, "é"), p(`\p{Greek}`, "α"), p(`\PN`, "a"), p(`\p{^Lu}`, "a"), p("[[:alpha:]]", "a", "l]"), p("[[:^digit:]]", "1", "x"),
	p("[^[:space:]]", "a", " "), p("[a[:digit:]]", "1", "d]"), p(`\101`, "A"), p(`\12`, "\n"), p(`\01`, "\x01"), p(`\08`, "\x008"), p(`\400`, "\u0100"), p(`[\12]`, "\n"), p(`[\101]`, "A"),
	p(`\-`, "-"), p(`\_`, "_"), p(`\!`, "!"), p(`\@`, "@"), p(`\#`, "#"), p(`\%`, "%"), p(`\&`, "&"), p(`\'`, "'"), p(`\"`, `"`), p(`\:`, ":"), p(`\;`, ";"), p(`\<`, "<"), p(`\>`, ">"), p(`\=`, "="), p(`\~`, "~"), p("\\`", "`"), p(`\,`, ","), p(`\ `, " "),
	p("{", "{"), p("}", "}"), p("]", "]"), p("a{,3}", "a{,3}", "aaa"), p("a{,}", "a{,}", "aaa"), p("a{01}", "a{01}", "a"), p("{,2}", "{,2}"), p("x{", "x{"), p("a{1,02}", "aa"), p("{a}", "{a}"),
	p("[]a]", "]", "a"), p("[^]a]", "b"), p(`[\d-z]`, "-", "z"), p(`[\w-.]`, "-"), p("[a&&b]", "a", "&"), p("[a||b]", "|"), p("[a~~b]", "~"), p("[+--]", "+", "-"), p("[a--]", "a"), p("[[a]", "["), p(`[\_]`, "_"), p(`[\&&]`, "&"), p(`[\b]`, "\b"), p(`[a\:]`, ":"),
	p("(?P<n>a)", "a"), p("(?<m>b)", "b"), p("(?P<1>c)", "c"), p("(?i)", ""), p("(?i)a", "A"), p("(?i:b)", "B"), p("(?s).", "\n"), p("(?s:.)", "\n"), p("(?m)^", "\n"), p("(?m:b$)", "b\n"), p("(?-s)", ""), p("(?U)a*", "aa"), p("(?i-s:a)", "A"), p("(?)", ""),
	p("(?:|a)*", "aa"), p("(|a)+", "a"), p("(?:a|b*)*", "ab"), p("(?:b*|a)*", "ab"), p("(?:a??)*", "a"), p("(?:a?)*", "aa"), p("(?:a*)+", "aa"), p("(?:a?b?)*", "abab"), p("(?:|a)?", "a"), p("(?:|a){2}", "aa"), p("(?:|a){0,2}", "aa"), p("(?:a??b??)+", "ab"), p("(?:a?)*?", "aa"), p("(?:a?){2,3}?", "aaa"),
	p("(?:^|a)*", "a"), p("^*", ""), p(`\b+`, ""), p("$?", ""), p(`(?:^)*`, ""), p(`(?:\b)?`, "a"), p(`\B*`, "a"), p("(?:)*", ""), p("()+", ""),
	p("(?=a)", "a"), p("(?!a)", "b"), p("(?<=a)", "a"), p("(?<!a)", "a"), p("(?>a)", "a"), p("(?#x)", ""), p("(?P=n)", "a"), p(`\1`, "a"), p(`(a)\1`, "aa"), p(`\k<n>`, "a"), p("a++", "aa"), p("a*+", "a"), p("a**", "a"), p("a{2}{2}", "aaaa"), p("(?x)a", "a"),
	p(`\u0041`, "A"), p(`\U00000041`, "A"), p(`\u{41}`, "A"), p(`\cA`, "\x01"), p(`\h`, " "), p(`\R`, "\n"), p(`\e`, "\x1b"), p(`\C`, "a"), p(`\G`, ""), p(`\K`, ""), p(`\N{DIGIT ONE}`, "1"), p(`\y`, "y"), p(`\é`, "é"), p("a{1001}", "a"), p("(?(1)a|b)", "a"), p(")", ")"), p("(", "("), p("[", "["), p("*", "*"), p("[z-a]", "b"), p("[[:foo:]]", "f"), p(`\p{Foo}`, "f"),
}

var quantifiers = []string{"", "", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,1}", "{1,}?", "{2,}", "{0,}"}

// others are characters that hide differences, for the texts.
var others = []string{"", "a", "b", " ", "\n", "x1", "\u00a0", "\u2028", "\v", "😀", "é", "ſ", "_", "\u0085", "\ufeff", "İ", "\x1c"}

// sequence is a run of parts with texts of each, joined. It has one doubtful part
// at most.
func sequence(t *rapid.T, depth int, doubt *bool) part {
	var all part
	all.texts = make([]string, 8)
	for range rapid.IntRange(1, 3).Draw(t, "parts") {
		one := piece(t, depth, doubt)
		all.pattern += one.pattern
		all.loops = max(all.loops, one.loops)
		for i := range all.texts {
			k := i
			if i > 3 {
				k = rapid.IntRange(0, len(one.texts)-1).Draw(t, "text")
			}
			all.texts[i] += one.texts[k%len(one.texts)]
		}
		if rapid.IntRange(0, 6).Draw(t, "bar") == 0 {
			all.pattern += "|"
		}
	}
	if *doubt && rapid.IntRange(0, 9).Draw(t, "end") == 0 {
		*doubt = false
		all.pattern += "$"
	}
	return all
}

func piece(t *rapid.T, depth int, doubt *bool) part {
	var one part
	switch {
	case *doubt && rapid.IntRange(0, 2).Draw(t, "doubt") == 0:
		*doubt = false
		one = rapid.SampledFrom(doubtful).Draw(t, "doubtful")
	case depth > 0 && rapid.IntRange(0, 3).Draw(t, "deeper") == 0:
		inner := sequence(t, depth-1, doubt)
		one = part{rapid.SampledFrom([]string{"(", "(?:"}).Draw(t, "open") + inner.pattern + ")", inner.texts, inner.loops}
	default:
		one = rapid.SampledFrom(shared).Draw(t, "shared")
	}
	again := rapid.SampledFrom(quantifiers).Draw(t, "again")
	if one.loops > 0 && strings.HasSuffix(again, "?") && again != "??" {
		again = "" // Python 3.11 does not come to an end with some lazy loops around loops
	}
	texts := slices.Clone(one.texts)
	for i, text := range one.texts {
		if strings.HasPrefix(again, "{2") {
			texts[i] = text + text
		} else {
			texts = append(texts, text+text)
		}
	}
	if strings.ContainsAny(again, "*+") || strings.Contains(again, ",}") {
		one.loops++
	}
	return part{one.pattern + again, texts, one.loops}
}

// subjects generates an expression of the syntax of any language, or nearly, and
// texts for it.
var subjects = rapid.Custom(func(t *rapid.T) subject {
	doubt := rapid.Bool().Draw(t, "doubtful")
	all := sequence(t, 2, &doubt)
	s := subject{pattern: all.pattern}
	s.flags.IgnoreCase = rapid.IntRange(0, 3).Draw(t, "ignore case") == 0
	s.flags.Multiline = rapid.IntRange(0, 3).Draw(t, "multiline") == 0
	for _, text := range all.texts {
		s.texts = append(s.texts, text, text+"\n", text+"\u2028",
			rapid.SampledFrom(others).Draw(t, "before")+text+rapid.SampledFrom(others).Draw(t, "behind"))
	}
	s.texts = append(s.texts, "")
	if all.loops > 1 {
		for i, text := range s.texts {
			s.texts[i] = shortened(text)
		}
	}
	return s
})

// shortened is the beginning of a text: in a long one, engines that try again and
// again would not come to an end with loops within loops.
func shortened(text string) string {
	runes := []rune(text)
	return string(runes[:min(len(runes), 8)])
}

// searched are the texts as a pattern is searched in them.
func (s *subject) searched() []string {
	out := make([]string, len(s.texts))
	for i, text := range s.texts {
		out[i] = rubric.PatternText(text, s.flags.IgnoreCase)
	}
	return out
}
