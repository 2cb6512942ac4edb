package authoring

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/document"
)

const (
	versionKey    = "version"
	deprecatedKey = "deprecated"
)

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

// fork is a document to be published under the next ID.
type fork struct {
	library *Local
	// newID is the next ID, and version that of the new document.
	newID, version string
	// work is the document as it is in the library.
	work *document.Document
	// old is the document that stays under the ID: work, or the published one if work
	// has the major change to be published under the next ID.
	old *document.Document
	// past has the document in the history; without one, the old document.
	past *change.Origin
}

// Fork computes the edit that publishes a document under the next ID. If its text has a major
// change compared with the published one, that text becomes the new document, and the old one
// is restored. The old document gets a deprecation, unless it was published with one. why
// returns the reason for it, and is called if the document can be forked.
func (l *Local) Fork(id string, why func(newID string) (string, error)) (*Edit, error) {
	f, err := l.fork(id)
	if err != nil {
		return nil, err
	}
	made, err := f.newDocument()
	if err != nil {
		return nil, err
	}
	kept := f.old
	if f.deprecates() {
		reason, err := why(f.newID)
		if err != nil {
			return nil, err
		}
		if kept, err = f.deprecatedText(reason); err != nil {
			return nil, err
		}
	}
	e := f.files(made, kept)
	if err := f.joinDataset(e, made); err != nil {
		return nil, err
	}
	return l.finish(e)
}

// fork finds the document with an ID, or returns why it can't be forked.
func (l *Local) fork(id string) (*fork, error) {
	work, err := l.knownDocument(id)
	if err != nil {
		return nil, err
	}
	if !work.Valid() {
		return nil, mistakes(work.File.Path)
	}
	f := &fork{library: l, work: work, old: work}
	if err := f.compare(); err != nil {
		return nil, err
	}
	if f.newID, f.version, err = change.Successor(id, f.old.Version()); err != nil {
		return nil, err
	}
	err = errors.Join(
		check(work.Kind, work.Kind.IDKey, "new ID", f.newID),
		check(work.Kind, versionKey, "new version", f.version),
	)
	if err != nil {
		return nil, err
	}
	if err := l.CheckFree(f.newID); err != nil {
		return nil, fmt.Errorf("the next ID is taken: %w", err)
	}
	if node := work.Root().Get(deprecatedKey); node != nil {
		message := id + " is already deprecated"
		if by := node.Get("replaced_by").Text(); by != "" {
			message += fmt.Sprintf(" and replaced by %s: fork that document instead", by)
		}
		return nil, fmt.Errorf("%s. To fork %s anyway, remove its key %q first", message, id, deprecatedKey)
	}
	return f, nil
}

func (f *fork) deprecates() bool { return f.old.Root().Get(deprecatedKey) == nil }

// newDocument returns the new document.
func (f *fork) newDocument() (*document.Document, error) {
	file, root, key := f.work.File, f.work.Root(), f.work.Kind.IDKey
	made, err := apply(f.work, replaced(file, root.Get(key), f.newID), replaced(file, root.Get(versionKey), f.version))
	if err != nil {
		return nil, err
	}
	if !same(f.work, made, key, versionKey) || made.ID() != f.newID || made.Version() != f.version {
		return nil, fmt.Errorf("the ID and the version in %s can't be replaced safely. Copy the file by hand", file.Path)
	}
	return made, nil
}

// compare finds the document in the history, and whether its changes belong under the
// next ID.
func (f *fork) compare() error {
	if f.past = f.library.past; f.past == nil {
		f.past = change.Unpublished(f.work)
	}
	published, err := f.past.Breaks(f.work)
	if published != nil {
		f.old = published
	}
	return err
}

// deprecatedText returns the old document with its deprecation, at the required version.
func (f *fork) deprecatedText(reason string) (*document.Document, error) {
	if err := CheckReason(reason); err != nil {
		return nil, err
	}
	root := f.old.Root()
	pairs := []pair{{"reason", reason}, {"replaced_by", f.newID}}
	for _, e := range added(f.old, deprecatedKey, braces(pairs), pairs[0].String(), pairs[1].String()) {
		kept, err := apply(f.old, e)
		if err != nil {
			return nil, err
		}
		if !same(f.old, kept, deprecatedKey) || kept.Root().Get(deprecatedKey).Get("reason").Text() != reason {
			continue
		}
		version, err := f.past.Version(kept)
		if err != nil {
			return nil, err
		}
		if err := check(f.old.Kind, versionKey, "new version", version); err != nil {
			return nil, err
		}
		return apply(f.old, e, replaced(f.old.File, root.Get(versionKey), version))
	}
	return nil, fmt.Errorf("%s can't be edited safely because of its layout. Add `%s: {reason: …, replaced_by: %s}` by hand, and copy the file to the new ID",
		f.old.File.Path, deprecatedKey, f.newID)
}

func (f *fork) files(fresh, kept *document.Document) *Edit {
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
	if f.deprecates() {
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

// joinDataset adds a fork to the dataset of its rubric: unchanged text keeps its labels.
// If the file can't be edited safely, a warning says what to do.
func (f *fork) joinDataset(e *Edit, fork *document.Document) error {
	dataset := calibration.NameOf(fork.Root().Get("calibration_dataset").Text())
	if dataset == "" {
		return nil
	}
	name := path.Join(calibration.Root, dataset, calibration.DatasetFile)
	data, err := f.library.read(name)
	if err != nil || data == nil {
		return err // a lint rule reports that it is missing
	}
	before := parse(name, data)
	if slices.Contains(listed(before), f.newID) {
		return nil
	}
	if after := withEntry(before, appliesTo, len(listed(before)), quote(f.newID)); after != nil {
		e.Files = append(e.Files, File{
			Path: name, Before: data, After: after.File.Data,
			Note: fmt.Sprintf("its labels are also for %s", f.newID),
		})
	} else {
		e.Warnings = append(e.Warnings, fmt.Sprintf("%s: add %s to %s, so that its labels also count for the new rubric",
			name, f.newID, appliesTo))
	}
	return nil
}
