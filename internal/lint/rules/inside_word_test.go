package rules

import (
	"regexp"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/linttest"
)

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

// A hundred such searches would take minutes.
func TestLongPatternsAreNotSearchedInLongExamples(t *testing.T) {
	for _, tt := range []struct {
		expr string
		want int
	}{{`ab`, 1}, {`(?:a?){1000}b`, 0}} {
		example := "score_5: |-\n        " + strings.Repeat("a", 100_000) + "b\n"
		text := strings.Replace(withKeys(t, "fail_patterns: ['"+tt.expr+"']"), "score_5: |-\n", example, 1)
		if got := messagesOf(t, linttest.Library(map[string]string{linttest.GoodPath: text}), family("Regular expressions"), "pattern-hits-best"); len(got) != tt.want {
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
		if got := messagesOf(t, linttest.Library(map[string]string{linttest.GoodPath: withKeys(t, tt.keys)}), family("Regular expressions"), "pattern-inside-word"); len(got) != tt.want {
			t.Errorf("%d findings, want %d", len(got), tt.want)
		}
	}
}
