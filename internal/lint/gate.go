package lint

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rubric-library/rubric-library/internal/repository/gitrepo"
	"github.com/rubric-library/rubric-library/internal/repository/history"
)

// gate is what a head must be compared with.
type gate struct {
	base  *Base
	bases []*history.Library
	tip   *history.Library
	// past is the last commit of the main branch before the head.
	past gitrepo.Commit
	// steps are more commits, oldest first, each to be compared with the one before
	// it; the first is only compared if it has no parent.
	steps []gitrepo.Commit
	// settled says that the head is a commit of the main branch in an audit.
	settled bool
}

// gate determines what a head is compared with: a branch with its merge bases and the
// target's tip; the main branch with its own past.
func (e *engine) gate(h *History, head *history.Head) (g *gate, err error) {
	g = &gate{base: &Base{Target: h.Target.Name, Why: h.Target.Why, Tip: h.Target.Commit.Hash}}
	commit, err := h.Repo.Head()
	if err != nil && !errors.Is(err, gitrepo.ErrNoCommit) {
		return nil, err
	}
	err = nil
	switch {
	case h.Target.OnMain:
		err = e.onMain(h, g, commit, head)
	case h.Target.Commit.IsZero():
		g.tip = history.Nothing()
	default:
		err = e.onBranch(h, g)
	}
	if err != nil {
		return nil, err
	}
	if !commit.IsZero() {
		for _, l := range g.bases {
			g.base.MergeBases = append(g.base.MergeBases, l.Commit.Hash)
		}
	}
	return g, g.checkGone(h, commit)
}

// checkGone makes sure that no other library of the repository has disappeared.
func (g *gate) checkGone(h *History, commit gitrepo.Commit) error {
	for _, l := range append([]*history.Library{g.tip}, g.bases...) {
		if l.Commit.IsZero() {
			continue
		}
		if err := history.CheckGone(h.Repo, l.Commit, commit, h.Files, h.Folder); err != nil {
			return err
		}
	}
	return nil
}

// onBranch compares with the merge bases and with the target's tip.
func (e *engine) onBranch(h *History, g *gate) (err error) {
	if g.tip, err = history.At(h.Repo, h.Target.Commit, h.Folder); err != nil {
		return err
	}
	g.past = h.Target.Commit
	if h.Audit {
		if g.steps, err = e.line(h, h.Target.Commit, ""); err != nil {
			return err
		}
	}
	g.bases, err = history.Bases(h.Repo, h.Target, g.tip, "compare with another one: --base REV", func(c gitrepo.Commit) (*history.Library, error) {
		return history.At(h.Repo, c, h.Folder)
	})
	return err
}

// onMain compares the working tree with HEAD, or with the commit before it if they are
// the same. It also compares every commit since the last release with the one before it,
// so that a later step can't hide a wrong one.
func (e *engine) onMain(h *History, g *gate, commit gitrepo.Commit, head *history.Head) error {
	line, err := e.line(h, commit, h.Target.Commit.Hash)
	if err != nil {
		return err
	}
	if h.Audit {
		if g.steps, err = e.line(h, commit, ""); err != nil {
			return err
		}
	} else {
		g.steps = line
	}
	current, err := history.At(h.Repo, commit, h.Folder)
	if err != nil {
		return err
	}
	g.past = commit
	if !current.Equals(head) || len(line) < 2 && !h.Target.Commit.IsZero() {
		g.tip, g.bases = current, []*history.Library{current}
		return nil
	}
	g.steps = g.steps[:len(g.steps)-1] // HEAD is compared as the working tree
	g.settled = h.Audit
	if len(line) < 2 {
		g.tip, g.past = history.Nothing(), gitrepo.Commit{}
		return nil
	}
	g.past = line[len(line)-2]
	if g.tip, err = history.At(h.Repo, line[len(line)-2], h.Folder); err != nil {
		return err
	}
	g.bases = []*history.Library{g.tip}
	return nil
}

// line returns the first-parent history up to a commit, oldest first. It begins at the
// commit with the hash until, at history.since, or at the first commit.
func (e *engine) line(h *History, from gitrepo.Commit, until string) ([]gitrepo.Commit, error) {
	var line []gitrepo.Commit
	for c, err := range h.Repo.FirstParents(from) {
		if err != nil {
			return nil, err
		}
		line = append(line, c)
		if c.Hash == until || c.Hash == e.config.since() {
			break
		}
	}
	slices.Reverse(line)
	return line, nil
}

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
