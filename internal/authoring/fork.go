package authoring

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/Masterminds/semver/v3"

	"github.com/rubric-library/rubric-library/internal/compat"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/repository/history"
)

const (
	versionKey    = "version"
	deprecatedKey = "deprecated"
)

var idMajor = regexp.MustCompile(`_v(0|[1-9][0-9]{0,8})$`)

// next is the ID and the version of a fork: _vN+1 at N+1.0.0. An ID without a number
// counts as the ID of its major version.
func next(id string, version *semver.Version) (string, *semver.Version) {
	stem, major := id, max(1, version.Major())
	if m := idMajor.FindStringSubmatch(id); m != nil {
		stem = strings.TrimSuffix(id, m[0])
		major, _ = strconv.ParseUint(m[1], 10, 64) // nine digits at most
	}
	return fmt.Sprintf("%s_v%d", stem, major+1), semver.New(major+1, 0, 0, "", "")
}

// CheckReason returns an error unless a text is a valid reason: one line of visible
// text.
func CheckReason(reason string) error {
	hidden := func(r rune) bool { return r == unicode.ReplacementChar || r != ' ' && !unicode.IsPrint(r) }
	switch {
	case strings.TrimSpace(reason) == "":
		return errors.New("the reason is blank: expected one sentence that says why")
	case strings.ContainsFunc(reason, hidden):
		return errors.New("the reason must be one line without invisible characters")
	}
	return nil
}

// Fork is a document to be published under the next ID.
type Fork struct {
	// NewID is the next ID.
	NewID string
	// Deprecates reports whether the old document gets a deprecation, which needs a
	// reason. A document that was published with a deprecation keeps it.
	Deprecates bool

	library *Library
	version *semver.Version // of the new document
	// work is the document as it is in the library.
	work *document.Document
	// old is the document that stays under the ID: work, or the published one if work
	// has the major change to be published under the next ID.
	old *document.Document
	// bases and tip are the document in the history.
	bases []*history.Held
	tip   *history.Held
}

// Fork finds the document with an ID, or returns why it can't be forked. If its text has a
// major change compared with the published one, that text becomes the new document, and
// the old one is restored.
func (l *Library) Fork(id string) (*Fork, error) {
	work, err := l.document(id)
	if err != nil {
		return nil, err
	}
	if work == nil {
		return nil, l.unknown(id)
	}
	if !work.Valid() {
		return nil, mistakes(work.File.Path)
	}
	f := &Fork{library: l, work: work, old: work}
	if err := f.compare(); err != nil {
		return nil, err
	}
	version, err := semver.StrictNewVersion(f.old.Version())
	if err != nil {
		return nil, err
	}
	f.NewID, f.version = next(id, version)
	err = errors.Join(check(work.Kind, work.Kind.IDKey, "new ID", f.NewID), check(work.Kind, versionKey, "new version", f.version.String()))
	if err != nil {
		return nil, err
	}
	if err := l.Free(f.NewID); err != nil {
		return nil, fmt.Errorf("the next ID is taken: %w", err)
	}
	if node := work.Root().Get(deprecatedKey); node != nil {
		message := id + " is already deprecated"
		if by := node.Get("replaced_by").Text(); by != "" {
			message += fmt.Sprintf(" and replaced by %s: fork that document instead", by)
		}
		return nil, fmt.Errorf("%s. To fork %s anyway, remove its key %q first", message, id, deprecatedKey)
	}
	f.Deprecates = f.old.Root().Get(deprecatedKey) == nil
	return f, nil
}

// Edit computes the fork. The reason is used if the old document gets a deprecation.
func (f *Fork) Edit(reason string) (*Edit, error) {
	made, err := f.made()
	if err != nil {
		return nil, err
	}
	kept := f.old
	if f.Deprecates {
		if kept, err = f.deprecated(reason); err != nil {
			return nil, err
		}
	}
	e := f.files(made, kept)
	if err := f.joinDataset(e, made); err != nil {
		return nil, err
	}
	return f.library.finish(e)
}

// compare finds the document in the history, and whether its changes belong under the
// next ID.
func (f *Fork) compare() (err error) {
	id, past := f.work.ID(), f.library.past
	if past == nil {
		return nil
	}
	if f.tip, err = find(past.Tip, id); err != nil {
		return err
	}
	highest := schema.None
	var compared *history.Held // with the highest change
	for _, base := range past.Bases {
		held, err := find(base, id)
		if err != nil {
			return err
		}
		if held == nil {
			continue
		}
		f.bases = append(f.bases, held)
		class := compat.Class(compat.Compare(held.Doc, f.work))
		if compared == nil || class > highest {
			compared, highest = held, class
		}
	}
	if highest == schema.Major && !strings.HasPrefix(compared.Version(), "0.") { // a draft needs no new ID
		f.old = compared.Doc
	}
	return nil
}

// made is the new document: the current text with another ID and version.
func (f *Fork) made() (*document.Document, error) {
	file, root, key := f.work.File, f.work.Root(), f.work.Kind.IDKey
	made, err := apply(f.work, replaced(file, root.Get(key), f.NewID), replaced(file, root.Get(versionKey), f.version.String()))
	if err != nil {
		return nil, err
	}
	if !same(f.work, made, key, versionKey) || made.ID() != f.NewID || made.Version() != f.version.String() {
		return nil, fmt.Errorf("the ID and the version in %s can't be replaced safely. Copy the file by hand", f.work.File.Path)
	}
	return made, nil
}

// deprecated is the old document with its deprecation, at the required version.
func (f *Fork) deprecated(reason string) (*document.Document, error) {
	if err := CheckReason(reason); err != nil {
		return nil, err
	}
	root := f.old.Root()
	l := layoutOf(f.old.File, root, entry(root, f.old.Kind.IDKey))
	for _, e := range added(f.old, l, deprecatedKey, "", []pair{{"reason", reason, false}, {"replaced_by", f.NewID, true}}) {
		kept, err := apply(f.old, e)
		if err != nil {
			return nil, err
		}
		if !same(f.old, kept, deprecatedKey) || kept.Root().Get(deprecatedKey).Get("reason").Text() != reason {
			continue
		}
		version, err := f.required(kept)
		if err != nil {
			return nil, err
		}
		if err := check(f.old.Kind, versionKey, "new version", version.String()); err != nil {
			return nil, err
		}
		return apply(f.old, e, replaced(f.old.File, root.Get(versionKey), version.String()))
	}
	return nil, fmt.Errorf("%s can't be edited safely because of its layout. Add `%s: {reason: …, replaced_by: %s}` by hand, and copy the file to the new ID",
		f.old.File.Path, deprecatedKey, f.NewID)
}

// required is the version that the old document needs for its changes since it was
// published. A higher version stays if it increases exactly one number by one.
func (f *Fork) required(kept *document.Document) (*semver.Version, error) {
	has, err := semver.StrictNewVersion(f.old.Version())
	if err != nil {
		return nil, err
	}
	floor, class := has, schema.Patch
	published := f.bases
	if f.tip != nil {
		published = append([]*history.Held{f.tip}, f.bases...)
	}
	for i, held := range published {
		v, err := semver.StrictNewVersion(held.Version())
		if err != nil {
			return nil, err
		}
		if i == 0 || floor.LessThan(v) {
			floor = v
		}
	}
	for _, held := range f.bases {
		class = max(class, compat.Class(compat.Compare(held.Doc, kept)))
	}
	if needed := compat.Required(floor, class); has.LessThan(needed) || !compat.Follows(floor, has) {
		return needed, nil
	}
	return has, nil
}

func (f *Fork) files(fresh, kept *document.Document) *Edit {
	id, work := f.work.ID(), f.work.File
	made := File{
		Path: documentPath(fresh.ArtifactType(), fresh.ID()), After: fresh.File.Data,
		Note: fmt.Sprintf("version %s, with the text of %s", fresh.Version(), id),
	}
	changed := File{
		Path: work.Path, Before: work.Data, After: kept.File.Data,
		Note: fmt.Sprintf("version %s, deprecated, replaced by %s", kept.Version(), fresh.ID()),
	}
	if f.old == f.work {
		return &Edit{Files: []File{made, changed}}
	}
	made.Note = fmt.Sprintf("version %s, with your changes to %s", fresh.Version(), id)
	changed.Note = "restored to the text of version " + f.old.Version()
	if f.Deprecates {
		changed.Note += fmt.Sprintf("; version %s, deprecated, replaced by %s", kept.Version(), fresh.ID())
	}
	belongs := documentPath(f.old.ArtifactType(), id)
	if belongs == work.Path {
		return &Edit{Files: []File{made, changed}}
	}
	// The artifact type was changed, or the file is not where it belongs.
	changed.Path, changed.Before = belongs, nil
	removed := File{Path: work.Path, Before: work.Data, Note: "its text is in " + made.Path}
	return &Edit{Files: []File{made, changed, removed}}
}
