package authoring

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// again is an import of a file of which the library has documents.
type again struct {
	library  *Local
	source   string
	imported map[string]*document.Document // from the file, by ID

	write []Draft // that are new, or replace a document
	// same documents have what the file has now. edited ones stay, because an author has changed
	// them. left ones come from no part of the file now, and retired IDs have no document.
	same, edited, left, retired []string
}

// Import creates the documents of a file. If the library has documents from it, it is refused,
// unless replace says to replace those that no author has edited.
func (l *Local) Import(replace bool, drafts ...Draft) (*Edit, error) {
	drafts = slices.Clone(drafts)
	for i := range drafts {
		drafts[i].Source = ending(drafts[i].Source)
		if err := drafts[i].checkSize(); err != nil {
			return nil, err
		}
	}
	a := &again{library: l, source: drafts[0].Source}
	if err := a.find(); err != nil {
		return nil, err
	}
	known := false
	for _, d := range drafts {
		had, err := a.sort(d)
		if err != nil {
			return nil, err
		}
		known = known || had
	}
	if !known && !replace {
		return l.Create(drafts...)
	}
	if err := a.leave(drafts); err != nil {
		return nil, err
	}
	if !replace {
		return nil, a.refusal()
	}
	return a.edit()
}

// find finds the documents from the file. One that can't be read may be among them.
func (a *again) find() error {
	a.imported = map[string]*document.Document{}
	for _, name := range a.library.paths {
		data, err := a.library.read(name)
		if err != nil {
			return err
		}
		if !bytes.Contains(data, []byte(importedFromKey)) {
			continue
		}
		d := parse(name, data)
		switch {
		case d.Kind == nil && bytes.Contains(data, []byte(a.source)):
			return mistakes(name)
		case d.Kind == nil:
		case isImportedFrom(d, a.source):
			a.imported[d.ID()] = d
		}
	}
	return nil
}

// currentDocument is the document with an ID, or the one that a fork of it has become, or nil.
func (a *again) currentDocument(id string) *document.Document {
	d := a.imported[id]
	for d != nil {
		by := d.Root().Get(deprecatedKey).Get("replaced_by").Text()
		next := a.imported[by]
		if next == nil || change.IDMajor.ReplaceAllString(by, "") != change.IDMajor.ReplaceAllString(id, "") || by == d.ID() {
			break
		}
		d = next
	}
	return d
}

// sort decides what happens to a draft. It reports whether the library has its document.
func (a *again) sort(d Draft) (bool, error) {
	old := a.currentDocument(d.ID)
	if old == nil {
		ledger, err := a.library.ledger()
		if retired(ledger, d.ID) {
			a.retired = append(a.retired, d.ID)
		} else {
			a.write = append(a.write, d)
		}
		return false, err
	}
	switch digest := d.importedDigest(); {
	case old.Kind != d.Kind:
		return true, fmt.Errorf("%s is a %s from %s, which is now read as a %s. Use --as or --id",
			old.File.Path, old.Kind.Noun, a.source, d.Kind.Noun)
	case old.ArtifactType() != d.ArtifactType && !isEdited(old):
		return true, fmt.Errorf("%s has the artifact type %s. Use --artifact-type %[2]s", old.File.Path, old.ArtifactType())
	case digest == recordedDigest(old):
		a.same = append(a.same, old.File.Path)
	case isEdited(old):
		a.edited = append(a.edited, fmt.Sprintf("%s, which is edited (%s). Make the changes by hand, and then set %s in its %s to %q",
			old.File.Path, difference(old, &d), importedDigestKey, metadataKey, digest))
	default:
		d.ID, d.old = old.ID(), old
		a.write = append(a.write, d)
	}
	return true, nil
}

// difference says which criteria or rules only the file or only a document has.
func difference(old *document.Document, d *Draft) string {
	field := Parts(d.Kind)
	names := func(d *document.Document) (names []string) {
		for _, part := range d.Root().Get(field.Key).List() {
			names = append(names, part.Get(field.Value.Identity).Text())
		}
		return names
	}
	has, had := names(parse(documentPath(d.ArtifactType, d.ID), d.text())), names(old)
	only := func(where string, all, others []string) string {
		rest := slices.DeleteFunc(slices.Clone(all), func(name string) bool { return slices.Contains(others, name) })
		if len(rest) == 0 {
			return ""
		}
		return "only in the " + where + ": " + some(rest)
	}
	parts := []string{only("file", has, had), only("document", had, has)}
	parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" })
	return cmp.Or(strings.Join(parts, "; "), "the file has other texts")
}

// some are the first of some names.
func some(names []string) string {
	const most = 8
	if len(names) > most {
		names = append(slices.Clone(names[:most]), fmt.Sprintf("%d more", len(names)-most))
	}
	return schema.Or(names, "and")
}

// leave finds the documents that come from no part of the file now.
func (a *again) leave(drafts []Draft) error {
	now := map[*document.Document]bool{}
	for _, d := range drafts {
		now[a.currentDocument(d.ID)] = true
	}
	for _, d := range a.imported {
		similar := slices.ContainsFunc(drafts, func(other Draft) bool {
			return other.Kind == d.Kind && other.ArtifactType == d.ArtifactType()
		})
		if now[d] || !similar || d.Root().Get(deprecatedKey) != nil {
			continue
		}
		advice := "Delete it if it is not needed"
		if a.library.past != nil {
			held, err := a.library.past.Tip.Find(d.ID())
			if err != nil {
				return err
			}
			if held != nil {
				advice = fmt.Sprintf("If it is not needed, run `rubric retire %s`", d.ID())
			}
		}
		a.left = append(a.left, fmt.Sprintf("%s, which the file does not have now. %s", d.File.Path, advice))
	}
	slices.Sort(a.left)
	return nil
}

// mostLines is how many documents a refusal lists.
const mostLines = 50

// refusal lists what --replace would do.
func (a *again) refusal() error {
	if len(a.write)+len(a.edited)+len(a.left) == 0 {
		return fmt.Errorf("%s was imported before, and its documents have what it has now (%d). There is nothing to import", a.source, len(a.same))
	}
	var lines []string
	add := func(what string, list []string) {
		for _, text := range list {
			lines = append(lines, "- "+what+text)
		}
	}
	for _, d := range a.write {
		f := d.file()
		what := "creates "
		if f.Before != nil {
			what = "replaces "
		}
		add(what, []string{f.Path})
	}
	add("keeps ", a.edited)
	add("keeps ", a.left)
	if len(a.same) > 0 {
		add("keeps ", []string{fmt.Sprintf("what has not changed: %d", len(a.same))})
	}
	if len(lines) > mostLines {
		lines = append(lines[:mostLines], fmt.Sprintf("- and %d more", len(lines)-mostLines))
	}
	return fmt.Errorf("%s was imported before, and nothing was written. To import it again, add --replace, which:\n%s",
		a.source, strings.Join(lines, "\n"))
}

// edit replaces the documents that no author has edited, and creates new ones.
func (a *again) edit() (*Edit, error) {
	var warnings []string
	for i := range a.write {
		breaks, err := a.write[i].advance(a.library.past)
		if err != nil {
			return nil, err
		}
		if breaks {
			warnings = append(warnings, fmt.Sprintf("%s changes so that something that passed can fail. Run `rubric fork %s`",
				a.write[i].old.File.Path, a.write[i].ID))
		}
	}
	e := &Edit{}
	if len(a.write) > 0 {
		var err error
		if e, err = a.library.Create(a.write...); err != nil {
			return nil, err
		}
	}
	for _, text := range slices.Concat(a.edited, a.left) {
		warnings = append(warnings, "kept "+text)
	}
	for _, id := range a.retired {
		warnings = append(warnings, fmt.Sprintf("%s is not imported again: it is retired", id))
	}
	e.Warnings = append(e.Warnings, warnings...)
	if len(a.same) > 0 {
		e.Notes = append(e.Notes, fmt.Sprintf("unchanged since the last import of %s: %d", a.source, len(a.same)))
	}
	return e, nil
}

// advance gives a draft that replaces a document the version that it needs. It reports whether the
// draft belongs under the next ID. A draft with blanks keeps the version: it can't be judged.
func (d *Draft) advance(past *change.Origin) (breaks bool, err error) {
	if d.old == nil {
		return false, nil
	}
	d.version = cmp.Or(d.old.Version(), firstVersion)
	text := parse(d.old.File.Path, d.text())
	if past == nil || !text.Valid() {
		return false, nil
	}
	if d.version, err = past.Version(text); err != nil {
		return false, err
	}
	published, err := past.Breaks(text)
	return published != nil, err
}
