package diff

import (
	"errors"
	"fmt"
	"path"
	"slices"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

type file struct {
	path string
	// doc is valid unless there is a problem, and nil if the file could not be
	// read.
	doc *document.Document
	// revision is the hash of its commit, or "" in a folder.
	revision string
	// problem says why it can't be compared. at is the place of the mistake.
	problem string
	at      source.Position
	// packed reports whether path is a path in a bundle.
	packed bool
}

// id is the ID in the file, or "" if it is unknown.
func (f *file) id() string {
	if f.doc == nil {
		return ""
	}
	return f.doc.ID()
}

// readable is the document, or nil if it can't be compared.
func (f *file) readable() *document.Document {
	if f.problem != "" {
		return nil
	}
	return f.doc
}

func (l *Library) current(name string) (*file, error) {
	if f := l.parsed[name]; f != nil {
		return f, nil
	}
	f := &file{path: name, revision: l.Commit.Hash, at: source.Position{Line: 1, Column: 1}, packed: l.packed}
	data, err := l.File(name)
	content, err := source.Read(name, data, err)
	switch {
	case errors.As(err, new(notAFileError)):
		f.problem = fmt.Sprintf("The document can't be read: %v. Replace it with the file itself.", err)
	case err != nil && l.held != nil:
		return nil, err // the repository is damaged
	case err != nil:
		f.problem = fmt.Sprintf("The file can't be read: %v.", err)
	default:
		f.parse(content)
	}
	l.parsed[name] = f
	return f, nil
}

func (f *file) parse(content *source.File) {
	f.doc = document.Parse(content)
	if f.doc.Valid() {
		return
	}
	problems := f.doc.Blocking()
	more := ""
	if len(problems) > 1 {
		more = fmt.Sprintf(" `rubric lint` shows all %d errors.", len(problems))
	}
	f.problem = "Fix this error to compare the file: " + problems[0].Message + more
	f.at = f.doc.File.Position(problems[0].Span.Start)
}

// usable is a document of a base. At a commit, it is the last valid content of the
// path, or nil if no content was ever valid.
func (l *Library) usable(name string) (*file, error) {
	if l.held == nil {
		return l.current(name)
	}
	h, err := l.held(name)
	if h == nil {
		return nil, err
	}
	return &file{path: name, doc: h.Doc, revision: h.Commit.Hash}, nil
}

// differing lists the documents of l that other does not have at the same path with
// the same content.
func (l *Library) differing(other *Library) []string {
	return slices.DeleteFunc(l.Paths(), func(name string) bool {
		hash := l.Hash(name)
		return hash == other.Hash(name) && hash != unknown
	})
}

// pair is a document on both sides, or nil if a side does not have it.
type pair struct{ base, head *file }

// matching pairs the documents in which two libraries differ.
type matching struct {
	// pairs are the pairs by ID, or by path if the ID is unknown or repeated.
	pairs map[string]*pair
	// at has the keys of pairs by path in the base.
	at map[string]string
}

func match(base, head *Library) (map[string]*pair, error) {
	m := matching{map[string]*pair{}, map[string]string{}}
	for _, name := range base.differing(head) {
		f, err := base.usable(name)
		if err != nil {
			return nil, err
		}
		if f == nil {
			continue
		}
		key := f.id()
		if key == "" || m.pairs[key] != nil {
			key = f.path
		}
		m.pairs[key], m.at[f.path] = &pair{base: f}, key
	}
	var broken []*file
	for _, name := range head.differing(base) {
		f, err := head.current(name)
		switch {
		case err != nil:
			return nil, err
		case f.problem != "":
			broken = append(broken, f)
		default:
			m.addHead(f)
		}
	}
	// A broken file may be one of the remaining base documents.
	for _, f := range broken {
		m.addHead(f)
	}
	return m.pairs, nil
}

func (m *matching) addHead(f *file) {
	for _, key := range m.keys(f) {
		if p := m.pairs[key]; p != nil && p.head == nil {
			p.head = f
			return
		}
	}
	key := f.id()
	if first := m.pairs[key]; first != nil && f.problem == "" {
		double := *f
		double.problem = fmt.Sprintf("Choose another ID: %s also has the ID %s, so references to it are ambiguous.", first.head.path, schema.Quote(key))
		f = &double
	}
	if key == "" || m.pairs[key] != nil {
		key = f.path
	}
	m.pairs[key] = &pair{head: f}
}

// keys are the keys under which the base can have a file of the head: its ID, and if
// one of the two is broken, its path or its name.
func (m *matching) keys(f *file) []string {
	keys := []string{f.id()}
	if at, ok := m.at[f.path]; ok && (f.problem != "" || m.pairs[at].base.problem != "") {
		keys = append(keys, at)
	}
	if name := path.Base(f.path); f.id() == "" {
		keys = append(keys, name[:len(name)-len(path.Ext(name))])
	}
	return keys
}
