package change

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
)

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
	r.Steps, err = lineTo(repo, head, r.Old.Hash)
	switch {
	case err != nil:
		return nil, err
	case r.Old.IsZero():
		return r, nil
	case r.Steps[0].Hash != r.Old.Hash:
		return nil, fmt.Errorf("%s is not on the first-parent line of %s, "+
			"so the push would rewrite the history of the branch. "+
			"Rebase onto it, or merge the topic branch into it instead of the reverse", oldName, newName)
	}
	r.Steps = r.Steps[min(1, len(r.Steps)-1):]
	return r, nil
}

// Everything is the range of the first-parent history up to a commit, from the commit since if
// that is not "".
func Everything(repo *gitrepo.Repo, c gitrepo.Commit, since string) (*Range, error) {
	line, err := lineTo(repo, c, since)
	if err != nil || line[0].Hash != since {
		return &Range{Steps: line}, err
	}
	return &Range{Name: since, Old: line[0], Steps: line[min(1, len(line)-1):]}, nil
}

// lineTo returns the first-parent history up to a commit, oldest first. It begins at a commit
// with one of the hashes, or at the first commit.
func lineTo(repo *gitrepo.Repo, c gitrepo.Commit, from ...string) ([]gitrepo.Commit, error) {
	return repo.Line(c, func(c gitrepo.Commit) bool { return slices.Contains(from, c.Hash) })
}

// plan is what is compared with what.
type plan struct {
	base  *Base
	bases []*holdings.Library
	tip   *holdings.Library
	// steps are more commits, oldest first, each to be compared with the one before
	// it. Those with a lower number than settled are already on a guarded branch.
	steps   []gitrepo.Commit
	settled int
	// since is the library before the first step, if that is not tip.
	since *holdings.Library
	// releases are those of the library, or nil. reached is the hash of the commit that the last
	// step leads to, or "" if it can be followed by one.
	releases *holdings.Releases
	reached  string
	// exceptions are those of the checked library. taken are those that are not new, whichever
	// step adds them.
	exceptions []*holdings.Exception
	taken      holdings.Meanings
	// unused are the exceptions that a step adds and that accept nothing of it, numbered in the
	// order in which they were added, and removed are those that a step removes.
	unused  map[holdings.Meaning]int
	added   int
	removed []*holdings.Exception
}

// makePlan determines what the head is compared with: on a guarded branch, with the steps
// before it; otherwise, with the merge bases and the target's tip.
func (q *Question) makePlan() (p *plan, err error) {
	p = &plan{
		base:     &Base{Target: q.Target.Name, Why: q.Target.Why, Tip: q.Target.Commit.Hash, Ignored: q.Target.Ignored},
		releases: holdings.ReleasesOf(q.Repo, q.Folder),
	}
	switch {
	case q.Range != nil:
		err = q.planRange(p)
	case q.Commit.IsZero() && q.Target.Commit.IsZero():
		err = q.follow(p, nil)
	case q.Target.OnMain || q.Target.Queued || q.Target.Commit.IsZero():
		err = q.planMain(p)
	default:
		err = q.planBranch(p)
	}
	if err != nil {
		return nil, err
	}
	if !q.Commit.IsZero() && p.base.MergeBases == nil {
		for _, l := range p.bases {
			if !l.Commit.IsZero() {
				p.base.MergeBases = append(p.base.MergeBases, l.Commit.Hash)
			}
		}
	}
	isCommit := func(c gitrepo.Commit) bool { return !c.IsZero() }
	p.base.Stepwise = p.base.Tip == "" && slices.ContainsFunc(p.steps, isCommit)
	return p, q.checkGone(p)
}

// follow compares the head with the last of a line of commits, and each of these with the
// one before it. Without a commit, the head is compared with nothing.
func (q *Question) follow(p *plan, line []gitrepo.Commit) (err error) {
	p.steps, p.tip = line, holdings.Nothing("nothing")
	last := len(line) - 1
	if last >= 0 && !line[last].IsZero() {
		if p.tip, err = q.libraryAt(line[last]); err != nil {
			return err
		}
	}
	p.bases = []*holdings.Library{p.tip}
	return nil
}

// checkGone makes sure that no other library of the repository has disappeared.
func (q *Question) checkGone(p *plan) error {
	for _, l := range append([]*holdings.Library{p.tip}, p.bases...) {
		if l.Commit.IsZero() || q.Files == nil {
			continue
		}
		if err := holdings.CheckGone(q.Repo, l.Commit, q.Commit, q.Files, q.Folder); err != nil {
			return err
		}
	}
	return nil
}

// planBranch compares with the merge bases and with the target's tip.
func (q *Question) planBranch(p *plan) (err error) {
	if p.tip, err = q.target(); err != nil {
		return err
	}
	p.steps = []gitrepo.Commit{q.Target.Commit}
	if q.Audit {
		if p.steps, err = q.wholeLine(q.Target.Commit); err != nil {
			return err
		}
		p.settled = len(p.steps)
	}
	p.bases, err = holdings.MergeBases(q.Repo, q.Commit, q.Target, p.tip)
	if q.Base != nil && !slices.Equal(p.bases, []*holdings.Library{q.Base}) {
		p.since = q.Base // the branch has moved on
	}
	return err
}

// planRange compares each commit of the range with the one before it.
func (q *Question) planRange(p *plan) (err error) {
	r := q.Range
	p.base = &Base{
		Target: r.Name, Why: "from --range, each step compared with the one before it",
		Tip: r.Old.Hash, MergeBases: []string{r.Old.Hash},
	}
	if r.Old.IsZero() {
		p.base.Target, p.base.MergeBases, p.base.Why = "", []string{}, "nothing comes before --range"
	}
	p.settled = len(r.Steps)
	if !q.Published {
		if p.settled, err = q.Repo.CountGuarded(r.Steps); err != nil {
			return err
		}
	}
	p.settled++ // the first step leads from Old
	p.reached = q.Commit.Hash
	return q.follow(p, append([]gitrepo.Commit{r.Old}, r.Steps[:len(r.Steps)-1]...))
}

// planMain compares the working tree with HEAD, or with the commit before it if they are
// the same. It also compares every commit since the base with the one before it, so that a
// later step can't hide a wrong one. Before the first release, these are all commits.
func (q *Question) planMain(p *plan) error {
	since, err := lineTo(q.Repo, q.Commit, q.Target.Commit.Hash)
	if err != nil {
		return err
	}
	line := since
	if q.judgesAll() {
		all, err := q.wholeLine(q.Commit)
		if err != nil {
			return err
		}
		if len(all) > len(line) { // history.since does not shorten what a release would bring
			line = all
		}
	}
	p.settled = len(line)
	if !q.Target.OnMain {
		p.settled -= len(since) - 1
	}
	p.since = holdings.Nothing("nothing")
	if !q.Target.Commit.IsZero() {
		if p.since, err = q.target(); err != nil {
			return err
		}
	}
	current, err := q.libraryAt(q.Commit)
	if err != nil {
		return err
	}
	same, err := current.Equals(q.Head)
	if err != nil {
		return err
	}
	switch {
	case same && (len(since) > 1 || q.Target.Commit.IsZero()):
		line = line[:len(line)-1] // HEAD is compared as the working tree
		p.reached = q.Commit.Hash
	case q.Target.Commit.IsZero(): // the edits are the only change since the first commit
		p.base = &Base{Target: firstCommit, Why: q.Target.Why, Tip: q.Commit.Hash}
		p.since, current.Name = nil, firstCommit
	}
	return q.follow(p, line)
}

// firstCommit is the name of the only commit, which a working tree is compared with.
const firstCommit = "HEAD"

// wholeLine returns the first-parent history up to a commit, from history.since if that is set,
// oldest first. Before the first commit, a zero one has nothing.
func (q *Question) wholeLine(c gitrepo.Commit) ([]gitrepo.Commit, error) {
	r, err := Everything(q.Repo, c, q.Since)
	if err != nil {
		return nil, err
	}
	if r.Old.Hash == c.Hash {
		return r.Steps, nil // nothing follows history.since
	}
	return append([]gitrepo.Commit{r.Old}, r.Steps...), nil
}

// TargetOf is the target of a change if a person or a program names the base: its steps are
// judged if the head is on a guarded branch and the base is before it.
func TargetOf(repo *gitrepo.Repo, head gitrepo.Commit, base, why string) (gitrepo.Target, error) {
	c, err := repo.Resolve(base)
	t := gitrepo.Target{Commit: c, Name: base, Why: why, Named: true}
	if err != nil || head.IsZero() {
		return t, err
	}
	guarded, err := repo.OnGuarded(head)
	if err == nil && guarded {
		t.OnMain, err = repo.OnLine(c, head)
	}
	return t, err
}

// note keeps the exceptions of a judged step that judgeExceptions reads. What a later step does
// with an exception replaces what an earlier one did.
func (p *plan) note(s *Step) {
	p.removed = append(p.removed, s.removed...)
	for _, e := range s.removed {
		delete(p.unused, e.Meaning())
	}
	for _, e := range s.added {
		accepts := func(v *BrokenRule) bool { return v.Accepted == e }
		if slices.ContainsFunc(s.Broken, accepts) {
			delete(p.unused, e.Meaning())
			continue
		}
		if p.unused == nil {
			p.unused = map[holdings.Meaning]int{}
		}
		p.added++
		p.unused[e.Meaning()] = p.added
	}
}

// isUnused reports whether the step that adds an exception does nothing that it accepts.
func (p *plan) isUnused(e *holdings.Exception) bool { return p.unused[e.Meaning()] > 0 }
