package site

import (
	"path"
	"slices"

	"github.com/rubric-library/rubric-library/pkg/library"
)

// readWithdrawals finds out where the pages of the withdrawn versions are, and adds them to the
// documents that still have other versions.
func (b *builder) readWithdrawals() error {
	for _, gone := range b.library.Withdrawn() {
		line, err := b.library.Entry(gone.ID)
		if err != nil {
			return err
		}
		folder, err := folderNamed(line.Kind, gone.ID, gone.Version)
		if err != nil {
			return err
		}
		w := withdrawal{Withdrawal: gone, Page: path.Join(folder, gone.Version+".html"), entry: &line}
		w.Release, w.At = b.endOf(gone.ID, gone.Version)
		b.withdrawn = append(b.withdrawn, w)
		if left := b.entryOf(gone.ID); left != nil {
			left.Withdrawn = append(left.Withdrawn, w)
		}
	}
	return nil
}

type withdrawnPage struct {
	page
	withdrawal
	Name string // of the document, or its ID if none of its versions is left
	// Left is the document, or nil if none of its versions is left.
	Left       *entry
	Retired    *library.Retirement
	ReplacedBy *entry // what to use instead of a retired document, or nil
}

// writeWithdrawn writes a page for each withdrawn version, at the address that it had before.
func (b *builder) writeWithdrawn() error {
	for _, w := range b.withdrawn {
		p := withdrawnPage{withdrawal: w, Name: w.ID, Left: b.entryOf(w.ID), Retired: w.entry.Retired}
		if p.Left != nil {
			p.Name = p.Left.Name
		}
		if p.Retired != nil {
			p.ReplacedBy = b.entryOf(p.Retired.ReplacedBy)
		}
		p.page = b.newPage(w.Page, p.Name+" "+w.Version+" is withdrawn", scriptName)
		p.Summary = "Version " + w.Version + " of " + w.ID + " is withdrawn: its text is no longer published."
		if err := b.putPage("withdrawn.html", p, w.Page); err != nil {
			return err
		}
	}
	return nil
}

// entryOf returns the document with an ID, or nil if the site has none.
func (b *builder) entryOf(id string) *entry {
	if i := slices.IndexFunc(b.entries, func(e *entry) bool { return e.ID == id }); i >= 0 {
		return b.entries[i]
	}
	return nil
}
