package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/repository/gitrepo"
)

// Range is the commits after Old up to a head on its first-parent line.
type Range struct {
	// Name is the name of Old in messages.
	Name string
	// Old is zero if there is nothing before the range.
	Old gitrepo.Commit
	// Steps are the commits, oldest first. There is at least one: Old itself if
	// nothing follows it.
	Steps []gitrepo.Commit
}

// ParseRange parses OLD..NEW. An OLD of zeros, which Git passes to hooks for a new branch,
// means that there is nothing before the range.
func ParseRange(repo *gitrepo.Repo, text string) (*Range, error) {
	oldName, newName, found := strings.Cut(text, "..")
	if !found || oldName == "" || newName == "" || strings.HasPrefix(newName, ".") {
		return nil, fmt.Errorf("--range must be OLD..NEW, two revisions with two dots between them, got %q", text)
	}
	r := &Range{Name: oldName}
	if len(oldName) == 40 && strings.Trim(oldName, "0123456789abcdef") == "" {
		r.Name = oldName[:12]
	}
	head, err := repo.Resolve(newName)
	if err != nil {
		return nil, err
	}
	if strings.Trim(oldName, "0") != "" {
		if r.Old, err = repo.Resolve(oldName); err != nil {
			return nil, err
		}
	}
	for c, err := range repo.FirstParents(head) {
		if err != nil {
			return nil, err
		}
		if c.Hash == r.Old.Hash {
			return r.ordered(), nil
		}
		r.Steps = append(r.Steps, c)
	}
	if r.Old.IsZero() {
		return r.ordered(), nil
	}
	return nil, fmt.Errorf("%s is not on the first-parent line of %s, so the push would rewrite the history of the branch. "+
		"Rebase onto it, or merge the topic branch into it instead of the reverse", oldName, newName)
}

// ordered puts the oldest step first.
func (r *Range) ordered() *Range {
	slices.Reverse(r.Steps)
	if len(r.Steps) == 0 {
		r.Steps = []gitrepo.Commit{r.Old}
	}
	return r
}

// Base says what a range is compared with.
func (r *Range) Base() *Base {
	b := &Base{Target: r.Name, Why: "from --range, each step compared with the one before it", Tip: r.Old.Hash, MergeBases: []string{r.Old.Hash}}
	if r.Old.IsZero() {
		b.Target, b.MergeBases, b.Why = "", nil, "nothing comes before --range"
	}
	return b
}

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
