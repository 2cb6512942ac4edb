package site

import (
	"path"
	"slices"
	"time"

	"github.com/rubric-library/rubric-library/internal/document"
)

// documentPage is the common data of the pages of both kinds of documents.
type documentPage struct {
	page
	Entry   *entry
	Version *version
	Latest  bool // whether the page's version is the latest
	// ToLatest is the page that compares the version with the latest one.
	ToLatest string
	texts

	Passes string // when work passes: the end of a sentence after "if"
	ending
	// Switch are all versions, newest first, to choose one.
	Switch []version
	// Known is until when the site knows the library, zero if that is not recorded.
	Known    time.Time
	Commands []command
	Programs []command
	// Details are the keys that have no other place on the page.
	Details []document.Detail
}

// texts is what a version says about itself.
type texts struct {
	Name, Description, Language, Labels string
	Metadata                            map[string]string
}

// ending says that nobody should start to use a version, or its document, and what to use instead.
type ending struct {
	Ending     string // why the document is retired or deprecated, or ""
	ReplacedBy string // the ID of what to use instead, or ""
	// Replacement is its page from the root of the site, or "" if the library has none.
	Replacement string
	// Ended reports whether nobody should start to use the version, and Instead is what leads
	// to its replacement, or nil.
	Ended   bool
	Instead *instead
}

// instead is a page of what to use instead, relative to the page that leads to it, and its name.
type instead struct{ Page, Name string }

func (b *builder) documentPage(e *entry, i int, scripts ...string) (documentPage, error) {
	v := &e.Versions[i]
	elsewhere := []string{"calibration_dataset", "language", "metadata"} // on the page
	details, err := document.Details(v.kind(), v.data, elsewhere...)
	p := documentPage{
		page:  b.newPage(path.Join(e.Folder, v.Page()), "", scripts...),
		Entry: e, Version: v, Latest: v.Version == e.Latest, Details: details,
		Switch: slices.Clone(e.Versions), Known: b.until,
		Commands: b.commands("version", e, v), Programs: b.commands(string(e.Kind), e, v),
	}
	p.Summary = e.Summary()
	slices.Reverse(p.Switch)
	p.ToLatest = v.Version + "..." + e.Latest + ".html"
	if slices.Contains(v.Others, e.Latest) {
		p.ToLatest = e.Latest + "..." + v.Version + ".html"
	}
	if e.Retired != nil {
		p.Ending = "This document is retired and no longer in the library. " + e.Retired.Reason
		p.ReplacedBy = e.Retired.ReplacedBy
	} else if e.Deprecated != nil {
		p.Ending = "This document is deprecated. Do not start using it. " + e.Deprecated.Reason
		p.ReplacedBy = e.Deprecated.ReplacedBy
	}
	if other := b.entryOf(p.ReplacedBy); other != nil {
		p.Replacement = other.Page
		p.Instead = &instead{p.Root + p.Replacement, other.Name}
	} else if p.Ending == "" && v.Yanked != "" && !p.Latest {
		p.Instead = &instead{"index.html", e.Latest}
	}
	p.Ended = p.Ending != "" || v.Yanked != ""
	return p, err
}

// putDocument writes the page of a version, which is permanent. The page of the document has the
// content of its latest version, so a link to a part of it works without scripts.
func (b *builder) putDocument(templateName string, data any, p *documentPage) error {
	p.Title = p.Name + " " + p.Version.Version
	made, err := b.execute(templateName, data)
	if err != nil {
		return err
	}
	if err := b.put(path.Join(p.Entry.Folder, p.Version.Page()), made); err != nil || !p.Latest {
		return err
	}
	p.Entry.Passes = p.Passes
	return b.put(p.Entry.Page, made)
}

// Rows returns the lines of the table of versions, the newest first.
func (p *documentPage) Rows() (rows []row) {
	for i := range p.Switch {
		v := &p.Switch[i]
		if len(v.Valid) == 0 {
			rows = append(rows, row{v, interval{v.from, v.from}})
		}
		for _, valid := range slices.Backward(v.Valid) {
			rows = append(rows, row{v, valid})
		}
	}
	slices.SortStableFunc(rows, func(x, y row) int { return y.From.Compare(x.From) })
	return rows
}

// row is a line of the table of versions: a time in which a version was valid.
type row struct {
	*version
	interval
}
