package release

import (
	"cmp"
	"errors"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// key names a version of a document.
type key struct{ id, version string }

// content is a file of the history as today's parser reads it.
type content struct {
	key           // as far as it is known
	kind   string // as in the index
	digest string
	data   []byte // the canonical form
	// reason is why the parser rejects it, or "".
	reason string
	// at is the place of the reason.
	at source.Position
}

// past is the history of a line of first parents.
type past struct {
	// versions has the contents of each version, the oldest last.
	versions map[key][]*content
	// first has the commit that first had each version.
	first map[key]gitrepo.Commit
	// refused has the first commit of each file that can't be released, and the reason.
	refused map[key]bundlefile.Omission
	// tip has the documents of the commit itself by path.
	tip map[string]*content
	// changed is the last commit that changed the contents of a bundle.
	changed gitrepo.Commit
	// moved is set if the library was moved from another folder.
	moved *change.GoneError

	read map[string]*content // by hash
	err  error               // the first of reading one
}

// readPast walks the first parents of a commit. Each content is parsed once.
func readPast(repo *gitrepo.Repo, from gitrepo.Commit, folder string) (*past, error) {
	p := &past{
		versions: map[key][]*content{}, first: map[key]gitrepo.Commit{}, refused: map[key]bundlefile.Omission{},
		tip: map[string]*content{}, read: map[string]*content{},
	}
	var child *gitrepo.Snapshot
	for c, err := range repo.FirstParents(from) {
		if err != nil {
			return nil, err
		}
		s := repo.Snapshot(c, folder)
		if child == nil {
			p.each(s, func(name string, c *content) { p.tip[name] = c })
		} else if p.step(s, child); p.moved == nil {
			p.failed(p.follow(repo, s, child, folder))
		}
		if p.err != nil {
			return nil, p.err
		}
		child = s
	}
	first := child.Commit()
	if p.changed.IsZero() {
		p.changed = first
	}
	p.each(child, func(_ string, c *content) { p.add(c, first) })
	return p, p.err
}

func (p *past) failed(err error) bool {
	if p.err == nil {
		p.err = err
	}
	return err != nil
}

// follow finds out whether a library that begins with a commit was in another folder before.
func (p *past) follow(repo *gitrepo.Repo, parent, child *gitrepo.Snapshot, folder string) error {
	before, err := parent.Hash(library.Root)
	if err != nil || before != "" {
		return err
	}
	if now, err := child.Hash(library.Root); err != nil || now == "" {
		return err
	}
	if err = change.CheckGone(repo, parent.Commit(), child.Commit(), repo.Snapshot(child.Commit(), ""), folder); errors.As(err, &p.moved) {
		return nil
	}
	return err
}

// each reads all documents of a commit, including those that can't be in a bundle.
func (p *past) each(s *gitrepo.Snapshot, f func(name string, c *content)) {
	s = s.Below(library.Root)
	entries, err := s.Entries()
	p.failed(err)
	for _, e := range entries {
		name := library.Root + "/" + e.Path
		if c := p.content(s, &e, name); c != nil {
			f(name, c)
		}
	}
}

func (p *past) step(parent, child *gitrepo.Snapshot) {
	changes, err := gitrepo.Changed(parent, child)
	p.failed(err)
	counts := false
	balance := map[string]int{} // of added and removed content: a moved file is not a change
	for _, c := range changes {
		if !library.IsDocument(c.Path) {
			counts = counts || isReleased(c.Path)
			continue
		}
		before, after := p.content(parent, c.A, c.Path), p.content(child, c.B, c.Path)
		balance[before.says()]--
		balance[after.says()]++
		p.add(after, child.Commit())
	}
	delete(balance, "")
	for _, n := range balance {
		counts = counts || n != 0
	}
	if counts && p.changed.IsZero() {
		p.changed = child.Commit()
	}
}

// isReleased reports whether a bundle depends on a file that is not a document: the ledger,
// the exceptions, a schema, calibration, or the configuration, which says when a judge counts
// as calibrated.
func isReleased(name string) bool {
	root, _, _ := strings.Cut(name, "/")
	return slices.Contains([]string{library.Root, schemaFolder, calibration.Root, library.ConfigFile}, root)
}

// add records that a commit added a file. The walk goes back in time, so a repeated
// content is an earlier one.
func (p *past) add(c *content, at gitrepo.Commit) {
	switch {
	case c == nil || c.reason != "" && c.id == "":
	case c.reason != "":
		p.refused[c.key] = bundlefile.Omission{ID: c.id, Version: c.version, Commit: at.Hash, Reason: c.reason}
	default:
		list := p.versions[c.key]
		list = slices.DeleteFunc(list, func(other *content) bool { return other.digest == c.digest })
		p.versions[c.key], p.first[c.key] = append(list, c), at
	}
}

// content parses a document, or returns nil if the entry is not one. Each content of the
// history is parsed once.
func (p *past) content(s *gitrepo.Snapshot, e *gitrepo.Entry, file string) *content {
	if e == nil || !library.IsDocument(file) || e.Mode != gitrepo.Regular && e.Mode != gitrepo.Executable {
		return nil
	}
	// A broken file may be identifiable only by its name.
	name := e.Hash + " " + path.Base(e.Path)
	if c, ok := p.read[name]; ok {
		return c
	}
	data, err := s.ReadEntry(*e)
	f, err := source.Read(file, data, err)
	if p.failed(err) {
		return nil
	}
	p.read[name] = parse(f)
	return p.read[name]
}

// says identifies the meaning of a file: files that mean the same have the same result.
func (c *content) says() string {
	if c == nil {
		return ""
	}
	return cmp.Or(c.digest, c.id+" "+c.reason)
}

func parse(f *source.File) *content {
	d := document.Parse(f)
	c := &content{key: key{d.ID(), d.Version()}}
	problems := library.Problems(d)
	if data, err := d.Canonical(); err == nil && len(problems) == 0 {
		c.kind, c.data = d.Kind.Name, data
		c.digest, _ = d.Digest() // it follows from the canonical form
		return c
	}
	c.at, c.reason = problems[0].At, problems[0].Message
	c.guess(f)
	return c
}

var (
	looksLikeID      = lazy.Expr(`(?m)^["']?(?:rubric_id|ruleset_id)["']?:[ \t]*["']?([^"'\s#]+)`)
	looksLikeVersion = lazy.Expr(`(?m)^["']?version["']?:[ \t]*["']?([^"'\s#]+)`)
)

// guess returns the probable key of a broken file: from the lines of its ID and version,
// or from its name.
func (c *content) guess(f *source.File) {
	first := func(right func(string) bool, words ...string) string {
		if i := slices.IndexFunc(words, right); i >= 0 {
			return words[i]
		}
		return ""
	}
	inText := func(form *regexp.Regexp) string {
		if m := form.FindSubmatch(f.Data); m != nil {
			return string(m[1])
		}
		return ""
	}
	name := strings.TrimSuffix(path.Base(f.Path), path.Ext(f.Path))
	c.key = key{
		id:      first(document.IsID, c.id, inText(looksLikeID()), name),
		version: first(bundlefile.IsVersion, c.version, inText(looksLikeVersion())),
	}
}

func compareKeys(a, b key) int {
	return cmp.Or(cmp.Compare(a.id, b.id), bundlefile.CompareVersions(a.version, b.version), cmp.Compare(a.version, b.version))
}
