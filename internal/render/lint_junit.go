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
	t := text{opts: TextOptions{Prefix: prefix}}
	var suites []junitSuite
	for i := range r.Findings {
		f := &r.Findings[i]
		if name := t.file(f.File); len(suites) == 0 || suites[len(suites)-1].Name != name {
			suites = append(suites, junitSuite{Name: name})
		}
		suites[len(suites)-1].add(t.findingCase(f, failing))
	}
	if len(suites) == 0 {
		t.summary(r)
		suites = []junitSuite{{Name: "library"}}
		suites[0].add(junitCase{Class: "library", Name: "library", Output: strings.TrimSpace(t.out.String())})
	}
	if r.Summary.Hidden > 0 {
		suites = append(suites, junitSuite{Name: "baseline"})
		suites[len(suites)-1].add(junitCase{Class: "baseline", Name: "baseline", Output: count(r.Summary.Hidden, "finding") + " hidden by the baseline"})
	}
	return writeJUnit(w, suites)
}

func (t *text) findingCase(f *lint.Finding, failing lint.Severity) junitCase {
	explained := text{opts: t.opts}
	explained.finding(f)
	name := f.Rule.ID
	if f.Start.Line > 0 {
		name = fmt.Sprintf("%s at line %d, column %d", name, f.Start.Line, f.Start.Column)
	}
	c := junitCase{Class: t.file(f.File), Name: name}
	message := &junitMessage{sanitize.Line(fmt.Sprintf("%s: %s", f.Severity, f.Message)), strings.TrimSpace(explained.out.String())}
	if f.Severity >= failing {
		c.Failure = message
	} else {
		c.Skipped = message
	}
	return c
}
