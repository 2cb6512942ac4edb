package change

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"

	"github.com/rubric-library/rubric-library/internal/change/compat"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/render"
)

// Release is the library's own version, which follows from the changes since the last
// release.
type Release struct {
	// Class is the highest class of the differences in documents; patch if only versions,
	// schemas, calibration, or the ledger differ. null: a document can't be read.
	Class schema.Class `json:"class"`
	// Last is the library's version at the last release before the base. null: there was none,
	// or it is unknown, for example because the base is a folder.
	Last render.Optional `json:"base_version"`
	// Next is the library's version if the head were released, based on all changes since the
	// last release; base_version if nothing changed. null: unknown.
	Next render.Optional `json:"next_version"`
	// Ignored are higher tags that do not count as releases.
	Ignored []gitrepo.ReleaseTag `json:"-"`
}

// ErrNoRevision is the error of Release if the base of the comparison is a folder or a
// bundle, which have no releases.
var ErrNoRevision = errors.New("the base has no releases: expected a revision")

// UnsettledError says that the library's version is unknown because documents can't be
// read, or are gone without an entry in the ledger.
type UnsettledError struct{ Files []string }

func (e *UnsettledError) Error() string {
	return fmt.Sprintf("the library's version can't be determined until these files are fixed: %s. "+
		"`rubric diff` and `rubric lint` show the errors", strings.Join(e.Files, ", "))
}

// unreadFiles lists the files of the head that can't be read.
func (s *Step) unreadFiles() []string {
	var files []string
	for _, u := range s.Unreadable {
		files = append(files, u.Path)
	}
	for _, d := range s.Documents {
		if d.Head != nil && !d.Head.IsValid() {
			files = append(files, d.Path)
		}
	}
	return files
}

// goneFiles lists the files of documents that are gone, without an entry in the ledger or an
// exception.
func (s *Step) goneFiles() []string {
	var files []string
	for _, v := range s.Broken {
		gone := func(d *JudgedDocument) bool { return d.ID == v.ID && d.Head == nil }
		if was := v.EarlierEdition(); was != nil && v.Fails() && slices.ContainsFunc(s.Documents, gone) {
			files = append(files, was.Path)
		}
	}
	return files
}

// class is the highest class of the differences between a head and the libraries that it is
// compared with: those of documents, and patch for versions, schemas, calibration, and the
// ledger. A document that is added counts as minor, one that comes back at least as minor, and one
// that is removed as major. A yank counts as major if its fallback is or its text is withdrawn, and
// otherwise as patch. With an *UnsettledError, it is 0.
func (s *Step) class() (class schema.Class, err error) {
	if files := s.unreadFiles(); len(files) > 0 {
		return 0, &UnsettledError{files}
	}
	class = schema.None
	for _, d := range s.Documents {
		class = max(class, d.effect())
	}
	for _, f := range s.Fallbacks {
		class = max(class, f.effect())
	}
	for _, base := range s.Bases {
		// A bundle has the rest in another form.
		if class != schema.None || base.Packed != s.Head.Packed {
			continue
		}
		before, err := base.Others()
		if err != nil {
			return 0, err
		}
		now, err := s.Head.Others()
		if err != nil {
			return 0, err
		}
		if !maps.Equal(before, now) {
			class = schema.Patch
		}
	}
	return class, nil
}

// effect is the class of the difference of a document for the library.
func (d *JudgedDocument) effect() schema.Class {
	switch {
	case d.Head == nil && len(d.Bases) > 0:
		return schema.Major
	case d.Head != nil && len(d.Bases) == 0: // constraints can select its versions from before it was removed
		return max(schema.Minor, d.Class())
	case d.Base != nil && d.Base.Version != d.Head.Version:
		return max(schema.Patch, d.Class())
	}
	return d.Class()
}

// Outline is Release without the parts that can't be determined.
func (s *Step) Outline(repo *gitrepo.Repo) (Release, error) {
	r, err := s.Release(repo)
	if errors.Is(err, ErrNoRevision) || errors.As(err, new(*UnsettledError)) {
		return Release{Class: r.Class}, nil
	}
	return r, err
}

// Release derives the version of a release of the head. Changes between the last release
// and the tip also count. The last release is the highest tag that gitrepo.LastRelease
// counts. Bundles contain their versions.
//
// The first release is 1.0.0 if no document is a draft, and 0.1.0 otherwise. After that,
// the version follows the highest class, as the version of a document does.
func (s *Step) Release(repo *gitrepo.Repo) (r Release, err error) {
	r.Class, err = s.class()
	if gone := s.goneFiles(); len(gone) > 0 {
		var unsettled *UnsettledError
		switch {
		case err == nil:
			err = &UnsettledError{gone}
		case errors.As(err, &unsettled):
			unsettled.Files = append(unsettled.Files, gone...)
		}
	}
	released := s.Tip.Version != "" && s.Head.Version != ""
	switch {
	case s.Tip.Commit.IsZero() && len(s.Tip.ListedPaths()) > 0 && !released:
		return r, ErrNoRevision
	case err != nil:
		return r, err
	case released:
		r.Last, r.Next = render.Optional(s.Tip.Version), render.Optional(s.Head.Version)
		return r, nil
	}
	var tag gitrepo.ReleaseTag
	if !s.Tip.Commit.IsZero() { // otherwise nothing precedes the first commit
		if tag, r.Ignored, err = repo.LastRelease(s.Tip.Folder, s.Tip.Commit); err != nil {
			return Release{}, err
		}
	}
	class := r.Class
	if tag.Name != "" {
		if class, err = s.sinceLast(repo, tag.Commit); err != nil {
			return r, err
		}
	}
	next, err := s.next(tag.Version, class)
	r.Last, r.Next = render.Optional(tag.Version), render.Optional(next)
	return r, err
}

// sinceLast is the class of what a release of the head changes: the same as when it is built. If
// the target has moved on since the branch began, what changed on either side counts.
func (s *Step) sinceLast(repo *gitrepo.Repo, last gitrepo.Commit) (schema.Class, error) {
	released, tip, err := holdings.Pair(repo, last, s.Tip.Commit, s.Tip.Folder)
	if err != nil {
		return 0, err
	}
	own, err := stepTo(released, s.Head)
	if err != nil {
		return 0, err
	}
	if slices.Equal(s.Bases, []*holdings.Library{s.Tip}) {
		until := s.Tip.Commit
		if n := len(s.line); n > 0 {
			until = s.line[n-1]
		}
		return own.classWith(until)
	}
	other, err := stepTo(released, tip)
	if err != nil {
		return 0, err
	}
	branch := *s
	branch.Fallbacks = own.Fallbacks // of versions that were released
	class, err := branch.class()
	theirs, failed := other.classWith(tip.Commit)
	return max(class, theirs), cmp.Or(err, failed)
}

// stepTo is the step from a library to another one, without the commits between them.
func stepTo(before, head *holdings.Library) (*Step, error) {
	j, err := Versus([]*holdings.Library{before}, before, head, false)
	if err != nil {
		return nil, err
	}
	return j.Last, nil
}

// VersionAfter is the version of a release of a library after another release, which has the
// version last. For the first release, released is Nothing, and last is "".
func VersionAfter(released *holdings.Library, last string, head *holdings.Library) (string, error) {
	s, err := stepTo(released, head)
	if err != nil {
		return "", err
	}
	class, err := s.classWith(head.Commit)
	if err != nil {
		return "", err
	}
	return s.next(last, class)
}

// classWith is the class of the step with that of the versions that were published up to a commit.
func (s *Step) classWith(until gitrepo.Commit) (schema.Class, error) {
	class, err := s.class()
	if err != nil {
		return 0, err
	}
	passed, err := s.passedClass(until)
	return max(class, passed), err
}

func (s *Step) next(last string, class schema.Class) (string, error) {
	if last == "" {
		return s.firstVersion()
	}
	return required(last, class)
}

func required(last string, class schema.Class) (string, error) {
	v, err := semver.StrictNewVersion(last)
	if err != nil {
		return "", fmt.Errorf("the version %s: %w", last, err)
	}
	return compat.Required(v, class).String(), nil
}

// Major is the version of a release that breaks the programs that use the library: the
// later of next, which its documents require, and the version that a major change after
// the release last requires.
func Major(next, last string) (string, error) {
	major, err := required(last, schema.Major)
	if higher(next, major) {
		return next, nil
	}
	return major, err
}

// firstVersion is the version of the first release. It reads all documents of the head.
func (s *Step) firstVersion() (string, error) {
	names, err := s.Head.Paths()
	if err != nil {
		return "", err
	}
	next := "1.0.0"
	for _, name := range names {
		e, err := s.Head.ReadAt(name)
		switch {
		case err != nil:
			return "", err
		case !e.IsValid():
			return "", &UnsettledError{[]string{name}}
		case strings.HasPrefix(e.Version, "0."):
			next = "0.1.0"
		}
	}
	return next, nil
}
