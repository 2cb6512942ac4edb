package lint

import (
	lib "github.com/rubric-library/rubric-library/internal/library"

	"fmt"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

// OfLibrary checks the facts of all files, after they were all read.
type OfLibrary func(*LibraryPass)

func (OfLibrary) isCheck() {}

// LibraryPass is the view of a lint rule on the whole library.
type LibraryPass struct {
	// Facts has an entry for each document that could be parsed, by path.
	Facts []*Facts
	// Schemas are the files of schema/ that no bundle can have.
	Schemas []lib.FolderProblem
	// Unread are the IDs, by their file names, of documents whose content is not known.
	Unread map[string]bool

	reporter
	places
}

// Report adds a finding at the ID of a document.
func (p *LibraryPass) Report(f *Facts, related []Related, format string, args ...any) {
	p.ReportAt(f, f.At, "/"+f.Kind.IDKey, f.Kind.IDKey, related, format, args...)
}

// ReportAt adds a finding at a place of a document.
func (p *LibraryPass) ReportAt(
	f *Facts, at source.Location, pointer, path string, related []Related, format string, args ...any,
) {
	p.Add(Finding{
		Location: at, ID: f.ID, Pointer: pointer, Path: path,
		Message: fmt.Sprintf(format, args...), Related: related,
	})
}

// ReportFile adds a finding at a place of a file that is not a document, or about the file as a
// whole.
func (p *LibraryPass) ReportFile(name string, at source.Position, message string) {
	if p.admit(name) {
		p.Add(Finding{Location: source.Location{File: name, Start: at, End: at}, Message: message})
	}
}
