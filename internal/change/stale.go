package change

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library"
)

// judgeExceptions adds to the last step what changed exceptions break: one that was added
// accepts something, once, and one that is gone no longer accepts anything. A later step can
// have undone either.
func (q *Question) judgeExceptions(p *plan, last *Step) error {
	if q.direct {
		return nil
	}
	kept := holdings.Meanings{}
	var fresh, gone []*holdings.Exception
	for i, e := range p.exceptions {
		switch {
		case kept.Has(e):
			same := func(other *holdings.Exception) bool { return other.Meaning() == e.Meaning() }
			first := p.exceptions[slices.IndexFunc(p.exceptions[:i], same)]
			last.addAtException(ExceptionStale, e, "Remove this exception: line %d has the same one, "+
				"and an exception counts once.", first.At.Start.Line)
		case p.isUnused(e) && slices.Contains(Acceptable, e.Rule): // lint reports an unknown rule
			fresh = append(fresh, e)
		}
		kept[e.Meaning()] = true
	}
	slices.SortStableFunc(fresh, func(a, b *holdings.Exception) int {
		return p.unused[a.Meaning()] - p.unused[b.Meaning()]
	})
	for _, e := range p.removed {
		if e.Commit != "" && !kept.Has(e) {
			gone = append(gone, e)
			kept[e.Meaning()] = true
		}
	}
	named, err := q.acceptNamed(p, fresh, gone)
	if err != nil {
		return err
	}
	for _, e := range fresh {
		if named.accepting.Has(e) {
			last.lets = append(last.lets, e)
		} else {
			last.addAtException(ExceptionStale, e, "Remove this exception: %s", named.whyUnused(e))
		}
	}
	for _, e := range gone {
		if named.accepting.Has(e) {
			last.addRemovedException(e)
		}
	}
	return nil
}

// addRemovedException adds the rule that the removal of an exception breaks.
func (s *Step) addRemovedException(e *holdings.Exception) {
	missing := *e
	missing.At = source.Location{File: library.ExceptionsFile}
	s.addAtException(ExceptionRemoved, &missing, "Restore the exception of %s for %s (commit %s): "+
		"it still accepts what that commit did.", e.Rule, schema.Quote(e.ID), e.Commit)
}

// addAtException adds a rule that an exception breaks, which no other exception accepts.
func (s *Step) addAtException(rule string, e *holdings.Exception, format string, args ...any) {
	s.add(&BrokenRule{
		Rule: rule, ID: e.ID, Version: e.Version, Item: e.Item,
		At: e.At, Final: true, Message: fmt.Sprintf(format, args...),
	})
}

// named are the commits that exceptions name.
type named struct {
	// commits are those on the main branch, by hash.
	commits map[string]gitrepo.Commit
	// accepting are the exceptions that accept something there, and accepted are those for
	// something that one of them accepts.
	accepting, accepted holdings.Meanings
}

// whyUnused returns why an exception accepts nothing.
func (n *named) whyUnused(e *holdings.Exception) string {
	what := strings.TrimRight(e.Rule+" for "+e.ID+" "+e.Version, " ")
	if e.Item != "" {
		what += " " + schema.Quote(e.Item)
	}
	switch {
	case e.Commit == "":
		return fmt.Sprintf("this change does nothing that it accepts (%s), and it accepts no other change. "+
			"To accept what an earlier commit did, write the commit instead of the version.", what)
	case n.commits[e.Commit].IsZero():
		return fmt.Sprintf("commit %.12s is not on the main branch. "+
			"In a branch, the exception belongs in the same commit as what it accepts, "+
			"with the version instead of the commit.", e.Commit)
	case n.accepted.Has(e):
		return fmt.Sprintf("another one already accepts what commit %.12s does (%s).", e.Commit, what)
	}
	return fmt.Sprintf("commit %.12s does nothing that it accepts (%s).", e.Commit, what)
}

// acceptNamed judges the commits that some exceptions name: fresh ones, which the change adds to
// those that the library has, and ones that are gone. Of several that could accept something, the
// oldest counts, and one that is gone counts only if no other does.
func (q *Question) acceptNamed(p *plan, fresh, gone []*holdings.Exception) (*named, error) {
	hashes := map[string]bool{}
	for _, e := range slices.Concat(fresh, gone) {
		if e.Commit != "" {
			hashes[e.Commit] = true
		}
	}
	commits, err := q.onMain(hashes)
	if err != nil {
		return nil, err
	}
	n := &named{commits: commits, accepting: holdings.Meanings{}, accepted: holdings.Meanings{}}
	added := holdings.MeaningsOf(fresh)
	standing := slices.DeleteFunc(slices.Clone(p.exceptions), added.Has)
	all := slices.Concat(standing, fresh, gone)
	for _, hash := range slices.Sorted(maps.Keys(commits)) {
		broken, err := q.judgeAgain(p, commits[hash], all)
		if err != nil {
			return nil, err
		}
		for _, v := range broken {
			if v.Accepted == nil {
				continue
			}
			if v.Accepted.Commit != "" { // else the commit added it, and it is spent
				n.accepting[v.Accepted.Meaning()] = true
			}
			for _, e := range fresh {
				if e.Commit == hash && e.Covers(v.Rule, v.ID, v.Version, v.Item) {
					n.accepted[e.Meaning()] = true
				}
			}
		}
	}
	return n, nil
}

// judgeAgain returns the rules that a commit breaks of the main branch with other exceptions than the
// checked library has. Nothing can accept that a library is moved, so it has none.
func (q *Question) judgeAgain(p *plan, commit gitrepo.Commit, exceptions []*holdings.Exception) ([]*BrokenRule, error) {
	var parent gitrepo.Commit
	if len(commit.Parents) > 0 {
		var err error
		if parent, err = q.Repo.Resolve(commit.Hash + "^1"); err != nil {
			return nil, err
		}
	}
	one := &plan{steps: []gitrepo.Commit{parent, commit}, settled: 2, exceptions: exceptions, releases: p.releases}
	steps, err := q.judgeEarlier(one, holdings.Past{})
	if errors.As(err, new(*holdings.GoneError)) {
		return nil, nil
	}
	var broken []*BrokenRule
	for _, s := range steps {
		broken = append(broken, s.Broken...)
	}
	return broken, err
}

// onMain returns the commits with some hashes that are on the line whose steps count: that of
// the head on a guarded branch, or else that of the target.
func (q *Question) onMain(hashes map[string]bool) (map[string]gitrepo.Commit, error) {
	found := map[string]gitrepo.Commit{}
	tip := q.Target.Commit
	if q.Target.OnMain || q.Range != nil || q.Target.Queued || tip.IsZero() {
		tip = q.Commit
	}
	if len(hashes) == 0 || tip.IsZero() {
		return found, nil
	}
	for c, err := range q.Repo.FirstParents(tip) {
		if err != nil {
			return nil, err
		}
		if hashes[c.Hash] {
			found[c.Hash] = c
		}
		if len(found) == len(hashes) {
			break
		}
	}
	return found, nil
}
