package printer

import (
	"fmt"

	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// End is the end of a log that is all that its host shows to a reviewer.
type End struct {
	// Effect says in a few lines what the change does to scores and verdicts.
	Effect []string
}

// mostEnd is how many lines the end of a log has: what a page shows without scrolling.
const mostEnd = 20

// printEnd repeats the errors and then the warnings, one a line, and says what the change does.
func (t *text) printEnd(r *lint.Report) {
	if t.options.End == nil {
		return
	}
	var lines []string
	for _, f := range worstFirst(r.Findings) {
		if f.Severity > lint.Note && f.Path != lint.Unlisted {
			lines = append(lines, fmt.Sprintf("%s: %s[%s]: %s", t.Place(f.Location), f.Severity, f.Rule.ID,
				sanitize.Line(f.Message)))
		}
	}
	if found := r.Summary.Errors + r.Summary.Warnings; found > 0 {
		t.Printf("\n")
		room := mostEnd - 1 - len(t.options.End.Effect)
		if found > room {
			lines = lines[:min(len(lines), room-1)]
		}
		for _, line := range lines {
			t.Printf("%s\n", line)
		}
		if more := found - len(lines); more > 0 {
			t.Printf("and %d more\n", more)
		}
	}
	for _, line := range t.options.End.Effect {
		t.Printf("%s\n", sanitize.Line(line))
	}
}
