package holdings

import (
	"iter"
	"path"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// Passage is a commit on a line of first parents, with the files of its library that differ from
// those of the commit before it.
type Passage struct {
	Parent, Child gitrepo.Commit
	// Documents are the contents that the child replaces, sorted by path.
	Documents []Replaced
	// Others are the paths of the other files that differ, relative to the library.
	Others []string
}

// Replaced is the contents at a path before and after a commit. Before is nil for an added document,
// and After for a removed one; what is not a file counts as none.
type Replaced struct{ Before, After *Content }

// AddedContents lists the contents that the commit adds.
func (p *Passage) AddedContents() (contents []*Content) {
	for _, d := range p.Documents {
		if d.After != nil {
			contents = append(contents, d.After)
		}
	}
	return contents
}

// RemovedContents lists the contents that the commit removes.
func (p *Passage) RemovedContents() (contents []*Content) {
	for _, d := range p.Documents {
		if d.Before != nil {
			contents = append(contents, d.Before)
		}
	}
	return contents
}

// Content is the content of a document in a commit.
type Content struct {
	Commit gitrepo.Commit
	// Path is relative to the library.
	Path  string
	repo  *gitrepo.Repo
	entry gitrepo.SnapshotEntry
	in    *gitrepo.Snapshot
}

// Line goes back from a commit over its first parents. It says which documents each commit changes,
// and compares only those below a folder of the library, or everything in it if below is "". This is
// the only walk over the contents of a history.
func Line(repo *gitrepo.Repo, from gitrepo.Commit, folder, below string) iter.Seq2[Passage, error] {
	return func(yield func(Passage, error) bool) {
		var child *gitrepo.Snapshot
		for c, err := range repo.FirstParents(from) {
			if err != nil {
				yield(Passage{}, err)
				return
			}
			parent := repo.Snapshot(c, folder)
			if below != "" {
				parent = parent.Subfolder(below)
			}
			if child != nil {
				if p, err := passage(repo, parent, child, below); !yield(p, err) || err != nil {
					return
				}
			}
			child = parent
		}
	}
}

func passage(repo *gitrepo.Repo, parent, child *gitrepo.Snapshot, below string) (Passage, error) {
	changes, err := gitrepo.Changed(parent, child)
	p := Passage{Parent: parent.Commit(), Child: child.Commit()}
	for _, c := range changes {
		if name := path.Join(below, c.Path); library.IsDocument(name) {
			p.Documents = append(p.Documents, Replaced{contentOf(repo, parent, c.A, name), contentOf(repo, child, c.B, name)})
		} else {
			p.Others = append(p.Others, name)
		}
	}
	return p, err
}

// contentOf is the content of an entry with the name of a document, or nil if it is not a file.
func contentOf(repo *gitrepo.Repo, s *gitrepo.Snapshot, e *gitrepo.SnapshotEntry, name string) *Content {
	if e == nil || e.Mode != gitrepo.Regular && e.Mode != gitrepo.Executable {
		return nil
	}
	return &Content{Commit: s.Commit(), Path: name, repo: repo, entry: *e, in: s}
}

// Contents lists the documents of a commit, sorted by path.
func Contents(repo *gitrepo.Repo, c gitrepo.Commit, folder string) ([]*Content, error) {
	s := repo.Snapshot(c, folder).Subfolder(library.Root)
	entries, err := s.Entries()
	var contents []*Content
	for _, e := range entries {
		if name := library.Root + "/" + e.Path; library.IsDocument(name) {
			if content := contentOf(repo, s, &e, name); content != nil {
				contents = append(contents, content)
			}
		}
	}
	return contents, err
}

// ByPlace sorts contents so that all of them are read in the least time.
func ByPlace(contents []*Content) []*Content {
	if len(contents) == 0 {
		return nil
	}
	return gitrepo.ByPlace(contents[0].repo, contents, (*Content).Hash)
}

// Hash is Git's name for the content.
func (c *Content) Hash() string { return c.entry.Hash }

// Read reads the content. One that is too large is empty, and not valid.
func (c *Content) Read() (*source.File, error) {
	data, err := c.in.ReadEntry(c.entry)
	return source.Read(c.Path, data, err)
}

// Parse reads the content as a document, and keeps what comparisons need to know about it.
func (c *Content) Parse() (*document.Document, error) {
	f, err := c.Read()
	if err != nil {
		return nil, err
	}
	d := document.Parse(f)
	return d, Remember(c.repo, c.Hash(), d)
}

// namedID is the ID after which the file is named, if the document has it or is not valid, or "". A
// look at the start of the file is enough, and it takes much less time than to read it.
func (c *Content) namedID() string {
	if id := startingID(c.in.Start(c.entry)); id == Stem(c.Path) {
		return id
	}
	return ""
}

// idFirst matches the start of a document whose first key is its ID, with comments above it. Some
// other characters end a line in YAML.
var idFirst = lazy.Expr(
	`^(?:[ \t]*(?:#[\t -~\pL\pM\pN\pP]*)?\r?\n)*` +
		`(?:` + document.Rubric.IDKey + `|` + document.RuleSet.IDKey + `):` +
		`[ \t]+["']?(\w+)["']?[ \t]*(?:#[\t -~\pL\pM\pN\pP]*)?\r?\n`)

// startingID is the ID that a document has if it is valid, as far as its start says so, or "". A
// second ID or a second document would not be valid.
func startingID(start []byte) string {
	if m := idFirst().FindSubmatch(start); m != nil {
		return string(m[1])
	}
	return ""
}

// Once returns what find finds out about a content. Each content is read once, as long as the
// repository is open. That may depend on the name of the file, but not on its folder or the commit.
func Once[T any](c *Content, find func(c *Content) (T, error)) (T, error) {
	return gitrepo.Once(c.repo, c.Hash()+" "+path.Base(c.Path), func() (T, error) { return find(c) })
}
