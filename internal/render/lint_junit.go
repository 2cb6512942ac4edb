package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// LintJUnit writes findings as test cases, a suite a file. A case fails if its
// finding is at least as severe as failing; any other finding is skipped with its
// message, because JUnit knows no warnings; so a run is red exactly if the exit
// code is 1. A library without findings is one case that passes, and so is what the
// baseline hides. prefix is the way from the repository's root to the library.
func LintJUnit(w io.Writer, r *lint.Report, prefix string, failing lint.Severity) error {
	t := lintText{Text: Text{Options: TextOptions{Prefix: prefix}}}
	var suites []JUnitSuite
	for i := range r.Findings {
		f := &r.Findings[i]
		if name := t.File(f.File); len(suites) == 0 || suites[len(suites)-1].Name != name {
			suites = append(suites, JUnitSuite{Name: name})
		}
		suites[len(suites)-1].Add(t.findingCase(f, failing))
	}
	if len(suites) == 0 {
		t.summary(r)
		suites = []JUnitSuite{{Name: "library"}}
		suites[0].Add(JUnitCase{Class: "library", Name: "library", Output: strings.TrimSpace(t.String())})
	}
	if r.Summary.Hidden > 0 {
		suites = append(suites, JUnitSuite{Name: "baseline"})
		suites[len(suites)-1].Add(JUnitCase{Class: "baseline", Name: "baseline", Output: Count(r.Summary.Hidden, "finding") + " hidden by the baseline"})
	}
	return WriteJUnit(w, suites)
}

func (t *lintText) findingCase(f *lint.Finding, failing lint.Severity) JUnitCase {
	explained := lintText{Text: Text{Options: t.Options}}
	explained.finding(f)
	name := f.Rule.ID
	if f.Start.Line > 0 {
		name = fmt.Sprintf("%s at line %d, column %d", name, f.Start.Line, f.Start.Column)
	}
	c := JUnitCase{Class: t.File(f.File), Name: name}
	message := &JUnitMessage{Message: sanitize.Line(fmt.Sprintf("%s: %s", f.Severity, f.Message)), Text: strings.TrimSpace(explained.String())}
	if f.Severity >= failing {
		c.Failure = message
	} else {
		c.Skipped = message
	}
	return c
}
