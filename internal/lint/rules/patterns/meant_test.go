package patterns

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/lint/linttest"
	"github.com/rubric-library/rubric-library/internal/regex/scan"
)

func TestLiteralDot(t *testing.T) {
	tests := []struct {
		reason, expr string
		want         int
	}{
		{"at the end", `etc.`, 3},
		{"before a space", `etc. and`, 3},
		{"at the end of an alternative", `(?:etc.|TBD)`, 6},
		{"between digits", `version 1.0`, 9},
		{"between single letters", `\be.g\b`, 3},
		{"before the end of a name", `README.md`, 6},
		{"escaped", `etc\.`, -1},
		{"in a class", `etc[.]`, -1},
		{"repeated", `etc.*`, -1},
		{"repeated by numbers", `etc.{3}`, -1},
		{"one letter or another", `gr.y`, -1},
		{"not after a letter", `\w.`, -1},
		{"alone", `.`, -1},
	}
	for _, tt := range tests {
		if got := literalDot(tt.expr); got != tt.want {
			t.Errorf("%s: the full stop of %s is at %d, want %d", tt.reason, tt.expr, got, tt.want)
		}
	}
}

func TestInsideWord(t *testing.T) {
	tests := []struct{ reason, expr, want string }{
		{"in the middle", `etc`, "etch"},
		{"with the character after it", `etc.`, "fetch"},
		{"at the end", `fast`, "breakfast"},
		{"the beginning of another word", `\bshall`, "shallow"},
		{"other forms of the word are meant", `assum`, ""},
		{"the word alone", `\bfast\b`, ""},
		{"in no word", `TBD`, ""},
	}
	for _, tt := range tests {
		if got, _ := insideWord(regexp.MustCompile(tt.expr)); got != tt.want {
			t.Errorf("%s: %s is found in %q, want %q", tt.reason, tt.expr, got, tt.want)
		}
	}
}

func TestCovers(t *testing.T) {
	tests := []struct {
		reason, by, of string
		want           bool
	}{
		{"a part of the text", `so`, `and so on`, true},
		{"the same words with boundaries", `\band so\b`, `\band so on\b`, true},
		{"one of the alternatives", `TBC|TBD`, `TBD`, true},
		{"a class", `TB[A-Z]`, `TB[CD]`, true},
		{"boundaries that the other has not", `\bso\b`, `so`, false},
		{"a boundary inside of a longer word", `\bso\b`, `\bso[on]`, false},
		{"another character before it", ` etc`, `\betc`, false},
		{"any other character before it", `[^-]etc`, `\betc`, false},
		{"only some of the alternatives", `TBC`, `TB[CD]`, false},
		{"at the beginning only", `^etc`, `etc`, false},
		{"both at the beginning", `^et`, `^etc`, false}, // hard to tell
	}
	for _, tt := range tests {
		tree, err := syntax.Parse(tt.of, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		x := pattern{tree: tree, texts: scan.Texts(tree, mostTexts)}
		if got := x.texts != nil && covers(regexp.MustCompile(tt.by), x); got != tt.want {
			t.Errorf("%s: %s covers %s: %t, want %t", tt.reason, tt.by, tt.of, got, tt.want)
		}
	}
}

func TestOnlyFiniteTextsAreListed(t *testing.T) {
	for _, expr := range []string{`so.*`, `s+`, `[a-z]{3}`, `(?i)so`, `s?`} {
		tree, err := syntax.Parse(expr, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		if texts := scan.Texts(tree, mostTexts); texts != nil {
			t.Errorf("the texts of %s are said to be %d", expr, len(texts))
		}
	}
}

// A hundred such searches would take minutes.
func TestLongPatternsAreNotSearchedInLongExamples(t *testing.T) {
	for _, tt := range []struct {
		expr string
		want int
	}{{`ab`, 1}, {`(?:a?){1000}b`, 0}} {
		example := "score_5: |-\n        " + strings.Repeat("a", 100_000) + "b\n"
		text := strings.Replace(withKeys(t, "fail_patterns: ['"+tt.expr+"']"), "score_5: |-\n", example, 1)
		if got := linttest.Messages(t, linttest.Library(map[string]string{linttest.GoodPath: text}), Rules, "pattern-hits-best"); len(got) != tt.want {
			t.Errorf("%s: %d findings, want %d", tt.expr, len(got), tt.want)
		}
	}
}

// What is found of the last pattern does not depend on what the others take.
func TestLongPatternsDoNotHideOthersInWords(t *testing.T) {
	optional := strings.Repeat("e?a?i?o?", 150)
	for _, tt := range []struct {
		keys string
		want int
	}{{"fail_patterns: ['qui']", 1}, {"fail_patterns: ['" + optional + "qui', '" + optional + "que', '" + optional + "qua']", 3}} {
		if got := linttest.Messages(t, linttest.Library(map[string]string{linttest.GoodPath: withKeys(t, tt.keys)}), Rules, "pattern-inside-word"); len(got) != tt.want {
			t.Errorf("%d findings, want %d", len(got), tt.want)
		}
	}
}

func TestIdleBoundary(t *testing.T) {
	tests := []struct {
		reason, expr string
		want         int
	}{
		{"in front of a letter beyond ASCII", `\bÜblich`, 0},
		{"behind one", `Café\b`, 5},
		{"in another script", `so \bआदि`, 3},
		{"letters from a to z", `\bAbout\b`, -1},
		{"such a letter within the word", `\bfür\b`, -1},
		{"not a letter", `\b…`, -1},
		{"a backslash and a b", `\\bÜ`, -1},
		{"behind an escape", `\.\bÜ`, 2},
		{"nothing around it", `\b`, -1},
		{"a backslash at the end", `Ü\`, -1},
	}
	for _, tt := range tests {
		if at, _ := idleBoundary(tt.expr); at != tt.want {
			t.Errorf("%s: %s gives %d, want %d", tt.reason, tt.expr, at, tt.want)
		}
	}
}
