package change

import (
	"errors"
	"slices"

	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library"
)

// judgeApart judges the commits of a topic branch as the steps that they become if the host puts
// each on the target by itself. It returns those that fail, unless the branch is a single step.
// whole is the branch as one step.
func (q *Question) judgeApart(p *plan, whole *Step) ([]*Step, error) {
	if q.Target.Landing == gitrepo.LandsTogether || q.Commit.IsZero() {
		return nil, nil
	}
	line, err := q.Repo.Topic(q.Commit, q.Target.Commit)
	if err != nil || len(line) <= 2 {
		return nil, err
	}
	atTip, _, err := whole.Tip.EarlierExceptions()
	if err != nil {
		return nil, err
	}
	taken := holdings.MeaningsOf(atTip) // also after each commit follows the tip
	var found []*Step
	for len(line) > 1 {
		// A host leaves out merges, so each begins another line.
		end := slices.IndexFunc(line[1:], func(c gitrepo.Commit) bool { return len(c.Parents) > 1 }) + 1
		if end == 0 {
			end = len(line)
		}
		steps, err := q.judgeEarlier(&plan{steps: line[:end], releases: p.releases, taken: taken}, holdings.Past{})
		if gone := (*holdings.GoneError)(nil); errors.As(err, &gone) {
			at := slices.IndexFunc(line, func(c gitrepo.Commit) bool { return c.Hash == gone.Commit.Hash }) + 1
			v := &BrokenRule{Rule: DocumentGone, At: source.Location{File: library.LedgerFile}, Message: gone.Error() + "."}
			steps, err = []*Step{{Commit: line[at].Hash, Broken: []*BrokenRule{v}}}, nil
		}
		if err != nil {
			return nil, err
		}
		q.useApart(p, whole, steps)
		found, line = append(found, steps...), line[end:]
	}
	found = slices.DeleteFunc(found, func(s *Step) bool {
		return !slices.ContainsFunc(s.Broken, (*BrokenRule).Fails)
	})
	for _, s := range found {
		s.explainElsewhere(whole.added)
	}
	return found, nil
}

// useApart takes note of the exceptions that accept one of the commits, if the host puts each on
// the target by itself and does nothing else.
func (q *Question) useApart(p *plan, whole *Step, steps []*Step) {
	if q.Target.Landing != gitrepo.LandsApart {
		return
	}
	accepting := holdings.Meanings{}
	for _, s := range steps {
		for _, v := range s.Broken {
			if v.Accepted != nil {
				accepting[v.Accepted.Meaning()] = true
			}
		}
	}
	for _, e := range p.exceptions {
		if p.isUnused(e) && accepting.Has(e) {
			whole.lets = append(whole.lets, e)
			delete(p.unused, e.Meaning())
		}
	}
}

// explainElsewhere adds to the broken rules of a commit that an exception for it is in another one.
func (s *Step) explainElsewhere(added []*holdings.Exception) {
	for _, v := range s.Broken {
		covers := func(e *holdings.Exception) bool { return e.Commit == "" && e.Covers(v.Rule, v.ID, v.Version, v.Item) }
		if v.Fails() && !v.Final && slices.ContainsFunc(added, covers) {
			v.Message += " The exception for it must be in the same commit, because each commit can be published by itself."
		}
	}
}
