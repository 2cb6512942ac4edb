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

// file is a document of a library.
type file struct {
	path string
	// doc is valid unless there is a problem, and nil where the file could not
	// be read.
	doc *document.Document
	// revision is the hash of the commit that holds it, "" in a folder.
	revision string
	// problem says why it can't be compared, at the place of the mistake.
	problem string
	at      source.Position
	// packed tells that path is a place in a released file.
	packed bool
}

// id is the ID as it stands in the file, "" if it does not tell.
func (f *file) id() string {
	if f.doc == nil {
		return ""
	}
	return f.doc.ID()
}

// readable is the document, nil if it can't be compared.
func (f *file) readable() *document.Document {
	if f.problem != "" {
		return nil
	}
	return f.doc
}

// current is a document as it stands, right or wrong.
func (l *Library) current(name string) (*file, error) {
	if f := l.parsed[name]; f != nil {
		return f, nil
	}
	f := &file{path: name, revision: l.Commit.Hash, at: source.Position{Line: 1, Column: 1}, packed: l.packed}
	data, err := l.File(name)
	content, err := source.Read(name, data, err)
	switch {
	case errors.As(err, new(notAFileError)):
		f.problem = fmt.Sprintf("The document can't be read: %v. Put the file itself there.", err)
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
		more = fmt.Sprintf(" There are %d mistakes; `rubric-lint` shows all of them.", len(problems))
	}
	f.problem = "Mend this first, so that the file can be compared: " + problems[0].Message + more
	f.at = f.doc.File.Position(problems[0].Span.Start)
}

// usable is a document of a base: at a commit the last content of its path that
// could be used, nil if nothing ever could.
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

// differing lists the documents of l that other does not have in the same place
// with the same content.
func (l *Library) differing(other *Library) []string {
	return slices.DeleteFunc(l.Paths(), func(name string) bool {
		hash := l.Hash(name)
		return hash == other.Hash(name) && hash != unknown
	})
}

// pair is a document on both sides, nil where a side does not have it.
type pair struct{ base, head *file }

// matching pairs the documents in which two libraries differ.
type matching struct {
	// pairs has them by ID, and by path where no ID tells them apart.
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
	// What the others left over may be what a broken file was.
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
		double.problem = fmt.Sprintf("Choose another ID: %s has %s as well, and nobody can tell which of them is meant.", first.head.path, schema.Quote(key))
		f = &double
	}
	if key == "" || m.pairs[key] != nil {
		key = f.path
	}
	m.pairs[key] = &pair{head: f}
}

// keys are those under which the base can have what a file of the head is: its
// ID, and where one of them is broken, its path or its name.
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
