package lint

import (
	"fmt"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// LibraryPass is the view of a lint rule on the whole library.
type LibraryPass struct {
	// Facts has an entry for each document that could be parsed, by path.
	Facts []*Facts

	reporter
	places
}

// Kept returns the result of the running rule's Keep for a document.
func (p *LibraryPass) Kept(f *Facts) any { return f.kept[p.rule] }

// Facts is what is kept of a document after its tree is dropped.
type Facts struct {
	Path string
	Kind *document.Kind
	ID   string
	// At is the place of the ID.
	At source.Location
	// ReplacedBy is the replacement that the deprecation names, or nil.
	ReplacedBy *Reference
	// Calibrated is set if a rubric names a dataset of the library.
	Calibrated *Calibrated
	// Invalid says that the structure of the document is not valid.
	Invalid bool

	kept map[*Rule]any // what lint rules keep of the document
}

// keep stores what lint rules need of the document once its tree is dropped.
func (f *Facts) keep(p *DocumentPass, rules []*Rule) error {
	f.kept = map[*Rule]any{}
	return run(rules, p, f.Path, func(rule *Rule) func(*DocumentPass) {
		if rule.Keep == nil {
			return nil
		}
		return func(p *DocumentPass) { f.kept[rule] = rule.Keep(p) }
	})
}

// Reference is an ID that a document names, and its place.
type Reference struct {
	ID string
	At source.Location
}

// Report adds a finding at the ID of a document.
func (p *LibraryPass) Report(f *Facts, related []Related, format string, args ...any) {
	p.ReportAt(f, f.At, "/"+f.Kind.IDKey, f.Kind.IDKey, related, format, args...)
}

// ReportAt adds a finding at a place of a document.
func (p *LibraryPass) ReportAt(f *Facts, at source.Location, pointer, path string, related []Related, format string, args ...any) {
	p.add(Finding{Location: at, ID: f.ID, Pointer: pointer, Path: path, Message: fmt.Sprintf(format, args...), Related: related})
}

// factsOf returns what the library rules need of a document.
func factsOf(d *document.Document) *Facts {
	if d == nil || d.Kind == nil || d.Kind.IDKey == "" {
		return nil
	}
	f := &Facts{
		Path: d.File.Path, Kind: d.Kind, ID: d.ID(), Invalid: !d.Valid(),
	}
	if n := d.Root().Get(d.Kind.IDKey); n != nil {
		f.At = source.Locate(d.File, n.Span)
	}
	if n := d.Root().Get("deprecated").Get("replaced_by"); n != nil {
		f.ReplacedBy = &Reference{ID: n.Value, At: source.Locate(d.File, n.Span)}
	}
	f.Calibrated = calibratedOf(d)
	return f
}
