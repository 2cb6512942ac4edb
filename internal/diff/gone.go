package diff

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/rubric-library/rubric-library/internal/compat"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	lib "github.com/rubric-library/rubric-library/internal/library"
)

// Gone is the kind of the only change of a document that was removed, unless the
// ledger or an exception of the head lists it.
const Gone compat.Kind = "gone"

// ruleGone is the lint rule whose exceptions accept that a document is gone.
const ruleGone = "document-gone"

// listing is what a library records about documents that it no longer has.
type listing struct {
	Retired    []struct{ ID string }
	Exceptions []struct{ Rule, ID, Version string }
	// problem says why the files can't be trusted.
	problem string
}

// lists reports whether the removal of a document is recorded. An exception accepts
// the removal at one version, or by one commit.
func (l *listing) lists(id, version string) bool {
	accepts := func(e struct{ Rule, ID, Version string }) bool {
		return e.Rule == ruleGone && e.ID == id && (e.Version == "" || e.Version == version)
	}
	return slices.ContainsFunc(l.Exceptions, accepts) || slices.ContainsFunc(l.Retired, func(r struct{ ID string }) bool { return r.ID == id })
}

func (l *Library) listing() (*listing, error) {
	if l.listed != nil {
		return l.listed, nil
	}
	out := &listing{}
	for _, f := range []struct {
		name string
		kind *document.Kind
	}{{lib.LedgerFile, &document.Ledger}, {lib.ExceptionsFile, &document.Exceptions}} {
		data, err := l.File(f.name)
		switch {
		case errors.Is(err, fs.ErrNotExist) || err == nil && data == nil:
			continue
		case errors.As(err, new(notAFileError)):
			out.problem = fmt.Sprintf("%s can't be read: %v", f.name, err)
			continue
		case err != nil:
			return nil, fmt.Errorf("%s can't be read: %w", f.name, err)
		}
		d := document.ParseAs(source.NewFile(f.name, data), f.kind)
		if !d.Valid() {
			out.problem = f.name + " has errors"
			continue
		}
		canonical, err := d.Canonical()
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(canonical, out); err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
	}
	l.listed = out
	return out, nil
}

// removed completes the comparison of a document that the head does not have. tip is
// the document at the target's tip, or nil if it is also gone there.
func (c *Comparison) removed(d *Document, base, tip *file) error {
	head, err := c.Head.listing()
	if err != nil {
		return err
	}
	d.Fits = head.lists(d.ID, d.BaseVersion)
	if !d.Fits && tip == nil && !slices.Contains(c.Before, c.Tip) {
		target, err := c.Tip.listing()
		if err != nil {
			return err
		}
		d.Fits = target.lists(d.ID, d.BaseVersion) // the target retired it
	}
	if d.Fits {
		return nil
	}
	name, retire := base.path, ""
	if d.ID != "" {
		name, retire = d.ID, fmt.Sprintf(", or retire the document with `rubric retire %s`", d.ID)
	}
	missing := lib.LedgerFile + " has no entry for it"
	if head.problem != "" {
		missing = head.problem
	}
	at := source.Position{Line: 1, Column: 1}
	if base.doc != nil && base.doc.Kind != nil {
		if id := base.doc.Root().Get(base.doc.Kind.IDKey); id != nil {
			at = base.doc.File.Position(id.Span.Start)
		}
	}
	d.Changes = []Change{{
		Kind: Gone, Base: &Value{Text: d.ID, Revision: base.revision, File: base.path, Position: at},
		Message: fmt.Sprintf("%s is removed, but consumers may still use it: %s. Restore the file%s.", name, missing, retire),
	}}
	return nil
}
