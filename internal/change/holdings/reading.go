package holdings

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library"
)

// File is the content of a file of the library, or nil if it does not exist.
func (l *Library) File(name string) ([]byte, error) {
	if what := l.hidden[name]; what != "" {
		return nil, notAFileError(what)
	}
	if l.Repo != nil && !library.IsDocument(name) { // it may not be listed
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

// CurrentDocument parses the document at a path, valid or not. A document that is too large is
// invalid, and so is what is not a file.
func (l *Library) CurrentDocument(name string) (*document.Document, error) {
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

// Settings reads a file of a library that is not a document, as the given kind. hidden says
// why it can't be read completely, or is "".
func (l *Library) Settings(name string, kind *document.Kind) (d *document.Document, hidden string, err error) {
	data, err := l.File(name)
	switch {
	case IsNoFile(err) || safefile.IsTooLarge(err) || safefile.IsPointer(err):
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
	d, hidden, err = l.Settings(name, kind)
	if err != nil || hidden == "" || l.Repo == nil {
		return d, hidden, err
	}
	last, err := l.EntryAt(name)
	if err != nil {
		return nil, "", err
	}
	for c, err := range l.Repo.FirstParents(l.Commit) {
		if err != nil {
			return nil, "", err
		}
		earlier, err := At(l.Repo, c, l.Folder)
		if err != nil {
			return nil, "", err
		}
		entry, err := earlier.EntryAt(name)
		if err != nil || entry == "" {
			return nil, "", err
		}
		if entry == last {
			continue
		}
		last = entry
		valid, broken, err := earlier.Settings(name, kind)
		if err != nil || broken == "" {
			return valid, "", err
		}
	}
	return d, hidden, nil
}

// EntryAt identifies what a commit has at a path: its type and content. It is "" if there is nothing.
func (l *Library) EntryAt(name string) (string, error) {
	snapshot := l.Repo.Snapshot(l.Commit, l.Folder)
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
