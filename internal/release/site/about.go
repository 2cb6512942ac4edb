package site

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/rubric-library/rubric-library/internal/release"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// The pages about the library as a whole.
const (
	usePage        = "use.html"
	readingPage    = "reading.html"
	governancePage = "governance.html"
	releasesPage   = "releases.html"
	missingPage    = "404.html"
)

type aboutPage struct {
	page
	Entries  []*entry // those in use, as far as a page lists them
	More     int      // how many it does not
	Ended    []*entry
	Commands []command
	Releases []releaseRow
	// Accepted are the versions whose changes are larger than their number says.
	Accepted []releaseChange
	Yanked   []releaseChange
	Gone     []library.Entry

	Withdrawn []withdrawal
}

// releaseRow is a release of the library with the versions that it brought.
type releaseRow struct {
	ForgeRelease
	Changes []releaseChange
}

type releaseChange struct {
	Entry   *entry
	Version *version
	Ended   string    // "yanked" or "retired" if that is the change
	At      time.Time // of its end, zero if it is not recorded
}

// Page returns the page that shows the change, from the root of the site.
func (c releaseChange) Page() string {
	if c.Version.Before == "" {
		return c.Entry.Folder + "/" + c.Version.Page()
	}
	return c.Entry.Folder + "/" + c.Version.Comparison()
}

// Class returns the class of the change in the style sheet.
func (c releaseChange) Class() string {
	if c.Ended != "" {
		return retired
	}
	return c.Version.Class()
}

// Dates returns when the change came: the two dates of the version, or the date of its end.
func (c releaseChange) Dates() string {
	if c.Ended == "" {
		return c.Version.Dates()
	}
	if day := date(c.At); day != "" {
		return c.Ended + " " + day
	}
	return c.Ended + " on a day that is not recorded"
}

// Effect returns what the change means to those whose work is graded, or "".
func (c releaseChange) Effect() string {
	if c.Ended != "" {
		return ""
	}
	return c.Version.Effect()
}

// releases returns the releases of the library, newest first.
func (b *builder) releases() []releaseRow {
	byVersion := map[string]*releaseRow{}
	row := func(version string) *releaseRow {
		if byVersion[version] == nil {
			byVersion[version] = &releaseRow{ForgeRelease: b.options.Forge.release(version)}
		}
		return byVersion[version]
	}
	if now := b.library.Version(); now != "" {
		r := row(now)
		r.Digest, r.Commit = b.library.Digest(), b.library.Commit()
	}
	for _, r := range b.options.Forge.Releases {
		row(r.Version)
	}
	change := func(release string, c releaseChange) {
		if release != "" {
			r := row(release)
			r.Changes = append(r.Changes, c)
		}
	}
	for _, e := range b.entries {
		for i := range e.Versions {
			v := &e.Versions[i]
			change(v.Release, releaseChange{Entry: e, Version: v})
			change(v.ending, releaseChange{e, v, "yanked", v.end})
		}
		if e.Retired != nil {
			release, at := b.ended(e.ID, "")
			change(release, releaseChange{e, e.Newest(), retired, at})
		}
	}
	var rows []releaseRow
	for _, r := range byVersion {
		rows = append(rows, *r)
	}
	slices.SortFunc(rows, func(x, y releaseRow) int {
		return cmp.Or(release.NewestFirst(x.Version, y.Version), strings.Compare(y.Version, x.Version))
	})
	return rows
}

// writeAboutPages writes the pages about the library: short, from its own data. How the
// tools work is in their documentation.
func (b *builder) writeAboutPages() error {
	gone, err := b.gone()
	if err != nil {
		return err
	}
	p := aboutPage{Commands: b.commands("library", nil, nil), Releases: b.releases(), Gone: gone, Withdrawn: b.withdrawn}
	for _, e := range b.entries {
		switch {
		case e.Retired != nil:
			p.Ended = append(p.Ended, e)
		case len(p.Entries) == manyDocuments:
			p.More++
		default:
			p.Entries = append(p.Entries, e)
		}
		for i := range e.Versions {
			v := &e.Versions[i]
			if v.Exceeds() && len(p.Accepted) < manyDocuments {
				p.Accepted = append(p.Accepted, releaseChange{Entry: e, Version: v})
			}
			if v.Yanked != "" && len(p.Yanked) < manyDocuments {
				p.Yanked = append(p.Yanked, releaseChange{Entry: e, Version: v})
			}
		}
	}
	put := func(name, template, title, summary string) error {
		p := p
		p.page = b.newPage(name, title, scriptName)
		p.Summary = summary
		return b.putPage(template, p, name)
	}
	errs := []error{
		b.writePackages(),
		put(usePage, "use.html", "Use this library", "Commands that fetch this library, verify it, and read a document from it."),
		put(readingPage, "reading.html", "Reading a verdict", "When work passes by each rubric and rule set, and what the words of a verdict mean."),
		put(governancePage, "governance.html", "Governance", "Who owns each document, who approved each version, and what was accepted, withdrawn, yanked, or retired."),
		put(releasesPage, "releases.html", "Releases", "The releases of this library with their digests, commits, and changes."),
	}
	if b.options.BaseURL != "" {
		missing := p
		missing.page = b.newPage(missingPage, "Page not found")
		// A server shows the page at any address, so its links are not relative.
		missing.Root, missing.Canonical = b.options.BaseURL, ""
		errs = append(errs, b.putPage("404.html", missing, missingPage))
	}
	return errors.Join(errs...)
}

// gone returns the retired documents of which no version is left.
func (b *builder) gone() ([]library.Entry, error) {
	retired, err := b.library.Retired()
	var all []library.Entry
	for _, id := range retired {
		var entry library.Entry
		if entry, err = b.library.Entry(id); err != nil {
			break
		}
		if len(entry.Available()) == 0 && len(all) < manyDocuments {
			all = append(all, entry)
		}
	}
	return all, err
}
