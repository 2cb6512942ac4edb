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
	old, err := e.earlier(dir)
	if err != nil {
		return err
	}
	before := map[string][]byte{}
	for _, name := range e.Files() {
		path := filepath.Join(dir, name)
		data, err := readFile(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return err
		case string(data) != e.content(name) && name != manifestName && old.Files[name] != fileDigest(string(data)):
			return fmt.Errorf("%s exists, and is not from an earlier export or was edited since. Move it elsewhere, or choose another folder", path)
		}
		before[name] = data
	}
	var written []string
	defer func() {
		if err != nil {
			err = errors.Join(err, restore(dir, written, before))
		}
	}()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, name := range e.Files() {
		path, content := filepath.Join(dir, name), e.content(name)
		if data, there := before[name]; there && string(data) == content {
			continue
		}
		written = append(written, name)
		if err := safefile.Write(path, []byte(content), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// restore undoes what Write wrote.
func restore(dir string, written []string, before map[string][]byte) error {
	var errs []error
	for _, name := range written {
		path := filepath.Join(dir, name)
		data, there := before[name]
		if !there {
			if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
				errs = append(errs, err)
			}
		} else if now, err := readFile(path); err != nil || string(now) != string(data) {
			errs = append(errs, safefile.Write(path, data, 0o666))
		}
	}
	return errors.Join(errs...)
}

// earlier is the manifest of the export in a folder, or an empty one. The error is that
// the folder has another export.
func (e *Export) earlier(dir string) (*manifest, error) {
	path := filepath.Join(dir, manifestName)
	data, err := readFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &manifest{}, nil
	}
	if err != nil {
		return nil, err
	}
	var m manifest
	if err := json.Unmarshal(data, &m); err != nil || m.SchemaVersion != 1 || m.Format == "" || m.ID == "" {
		return nil, fmt.Errorf("%s is not from an export. Move it elsewhere, or choose another folder", path)
	}
	if m.Format != e.Format || m.ID != e.ID {
		return nil, fmt.Errorf("%s has the %s export of %s. Choose another folder for the %s export of %s", dir, m.Format, m.ID, e.Format, e.ID)
	}
	return &m, nil
}

// Difference is a file of a folder that is not as an export would write it.
type Difference struct {
	File string
	// Why says what is wrong with the file.
	Why string
}

// Check compares a folder with what Write would write.
func (e *Export) Check(dir string) ([]Difference, error) {
	old, err := e.earlier(dir)
	if err != nil {
		return nil, err
	}
	var differences []Difference
	for _, name := range e.Files() {
		path := filepath.Join(dir, name)
		data, err := readFile(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			differences = append(differences, Difference{path, "is missing"})
		case err != nil:
			return nil, err
		case string(data) == e.content(name):
		case name != manifestName && old.Files[name] != fileDigest(string(data)):
			differences = append(differences, Difference{path, "was edited after the export"})
		default:
			differences = append(differences, Difference{path, "is stale: " + e.stale(old)})
		}
	}
	return differences, nil
}

// stale says why the same export has other files now.
func (e *Export) stale(old *manifest) string {
	switch {
	case old.Version != e.Version:
		return fmt.Sprintf("it has version %s, expected %s", old.Version, e.Version)
	case old.Digest != e.Digest:
		return "the text of version " + e.Version + " changed"
	}
	return "another version of this program wrote it"
}

// readFile reads a regular file. An absent one is fs.ErrNotExist.
func readFile(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	switch {
	case err != nil && errors.Is(err, fs.ErrNotExist):
		return nil, fs.ErrNotExist
	case err != nil:
		return nil, fmt.Errorf("%s can't be read: %w", path, safefile.Reason(err))
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file. Move it elsewhere, or choose another folder", path)
	case info.Size() > limits.Other:
		return nil, fmt.Errorf("%s is too large for a file of an export. Move it elsewhere, or choose another folder", path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s can't be read: %w", path, safefile.Reason(err))
	}
	return data, nil
}
