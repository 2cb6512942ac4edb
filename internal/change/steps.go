package change

import (
	"fmt"
	"maps"
	"slices"

	"github.com/rubric-library/rubric-library/internal/change/comparison"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/files/parallel"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library"
)

// judgeEarlier judges each commit of a line, except the first, compared with the one before it.
// It keeps only the steps that break a rule, and nothing of what they compared. The past of
// what later also differs is read with it.
func (q *Question) judgeEarlier(p *plan, past holdings.Past, later ...*comparison.Comparison) ([]*Step, error) {
	var found []*Step
	end, _, err := q.Head.Ledger() // the last step reports what is not valid
	if err != nil {
		return nil, err
	}
	line := p.steps
	for start := 0; start < len(line)-1; start += stepsAtOnce {
		part := line[start:min(start+stepsAtOnce+1, len(line))]
		comparisons := make([]*comparison.Comparison, len(part)-1)
		err := parallel.Each(len(comparisons), func(i int) (err error) {
			comparisons[i], err = q.comparePair(part[i], part[i+1])
			return err
		})
		if err != nil {
			return nil, err
		}
		if err := q.readEarlier(past, p, append(later, comparisons...)...); err != nil {
			return nil, err
		}
		for i, c := range comparisons {
			if err := addBases(past, c); err != nil {
				return nil, err
			}
			number := start + i + 1
			s := &Step{
				Comparison: c, Documents: judgedDocuments(c), Commit: part[i+1].Hash, Number: number, OnBranch: number < p.settled,
				past: past, releases: p.releases, stepPlace: stepPlace{reached: part[i+1].Hash}, end: end,
			}
			if err := s.findFallbacks(q); err != nil {
				return nil, err
			}
			if err := q.judgeStep(p, s); err != nil {
				return nil, err
			}
			if len(s.Broken) > 0 {
				found = append(found, s)
			}
			addHeads(past, c, part[i+1])
			s.Comparison, s.Documents = nil, nil
		}
	}
	return found, nil
}

// stepsAtOnce limits how many comparisons are in memory.
const stepsAtOnce = 50

// judgeStep judges a step by the exceptions that count for it.
func (q *Question) judgeStep(p *plan, s *Step) error {
	if err := s.findExceptions(p); err != nil {
		return err
	}
	if err := s.judge(); err != nil {
		return err
	}
	if err := q.keepReleased(p, s); err != nil {
		return err
	}
	p.note(s)
	return s.explainStanding()
}

func (s *Step) judge() error {
	for _, d := range s.Documents {
		if err := s.judgeVersion(d); err != nil {
			return err
		}
		s.judgeGone(d)
		s.judgeRetired(d)
	}
	if s.Commit != "" { // the last step can't be compared
		s.judgeCopies()
	}
	if !s.Head.Packed && !s.Tip.Packed {
		s.judgeEntries()
		s.judgeEvidence()
		s.judgeLeft()
	}
	return nil
}

// readEarlier adds to a past the versions before the steps of a plan of the documents that differ in
// some comparisons.
func (q *Question) readEarlier(past holdings.Past, plan *plan, comparisons ...*comparison.Comparison) error {
	var ids []string
	for _, c := range comparisons {
		for _, id := range idsOf(c) {
			if _, known := past[id]; !known {
				past[id], ids = nil, append(ids, id)
			}
		}
	}
	var from gitrepo.Commit
	if len(plan.steps) > 0 {
		from = plan.steps[0]
	} else { // without its history, except that of what is yanked or comes back
		from, ids = plan.tip.Commit, nil
		for _, y := range comparisons[0].NewYanks() {
			ids = append(ids, y.ID)
		}
		for _, d := range comparisons[0].Changed {
			if d.Head != nil && len(d.Bases) == 0 {
				ids = append(ids, d.ID)
			}
		}
	}
	older, err := holdings.Published(q.Repo, from, q.Folder, ids)
	maps.Copy(past, older)
	return err
}

// idsOf returns the IDs whose past matters to a comparison: those of the documents that
// differ, of new ledger entries, and of documents whose current version is yanked.
func idsOf(c *comparison.Comparison) []string {
	var ids []string
	for _, d := range c.Changed {
		ids = append(ids, d.ID)
	}
	for _, u := range c.Unreadable {
		if u.Text != nil {
			ids = append(ids, u.Text.ID)
		}
	}
	if c.Ledger != nil {
		for _, entry := range c.Ledger.Entries {
			if c.IsNew(&entry) || entry.Yanked != "" && entry.Yanked == c.Living[entry.ID] {
				ids = append(ids, entry.ID)
			}
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(ids)))
}

// comparePair compares a commit with the one before it.
func (q *Question) comparePair(parent, child gitrepo.Commit) (*comparison.Comparison, error) {
	before, after, err := holdings.Pair(q.Repo, parent, child, q.Folder)
	if err != nil {
		return nil, err
	}
	if !parent.IsZero() {
		if err := holdings.CheckGone(q.Repo, parent, child, q.Repo.Snapshot(child, ""), q.Folder); err != nil {
			return nil, fmt.Errorf("at commit %.12s, %w. If this is old history, "+
				"set history.since in %s to a later commit", child.Hash, err, library.ConfigFile)
		}
	}
	return comparison.CompareStep(before, after)
}

// addBases adds to a past the documents at the tip and at the merge bases of a comparison, also those that
// only have a version yanked.
func addBases(past holdings.Past, c *comparison.Comparison) error {
	for _, d := range c.Changed {
		for _, e := range append(slices.Clone(d.Bases), d.Tip) {
			if e != nil && (d.Head == nil || e.Blob != d.Head.Blob || e.Path != d.Head.Path) {
				past.AddNewest(e)
			}
		}
	}
	for _, y := range c.NewYanks() {
		e, err := c.Tip.Find(y.ID)
		if err != nil {
			return err
		}
		if e != nil {
			past.AddNewest(e)
		}
	}
	return nil
}

// addHeads adds to a past the documents of the head of a comparison, which are in a commit.
func addHeads(past holdings.Past, c *comparison.Comparison, commit gitrepo.Commit) {
	heads := []*holdings.Edition{}
	for _, d := range c.Changed {
		heads = append(heads, d.Head)
	}
	for _, u := range c.Unreadable {
		heads = append(heads, u.Text)
	}
	for _, e := range heads {
		if e != nil {
			past.AddNewest(e.InCommit(commit))
		}
	}
}
