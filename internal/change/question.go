package change

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"

	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
)

// Range is the commits after Old up to a head on its first-parent line.
type Range struct {
	// Name is the name of Old in messages.
	Name string
	// Old is zero if there is nothing before the range.
	Old gitrepo.Commit
	// Steps are the commits, oldest first. There is at least one: Old itself if
	// nothing follows it.
	Steps []gitrepo.Commit
}

// Question says what is to be judged.
type Question struct {
	Repo *gitrepo.Repo
	// Folder is the folder of the library, relative to the repository.
	Folder string
	// Files is the root of the checked repository.
	Files fs.FS
	// Head is the library that is checked: that of Commit, or a working tree of it. A
	// zero Commit means that there is none yet.
	Head   *holdings.Library
	Commit gitrepo.Commit
	// Target is what the head is compared with.
	Target gitrepo.Target
	// Range, if it is set, is judged instead, each commit compared with the previous one.
	Range *Range
	// Published says that everything in the range counts as being on a guarded branch, also the
	// head.
	Published bool
	// Audit also judges every step of the first-parent history.
	Audit bool
	// Since is the commit where the history begins to count, or "".
	Since string
	// Base, if it is set, is the library at the target, with its name.
	Base *holdings.Library
	// Texts keeps the documents of the last step for a reader of the changes.
	Texts bool

	known []*holdings.Library
	// direct says that the head is compared without the steps that lead to it, which added
	// its exceptions.
	direct bool
}

// Judgment is the answer to a Question.
type Judgment struct {
	// Base says what the head was compared with.
	Base *Base
	// Last is the step to the head. Its Bases are what its changes are relative to.
	Last *Step
	// Whole is everything since the base, with all broken rules: Last, or all steps of a guarded
	// branch. It is set in a comparison of texts.
	Whole *Step
	// Earlier are the earlier steps that break a rule, oldest first, without what was
	// compared.
	Earlier []*Step
	// Line are commits of the guarded branch, oldest first: each but the first was compared with
	// the one before it, and the last is what the last step was compared with. Those with a
	// lower number than Settled were there before the head was checked.
	Line    []gitrepo.Commit
	Settled int
	// Apart are the steps of a topic branch that could not stand alone, if the host can put
	// each on the target by itself. OnlyApart says that it does nothing else.
	Apart     []*Step
	OnlyApart bool

	exceptions []*holdings.Exception // of the checked library
}

// Base says what a library was compared with.
type Base struct {
	// Target is the name of the target, and Why is the reason for its choice.
	Target, Why string
	// Tip is the hash of the target's tip, and MergeBases are the hashes of the merge
	// bases. Both are empty if there is nothing before the library.
	Tip        string
	MergeBases []string
	// Stepwise says that nothing is before the library, and that each commit that leads to it was
	// compared with the one before it.
	Stepwise bool
	// Ignored are the release tags that do not count, and are higher than the target.
	Ignored []gitrepo.ReleaseTag
}

// Sentence says what a library was compared with, and why: the end of a sentence after "compared
// with". show makes names safe to print.
func (b *Base) Sentence(show func(string) string) string {
	with := fmt.Sprintf("%s (%.12s)", show(b.Target), b.Tip)
	switch {
	case b.Stepwise:
		with = "nothing, and each commit with the one before it"
	case b.Tip == "":
		with = "nothing"
	}
	return with + ": " + show(b.Why)
}

// BrokenRules are the rules that the steps break.
func (j *Judgment) BrokenRules() []*BrokenRule {
	var all []*BrokenRule
	for _, s := range j.Earlier {
		all = append(all, s.Broken...)
	}
	return append(all, j.Last.Broken...)
}

// AcceptedExceptions are the exceptions that accept something, each once, at its place in the checked
// library or else in the step that added it.
func (j *Judgment) AcceptedExceptions() []*holdings.Exception {
	now := map[holdings.Meaning]*holdings.Exception{}
	for _, e := range j.exceptions {
		now[e.Meaning()] = e
	}
	list, listed := slices.Clone(j.Last.lets), holdings.MeaningsOf(j.Last.lets)
	for _, v := range j.BrokenRules() {
		if v.Accepted == nil || listed.Has(v.Accepted) {
			continue
		}
		listed[v.Accepted.Meaning()] = true
		list = append(list, cmp.Or(now[v.Accepted.Meaning()], v.Accepted))
	}
	return list
}

// Root is the root folder of the repository at a commit.
func (q *Question) Root(c gitrepo.Commit) fs.FS { return q.Repo.Snapshot(c, "") }

// libraryAt is the library at a commit, which is opened once.
func (q *Question) libraryAt(c gitrepo.Commit) (*holdings.Library, error) {
	for _, l := range append(q.known, q.Head, q.Base) {
		if l != nil && l.Commit.Hash == c.Hash {
			return l, nil
		}
	}
	l, err := holdings.At(q.Repo, c, q.Folder)
	if err != nil {
		return nil, err
	}
	q.known = append(q.known, l)
	return l, nil
}

// target is the library at the target, with its name.
func (q *Question) target() (*holdings.Library, error) {
	if q.Base != nil {
		return q.Base, nil
	}
	l, err := q.libraryAt(q.Target.Commit)
	if err != nil {
		return nil, err
	}
	if l != q.Head {
		l.Name = q.Target.Name
	}
	return l, nil
}

// DecidingLibrary returns the library at the target if its configuration applies to the change. It is nil
// if that of the checked library applies: on the main branch, and if the target has no library
// yet.
func (q *Question) DecidingLibrary() (*holdings.Library, error) {
	if q.Target.OnMain && !q.Target.Named || q.Target.Commit.IsZero() {
		return nil, nil
	}
	l, err := q.target()
	if err != nil {
		return nil, err
	}
	names, err := l.Paths()
	if len(names) > 0 || err != nil {
		return l, err
	}
	if empty, err := l.IsEmpty(); empty || err != nil {
		return nil, err
	}
	return l, nil
}

// Remember keeps what a checked document says, whose file has the blob hash, if every step of a
// history will be judged: the first one may have the same content, which is then not parsed again.
func (q *Question) Remember(hash string, d *document.Document) error {
	if !q.judgesAll() || q.Repo == nil {
		return nil
	}
	return holdings.Remember(q.Repo, hash, d)
}

// judgesAll reports whether a head on the main branch is judged with all steps before it.
func (q *Question) judgesAll() bool { return q.Audit || q.Target.Unreleased }
