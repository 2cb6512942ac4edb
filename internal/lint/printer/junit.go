package printer

import (
	"fmt"
	"io"
	"strings"

	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// JUnit writes findings as test cases, one suite per file. A case fails if its finding is
// at least as severe as failing. Other findings are skipped cases with their message,
// because JUnit has no warnings. A run is therefore red exactly if the exit code is 1. A
// library without findings is one passing case, and so are the findings that the baseline
// hides. prefix is the path from the repository's root to the library.
func JUnit(w io.Writer, r *lint.Report, prefix string, failing lint.Severity) error {
	t := text{Text: render.Text{Options: render.TextOptions{Prefix: prefix}}}
	var suites []render.JUnitSuite
	for i := range r.Findings {
		f := &r.Findings[i]
		if name := t.File(f.File); len(suites) == 0 || suites[len(suites)-1].Name != name {
			suites = append(suites, render.JUnitSuite{Name: name})
		}
		suites[len(suites)-1].Add(t.findingCase(f, failing))
	}
	if len(suites) == 0 {
		t.summary(r)
		suites = []render.JUnitSuite{{Name: "library"}}
		suites[0].Add(render.JUnitCase{Class: "library", Name: "library", Output: strings.TrimSpace(t.String())})
	}
	if r.Summary.Hidden > 0 {
		suites = append(suites, render.JUnitSuite{Name: "baseline"})
		suites[len(suites)-1].Add(render.JUnitCase{Class: "baseline", Name: "baseline", Output: render.Count(r.Summary.Hidden, "finding") + " hidden by the baseline"})
	}
	return render.WriteJUnit(w, suites)
}

func (t *text) findingCase(f *lint.Finding, failing lint.Severity) render.JUnitCase {
	explained := text{Text: render.Text{Options: t.Options}}
	explained.finding(f)
	name := f.Rule.ID
	if f.Start.Line > 0 {
		name = fmt.Sprintf("%s at line %d, column %d", name, f.Start.Line, f.Start.Column)
	}
	c := render.JUnitCase{Class: t.File(f.File), Name: name}
	message := &render.JUnitMessage{Message: sanitize.Line(fmt.Sprintf("%s: %s", f.Severity, f.Message)), Text: strings.TrimSpace(explained.String())}
	if f.Severity >= failing {
		c.Failure = message
	} else {
		c.Skipped = message
	}
	return c
}
