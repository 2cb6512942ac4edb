package gitrepo

import (
	"cmp"
	"errors"
	"iter"
	"slices"
	"strings"
)

// FirstParents yields a commit and then its first parents up to the root: on a main
// branch these are the merges and the commits made on it. An error ends the sequence.
func (r *Repo) FirstParents(from Commit) iter.Seq2[Commit, error] {
	return func(yield func(Commit, error) bool) {
		if from.IsZero() {
			yield(Commit{}, errors.New("no commit to start from"))
			return
		}
		for at := from; yield(at, nil) && len(at.Parents) > 0; {
			var err error
			if at, err = r.parent(at, 0); err != nil {
				yield(Commit{}, err)
				return
			}
		}
	}
}

// Line returns a commit and its first parents, oldest first. It begins at the youngest for which
// begins is true, or at the root.
func (r *Repo) Line(to Commit, begins func(Commit) bool) (line []Commit, err error) {
	for c, err := range r.FirstParents(to) {
		if err != nil {
			return nil, err
		}
		line = append(line, c)
		if begins(c) {
			break
		}
	}
	slices.Reverse(line)
	return line, nil
}

// MergeBases returns the best common ancestors of a and b, sorted by hash: the commits
// that both descend from (or are), without those that another such commit descends
// from. There is more than one after crossing merges, and none for unrelated
// histories.
//
// The result does not depend on committers' clocks; they only affect how much of the
// history is read.
func (r *Repo) MergeBases(a, b Commit) ([]Commit, error) {
	w, err := r.meet(a, b)
	if err != nil {
		return nil, err
	}
	bases := w.bases()
	slices.SortFunc(bases, func(x, y Commit) int { return strings.Compare(x.Hash, y.Hash) })
	return bases, nil
}

// Topic returns the first parents of a commit that are not in the history of a target, oldest
// first, after the one that they begin at. For a merge into the target, these are the commits
// that it merges.
func (r *Repo) Topic(head, target Commit) ([]Commit, error) {
	var err error
	if len(head.Parents) == 2 && head.Parents[0] == target.Hash {
		if head, err = r.parent(head, 1); err != nil {
			return nil, err
		}
	}
	w, err := r.meet(head, target)
	if err != nil {
		return nil, err
	}
	return r.Line(head, func(c Commit) bool { return w.marks[c.Hash] != fromA })
}

// meet walks from two commits until their best common ancestors are known.
func (r *Repo) meet(a, b Commit) (*walk, error) {
	if a.IsZero() || b.IsZero() {
		return nil, errors.New("no commit to compare with")
	}
	w := &walk{repo: r, marks: map[string]mark{}}
	w.add(a, fromA)
	w.add(b, fromB)
	// Every best common ancestor is reached from both sides over commits that are not
	// stale. If a wrong clock makes the walk reach another commit first, that commit
	// is known to be stale only after the whole stale history was walked.
	pending := func(c Commit) bool { return w.marks[c.Hash]&stale == 0 }
	for len(w.queue) > 0 && (slices.ContainsFunc(w.queue, pending) || len(w.bases()) > 1) {
		if err := w.step(); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// mark is a set of facts about a commit: that a or b descends from it, and that a
// common ancestor does (stale), so it is not a best one.
type mark uint8

// walk goes from two commits toward the roots, the youngest commit first, and passes
// the marks of each commit to its parents.
type walk struct {
	repo  *Repo
	marks map[string]mark
	queue []Commit // sorted, the youngest last
	found []Commit // common ancestors that were not stale when reached
}

// add marks a commit, and queues it if it gets a new mark.
func (w *walk) add(c Commit, m mark) {
	if old := w.marks[c.Hash]; old|m != old {
		w.marks[c.Hash] = old | m
		at, _ := slices.BinarySearchFunc(w.queue, c, func(a, b Commit) int {
			return cmp.Or(a.When.Compare(b.When), strings.Compare(b.Hash, a.Hash))
		})
		w.queue = slices.Insert(w.queue, at, c)
	}
}

// bases returns the common ancestors that are not known to be stale.
func (w *walk) bases() []Commit {
	var bases []Commit
	for _, c := range w.found {
		if w.marks[c.Hash]&stale == 0 {
			bases = append(bases, c)
		}
	}
	return bases
}

// step takes the youngest commit of the queue and marks its parents.
func (w *walk) step() error {
	last := len(w.queue) - 1
	c := w.queue[last]
	w.queue = w.queue[:last]
	m := w.marks[c.Hash]
	if m == common && !slices.ContainsFunc(w.found, func(f Commit) bool { return f.Hash == c.Hash }) {
		w.found = append(w.found, c)
	}
	if m&common == common {
		m |= stale
	}
	for i := range c.Parents {
		if old := w.marks[c.Parents[i]]; old|m == old {
			continue
		}
		p, err := w.repo.parent(c, i)
		if err != nil {
			return err
		}
		w.add(p, m)
	}
	return nil
}

const (
	fromA mark = 1 << iota
	fromB
	stale
	common = fromA | fromB
)
