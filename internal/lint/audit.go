package lint

import (
	"errors"
	"fmt"

	"github.com/rubric-library/rubric-library/internal/repository/gitrepo"
	"github.com/rubric-library/rubric-library/internal/repository/history"
)

// steps compares each commit of a line, except the first, with the one before it and
// runs the lint rules on each step, oldest first.
func (e *engine) steps(h *History, line []gitrepo.Commit, exceptions []*Exception) ([]Finding, error) {
	past := history.Past{}
	var findings []Finding
	for start := 0; start < len(line)-1; start += stepsAtOnce {
		part := line[start:min(start+stepsAtOnce+1, len(line))]
		comparisons, errs := make([]*history.Comparison, len(part)-1), make([]error, len(part)-1)
		inParallel(len(comparisons), func(i int) { comparisons[i], errs[i] = step(h, part[i], part[i+1]) })
		if err := errors.Join(errs...); err != nil {
			return nil, err
		}
		for i, c := range comparisons {
			commit := part[i+1]
			p := &HistoryPass{Comparison: c, Past: past.With(c), Commit: commit.Hash, step: start + i + 1, exceptions: exceptions, Settled: true}
			if err := e.historyRules(p); err != nil {
				return nil, err
			}
			findings = append(findings, p.findings...)
			past.Then(c, commit)
		}
	}
	return findings, nil
}

// stepsAtOnce limits how many comparisons are in memory.
const stepsAtOnce = 50

// step compares a commit with the one before it.
func step(h *History, parent, child gitrepo.Commit) (*history.Comparison, error) {
	before, after, err := history.Between(h.Repo, parent, child, h.Folder)
	if err != nil {
		return nil, err
	}
	whole, err := h.Repo.Snapshot(child, "")
	if err != nil {
		return nil, err
	}
	if err := history.CheckGone(h.Repo, parent, child, whole.FS(), h.Folder); err != nil {
		return nil, fmt.Errorf("at commit %.12s, %w. If this is old history, set history.since in %s to a later commit", child.Hash, err, ConfigFile)
	}
	head, err := after.Head()
	if err != nil {
		return nil, err
	}
	return history.Compare(head, []*history.Library{before}, before)
}

// idsOf returns the IDs whose past matters to a comparison: those of the documents that
// differ and of new ledger entries.
func idsOf(c *history.Comparison) []string {
	var ids []string
	for _, d := range c.Documents {
		ids = append(ids, d.ID)
	}
	if c.Ledger != nil {
		for _, entry := range c.Ledger.Entries {
			if c.TipLedger.Find(entry.ID) == nil {
				ids = append(ids, entry.ID)
			}
		}
	}
	return ids
}
