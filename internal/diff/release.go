package diff

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"

	"github.com/rubric-library/rubric-library/internal/compat"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/repository/gitrepo"
	"github.com/rubric-library/rubric-library/internal/repository/history"
)

// Release is the library's own version, which follows from the changes since the last
// release.
type Release struct {
	// Class is the highest class of the differences between the two sides, or 0 if
	// documents can't be read.
	Class schema.Class
	// Last is the version of the last release, or "" before the first.
	Last string
	// Next is the version of the head. It is Last if nothing changed.
	Next string
	// Ignored are higher tags that do not count as releases.
	Ignored []gitrepo.ReleaseTag
}

// ErrNoRevision is the error of Release if the base of the comparison is a folder or a
// bundle, which have no releases.
var ErrNoRevision = errors.New("the base has no releases: expected a revision")

// UnsettledError says that the library's version is unknown because documents can't be
// read, or are gone without an entry in the ledger.
type UnsettledError struct{ Files []string }

func (e *UnsettledError) Error() string {
	return fmt.Sprintf("the library's version can't be determined until these files are fixed: %s. `rubric diff` and `rubric lint` show the errors", strings.Join(e.Files, ", "))
}

// Class is the highest class of the differences between the two libraries: those of
// documents, and patch for versions, schemas, calibration, and the ledger.
func (c *Comparison) Class() (schema.Class, error) {
	class := schema.None
	for i := range c.Documents {
		d := &c.Documents[i]
		class = max(class, d.Class)
		if d.BaseVersion != d.HeadVersion {
			class = max(class, schema.Patch)
		}
	}
	if class > schema.None {
		return class, nil
	}
	head, err := c.Head.rest()
	if err != nil {
		return 0, err
	}
	for _, base := range c.Before {
		if base.packed != c.Head.packed {
			continue // a bundle has the rest in another form
		}
		rest, err := base.rest()
		if err != nil {
			return 0, err
		}
		if !maps.Equal(rest, head) {
			return schema.Patch, nil
		}
	}
	return class, nil
}

// Library is Release without the parts that can't be determined. repo can be nil.
func (c *Comparison) Library(repo *gitrepo.Repo, folder, prefix string) (Release, error) {
	class, err := c.settledClass(Unreadable)
	if errors.As(err, new(*UnsettledError)) {
		return Release{}, nil
	}
	if err != nil || repo == nil {
		return Release{Class: class}, err
	}
	r, err := c.Release(repo, folder, prefix)
	if errors.Is(err, ErrNoRevision) || errors.As(err, new(*UnsettledError)) {
		return Release{Class: class}, nil
	}
	return r, err
}

// Release derives the version of a release of the head. Changes between the last release
// and the tip also count. The last release is the highest tag with the prefix that
// gitrepo.LastRelease counts.
//
// Bundles contain their versions.
//
// The first release is 1.0.0 if no document is a draft, and 0.1.0 otherwise. After that,
// the version follows the highest class, as the version of a document does.
func (c *Comparison) Release(repo *gitrepo.Repo, folder, prefix string) (Release, error) {
	released := c.Tip.version != "" && c.Head.version != ""
	if c.Tip.Commit.IsZero() && len(c.Tip.Paths()) > 0 && !released {
		return Release{}, ErrNoRevision
	}
	class, err := c.settledClass(Unreadable, Gone)
	if err != nil {
		return Release{}, err
	}
	r := Release{Class: class}
	if released {
		r.Last, r.Next = c.Tip.version, c.Head.version
		return r, nil
	}
	var tag gitrepo.ReleaseTag
	if !c.Tip.Commit.IsZero() { // otherwise nothing precedes the first commit
		if tag, r.Ignored, err = repo.LastRelease(c.Tip.Commit, prefix); err != nil {
			return Release{}, err
		}
	}
	if tag.Name == "" {
		r.Next, err = c.first(repo, folder)
		return r, err
	}
	if tag.Commit.Tree != c.Tip.Commit.Tree {
		before, after, err := Between(repo, tag.Commit, c.Tip.Commit, folder)
		if err != nil {
			return Release{}, err
		}
		between, err := Compare([]*Library{before}, before, after)
		if err != nil {
			return Release{}, err
		}
		since, err := between.settledClass(Unreadable, Gone)
		if err != nil {
			return Release{}, err
		}
		class = max(class, since)
	}
	r.Last = tag.Version
	r.Next, err = required(tag.Version, class)
	return r, err
}

// VersionAfter is the version of a release of the head if the base is the last release,
// which has the version last, or nothing, and last is "".
func (c *Comparison) VersionAfter(last string, repo *gitrepo.Repo, folder string) (string, error) {
	class, err := c.settledClass(Unreadable, Gone)
	if err != nil {
		return "", err
	}
	if last == "" {
		return c.first(repo, folder)
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
	n, err := semver.StrictNewVersion(next)
	if err != nil {
		return "", fmt.Errorf("the version %s: %w", next, err)
	}
	major, err := required(last, schema.Major)
	if err != nil {
		return "", err
	}
	if m, err := semver.StrictNewVersion(major); err != nil || m.GreaterThan(n) {
		return major, err
	}
	return next, nil
}

// settledClass is Class, or an *UnsettledError if documents have a change of one of
// the kinds.
func (c *Comparison) settledClass(kinds ...compat.Kind) (schema.Class, error) {
	var files []string
	for i := range c.Documents {
		for _, ch := range c.Documents[i].Changes {
			if slices.Contains(kinds, ch.Kind) {
				files = append(files, cmp.Or(ch.Head, ch.Base).File)
			}
		}
	}
	if len(files) > 0 {
		return 0, &UnsettledError{files}
	}
	return c.Class()
}

// first is the version of the first release. It reads all documents of the head.
func (c *Comparison) first(repo *gitrepo.Repo, folder string) (string, error) {
	head := c.Head
	if head.partial {
		var err error
		if head, err = At(repo, head.Commit, head.Name, folder); err != nil {
			return "", err
		}
	}
	next := "1.0.0"
	for _, name := range head.Paths() {
		f, err := head.current(name)
		if err != nil {
			return "", err
		}
		if f.problem != "" {
			return "", &UnsettledError{[]string{name}}
		}
		if version(f.doc).Major() == 0 {
			next = "0.1.0"
		}
	}
	return next, nil
}

// Since includes the versions in the first parents of a commit. The library, a working
// tree of the commit, can have gone through several versions since the one that it is
// compared with.
func (l *Library) Since(repo *gitrepo.Repo, c gitrepo.Commit, folder string) {
	l.past = func(ids []string) (history.Past, error) { return history.Since(repo, c, folder, ids) }
}

// skips reports whether the version of a document is neither the version before nor the
// next one. For a new document, it reports whether the version is not a first one.
func skips(before, head *document.Document) bool {
	if before == nil {
		return !slices.ContainsFunc(compat.Firsts(head.ID()), version(head).Equal)
	}
	return !version(head).Equal(version(before)) && !compat.Follows(version(before), version(head))
}

// skipped finds the versions that skip numbers. The versions in a bundle are published,
// those in a commit can be the result of several steps, and the first documents of a
// library can have any version.
func (c *Comparison) skipped() error {
	var ids []string
	for i := range c.Documents {
		if d := &c.Documents[i]; d.skips {
			ids = append(ids, d.ID)
		}
	}
	if len(ids) == 0 || c.Head.packed {
		return nil
	}
	founds := true
	for _, l := range append([]*Library{c.Tip}, c.Before...) {
		empty := len(l.Paths()) == 0
		if held, ok := l.documents.(commitDocuments); ok {
			var err error
			if empty, err = held.Empty(); err != nil {
				return err
			}
		}
		founds = founds && empty
	}
	past := history.Past{}
	if c.Head.past != nil {
		var err error
		if past, err = c.Head.past(ids); err != nil {
			return err
		}
	}
	for i := range c.Documents {
		d := &c.Documents[i]
		if !d.skips || d.Required == "" && founds || slices.ContainsFunc(past[d.ID], d.comesAfter) {
			continue
		}
		d.Fits = false
		if d.Required == "" {
			d.Required = compat.First(d.ID, version(d.Head)).String()
		}
	}
	return nil
}

// comesAfter reports whether the version of the head is the next one after a version in
// between.
func (d *Document) comesAfter(h history.Holding) bool {
	between, err := semver.StrictNewVersion(h.Version)
	return err == nil && compat.Follows(between, version(d.Head)) && (d.floor == nil || !between.LessThan(version(d.floor)))
}
