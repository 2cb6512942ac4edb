package bundle

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
	"github.com/rubric-library/rubric-library/internal/calibration"
)

// Library is a released library or a folder of documents. It never changes.
type Library struct {
	// Version and Digest are those of a bundle, "" for a folder, which has
	// neither.
	Version, Digest string
	// Commit is the one that a bundle was made of, "" for a folder.
	Commit string
	// Lines has the documents, sorted by ID. In a folder each has one version.
	Lines []bundlefile.IndexLine
	// Retired is the ledger by ID. An ID can stand here and not in Lines.
	Retired map[string]Retirement
	// Tombstones are versions whose content was withdrawn.
	Tombstones []bundlefile.Omission

	documents reader
}

// reader reads documents: from a bundle or from a folder.
type reader interface {
	read(kind, id, version string) ([]byte, error)
	// others are entries of a bundle that are no documents; a folder has none.
	others(prefixes ...string) (map[string][]byte, error)
	Close() error
}

// Open opens a bundle, or a folder that holds rubrics/.
func Open(name string) (*Library, error) {
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

// Verify opens a bundle after all of it was verified.
func Verify(name string, o bundlefile.Options) (*Library, *bundlefile.Manifest, error) {
	return openFile(name, bundlecheck.Verify, o)
}

// After is the error of a bundle that does not continue an earlier one, as of
// bundlecheck.After.
func (l *Library) After(old *Library) error {
	next, isBundle := l.documents.(bundleFile)
	before, wasBundle := old.documents.(bundleFile)
	if !isBundle || !wasBundle {
		return errors.New("only bundles continue each other, and one of the two is a folder")
	}
	return bundlecheck.After(before.bundle, next.bundle)
}

// Close closes the file of a bundle.
func (l *Library) Close() error { return l.documents.Close() }

// Find is the line of a document, nil if there is none or l is nil.
func (l *Library) Find(id string) *bundlefile.IndexLine {
	if l == nil {
		return nil
	}
	i, found := slices.BinarySearchFunc(l.Lines, id, func(line bundlefile.IndexLine, id string) int {
		return cmp.Compare(line.ID, id)
	})
	if !found {
		return nil
	}
	return &l.Lines[i]
}

// Read is the canonical form of a version of a document.
func (l *Library) Read(line *bundlefile.IndexLine, version string) ([]byte, error) {
	return l.documents.read(line.Kind, line.ID, version)
}

// Contents has what another library can be compared with, by the names of the
// entries: the latest version of each document that is not retired, and what
// else a bundle holds of the library: its schemas, its calibration and its ledger.
func (l *Library) Contents() (documents, others map[string][]byte, err error) {
	documents = map[string][]byte{}
	for i := range l.Lines {
		line := &l.Lines[i]
		if line.Retired {
			continue
		}
		data, err := l.Read(line, line.Latest)
		if err != nil {
			return nil, nil, err
		}
		documents[bundlefile.DocumentPath(line.Kind, line.ID, line.Latest)] = data
	}
	others, err = l.documents.others(schemaFolder+"/", calibration.Root+"/", bundlecheck.LedgerName)
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

// Conformance has the conformance vectors that a bundle carries, by the names of
// their entries.
func (l *Library) Conformance() (map[string][]byte, error) {
	return l.documents.others(conformanceFolder + "/")
}

// digestOf is the document digest of a version, "" if there is none or l is nil.
func (l *Library) digestOf(k key) string {
	if line := l.Find(k.id); line != nil {
		return Digest(line, k.version)
	}
	return ""
}

// tombstone tells whether a version was withdrawn; it was not if l is nil.
func (l *Library) tombstone(k key) bool {
	return l != nil && slices.ContainsFunc(l.Tombstones, func(o bundlefile.Omission) bool { return o.ID == k.id && o.Version == k.version })
}

// ending is the line of the ledger of a document that is retired. One that is
// gone by an exception has none.
func (l *Library) ending(id string) *Retirement {
	if r, ok := l.Retired[id]; ok {
		return &r
	}
	return &Retirement{ID: id, Reason: "The library no longer has it."}
}

// Digest is the document digest of a version, "" if there is none.
func Digest(line *bundlefile.IndexLine, version string) string {
	for _, v := range line.Versions {
		if v.Version == version {
			return v.Digest
		}
	}
	return ""
}

// IDs lists the IDs of all documents, and those of the ledger if all is set.
func (l *Library) IDs(all bool) []string {
	ids := map[string]bool{}
	for i := range l.Lines {
		if all || !l.Lines[i].Retired {
			ids[l.Lines[i].ID] = true
		}
	}
	if all {
		for id := range l.Retired {
			ids[id] = true
		}
	}
	return sortedKeys(ids)
}

// bundleFile is the documents of a bundle.
type bundleFile struct {
	*os.File
	bundle *bundlefile.Bundle
}

func (f bundleFile) read(kind, id, version string) ([]byte, error) {
	data, err := f.bundle.Read(bundlefile.DocumentPath(kind, id, version))
	if err == nil {
		_, err = bundlecheck.Document(kind, id, version, data)
	}
	return data, bundlefile.Integrity(err)
}

func (f bundleFile) others(prefixes ...string) (map[string][]byte, error) {
	out := map[string][]byte{}
	for _, prefix := range prefixes {
		for name := range f.bundle.Paths(prefix) {
			data, err := f.bundle.Read(name)
			if err != nil {
				return nil, err
			}
			out[name] = data
		}
	}
	return out, nil
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
		return nil, nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("it is no regular file")}
	}
	b, err := open(f, info.Size(), o)
	if err != nil {
		return nil, nil, err
	}
	manifest := b.Manifest()
	l, err = fromBundle(f, b)
	return l, &manifest, err
}

func fromBundle(f *os.File, b *bundlefile.Bundle) (*Library, error) {
	m := b.Manifest()
	l := &Library{
		Version: m.LibraryVersion, Digest: b.Digest(), Commit: m.Commit, Tombstones: m.Tombstones,
		Retired: map[string]Retirement{}, documents: bundleFile{f, b},
	}
	for line, err := range b.Index() {
		if err != nil {
			return nil, err
		}
		l.Lines = append(l.Lines, line)
	}
	data, err := b.Read(bundlecheck.LedgerName)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err != nil {
		return nil, err
	}
	retired, err := bundlecheck.Ledger(data)
	if err != nil {
		return nil, bundlefile.Integrity(bundlefile.Problem{Path: bundlecheck.LedgerName, Message: err.Error()})
	}
	l.retire(retired)
	return l, nil
}

func (l *Library) retire(retired []Retirement) {
	for _, r := range retired {
		l.Retired[r.ID] = r
	}
}
