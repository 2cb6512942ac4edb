package site

import (
	"errors"

	"github.com/rubric-library/rubric-library/pkg/library"
)

// writeAboutPages writes the pages about the library: short, from its own data. How the
// tools work is in their documentation.
func (b *builder) writeAboutPages() error {
	gone, err := b.retiredEntries()
	if err != nil {
		return err
	}
	p := aboutPage{Commands: b.commands("library", nil, nil)}
	p.page = b.newPage(usePage, "Use this library", scriptName)
	p.Summary = "Commands that fetch this library, verify it, and read a document from it."
	errs := []error{
		b.writePackages(), b.putPage("use.html", p, usePage), b.writeReading(),
		b.writeGovernance(gone), b.writeDecisions(gone), b.writeReleases(),
	}
	if b.options.BaseURL != "" {
		missing := aboutPage{page: b.newPage(missingPage, "Page not found")}
		// A server shows the page at any address, so its links are not relative.
		missing.Root, missing.Canonical = b.options.BaseURL, ""
		errs = append(errs, b.putPage("404.html", missing, missingPage))
	}
	return errors.Join(errs...)
}

// writeReading writes the pages that say when work passes by each document in use.
func (b *builder) writeReading() error {
	var used []*entry
	for _, e := range b.entries {
		if e.Retired == nil {
			used = append(used, e)
		}
	}
	return inPages(readingPage, used, func(name string, part []*entry, pages listPages) error {
		p := aboutPage{page: b.newPage(name, pages.title("Reading a verdict"), scriptName), Pages: pages, Entries: part}
		p.Summary = "When work passes by each rubric and rule set, and what the words of a verdict mean."
		return b.putPage("reading.html", p, name)
	})
}

// retiredEntries returns the retired documents of which no version is left.
func (b *builder) retiredEntries() ([]library.Entry, error) {
	retired, err := b.library.Retired()
	var all []library.Entry
	for _, id := range retired {
		var entry library.Entry
		if entry, err = b.library.Entry(id); err != nil {
			break
		}
		if len(entry.Available()) == 0 {
			all = append(all, entry)
		}
	}
	return all, err
}

type aboutPage struct {
	page
	Pages    listPages
	Entries  []*entry // those in use that the page lists
	Commands []command
}
