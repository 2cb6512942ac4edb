package printer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
)

// TestTheEndOfALogIsBounded: the errors come first, the notes never, and what is cut is counted.
func TestTheEndOfALogIsBounded(t *testing.T) {
	effect := []string{"Replay: 1 of 8 recorded verdicts flips.", "Documents: 1\n::error::x"}
	const shown = "Documents: 1<U+000A>::error::x"
	for _, tt := range []struct {
		reason                           string
		errors, warnings, notes, skipped int
		effect                           []string
		lines                            int
		want                             []string // the last lines
	}{
		{"nothing to say", 0, 0, 3, 0, nil, 0, nil},
		{"only an effect, on whose lines nothing acts", 0, 0, 0, 0, effect, 2, []string{effect[0], shown}},
		{"a warning in a green log", 0, 1, 2, 0, nil, 2, []string{"", "a.yaml: warning[a]: warning 0"}},
		{"as many as fit", 2, 15, 1, 0, effect, 20, nil},
		{"one too many", 3, 15, 1, 0, effect, 20, []string{"a.yaml: warning[a]: warning 12", "and 2 more", effect[0], shown}},
		{"more errors than fit", 30, 1, 0, 0, nil, 20, []string{"a.yaml: error[a]: error 17", "and 13 more"}},
		{"findings for which the output had no room", 1, 0, 0, 7, nil, 3, []string{"a.yaml: error[a]: error 0", "and 7 more"}},
	} {
		r := &lint.Report{Summary: lint.Summary{Errors: tt.errors + tt.skipped, Warnings: tt.warnings, Notes: tt.notes}}
		add := func(s lint.Severity, n int) {
			for i := range n {
				r.Findings = append(r.Findings, lint.Finding{Rule: &lint.Rule{ID: "a"}, Severity: s, Location: source.Location{File: "a.yaml"}, Message: fmt.Sprintf("%s %d", s, i)})
			}
		}
		add(lint.Note, tt.notes)
		add(lint.Warning, tt.warnings)
		add(lint.Error, tt.errors)
		if tt.skipped > 0 {
			add(lint.Error, 1)
			r.Findings[len(r.Findings)-1].Path = lint.Unlisted
		}
		var without, with strings.Builder
		must.Do(t, Text(&without, r, TextOptions{}))
		must.Do(t, Text(&with, r, TextOptions{End: &End{Effect: tt.effect}}))
		end, found := strings.CutPrefix(with.String(), without.String())
		if lines := strings.Count(end, "\n"); !found || lines != tt.lines || !strings.HasSuffix(end, strings.Join(tt.want, "\n")+"\n") && tt.want != nil {
			t.Errorf("%s: %d lines:\n%s", tt.reason, lines, end)
		}
	}
}
