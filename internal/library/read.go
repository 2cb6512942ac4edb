package library

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/library/bundlecheck"
)

// Read reads every document of the library in fsys, calls use for each in the order of
// their paths, and returns the ledger. A library without documents and
// retired IDs is an error. If
// anything in it is not valid, the error is an *InvalidError with all problems,
// because an unreadable document must not be taken for an absent one; use has then
// been called for the other documents.
func Read(fsys fs.FS, use func(*document.Document) error) (ledger bundlecheck.Ledger, err error) {
	entries, err := List(fsys)
	if err != nil {
		return ledger, err
	}
	r := reader{fsys: fsys, first: map[string]FolderProblem{}, versions: map[[2]string]FolderProblem{}}
	for _, e := range entries {
		if err := r.entry(e, use); err != nil {
			return ledger, err
		}
	}
	ledger, err = r.ledger()
	if err == nil && len(r.first) == 0 && len(r.problems) == 0 && len(ledger.Retired) == 0 {
		err = fmt.Errorf("no documents in %s/", Root)
	}
	if err == nil && len(r.problems) > 0 {
		slices.SortStableFunc(r.problems, func(a, b FolderProblem) int {
			return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
		})
		err = &InvalidError{Problems: r.problems}
	}
	return ledger, err
}

// reader collects problems while it reads.
type reader struct {
	fsys     fs.FS
	first    map[string]FolderProblem    // where each ID is, by ID
	versions map[[2]string]FolderProblem // where each version is, by ID and version
	problems []FolderProblem
}

func (r *reader) report(p ...FolderProblem) { r.problems = append(r.problems, p...) }

func (r *reader) entry(e FileEntry, use func(*document.Document) error) error {
	switch {
	case e.Err != nil:
		return fmt.Errorf("%s can't be read: %w", e.Path, e.Err)
	case e.Hides():
		r.report(FolderProblem{
			Path:    e.Path,
			Message: "This is a link or a device: only regular files are read. Replace it with the file itself.",
		})
		return nil
	case !e.IsDocument():
		return nil
	}
	f, err := File(r.fsys, e.Path)
	if safefile.IsPointer(err) {
		r.report(FolderProblem{Path: e.Path, Message: safefile.AboutPointers})
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s can't be read: %w", e.Path, safefile.Reason(err))
	}
	if f.Size() > safefile.MaxDocument {
		r.report(FolderProblem{
			Path:    e.Path,
			Message: fmt.Sprintf("This file is too large: a document can have at most %d bytes. Make it shorter.", safefile.MaxDocument),
		})
		return nil
	}
	d := document.Parse(f)
	problems := unusable(d)
	if id := d.ID(); id != "" {
		r.locate(d, id)
	}
	if len(problems) > 0 {
		for i := range problems {
			problems[i].ID = d.ID()
		}
		r.report(problems...)
		return nil
	}
	return use(d)
}

// locate records where a document has its ID and its version.
func (r *reader) locate(d *document.Document, id string) {
	at := problemAt(d.File, d.Root().Get(d.Kind.IDKey).Span.Start, "")
	at.ID = id
	r.claim(id, at)
	if version := d.Root().Get("version"); version != nil {
		at = problemAt(d.File, version.Span.Start, "")
		at.ID = id
		r.versions[[2]string{id, d.Version()}] = at
	}
}

// claim records that a document has an ID, and reports a second document with it.
func (r *reader) claim(id string, at FolderProblem) {
	first, taken := r.first[id]
	if !taken {
		r.first[id] = at
		return
	}
	at.Other = first.Path
	at.Message = fmt.Sprintf("The ID %s is already used in %s. Give one of the two documents another ID.",
		schema.Quote(id), first.Path)
	r.report(at)
}

// ledger reads the ledger, which is empty if there is none.
func (r *reader) ledger() (ledger bundlecheck.Ledger, err error) {
	f, err := File(r.fsys, LedgerFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ledger, nil
	case err != nil:
		return ledger, fmt.Errorf("%s can't be read: %w", LedgerFile, safefile.Reason(err))
	}
	canonical, problems, err := CanonicalAs(f, &document.Ledger)
	if len(problems) > 0 {
		r.report(problems...)
		return ledger, nil
	}
	if err == nil {
		err = json.Unmarshal(canonical, &ledger)
	}
	for _, gone := range ledger.Retired {
		if at, taken := r.first[gone.ID]; taken {
			at.Message = fmt.Sprintf("%s is retired: %s lists it. Choose another ID, because scores stored under this one would be mistaken for scores of this document.",
				gone.ID, LedgerFile)
			r.report(at)
		}
	}
	for _, gone := range ledger.Yanked {
		if at, taken := r.versions[[2]string{gone.ID, gone.Version}]; taken && gone.Withdrawn {
			at.Message = fmt.Sprintf("Version %s of %s is withdrawn: %s lists it. Publish a new version without the text that must go, or retire the document.",
				gone.Version, gone.ID, LedgerFile)
			r.report(at)
		}
	}
	return ledger, err
}

// CanonicalAs returns the canonical form of a file whose kind follows from its name, or the
// problems because of which it has none.
func CanonicalAs(f *source.File, k *document.Kind) (canonical []byte, problems []FolderProblem, err error) {
	d := document.ParseAs(f, k)
	if problems := unusable(d); len(problems) > 0 {
		return nil, problems, nil
	}
	canonical, err = d.Canonical()
	return canonical, nil, err
}

// Problems returns what keeps a document out of a bundle, sorted by place: what makes it
// unusable, a text that only stands for one or that nobody has reviewed, or a hidden character.
func Problems(d *document.Document) []FolderProblem {
	out := unusable(d)
	if len(out) > 0 {
		return out
	}
	out = problemsAt(d, append(d.Placeholders(), d.UnreviewedTexts()...))
	slices.SortStableFunc(out, func(a, b FolderProblem) int { return cmp.Compare(a.Line, b.Line) })
	if err := d.CheckVisible(); err != nil && len(out) == 0 {
		out = append(out, problemAt(d.File, 0, "This document can't be released: "+err.Error()+"."))
	}
	return out
}

// unusable returns errors in the syntax or structure of a document, or in a definition that no
// program can apply.
func unusable(d *document.Document) []FolderProblem {
	out := problemsAt(d, d.BlockingProblems())
	if !d.Valid() {
		return out
	}
	if err := d.CheckUsable(); err != nil {
		out = append(out, problemAt(d.File, 0, "This document can't be used: "+err.Error()+"."))
	}
	return out
}
