package change

import (
	"errors"
	"slices"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library"
)

// apart judges the commits of a topic branch as the steps that they become if the host puts
// each on the target by itself. It returns those that fail, unless the branch is a single step.
func (q *Question) apart(exceptions []*Exception) ([]*Step, error) {
	if q.Target.Landing == gitrepo.LandsTogether || q.Commit.IsZero() {
		return nil, nil
	}
	line, err := q.Repo.Topic(q.Commit, q.Target.Commit)
	if err != nil || len(line) <= 2 {
		return nil, err
	}
	var found []*Step
	releases := releasesOf(q.Repo, q.Folder)
	for len(line) > 1 {
		// A host leaves out merges, so each begins another line.
		end := slices.IndexFunc(line[1:], func(c gitrepo.Commit) bool { return len(c.Parents) > 1 }) + 1
		if end == 0 {
			end = len(line)
		}
		steps, err := q.earlier(&plan{steps: line[:end], releases: releases}, exceptions, Past{})
		if gone := (*GoneError)(nil); errors.As(err, &gone) {
			at := slices.IndexFunc(line, func(c gitrepo.Commit) bool { return c.Hash == gone.Commit.Hash }) + 1
			v := &Verdict{Rule: DocumentGone, At: source.Location{File: library.LedgerFile}, Message: gone.Error() + "."}
			steps, err = []*Step{{Commit: line[at].Hash, Verdicts: []*Verdict{v}}}, nil
		}
		if err != nil {
			return nil, err
		}
		found, line = append(found, steps...), line[end:]
	}
	return slices.DeleteFunc(found, func(s *Step) bool {
		return !slices.ContainsFunc(s.Verdicts, (*Verdict).Fails)
	}), nil
}
