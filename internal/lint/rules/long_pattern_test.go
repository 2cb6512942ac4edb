package rules

import (
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/linttest"
)

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
