package diff

import (
	"slices"

	"github.com/Masterminds/semver/v3"

	"github.com/rubric-library/rubric-library/internal/compat"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/repository/gitrepo"
	"github.com/rubric-library/rubric-library/internal/repository/history"
)

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
