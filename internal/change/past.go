package change

import (
	"maps"
	"slices"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/limits"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// Past is the versions on the main branch by ID, the newest first.
type Past map[string][]*Edition

// add adds a version once for each content. The walk goes back in time, so a repeated
// content is an earlier one.
func (p Past) add(e *Edition) {
	list := p[e.ID]
	if i := slices.IndexFunc(list, func(other *Edition) bool { return other.Version == e.Version && other.Digest == e.Digest }); i >= 0 {
		list[i] = e
		return
	}
	p[e.ID] = append(list, e)
}

// published reads every version of the documents with these IDs that was added, changed, or
// removed on the first parents of a commit. It is one walk over the trees, and parses only
// contents that may have one of the IDs. A document that never changed up to the commit is
// not included: with adds the documents of a comparison.
func published(repo *gitrepo.Repo, from gitrepo.Commit, folder string, ids []string) (Past, error) {
	past := Past{}
	if from.IsZero() || len(ids) == 0 {
		return past, nil
	}
	wanted := map[string]bool{}
	for _, id := range ids {
		wanted[id] = true
	}
	read := reading{past: past, wanted: wanted, held: map[string]*Edition{}}
	return past, read.walk(repo, from, folder)
}

// hadUnreadable reports whether a version of a document was on the first parents of a commit in
// a form that today's rules can't read. A file without an ID or a version may be it.
func hadUnreadable(repo *gitrepo.Repo, from gitrepo.Commit, folder, id, version string) (bool, error) {
	if from.IsZero() {
		return false, nil
	}
	read := reading{past: Past{}, wanted: map[string]bool{id: true}, held: map[string]*Edition{}}
	err := read.walk(repo, from, folder)
	for _, e := range read.held {
		named := e != nil && !e.Valid() && (e.ID == id || e.ID == "" && stem(e.Path) == id)
		if named && (e.Version == version || e.Version == "") {
			return true, err
		}
	}
	return false, err
}

// walk reads what each commit on the first parents of a commit changes.
func (r *reading) walk(repo *gitrepo.Repo, from gitrepo.Commit, folder string) error {
	var child *gitrepo.Snapshot
	for c, err := range repo.FirstParents(from) {
		if err != nil {
			return err
		}
		s := repo.Snapshot(c, folder).Below(library.Root)
		if child != nil {
			if err := r.step(s, child); err != nil {
				return err
			}
		}
		child = s
	}
	return nil
}

// readEarlier adds the versions before the steps of a plan of the documents that differ in some
// comparisons.
func (p Past) readEarlier(q *Question, plan *plan, comparisons ...*Comparison) error {
	var ids []string
	for _, c := range comparisons {
		for _, id := range idsOf(c) {
			if _, known := p[id]; !known {
				p[id], ids = nil, append(ids, id)
			}
		}
	}
	var from gitrepo.Commit
	if len(plan.steps) > 0 {
		from = plan.steps[0]
	} else { // without its history, except that of what is yanked
		from, ids = plan.tip.Commit, nil
		for _, y := range comparisons[0].newYanks() {
			ids = append(ids, y.ID)
		}
	}
	older, err := published(q.Repo, from, q.Folder, ids)
	maps.Copy(p, older)
	return err
}

// addBases adds the documents at the tip and at the merge bases of a comparison, also those that
// only have a version yanked.
func (p Past) addBases(c *Comparison) error {
	for _, d := range c.Documents {
		for _, e := range append(slices.Clone(d.Bases), d.Tip) {
			if e != nil && (d.Head == nil || e.blob != d.Head.blob || e.Path != d.Head.Path) {
				p.addNewest(e)
			}
		}
	}
	for _, y := range c.newYanks() {
		e, err := c.Tip.Find(y.ID)
		if err != nil {
			return err
		}
		if e != nil {
			p.addNewest(e)
		}
	}
	return nil
}

// addHeads adds the documents of the head of a comparison, which are in a commit.
func (p Past) addHeads(c *Comparison, commit gitrepo.Commit) {
	heads := []*Edition{}
	for _, d := range c.Documents {
		heads = append(heads, d.Head)
	}
	for _, u := range c.Unreadable {
		heads = append(heads, u.Text)
	}
	for _, e := range heads {
		if e != nil {
			p.addNewest(e.at(commit))
		}
	}
}

// addNewest adds a version before all others.
func (p Past) addNewest(e *Edition) {
	if !e.Valid() {
		return
	}
	list := p[e.ID]
	known := func(other *Edition) bool {
		return other.blob == e.blob || other.Version == e.Version && other.Digest == e.Digest
	}
	if at := slices.IndexFunc(list, known); at >= 0 {
		e = list[at]
		list = slices.Delete(list, at, at+1)
	}
	p[e.ID] = slices.Insert(list, 0, e)
}

// reading reads the past of the documents with some IDs.
type reading struct {
	past   Past
	wanted map[string]bool
	held   map[string]*Edition // by blob hash; nil for what can have none of the IDs
	err    error
}

// step reads the documents of a commit that differ from its parent, on both sides.
func (r *reading) step(parent, child *gitrepo.Snapshot) error {
	changes, err := gitrepo.Changed(parent, child)
	if err != nil {
		return err
	}
	for _, c := range changes {
		r.read(child, c.B)
	}
	for _, c := range changes {
		r.read(parent, c.A)
	}
	return r.err
}

// read adds a document of a commit; e can be nil.
func (r *reading) read(s *gitrepo.Snapshot, e *gitrepo.Entry) {
	held, err := r.edition(s, e)
	if err != nil {
		r.err = err
	}
	if held != nil {
		r.past.add(held)
	}
}

// edition is the document in an entry of a commit, or nil if the entry is nil, has none of the
// IDs, or is not a valid document. A content that a commit adds and a later one removes is read
// once.
func (r *reading) edition(s *gitrepo.Snapshot, e *gitrepo.Entry) (*Edition, error) {
	if e == nil || !library.IsDocument(library.Root+"/"+e.Path) || e.Mode != gitrepo.Regular && e.Mode != gitrepo.Executable {
		return nil, nil
	}
	name := library.Root + "/" + e.Path
	held, known := r.held[e.Hash]
	if !known {
		data, err := s.ReadEntry(*e)
		if limits.IsTooLarge(err) { // it is not a document
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		if mayHave(data, r.wanted) {
			held = editionOf(document.Parse(source.NewFile(name, data)), s.Commit(), e.Hash)
			held.Doc = nil
		}
		r.held[e.Hash] = held
	}
	if held == nil || !held.Valid() || !r.wanted[held.ID] {
		return nil, nil
	}
	at := held.at(s.Commit())
	at.Path = name
	return at, nil
}

// idValue matches a place that looks like an ID: a key, plain text, and the character
// after it if that does not end plain text.
var idValue = lazy.Expr(`(?:` + document.Rubric.IDKey + `|` + document.RuleSet.IDKey + `)["' \t:]*(\w*)([^"' \t\r\n,}#])?`)

// mayHave reports whether a document may have one of the IDs, without parsing it. It is
// false only if every place that looks like an ID has another plain text.
func mayHave(data []byte, wanted map[string]bool) bool {
	places := idValue().FindAllSubmatch(data, -1)
	return len(places) == 0 || slices.ContainsFunc(places, func(m [][]byte) bool {
		return wanted[string(m[1])] || len(m[1]) == 0 || len(m[2]) > 0
	})
}
