package release

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

// compareWithPrevious is the publish gate: what was released must not change. It says nothing
// about a document that is gone if a problem of one of its steps says more.
func (b *builder) compareWithPrevious() error {
	if b.Previous == nil {
		return nil
	}
	if before := b.before.LibraryVersion; bundlefile.CompareVersions(b.Version, before) < 0 {
		b.problem(key{}, "The library version %s is lower than the released version %s: versions must increase.", b.Version, before)
	}
	for _, id := range sortedKeys(b.lines) {
		named := func(p Problem) bool { return p.ID == id }
		gone := !b.lines[id].Retired && b.current[id] == nil && !b.broken[id] && b.now.Find(id) == nil
		if gone && !b.letGo[id] && !slices.ContainsFunc(b.Problems, named) {
			b.problem(key{id: id}, "This document was released, but it is gone without an entry in %s. Restore it, or retire it with `rubric retire`.", library.LedgerFile)
		}
		for _, v := range b.lines[id].Versions {
			k := key{id, v.Version}
			switch c := b.chosen[k]; {
			case b.now.Withdrawn(id, v.Version):
			case c == nil:
				b.problem(k, "This version was released, but it is not in the history of this commit. Build from the branch that it was released from.")
			case c.digest != v.Digest:
				b.problem(k, anotherText)
			}
		}
		if err := b.compareDraft(id); err != nil {
			return err
		}
	}
	for _, o := range b.before.Tombstones {
		if !b.now.Withdrawn(o.ID, o.Version) {
			b.lost(o, "This version was withdrawn, but its entry is no longer in %s, or no longer says withdrawn: true. Restore the entry: a withdrawal is permanent.")
		}
	}
	for _, o := range b.before.Yanked {
		if b.Manifest.YankOf(o.ID, o.Version) == "" && b.chosen[key{o.ID, o.Version}] != nil {
			b.lost(o, "This version was yanked, but its entry is no longer in %s. Restore the entry, and publish a new version to undo it.")
		}
	}
	return nil
}

const anotherText = "This version was released with another text. Give the new text a new version."

// compareDraft refuses another text of a draft in the commit if the previous bundle has its
// version: the steps say so only if the bundle's tag is known.
func (b *builder) compareDraft(id string) error {
	now := b.current[id]
	if now == nil || !isDraft(now.version) {
		return nil
	}
	released := b.digestOf(now.key)
	named := func(p Problem) bool { return key{p.ID, p.Version} == now.key }
	if released == "" || released == now.digest || slices.ContainsFunc(b.Problems, named) {
		return nil
	}
	_, inNFC, err := b.released(b.lines[id].Kind, now.key)
	if err == nil && inNFC != now.digest {
		b.problem(now.key, anotherText)
	}
	return err
}

// lost reports an entry that the ledger had in the previous bundle, unless a step says more. text
// has a verb for the ledger.
func (b *builder) lost(o bundlefile.Omission, text string) {
	k := key{o.ID, o.Version}
	if !slices.ContainsFunc(b.Problems, func(p Problem) bool { return key{p.ID, p.Version} == k }) {
		b.problem(k, text, library.LedgerFile)
	}
}

// yank lists the yanked versions of the ledger that the bundle has, and replaces those that are
// withdrawn by tombstones. Whether the ledger may list them is judged with its steps.
func (b *builder) yank() {
	for _, e := range b.now.Entries {
		k, entry := key{e.ID, e.Yanked}, bundlefile.Omission{ID: e.ID, Version: e.Yanked, Reason: e.Reason}
		switch {
		case e.Withdrawn:
			b.remove(k)
			b.Manifest.Tombstones = append(b.Manifest.Tombstones, entry)
		case e.Yanked != "" && b.chosen[k] != nil:
			b.Manifest.Yanked = append(b.Manifest.Yanked, entry)
		}
	}
}

// remove leaves a version out of the bundle, with what its texts made the build say.
func (b *builder) remove(k key) {
	delete(b.chosen, k)
	b.Notes = slices.DeleteFunc(b.Notes, func(p Problem) bool { return key{p.ID, p.Version} == k })
	b.Manifest.Refused = slices.DeleteFunc(b.Manifest.Refused, func(o bundlefile.Omission) bool { return key{o.ID, o.Version} == k })
}

// BuiltFrom reports whether a commit builds the documents, versions, and digests of a
// bundle, no more and no fewer. Schemas, statistics, and conformance vectors are not
// compared, because they also depend on the program that built the bundle.
func BuiltFrom(released *bundlefile.Bundle, repo *gitrepo.Repo, c gitrepo.Commit, folder string) (bool, error) {
	h, err := Read(repo, c, folder)
	if err != nil {
		return false, err
	}
	b, err := documents(h, Options{Version: released.Manifest().LibraryVersion, Previous: released})
	if err != nil {
		return false, err
	}
	return len(b.Problems) == 0 && len(b.Index) == len(b.lines) && !slices.ContainsFunc(b.Index, func(made bundlefile.IndexLine) bool {
		line, ok := b.lines[made.ID]
		return !ok || made.Retired != line.Retired || !slices.Equal(made.Versions, line.Versions)
	}), nil
}

// judge refuses the steps since the previous bundle that do not fit their versions. Before the
// first bundle, these are all steps since history.since, which may have skipped numbers.
func (b *builder) judge(repo *gitrepo.Repo, c gitrepo.Commit, folder string) (err error) {
	q := &change.Question{Repo: repo, Folder: folder, Head: b.head, Commit: c, Since: b.Since, Published: true}
	if b.Previous != nil {
		if q.Range, err = change.ParseRange(repo, b.before.Commit+".."+c.Hash); err == nil {
			q.Published = false
		}
	}
	if q.Range == nil {
		if q.Range, err = change.Everything(repo, c, b.Since); err != nil {
			return err
		}
	}
	j, err := change.Judge(q)
	if err != nil {
		return err
	}
	noted := map[*change.Exception]bool{}
	for _, s := range append(slices.Clone(j.Earlier), j.Last) {
		for _, v := range s.Verdicts {
			k, at := key{v.ID, v.Version}, cmp.Or(s.Commit, c.Hash)
			if v.Accepted != nil && v.Rule == change.DocumentGone {
				b.letGo[v.ID] = true
			}
			switch {
			case v.Accepted != nil && !noted[v.Accepted]:
				noted[v.Accepted] = true
				b.note(k, "%s accepts this finding of %s: %s", library.ExceptionsFile, v.Rule, v.Accepted.Reason)
			case v.Final:
				b.problem(k, "%s", v.Text())
			case v.Fails():
				b.problem(k, "%s This is in commit %.12s. To accept it, add to %s: {%s, reason: …}", v.Text(), at, library.ExceptionsFile, v.Entry(at))
			}
		}
	}
	return nil
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// refuse lists the versions that today's parser rejects, unless the previous bundle has
// them.
func (b *builder) refuse() error {
	for _, k := range slices.SortedFunc(maps.Keys(b.refused), compareKeys) {
		if b.chosen[k] != nil {
			continue
		}
		taken, err := b.takeReleased(k)
		if err != nil {
			return err
		}
		if !taken {
			b.Manifest.Refused = append(b.Manifest.Refused, b.refused[k])
		}
	}
	return nil
}

// takeReleased takes a version from the previous bundle. For a file whose version is
// unknown, it takes every version that is missing otherwise.
func (b *builder) takeReleased(k key) (taken bool, err error) {
	line, ok := b.lines[k.id]
	if !ok {
		return false, nil
	}
	for _, v := range line.Versions {
		this := key{k.id, v.Version}
		if b.chosen[this] != nil || k.version != "" && k.version != v.Version {
			continue
		}
		if b.chosen[this], _, err = b.released(line.Kind, this); err != nil {
			return false, err
		}
		taken = true
	}
	return taken, nil
}

// oneKind omits the versions of a document with another kind: in a bundle, an ID has one
// kind.
func (b *builder) oneKind() {
	kinds := map[string]string{}
	for _, k := range slices.SortedFunc(maps.Keys(b.chosen), compareKeys) {
		kinds[k.id] = b.chosen[k].kind // the highest version stays
		if c := b.current[k.id]; c != nil {
			kinds[k.id] = c.kind
		}
	}
	for k, c := range b.chosen {
		if c.kind != kinds[k.id] {
			delete(b.chosen, k)
			b.Manifest.Refused = append(b.Manifest.Refused, bundlefile.Omission{
				ID: k.id, Version: k.version,
				Reason: fmt.Sprintf("This version is a %s, but the ID is now the ID of a %s.", noun(c.kind), noun(kinds[k.id])),
			})
		}
	}
}

// noun is the word for a kind in sentences.
func noun(kind string) string { return strings.ReplaceAll(kind, "_", " ") }

// settled is the library in a commit, with its ledger and its exceptions.
type settled struct {
	head       *change.Library
	now        *change.Ledger
	exceptions []*change.Exception
}

// readSettled reads the ledger and the exceptions. Errors in them are returned as an error.
func readSettled(head *change.Library) (*settled, error) {
	for i, name := range []string{library.LedgerFile, library.ExceptionsFile} {
		f, err := library.File(head.Files, name)
		if err == nil {
			_, err = library.CanonicalAs(f, []*document.Kind{&document.Ledger, &document.Exceptions}[i])
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	out := &settled{head: head}
	var err error
	if out.now, _, err = head.Ledger(); err != nil {
		return nil, err
	}
	if out.now == nil {
		out.now = &change.Ledger{}
	}
	out.exceptions, err = head.Exceptions()
	return out, err
}

// retired is the canonical form of the retired IDs of the ledger.
func (s *settled) retired() []byte {
	if s.now.Doc == nil {
		return []byte(`{"retired":[]}`)
	}
	return schema.Canonical(document.Retired.Table, s.now.Doc.Root())
}

// find is the exception that accepts a lint rule's finding about a version, or nil. An
// empty version means any.
func (s *settled) find(rule string, k key) *change.Exception {
	for _, e := range s.exceptions {
		if e.Rule == rule && e.ID == k.id && (k.version == "" || e.Version == k.version) {
			return e
		}
	}
	return nil
}
