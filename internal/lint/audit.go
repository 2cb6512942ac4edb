package lint

import (
	"errors"
	"slices"

	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/history"
)

// audit checks every step of the first-parent history of HEAD, the oldest
// first, back to the commit that the configuration names. The first commit of
// all is compared with nothing.
func (e *engine) audit(h *History, exceptions []*Exception) ([]Finding, error) {
	head, err := h.Repo.Head()
	if errors.Is(err, gitrepo.ErrNoCommit) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	line, err := e.line(h, head)
	if err != nil {
		return nil, err
	}
	past := history.Past{}
	var findings []Finding
	for i, c := range line {
		comparison, err := step(h, line, i)
		if err != nil {
			return nil, err
		}
		p := &HistoryPass{Comparison: comparison, Past: past, Commit: c.Hash, exceptions: exceptions}
		if err := e.historyRules(p); err != nil {
			return nil, err
		}
		findings = append(findings, p.findings...)
		past.Hold(comparison, c)
	}
	return findings, nil
}

// line is the first-parent history from the commit of history.since on, the
// oldest first.
func (e *engine) line(h *History, head gitrepo.Commit) ([]gitrepo.Commit, error) {
	var line []gitrepo.Commit
	for c, err := range h.Repo.FirstParents(head) {
		if err != nil {
			return nil, err
		}
		line = append(line, c)
		if c.Hash == e.config.since() {
			break
		}
	}
	slices.Reverse(line)
	return line, nil
}

// step compares commit i of the line with the one before it.
func step(h *History, line []gitrepo.Commit, i int) (*history.Comparison, error) {
	if i == 0 {
		first, err := history.At(h.Repo, line[0], h.Folder)
		if err != nil {
			return nil, err
		}
		head, err := first.Head()
		if err != nil {
			return nil, err
		}
		return history.Compare(head, nil, history.Nothing())
	}
	before, after, err := history.Between(h.Repo, line[i-1], line[i], h.Folder)
	if err != nil {
		return nil, err
	}
	head, err := after.Head()
	if err != nil {
		return nil, err
	}
	return history.Compare(head, []*history.Library{before}, before)
}
