package change

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/limits"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library"
)

// Hash is the hash of the content of a document that is listed or differs, or "".
func (l *Library) Hash(name string) string { return l.files[name] }

// Listed are the paths of the documents that are listed or differ, sorted.
func (l *Library) Listed() []string { return slices.Sorted(maps.Keys(l.files)) }

// KnownID is the ID of the document at a path, "" if it has none, as far as the file was read.
func (l *Library) KnownID(name string) (id string, known bool) {
	id, known = l.ids[name]
	return id, known
}

// Forget drops the documents that are kept for reading them again soon.
func (l *Library) Forget() { clear(l.parsed) }

// File is the content of a file of the library, or nil if it does not exist.
func (l *Library) File(name string) ([]byte, error) {
	if what := l.hidden[name]; what != "" {
		return nil, notAFileError(what)
	}
	if l.repo != nil && !library.IsDocument(name) { // it may not be listed
		info, err := fs.Lstat(l.Files, name)
		if err == nil && !info.Mode().IsRegular() {
			return nil, notAFileError(noun(info.Mode()))
		}
	}
	data, err := l.read(name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, gitrepo.ErrNotAFolder) {
		return nil, nil
	}
	return data, err
}

// noun names what is not a regular file.
func noun(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "folder"
	case mode&fs.ModeSymlink != 0:
		return gitrepo.Symlink.String()
	}
	return gitrepo.Submodule.String()
}

// mostParsed limits how many documents a library keeps, so that a comparison stays small.
const mostParsed = 50

// Current parses the document at a path, valid or not. A document that is too large is
// invalid, and so is what is not a file.
func (l *Library) Current(name string) (*document.Document, error) {
	if d := l.parsed[name]; d != nil {
		return d, nil
	}
	data, err := l.File(name)
	if IsNoFile(err) {
		data, err = nil, nil
	}
	f, err := source.Read(name, data, err)
	if err != nil {
		return nil, err
	}
	d := parse(f)
	if _, known := l.ids[name]; !known {
		l.ids[name] = d.ID()
	}
	if len(l.parsed) < mostParsed {
		l.parsed[name] = d
	}
	return d, nil
}

// parse parses a document, the ledger, or the exceptions.
func parse(f *source.File) *document.Document {
	switch f.Path {
	case library.LedgerFile:
		return document.ParseAs(f, &document.Ledger)
	case library.ExceptionsFile:
		return document.ParseAs(f, &document.Exceptions)
	}
	return document.Parse(f)
}

// id is the ID of the document at a path, or "".
func (l *Library) id(name string) (string, error) {
	if id, known := l.ids[name]; known {
		return id, nil
	}
	if l.repo == nil {
		d, err := l.Current(name)
		if err != nil {
			return "", err
		}
		return d.ID(), nil
	}
	e, err := l.readAt(name)
	if err != nil {
		return "", err
	}
	l.ids[name] = e.ID
	return e.ID, nil
}

// settings reads a file of a library that is not a document, as the given kind. hidden says
// why it can't be read completely, or is "".
func (l *Library) settings(name string, kind *document.Kind) (d *document.Document, hidden string, err error) {
	data, err := l.File(name)
	switch {
	case IsNoFile(err) || limits.IsTooLarge(err) || limits.IsPointer(err):
		return nil, fmt.Sprintf("%s can't be read: %v", name, err), nil
	case err != nil:
		return nil, "", fmt.Errorf("%s can't be read: %w", name, err)
	case data != nil:
		if d = document.ParseAs(source.NewFile(name, data), kind); !d.Valid() {
			hidden = name + " has errors"
		}
	}
	return d, hidden, nil
}

// earlierSettings is settings for a step that follows the library. In a commit, a file with errors
// is replaced by the last valid one on the first-parent line, so that breaking it removes nothing.
func (l *Library) earlierSettings(name string, kind *document.Kind) (d *document.Document, hidden string, err error) {
	d, hidden, err = l.settings(name, kind)
	if err != nil || hidden == "" || l.repo == nil {
		return d, hidden, err
	}
	last, err := l.entry(name)
	if err != nil {
		return nil, "", err
	}
	for c, err := range l.repo.FirstParents(l.Commit) {
		if err != nil {
			return nil, "", err
		}
		earlier, err := At(l.repo, c, l.folder)
		if err != nil {
			return nil, "", err
		}
		entry, err := earlier.entry(name)
		if err != nil || entry == "" {
			return nil, "", err
		}
		if entry == last {
			continue
		}
		last = entry
		valid, broken, err := earlier.settings(name, kind)
		if err != nil || broken == "" {
			return valid, "", err
		}
	}
	return d, hidden, nil
}

// entry identifies what a commit has at a path: its type and content. It is "" if there is nothing.
func (l *Library) entry(name string) (string, error) {
	snapshot := l.repo.Snapshot(l.Commit, l.folder)
	hash, err := snapshot.Hash(name)
	if hash == "" || err != nil {
		return "", err
	}
	info, err := snapshot.Lstat(name)
	if err != nil {
		return "", err
	}
	return info.Mode().Type().String() + hash, nil
}

// equals reports whether a head is known to have the documents, the ledger, the exceptions, and the
// calibration of the library, which is in a commit, byte for byte.
func (l *Library) equals(head *Library) (bool, error) {
	if s, ok := head.Files.(*gitrepo.Snapshot); ok {
		return s.Commit().Hash == l.Commit.Hash, nil
	}
	differ, err := l.differing(head)
	if err != nil || len(differ) > 0 || head.Files == nil {
		return false, err
	}
	for _, name := range []string{library.LedgerFile, library.ExceptionsFile} {
		before, err := l.File(name)
		if err != nil {
			return false, safefile.Unreadable(l.Files) // what else is wrong with either is found again
		}
		now, err := head.File(name)
		if err != nil || !bytes.Equal(before, now) {
			return false, nil
		}
	}
	before, err := contents(l.Files, calibration.Root)
	if err != nil {
		return false, safefile.Unreadable(l.Files)
	}
	now, err := contents(head.Files, calibration.Root)
	return err == nil && maps.Equal(before, now), nil
}
