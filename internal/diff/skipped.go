package diff

import (
	"slices"

	"github.com/Masterminds/semver/v3"

	"github.com/rubric-library/rubric-library/internal/compat"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/repository/gitrepo"
	"github.com/rubric-library/rubric-library/internal/repository/history"
)

// Since lets the versions count that the first parents of a commit held, so that
// the library, a working tree of the commit, may have gone through several since
// the one that it is compared with.
func (l *Library) Since(repo *gitrepo.Repo, c gitrepo.Commit, folder string) {
	l.past = func(ids []string) (history.Past, error) { return history.Since(repo, c, folder, ids) }
}

// skips tells whether the version of a document is neither the one before nor the
// next after it; of a new document, whether it is not a first one.
func skips(before, head *document.Document) bool {
	if before == nil {
		return !slices.ContainsFunc(compat.Firsts(head.ID()), version(head).Equal)
	}
	return !version(head).Equal(version(before)) && !compat.Follows(version(before), version(head))
}

// skipped finds the versions that skip numbers. What a released file holds was
// published, and what a commit holds can have come in several steps; the first
// documents of a library bring their versions along.
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

// comesAfter tells whether the version of the head is the next after one that was
// held in between.
func (d *Document) comesAfter(h history.Holding) bool {
	between, err := semver.StrictNewVersion(h.Version)
	return err == nil && compat.Follows(between, version(d.Head)) && (d.floor == nil || !between.LessThan(version(d.floor)))
}
