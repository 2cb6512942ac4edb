package exchange

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rubric-library/rubric-library/internal/files/limits"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// Write writes the files of an export into a folder, which it creates if necessary. It
// overwrites only unchanged files of an earlier export of the same document to the same
// format. If it fails, the folder has the files that it had before.
func (e *Export) Write(dir string) (err error) {
	old, before, err := e.read(dir)
	if err != nil {
		return err
	}
	for name, text := range before {
		if old.edited(name, text) && text != e.files[name] {
			return fmt.Errorf("%s exists, and is not from an earlier export or was edited since. Move it elsewhere, or choose another folder", filepath.Join(dir, name))
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for i, name := range e.Files() {
		if before[name] == e.files[name] {
			continue
		}
		if err := safefile.Write(filepath.Join(dir, name), []byte(e.files[name]), 0o666); err != nil {
			return errors.Join(err, e.restore(dir, e.Files()[:i], before))
		}
	}
	return nil
}

// restore gives files the content that they had, or removes them.
func (e *Export) restore(dir string, names []string, before map[string]string) error {
	var errs []error
	for _, name := range names {
		path := filepath.Join(dir, name)
		if text, there := before[name]; there && text != e.files[name] {
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
	for _, name := range e.Files() {
		text, there := now[name]
		why := stale
		switch {
		case there && text == e.files[name]:
			continue
		case !there:
			why = "is missing"
		case old.edited(name, text):
			why = "was edited after the export"
		}
		differences = append(differences, filepath.Join(dir, name)+" "+why)
	}
	return differences, nil
}

// edited reports whether the text of a file is not that of the export.
func (m *manifest) edited(name, text string) bool {
	return name != manifestName && m.Digests[name] != digest(text)
}

// read returns the manifest in a folder, or an empty one, and the texts of the files there
// that the export also has. The error is that the folder has another export.
func (e *Export) read(dir string) (old *manifest, files map[string]string, err error) {
	old, files = &manifest{}, map[string]string{}
	for _, name := range e.Files() {
		text, err := readFile(filepath.Join(dir, name))
		if err == nil {
			files[name] = text
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, nil, err
		}
	}
	text, there := files[manifestName]
	if !there {
		return old, files, nil
	}
	if err := json.Unmarshal([]byte(text), old); err != nil || old.SchemaVersion != 1 || old.Format == "" || old.ID == "" {
		return nil, nil, fmt.Errorf("%s is not from an export. Move it elsewhere, or choose another folder", filepath.Join(dir, manifestName))
	}
	if old.Format != e.Format || old.ID != e.ID {
		return nil, nil, fmt.Errorf("%s has the %s export of %s. Choose another folder for the %s export of %s", dir, old.Format, old.ID, e.Format, e.ID)
	}
	return old, files, nil
}

// readFile reads a regular file. The error of an absent one is fs.ErrNotExist.
func readFile(path string) (string, error) {
	info, err := os.Lstat(path)
	if err == nil && (!info.Mode().IsRegular() || info.Size() > limits.Other) {
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
