package lint

import (
	lib "github.com/rubric-library/rubric-library/internal/library"

	"io/fs"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// libraryFiles are the files of a library that are checked.
type libraryFiles struct {
	fsys    fs.FS
	entries []lib.FileEntry   // sorted by path
	instead map[string][]byte // contents, by path, that count instead of those in fsys
}

func (l *libraryFiles) content(name string) ([]byte, error) {
	if data, ok := l.instead[name]; ok {
		return data, nil
	}
	return safefile.ReadFile(l.fsys, name)
}

// parse parses a document, or the ledger or the exceptions, which are identified by
// their names.
func parse(f *source.File) *document.Document {
	switch f.Path {
	case LedgerFile:
		return document.ParseAs(f, &document.Ledger)
	case ExceptionsFile:
		return document.ParseAs(f, &document.Exceptions)
	}
	return document.Parse(f)
}

// places finds places in documents whose trees were dropped.
type places struct {
	files *libraryFiles
	last  *source.File // findings in one file are consecutive
}

// Locate turns a span of a document into a location. If the file can no longer be read,
// the location is the whole file.
func (p *places) Locate(name string, span source.Span) source.Location {
	if !p.open(name, span) {
		return source.Location{File: name}
	}
	return source.Locate(p.last, span)
}

// PathAt returns the path of the value at a place of a file; nil if the file can't be read.
func (p *places) PathAt(name string, span source.Span) *schema.Path {
	if !p.open(name, span) {
		return nil
	}
	return schema.PathAt(parse(p.last).Root(), span.Start)
}

// open reads a file again, and reports whether it still has a place.
func (p *places) open(name string, span source.Span) bool {
	if p.last == nil || p.last.Path != name {
		data, err := p.files.content(name)
		if err != nil {
			return false
		}
		p.last = source.NewFile(name, data)
	}
	return span.End <= len(p.last.Data)
}
