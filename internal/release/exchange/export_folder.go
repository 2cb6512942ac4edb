package exchange

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// Write writes the files of an export into a folder, which it creates if necessary. It
// overwrites only unchanged files of an earlier export of the same document, or of a project,
// to the same format, and removes those that the export no longer has. If it fails, the folder
// has the files that it had before.
func (e *Export) Write(dir string) (err error) {
	old, before, err := e.read(dir)
	if err != nil {
		return err
	}
	for name, text := range before {
		if old.isEdited(name, text) && text != e.files[name] {
			return fmt.Errorf("%s exists, and is not from an earlier export or was edited since. Move it elsewhere, or choose another folder",
				filepath.Join(dir, name))
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	names := e.filesWith(old)
	for i, name := range names {
		text, stays := e.files[name]
		if was, there := before[name]; was == text && there == stays {
			continue
		}
		change := func(path string) error { return safefile.Write(path, []byte(text), 0o666) }
		if !stays {
			change = os.Remove
		}
		if err := change(filepath.Join(dir, name)); err != nil {
			return errors.Join(err, e.restore(dir, names[:i], before))
		}
	}
	return nil
}

// filesWith lists the files of the export, and before the manifest those of documents that only an
// old one has. An old manifest can name any file, but only files of documents are removed.
func (e *Export) filesWith(old *manifest) []string {
	names := slices.Collect(maps.Keys(e.Digests))
	for name := range old.Digests {
		of := func(d origin) bool {
			return document.IsID(d.ID) && strings.HasPrefix(name, d.ID+".") && filepath.Base(name) == name
		}
		if e.Digests[name] == "" && slices.ContainsFunc(old.Documents, of) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return append(names, manifestName)
}

// restore gives files the content that they had, or removes them.
func (e *Export) restore(dir string, names []string, before map[string]string) error {
	var errs []error
	for _, name := range names {
		path := filepath.Join(dir, name)
		if text, there := before[name]; there && (text != e.files[name] || e.Digests[name] == "") {
			errs = append(errs, safefile.Write(path, []byte(text), 0o666))
		} else if !there {
			errs = append(errs, os.Remove(path))
		}
	}
	return errors.Join(errs...)
}

// Check lists the files in a folder that Write would change, each with the reason.
func (e *Export) Check(dir string) (differences []string, err error) {
	old, now, err := e.read(dir)
	if err != nil {
		return nil, err
	}
	stale := "is stale"
	if old.Version != e.Version {
		stale += fmt.Sprintf(": it has version %s, expected %s", old.Version, e.Version)
	}
	for _, name := range e.filesWith(old) {
		text, there := now[name]
		want, stays := e.files[name]
		why := stale
		switch {
		case there == stays && text == want:
			continue
		case !stays:
			why = "is not in the export any more"
		case !there:
			why = "is missing"
		case old.isEdited(name, text):
			why = "was edited after the export"
		}
		differences = append(differences, filepath.Join(dir, name)+" "+why)
	}
	return differences, nil
}

// isEdited reports whether the text of a file is not that of the export.
func (m *manifest) isEdited(name, text string) bool {
	return name != manifestName && m.Digests[name] != digest(text)
}

// read returns the manifest in a folder, or an empty one, and the texts of the files there
// that the export also has. The error is that the folder has another export.
func (e *Export) read(dir string) (old *manifest, files map[string]string, err error) {
	old, files = &manifest{}, map[string]string{}
	text, err := readFile(filepath.Join(dir, manifestName))
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, nil, err
	case json.Unmarshal([]byte(text), old) != nil || old.SchemaVersion != 1 || old.Format == "" ||
		old.ID == "" && len(old.Documents) == 0:
		return nil, nil, fmt.Errorf("%s is not from an export. Move it elsewhere, or choose another folder",
			filepath.Join(dir, manifestName))
	case old.Format != e.Format || old.ID != e.ID:
		return nil, nil, fmt.Errorf("%s has the %s export of %s. Choose another folder for the %s export of %s",
			dir, old.Format, cmp.Or(old.ID, old.Subject()), e.Format, cmp.Or(e.ID, e.Subject()))
	}
	for _, name := range e.filesWith(old) {
		text, err := readFile(filepath.Join(dir, name))
		if err == nil {
			files[name] = text
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, nil, err
		}
	}
	return old, files, nil
}

// readFile reads a regular file. The error of an absent one is fs.ErrNotExist.
func readFile(path string) (string, error) {
	info, err := os.Lstat(path)
	if err == nil && (!info.Mode().IsRegular() || info.Size() > safefile.MaxOther) {
		return "", fmt.Errorf("%s is not a file of an export. Move it elsewhere, or choose another folder", path)
	}
	var data []byte
	if err == nil {
		data, err = os.ReadFile(path)
	}
	if err != nil {
		return "", fmt.Errorf("%s can't be read: %w", path, safefile.Reason(err))
	}
	return string(data), nil
}
