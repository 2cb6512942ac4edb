package bundle

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/library"
)

// Library is a bundle or a folder of documents. It never changes.
type Library struct {
	// Version and Digest are those of a bundle. They are "" for a folder.
	Version, Digest string
	// Commit is the commit that a bundle was built from, or "" for a folder.
	Commit string
	// Lines has the documents, sorted by ID. In a folder, each has one version. OpenToGet
	// leaves them out.
	Lines []*bundlefile.IndexLine
	// Retired is the ledger by ID. Its IDs need not be in Lines.
	Retired map[string]Retirement
	// Tombstones are versions whose content was withdrawn.
	Tombstones []bundlefile.Omission

	documents *library.Library
	file      *os.File // of a bundle
}

// Open opens a bundle, or a folder that contains rubrics/.
func Open(name string) (*Library, error) {
	l, err := OpenToGet(name)
	if err == nil {
		err = l.readOrClose()
	}
	return l, err
}

// OpenToGet is Open for Resolve and Get only. It does not read the index of a bundle,
// which is most of the work in a large library.
func OpenToGet(name string) (*Library, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return openFolder(name)
	}
	l, _, err := openFile(name, bundlefile.Open, bundlefile.Options{})
	return l, err
}

// Verify verifies a whole bundle and opens it.
func Verify(name string, o bundlefile.Options) (*Library, *bundlefile.Manifest, error) {
	l, m, err := openFile(name, bundlecheck.Verify, o)
	if err == nil {
		err = l.readOrClose()
	}
	return l, m, err
}

// After returns an error if a bundle does not continue an earlier one, as
// bundlecheck.After does.
func (l *Library) After(old *Library) error {
	before, next := old.documents.Bundle, l.documents.Bundle
	if before == nil || next == nil {
		return errors.New("only two bundles can be compared, got a folder")
	}
	return bundlecheck.After(before, next)
}

// Close closes the file of a bundle.
func (l *Library) Close() error {
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}

// Find is the line of a document, or nil if it does not exist or l is nil.
func (l *Library) Find(id string) *bundlefile.IndexLine {
	if l == nil {
		return nil
	}
	i, found := slices.BinarySearchFunc(l.Lines, id, func(line *bundlefile.IndexLine, id string) int {
		return cmp.Compare(line.ID, id)
	})
	if !found {
		return nil
	}
	return l.Lines[i]
}

// find is the line of a document with what is needed to choose a version, or nil. If
// there is none, the lines are read, which say what is similar.
func (l *Library) find(id string) (*bundlefile.IndexLine, error) {
	if line := l.Find(id); line != nil || l.Lines != nil {
		return line, nil
	}
	line, err := l.documents.Line(id)
	if err == nil && line != nil && len(line.Versions) > 0 {
		return &line.IndexLine, nil
	}
	if err == nil {
		err = l.read()
	}
	return nil, err
}

// Read is the canonical form of a version of a document.
func (l *Library) Read(line *bundlefile.IndexLine, version string) ([]byte, error) {
	return l.documents.Read(line.Kind, line.ID, version)
}

// Contents has the contents for a comparison with another library, by the names of the
// entries: the latest version of each document that is not retired, and the schemas,
// the calibration, and the ledger of a bundle.
func (l *Library) Contents() (documents, others map[string][]byte, err error) {
	documents = map[string][]byte{}
	for _, line := range l.Lines {
		if line.Retired {
			continue
		}
		data, err := l.Read(line, line.Latest)
		if err != nil {
			return nil, nil, err
		}
		documents[bundlefile.DocumentPath(line.Kind, line.ID, line.Latest)] = data
	}
	others, err = l.others(schemaFolder+"/", calibration.Root+"/", bundlecheck.LedgerName)
	return documents, others, err
}

// Ended are the IDs of documents that were retired, or of which a version was
// withdrawn.
func (l *Library) Ended() []string {
	var ids []string
	for _, line := range l.Lines {
		if line.Retired {
			ids = append(ids, line.ID)
		}
	}
	for _, o := range l.Tombstones {
		ids = append(ids, o.ID)
	}
	return ids
}

// Conformance has the conformance vectors of a bundle, by the names of their entries.
func (l *Library) Conformance() (map[string][]byte, error) {
	return l.others(conformanceFolder + "/")
}

// digestOf is the document digest of a version, or "" if it does not exist or l is nil.
func (l *Library) digestOf(k key) string {
	if line := l.Find(k.id); line != nil {
		return Digest(line, k.version)
	}
	return ""
}

// tombstone reports whether a version was withdrawn. It is false if l is nil.
func (l *Library) tombstone(k key) bool {
	return l != nil && slices.ContainsFunc(l.Tombstones, func(o bundlefile.Omission) bool { return o.ID == k.id && o.Version == k.version })
}

// ending is the ledger entry of a retired document. A document that was removed with an
// exception has no entry in the ledger.
func (l *Library) ending(id string) *Retirement {
	if r, ok := l.Retired[id]; ok {
		return &r
	}
	return &Retirement{ID: id, Reason: "The library no longer has it."}
}

// Digest is the document digest of a version, or "".
func Digest(line *bundlefile.IndexLine, version string) string {
	for _, v := range line.Versions {
		if v.Version == version {
			return v.Digest
		}
	}
	return ""
}

// IDs lists the IDs of all documents, and also those in the ledger if all is set.
func (l *Library) IDs(all bool) []string {
	ids := map[string]bool{}
	for _, line := range l.Lines {
		if all || !line.Retired {
			ids[line.ID] = true
		}
	}
	if all {
		for id := range l.Retired {
			ids[id] = true
		}
	}
	return sortedKeys(ids)
}

// others are the entries of a bundle with one of the prefixes, by name. A folder has
// none.
func (l *Library) others(prefixes ...string) (map[string][]byte, error) {
	out := map[string][]byte{}
	if l.documents.Bundle == nil {
		return out, nil
	}
	for _, prefix := range prefixes {
		for name := range l.documents.Bundle.Paths(prefix) {
			data, err := l.documents.Bundle.Read(name)
			if err != nil {
				return nil, err
			}
			out[name] = data
		}
	}
	return out, nil
}

func openFolder(dir string) (*Library, error) {
	documents, err := library.OpenFolder(safefile.DirFS(dir))
	invalid, isInvalid := errors.AsType[*library.InvalidError](err)
	switch {
	case isInvalid:
		invalid.Folder = filepath.ToSlash(dir)
		return nil, invalid
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s is not a library: it has no folder %s/", dir, library.Root)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return &Library{documents: documents}, nil
}

func (l *Library) readOrClose() error {
	err := l.read()
	if err != nil {
		_ = l.Close() // the first error is more useful
	}
	return err
}

// read reads the lines and the ledger.
func (l *Library) read() error {
	lines, err := l.documents.Lines()
	if err != nil {
		return err
	}
	for _, line := range lines {
		if len(line.Versions) > 0 { // in a folder, a retired ID has no versions
			l.Lines = append(l.Lines, &line.IndexLine)
		}
	}
	l.Retired, err = l.documents.Ledger()
	return err
}

// openFile opens a bundle with bundlefile.Open or bundlecheck.Verify.
func openFile(
	name string, open func(io.ReaderAt, int64, bundlefile.Options) (*bundlefile.Bundle, error), o bundlefile.Options,
) (l *Library, m *bundlefile.Manifest, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil {
			_ = f.Close() // it was only read
		}
	}()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("not a regular file")}
	}
	b, err := open(f, info.Size(), o)
	if err != nil {
		return nil, nil, err
	}
	manifest := b.Manifest()
	l = &Library{
		Version: manifest.LibraryVersion, Digest: b.Digest(), Commit: manifest.Commit, Tombstones: manifest.Tombstones,
		documents: library.OfBundle(b), file: f,
	}
	return l, &manifest, nil
}

// FileError names the file in an error about it. It returns nil for nil.
func FileError(name string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s does not exist", name)
	case errors.As(err, new(*fs.PathError)):
		return fmt.Errorf("%s can't be read: %w", name, safefile.Reason(err))
	case errors.As(err, new(*bundlefile.FormatError)), errors.As(err, new(*bundlefile.IntegrityError)):
		return fmt.Errorf("%s: %w", name, err)
	}
	return err
}
