package lint

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/repository/gitrepo"
)

// Step is one commit of a push and its findings.
type Step struct {
	Commit gitrepo.Commit
	Report *Report
}

// Join returns the report on a push: all findings of the last step, and the errors of
// earlier steps that the last one no longer has. Each commit on the main branch is
// published, so a later step does not undo an earlier one.
func Join(steps []Step, base *Base) *Report {
	if len(steps) == 0 {
		return &Report{Base: base}
	}
	last := steps[len(steps)-1].Report
	joined := &Report{Base: base, Findings: last.Findings, Exceptions: last.Exceptions, Summary: last.Summary}
	known := map[string]bool{}
	for i := range last.Findings {
		known[last.Findings[i].Fingerprint] = true
	}
	for i, step := range steps[:len(steps)-1] {
		for _, f := range step.Report.Findings {
			if f.Severity < Error || known[f.Fingerprint] {
				continue
			}
			known[f.Fingerprint] = true
			f.Revision, f.step, f.Fix = step.Commit.Hash, i+1, nil
			f.Message += " A later commit of this push fixes this, but each commit is published: combine the commits or fix this one, and push again."
			joined.Findings = append(joined.Findings, f)
		}
		for _, x := range step.Report.Exceptions {
			same := func(other *Exception) bool {
				return x.Rule == other.Rule && x.ID == other.ID && x.Version == other.Version && x.Commit == other.Commit
			}
			if !slices.ContainsFunc(joined.Exceptions, same) {
				joined.Exceptions = append(joined.Exceptions, x)
			}
		}
	}
	joined.Findings = sortFindings(joined.Findings)
	joined.Summary.Errors, joined.Summary.Warnings, joined.Summary.Notes = 0, 0, 0
	joined.count(nil)
	return joined
}
