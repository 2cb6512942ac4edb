package holdings

import (
	"path"
	"slices"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// Past is the versions on the main branch by ID, the newest first.
type Past map[string][]*Edition

// addEarlier adds a version once for each content. The walk goes back in time, so a repeated
// content is an earlier one.
func (p Past) addEarlier(e *Edition) {
	list := p[e.ID]
	same := func(other *Edition) bool { return other.Version == e.Version && other.Digest == e.Digest }
	if i := slices.IndexFunc(list, same); i >= 0 {
		list[i] = e
		return
	}
	p[e.ID] = append(list, e)
}

// Published reads every version of the documents with these IDs that was added, changed, or
// removed on the first parents of a commit. It is one walk over the trees, and parses only
// contents that may have one of the IDs. A document that never changed up to the commit is
// not included: AddNewest adds those of a comparison.
func Published(repo *gitrepo.Repo, from gitrepo.Commit, folder string, ids []string) (Past, error) {
	past := Past{}
	if from.IsZero() || len(ids) == 0 {
		return past, nil
	}
	read := ReadingOf(ids...)
	return past, read.line(repo, from, folder, past.addEarlier)
}

// HadUnreadable reports whether a version of a document was on the first parents of a commit in
// a form that today's rules can't read. A file without an ID or a version may be it.
func HadUnreadable(repo *gitrepo.Repo, from gitrepo.Commit, folder, id, version string) (bool, error) {
	if from.IsZero() {
		return false, nil
	}
	read := ReadingOf(id)
	if err := read.line(repo, from, folder, func(*Edition) {}); err != nil {
		return false, err
	}
	for _, e := range read.editions {
		named := e != nil && !e.IsValid() && (e.ID == id || e.ID == "" && Stem(e.Path) == id)
		if named && (e.Version == version || e.Version == "") {
			return true, nil
		}
	}
	return false, nil
}

// AddNewest adds a version before all others.
func (p Past) AddNewest(e *Edition) {
	if !e.IsValid() {
		return
	}
	list := p[e.ID]
	known := func(other *Edition) bool {
		return other.Blob == e.Blob || other.Version == e.Version && other.Digest == e.Digest
	}
	if at := slices.IndexFunc(list, known); at >= 0 {
		e = list[at]
		list = slices.Delete(list, at, at+1)
	}
	p[e.ID] = slices.Insert(list, 0, e)
}

// Reading reads the versions of the documents with some IDs in a history.
type Reading struct {
	wanted   map[string]bool
	editions map[string]*Edition // by content and file name; nil for what can have none of the IDs
}

// ReadingOf reads the versions of the documents with some IDs.
func ReadingOf(ids ...string) *Reading {
	r := &Reading{wanted: map[string]bool{}, editions: map[string]*Edition{}}
	for _, id := range ids {
		r.wanted[id] = true
	}
	return r
}

// line reads what each commit on the first parents of a commit adds and removes.
func (r *Reading) line(repo *gitrepo.Repo, from gitrepo.Commit, folder string, add func(e *Edition)) error {
	for p, err := range Line(repo, from, folder, library.Root) {
		if err != nil {
			return err
		}
		for _, c := range append(p.AddedContents(), p.RemovedContents()...) {
			e, err := r.Edition(c)
			if err != nil {
				return err
			}
			if e != nil {
				add(e)
			}
		}
	}
	return nil
}

// Edition is a content as a version of a document, or nil if it has none of the IDs or is not valid.
func (r *Reading) Edition(c *Content) (*Edition, error) {
	key := c.Hash() + " " + path.Base(c.Path)
	held, known := r.editions[key]
	if !known {
		var err error
		if held, err = r.parse(c); err != nil {
			return nil, err
		}
		r.editions[key] = held
	}
	if held == nil || !held.IsValid() || !r.wanted[held.ID] {
		return nil, nil
	}
	return held.inFile(c.Path, c.Commit, c.Hash()), nil
}

// parse reads a content without keeping its text, or returns nil if it has none of the IDs.
func (r *Reading) parse(c *Content) (*Edition, error) {
	if id := c.namedID(); id != "" && !r.wanted[id] {
		return nil, nil
	}
	f, err := c.Read()
	if err != nil || !mayHave(f.Data, r.wanted) {
		return nil, err
	}
	e := EditionOf(document.Parse(f), c.Commit, c.Hash())
	e.Doc = nil
	return e, nil
}

// idValue matches a place that looks like an ID: a key, plain text, and the character
// after it if that does not end plain text.
var idValue = lazy.Expr(
	`(?:` + document.Rubric.IDKey + `|` + document.RuleSet.IDKey + `)` +
		`["' \t:]*(\w*)([^"' \t\r\n,}#])?`)

// mayHave reports whether a document may have one of the IDs, without parsing it. It is
// false only if every place that looks like an ID has another plain text.
func mayHave(data []byte, wanted map[string]bool) bool {
	places := idValue().FindAllSubmatch(data, -1)
	return len(places) == 0 || slices.ContainsFunc(places, func(m [][]byte) bool {
		return wanted[string(m[1])] || len(m[1]) == 0 || len(m[2]) > 0
	})
}
