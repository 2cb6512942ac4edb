package lint

import (
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/history"
)

// steps compares each commit of a line but the first with the one before it, the
// oldest first.
func (e *engine) steps(h *History, line []gitrepo.Commit, exceptions []*Exception) ([]Finding, error) {
	var comparisons []*history.Comparison
	var ids []string
	number := map[string]int{} // of each commit in the line
	for i := range line {
		number[line[i].Hash] = i
		if i == 0 {
			continue
		}
		c, err := step(h, line[i-1], line[i])
		if err != nil {
			return nil, err
		}
		comparisons = append(comparisons, c)
		ids = append(ids, idsOf(c)...)
	}
	if len(comparisons) == 0 {
		return nil, nil
	}
	past, err := history.Since(h.Repo, line[len(line)-1], h.Folder, ids)
	if err != nil {
		return nil, err
	}
	var findings []Finding
	for i, c := range comparisons {
		later := func(hash string) bool { n, known := number[hash]; return known && n > i }
		p := &HistoryPass{Comparison: c, Past: past.Before(idsOf(c), later), Commit: line[i+1].Hash, step: i + 1, exceptions: exceptions}
		if err := e.historyRules(p); err != nil {
			return nil, err
		}
		findings = append(findings, p.findings...)
	}
	return findings, nil
}

// step compares a commit with the one before it.
func step(h *History, parent, child gitrepo.Commit) (*history.Comparison, error) {
	before, after, err := history.Between(h.Repo, parent, child, h.Folder)
	if err != nil {
		return nil, err
	}
	head, err := after.Head()
	if err != nil {
		return nil, err
	}
	return history.Compare(head, []*history.Library{before}, before)
}

// idsOf are the IDs whose past matters to a comparison: of the documents that
// differ and of what is new in the ledger.
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
