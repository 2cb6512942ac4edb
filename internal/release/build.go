package release

import (
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/change/compat"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/library/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

// Options are the inputs of a bundle in addition to the history.
type Options struct {
	// Version is the library's version.
	Version string
	// Previous is the last released bundle, or nil before the first.
	Previous *bundlefile.Bundle
	// Since is the commit at which the history begins to be checked, or "".
	Since string
	// Conformance has the conformance vectors by the names of their entries, such as
	// "conformance/verdict.json".
	Conformance map[string][]byte
	// Calibration says when a judge counts as calibrated, from the configuration in
	// the commit.
	Calibration calibration.Settings
}

// Problem is a reason not to publish a bundle.
type Problem struct {
	ID string `json:"id"`
	// Version is "" if the problem is about the whole document.
	Version string `json:"version"`
	Message string `json:"message"`
}

// Build is the contents of a bundle before it is written.
type Build struct {
	Manifest bundlefile.Manifest
	Index    []bundlefile.IndexLine
	// Problems are empty in a build that can be published. Notes are additional
	// information for people.
	Problems, Notes []Problem

	files []bundlefile.File
}

// Write writes the bundle and returns its digest, as bundlefile.Write does.
func (b *Build) Write(w io.Writer) (digest string, err error) {
	return bundlefile.Write(w, b.Manifest, b.Index, b.files)
}

// builder puts a Build together.
type builder struct {
	Build
	Options
	*past
	*settled
	// before is the manifest of the previous bundle, and lines has its index by ID.
	before bundlefile.Manifest
	lines  map[string]bundlefile.IndexLine
	// chosen has the content of each version in the bundle.
	chosen map[key]*content
	// current has the documents of the commit by ID.
	current map[string]*content
	// broken has the IDs of those that can't be read.
	broken map[string]bool
	// letGo has the IDs of those that exceptions let the history remove without an entry in the
	// ledger.
	letGo map[string]bool
}

// History is the library in a commit with the history that its bundle depends on.
type History struct {
	repo   *gitrepo.Repo
	commit gitrepo.Commit
	folder string
	head   *change.Library
	past   *past
}

// Read reads the history of the library in a folder of a repository at a commit. What else compares
// texts of this history while the repository is open does not read them again.
func Read(repo *gitrepo.Repo, c gitrepo.Commit, folder string) (*History, error) {
	head, err := change.At(repo, c, folder)
	if err != nil {
		return nil, err
	}
	h := &History{repo: repo, commit: c, folder: folder, head: head}
	if h.past, err = readPast(repo, c, folder); err != nil {
		return nil, err
	}
	if len(h.past.tip) > 0 {
		return h, nil
	}
	retired, err := library.HasRetired(head.Files)
	if err == nil && !retired {
		err = fmt.Errorf("commit %.12s has no documents below %s/: there is nothing to bundle", c.Hash, path.Join(folder, library.Root))
	}
	return h, err
}

// New computes the contents of the bundle of a library. The error is that something can't be read.
func New(h *History, o Options) (*Build, error) {
	b, err := documents(h, o)
	if err != nil {
		return nil, err
	}
	if err := b.judge(h.repo.At(h.commit), h.commit, h.folder); err != nil {
		return nil, err
	}
	if err := b.compareWithPrevious(); err != nil {
		return nil, err
	}
	if err := b.calibrate(); err != nil {
		return nil, err
	}
	b.Manifest.LibraryVersion, b.Manifest.Commit = o.Version, b.changed.Hash
	if o.Previous != nil {
		b.Manifest.Previous = o.Previous.Digest()
	}
	if err := b.lay(); err != nil {
		return nil, err
	}
	for _, list := range [][]Problem{b.Problems, b.Notes} {
		slices.SortStableFunc(list, func(a, b Problem) int { return compareKeys(key{a.ID, a.Version}, key{b.ID, b.Version}) })
	}
	for _, list := range [][]bundlefile.Omission{b.Manifest.Refused, b.Manifest.Tombstones} {
		slices.SortFunc(list, func(a, b bundlefile.Omission) int { return compareKeys(key{a.ID, a.Version}, key{b.ID, b.Version}) })
	}
	return &b.Build, nil
}

// documents computes the index of a bundle and everything that it depends on.
func documents(h *History, o Options) (*builder, error) {
	b := &builder{Options: o, past: h.past, chosen: map[key]*content{}, current: map[string]*content{}, broken: map[string]bool{}, letGo: map[string]bool{}}
	var err error
	if b.lines, err = readIndex(o.Previous); err != nil {
		return nil, err
	}
	if o.Previous != nil {
		b.before = o.Previous.Manifest()
	}
	if b.settled, err = readSettled(h.head); err != nil {
		return nil, err
	}
	if b.moved != nil {
		b.note(key{}, "At commit %.12s, the library was in another folder: %s. Its versions up to that commit are not in the bundle.", b.moved.Commit.Hash, path.Join(b.moved.Folder, library.Root))
	}
	if err := b.readCurrent(); err != nil {
		return nil, err
	}
	if err := b.choose(); err != nil {
		return nil, err
	}
	if err := b.refuse(); err != nil {
		return nil, err
	}
	b.oneKind()
	b.yank()
	return b, b.index()
}

func (b *builder) problem(k key, format string, args ...any) {
	b.Problems = append(b.Problems, Problem{k.id, k.version, fmt.Sprintf(format, args...)})
}

func (b *builder) note(k key, format string, args ...any) {
	b.Notes = append(b.Notes, Problem{k.id, k.version, fmt.Sprintf(format, args...)})
}

// readCurrent finds the documents of the commit by ID. A link or an unreadable file is a
// problem, because the bundle would be incomplete without a sign of it.
func (b *builder) readCurrent() error {
	entries, err := library.List(b.head.Files)
	for _, e := range entries {
		if e.Hides() {
			b.problem(key{}, "%s can't be in a bundle: it is not a regular file. Replace it with the file itself.", e.Path)
		}
	}
	files := map[string]string{}
	for _, name := range sortedKeys(b.tip) {
		d := b.tip[name]
		switch {
		case d.reason != "":
			b.broken[d.id] = true
			b.problem(d.key, "%s:%d:%d can't be in a bundle: %s", name, d.at.Line, d.at.Column, d.reason)
		case files[d.id] != "":
			b.problem(d.key, "%s and %s have the same ID. Change one of them.", files[d.id], name)
		default:
			files[d.id], b.current[d.id] = name, d
		}
	}
	return err
}

// choose selects one content for each version.
func (b *builder) choose() error {
	for _, k := range slices.SortedFunc(maps.Keys(b.versions), compareKeys) {
		list := b.versions[k]
		choice, why := list[len(list)-1], "the oldest one"
		if c := b.current[k.id]; c != nil && c.version == k.version {
			choice, why = c, "the current one"
		}
		released := b.digestOf(k)
		if i := slices.IndexFunc(list, func(c *content) bool { return c.digest == released }); i >= 0 {
			choice, why = list[i], "the released one"
		} else if released != "" {
			c, inNFC, err := b.released(b.lines[k.id].Kind, k)
			if err != nil {
				return err
			}
			if i := slices.IndexFunc(list, func(c *content) bool { return c.digest == inNFC }); i >= 0 {
				choice, why = c, "the released one"
				c.first = list[i].first
			}
		}
		draft := isDraft(k.version)
		switch {
		case draft && released == "":
			choice = b.lastDraft(k)
		case len(list) > 1:
			b.note(k, "The history has %d texts for this version. The bundle has %s.", len(list), why)
		}
		if draft { // other texts came before
			b.first[k] = choice.first
		}
		b.chosen[k] = choice
	}
	return nil
}

// isDraft reports whether a version is 0.y.z.
func isDraft(version string) bool { return strings.HasPrefix(version, "0.") }

// lastDraft is the content of a draft that was not released, which can change under its number:
// that of the commit, or the last one of a number that was left.
func (b *builder) lastDraft(k key) *content {
	last := b.last[k]
	if c := b.current[k.id]; c != nil && c.version == k.version {
		last = c
	}
	for _, c := range b.versions[k] {
		if c.digest == last.digest {
			return c
		}
	}
	return last
}

// index builds the line of each document from its latest version, which is not yanked.
func (b *builder) index() error {
	byID := map[string][]*content{}
	for _, c := range b.chosen {
		byID[c.id] = append(byID[c.id], c)
	}
	for _, id := range sortedKeys(byID) {
		list := byID[id]
		slices.SortFunc(list, func(a, b *content) int { return bundlefile.CompareVersions(a.version, b.version) })
		var versions []bundlefile.Version
		for _, c := range list {
			versions = append(versions, b.origin(c))
		}
		version, ok := b.Manifest.LatestOf(id, versions)
		if !ok && b.current[id] != nil {
			b.problem(key{id: id}, "Every version in the bundle is yanked. Publish a new version, or retire the document.")
		}
		latest := b.chosen[key{id, version}]
		line, err := bundlefile.LineOf(id, latest.kind, latest.data, versions)
		if err != nil {
			return err
		}
		line.Retired = b.current[id] == nil
		b.Index = append(b.Index, line)
	}
	return nil
}

// origin is a version in the index, with the commit and the release that it comes from, as
// far as the history and the previous bundle know them.
func (b *builder) origin(c *content) bundlefile.Version {
	v := bundlefile.Version{Version: c.version, Digest: c.digest, Release: b.Version}
	before := b.lines[c.id].Versions
	if i := slices.IndexFunc(before, func(v bundlefile.Version) bool { return v.Version == c.version }); i >= 0 {
		v = before[i]
		v.Digest = c.digest
	}
	if first, ok := b.first[c.key]; ok {
		if at := first.When.UTC().Format(bundlefile.TimeFormat); bundlefile.IsTime(at) {
			v.Commit, v.Time = first.Hash, at
		}
	}
	return v
}

// has reports whether the library has a folder.
func (b *builder) has(folder string) bool {
	info, err := fs.Lstat(b.head.Files, folder)
	return err == nil && info.IsDir()
}

// lay adds the entries that not every bundle has.
func (b *builder) lay() error {
	for _, c := range b.chosen {
		b.files = append(b.files, bundlefile.File{Path: bundlefile.DocumentPath(c.kind, c.id, c.version), Data: c.data})
	}
	schemas, problems, err := library.Schemas(b.head.Files)
	if err != nil {
		return err
	}
	b.files = append(b.files, schemas...)
	for _, p := range problems {
		b.problem(key{}, "%s", p)
	}
	for name, data := range b.Conformance {
		b.files = append(b.files, bundlefile.File{Path: name, Data: data})
	}
	changelog, err := b.changelog()
	b.files = append(b.files,
		bundlefile.File{Path: bundlecheck.ChangelogName, Data: changelog},
		bundlefile.File{Path: bundlecheck.LedgerName, Data: append(b.retired(), '\n')})
	return err
}

// changelog lists the changes of each version since the previous one in the bundle. It
// follows only from the bundle's documents.
func (b *builder) changelog() ([]byte, error) {
	out := bundlecheck.Changelog{SchemaVersion: 1, Documents: make([]bundlecheck.ChangelogDocument, len(b.Index))}
	for i := range b.Index {
		line := &b.Index[i]
		d := bundlecheck.ChangelogDocument{ID: line.ID, Kind: line.Kind}
		var before *content
		for _, v := range line.Versions {
			c := b.chosen[key{line.ID, v.Version}]
			d.Versions = append(d.Versions, changed(before, c))
			before = c
		}
		out.Documents[i] = d
	}
	return out.Encode()
}

func changed(before, after *content) bundlecheck.ChangelogVersion {
	v := bundlecheck.ChangelogVersion{Version: after.version, Changes: []bundlecheck.ChangelogChange{}}
	if before == nil {
		return v
	}
	v.Since = &before.version
	changes, ok := Changes(before.data, after.data)
	if !ok {
		return v
	}
	class := compat.Class(changes).String()
	v.Class = &class
	for _, c := range changes {
		v.Changes = append(v.Changes, bundlecheck.ChangelogChange{
			Kind: string(c.Kind), Path: c.Path, Class: c.Class.String(), Base: valueText(c.Base), Head: valueText(c.Head), Message: c.Message,
		})
	}
	return v
}

func valueText(v *compat.Value) *string {
	if v == nil {
		return nil
	}
	return &v.Text
}

// Changes compares the canonical forms of two versions of a document. ok is false if one
// can't be read as YAML: the canonical form of a document just below the limit of 256
// KiB can exceed it.
func Changes(before, after []byte) (changes []compat.Change, ok bool) {
	base, head := parseCanonical(before), parseCanonical(after)
	if !base.Valid() || !head.Valid() {
		return nil, false
	}
	return compat.Compare(base, head), true
}

// parseCanonical reads a canonical form as YAML, which it also is.
func parseCanonical(data []byte) *document.Document {
	return document.Parse(source.NewFile("", data))
}
