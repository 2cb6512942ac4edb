package release

import (
	"cmp"
	"errors"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// key names a version of a document.
type key struct{ id, version string }

// content is a file of the history as today's parser reads it. It does not change.
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
	// last has the content that each version had last.
	last map[key]*content
	// first has the commit that first had each version.
	first map[key]gitrepo.Commit
	// firsts has the first commit that added each content.
	firsts map[*content]gitrepo.Commit
	// refused has the first commit of each file that can't be released, and the reason.
	refused map[key]bundlefile.Omission
	// tip has the documents of the commit itself by path.
	tip map[string]*content
	// changed is the last commit that changed the contents of a bundle.
	changed gitrepo.Commit
	// moved is set if the library was moved from another folder.
	moved *holdings.GoneError
}

// readPast reads the first parents of a commit. Each content is parsed once.
func readPast(repo *gitrepo.Repo, from gitrepo.Commit, folder string) (*past, error) {
	p := &past{
		versions: map[key][]*content{}, last: map[key]*content{}, first: map[key]gitrepo.Commit{},
		firsts: map[*content]gitrepo.Commit{}, refused: map[key]bundlefile.Omission{}, tip: map[string]*content{},
	}
	tip, err := holdings.Contents(repo, from, folder)
	if err != nil {
		return nil, err
	}
	for _, file := range holdings.ByPlace(tip) {
		if p.tip[file.Path], err = contentOf(file); err != nil {
			return nil, err
		}
	}
	first := from
	for passage, err := range holdings.Line(repo, from, folder, "") {
		if err != nil {
			return nil, err
		}
		if err := p.pass(&passage); err != nil {
			return nil, err
		}
		if p.moved == nil {
			if p.moved, err = movedIn(repo, &passage, folder); err != nil {
				return nil, err
			}
		}
		first = passage.Parent
	}
	if p.changed.IsZero() {
		p.changed = first
	}
	return p, p.begin(repo, first, folder)
}

// begin adds the documents of the first commit.
func (p *past) begin(repo *gitrepo.Repo, first gitrepo.Commit, folder string) error {
	files, err := holdings.Contents(repo, first, folder)
	if err != nil {
		return err
	}
	for _, file := range files {
		c, err := contentOf(file)
		if err != nil {
			return err
		}
		p.add(c, first)
	}
	return nil
}

// movedIn finds out whether a library that begins with a commit was in another folder before.
func movedIn(repo *gitrepo.Repo, p *holdings.Passage, folder string) (moved *holdings.GoneError, err error) {
	before, err := repo.Snapshot(p.Parent, folder).Hash(library.Root)
	if err != nil || before != "" {
		return nil, err
	}
	if now, err := repo.Snapshot(p.Child, folder).Hash(library.Root); err != nil || now == "" {
		return nil, err
	}
	if err = holdings.CheckGone(repo, p.Parent, p.Child, repo.Snapshot(p.Child, ""), folder); errors.As(err, &moved) {
		return moved, nil
	}
	return nil, err
}

// pass adds what a commit adds.
func (p *past) pass(passage *holdings.Passage) error {
	counts := slices.ContainsFunc(passage.Others, isReleased)
	balance := map[string]int{} // of added and removed content: a moved file is not a change
	for _, d := range passage.Documents {
		before, err := contentOf(d.Before)
		if err != nil {
			return err
		}
		after, err := contentOf(d.After)
		if err != nil {
			return err
		}
		balance[before.says()]--
		balance[after.says()]++
		p.add(after, passage.Child)
	}
	delete(balance, "")
	for _, n := range balance {
		counts = counts || n != 0
	}
	if counts && p.changed.IsZero() {
		p.changed = passage.Child
	}
	return nil
}

// isReleased reports whether a bundle depends on a file that is not a document: the ledger,
// a schema, calibration, or the configuration, which says when a judge counts as calibrated.
func isReleased(name string) bool {
	root, _, _ := strings.Cut(name, "/")
	released := []string{library.SchemaFolder, calibration.Root, library.ConfigFile}
	return name == library.LedgerFile || slices.Contains(released, root)
}

// add records that a commit added a file. The walk goes back in time, so a repeated
// content is an earlier one.
func (p *past) add(c *content, at gitrepo.Commit) {
	switch {
	case c == nil || c.reason != "" && c.id == "":
	case c.reason != "":
		p.refused[c.key] = bundlefile.Omission{ID: c.id, Version: c.version, Commit: at.Hash, Reason: c.reason}
	default:
		if p.last[c.key] == nil {
			p.last[c.key] = c
		}
		p.firsts[c] = at
		list := p.versions[c.key]
		list = slices.DeleteFunc(list, func(other *content) bool { return other.digest == c.digest })
		p.versions[c.key], p.first[c.key] = append(list, c), at
	}
}

// says identifies the meaning of a file: files that mean the same have the same result.
func (c *content) says() string {
	if c == nil {
		return ""
	}
	return cmp.Or(c.digest, c.id+" "+c.reason)
}

// contentOf is what today's parser reads in a file, or nil if there is none. It is parsed once.
func contentOf(file *holdings.Content) (*content, error) {
	if file == nil {
		return nil, nil
	}
	return holdings.Once(file, parse)
}

// parse reads a file. A broken one may be identifiable only by its name.
func parse(file *holdings.Content) (*content, error) {
	d, err := file.Parse()
	if err != nil {
		return nil, err
	}
	c := &content{key: key{d.ID(), d.Version()}}
	problems := library.Problems(d)
	if data, err := d.Canonical(); err == nil && len(problems) == 0 {
		c.kind, c.data = d.Kind.Name, data
		c.digest, _ = d.Digest() // it follows from the canonical form
		return c, nil
	}
	first := problems[0]
	c.at, c.reason = source.Position{Line: first.Line, Column: first.Column}, first.Message
	c.guess(d.File)
	return c, nil
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
	return cmp.Or(cmp.Compare(a.id, b.id), bundlefile.CompareVersions(a.version, b.version),
		cmp.Compare(a.version, b.version))
}
