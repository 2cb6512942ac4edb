package site

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rubric-library/rubric-library/internal/release"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

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
			release, at := b.endOf(e.ID, "")
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

// writeReleases writes the list of the releases, and a list of the changes of each one.
func (b *builder) writeReleases() error {
	var rows []tableRow
	var errs []error
	for _, r := range b.releases() {
		rows = append(rows, r.row())
		if r.HasPage() {
			errs = append(errs, b.writeRelease(&r))
		}
	}
	t := table{
		Heading: "Releases", Caption: "Releases of the library, newest first (UTC)",
		Columns: []string{"Library", "Released", "Digest and commit", "Changes"},
		Nothing: "A preview of a folder has no releases.",
	}
	t.Summary = "The releases of this library with their digests, commits, and changes."
	if docs := b.options.Docs; docs != "" {
		t.After = []cell{{
			said("The tools document "), elsewhere("how to verify a release", docs+"consuming.md#verify-a-release"),
			said("."),
		}}
	}
	return errors.Join(append(errs, b.writeTable(releasesPage, t, rows))...)
}

// HasPage reports whether the release has a page of its own, which needs a safe name.
func (r *releaseRow) HasPage() bool { return safeRelease().MatchString(r.Version) }

var safeRelease = lazy.Expr(`^[0-9]+\.[0-9]+\.[0-9]+([-+][0-9A-Za-z.+-]{1,100})?$`)

// Page returns the page of the release, from the root of the site.
func (r *releaseRow) Page() string { return "releases/" + r.Version + ".html" }

// Address returns where the site describes the release, from its root.
func (r *releaseRow) Address() string {
	if r.HasPage() {
		return r.Page()
	}
	return releasesPage + "#library-" + r.Version
}

// row returns the row of a release in the list of all.
func (r *releaseRow) row() tableRow {
	name, summary := said(r.Version), said(r.summary())
	if r.HasPage() {
		name.Page, summary.Page = r.Page(), r.Page()
	}
	return tableRow{ID: "library-" + r.Version, Cells: []cell{{name}, {recorded(instant(r.Time))}, r.origin(), {summary}}}
}

// origin says what the release is from, and where the forge has it.
func (r *releaseRow) origin() cell {
	var c cell
	for _, each := range []struct{ name, hash string }{{"digest", r.Digest}, {"commit", r.Commit}} {
		if each.hash == "" {
			c = append(c, said(each.name+" not recorded"))
		} else {
			c = append(c, code(each.hash))
		}
	}
	if r.ForgeRelease.Page != "" {
		c = append(c, elsewhere("release page", r.ForgeRelease.Page))
	}
	if r.Attestation == "" {
		return append(c, said("attestation not recorded"))
	}
	return append(c, elsewhere("attestation", r.Attestation))
}

// The classes of changes in a release, the gravest first.
var changeClasses = []string{"yanked", retired, "major", "minor", "patch", "first", "none", "error"}

// classWords are what a class is called, if not by its name.
var classWords = map[string]string{
	"first": "new", "error": "not comparable", "none": "without a change",
}

// summary counts the changes of the release by their class.
func (r *releaseRow) summary() string {
	counts := map[string]int{}
	for _, c := range r.Changes {
		counts[c.Word()]++
	}
	var words []string
	for _, class := range changeClasses {
		if n := counts[class]; n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, cmp.Or(classWords[class], class)))
		}
	}
	if len(words) == 0 {
		return "no version is recorded"
	}
	return strings.Join(words, ", ")
}

// Word returns what the change is: that of its end, or its class.
func (c releaseChange) Word() string { return cmp.Or(c.Ended, c.Version.Class()) }

// writeRelease writes the list of the changes of a release, the gravest first.
func (b *builder) writeRelease(r *releaseRow) error {
	slices.SortStableFunc(r.Changes, func(x, y releaseChange) int {
		return slices.Index(changeClasses, x.Word()) - slices.Index(changeClasses, y.Word())
	})
	var rows []tableRow
	for _, c := range r.Changes {
		e, v := c.Entry, c.Version
		word := piece{Text: cmp.Or(c.Ended, v.Change()), Class: c.Class()}
		rows = append(rows, tableRow{
			Cells: []cell{{link(e.Name+" "+v.Version, "../"+c.Page()), code(e.ID)}, {word}, {said(c.Dates())}, {code(v.Digest)}},
		})
	}
	t := table{
		Heading: "Library " + r.Version, Caption: "Changes of the release, the gravest first",
		Columns: []string{"Version", "Change", "Dates (UTC)", "Digest"},
		Nothing: "No version of a document came with this release, as far as that is recorded.",
		Notes:   []cell{{said("Released: " + cmp.Or(instant(r.Time), "not recorded"))}},
	}
	for _, each := range r.origin() {
		note := cell{each}
		switch each.Text {
		case r.Digest:
			note = cell{said("Digest: "), each}
		case r.Commit:
			note = cell{said("Commit: "), each}
		}
		t.Notes = append(t.Notes, note)
	}
	t.Summary = "The changes of library " + r.Version + ": " + r.summary() + "."
	return b.writeTable(r.Page(), t, rows)
}

// instant returns a time in UTC, or "" if it is unknown.
func instant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.DateTime)
}
