package bundlefile

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"iter"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
)

// Bundle is an open bundle. It doesn't change, and is safe for concurrent use.
type Bundle struct {
	r        io.ReaderAt
	file     *os.File // of OpenFile
	manifest Manifest
	// entries are in the order of the container: those of created, then the others
	// sorted by name.
	entries []entry
	// ids are the sorted IDs of the documents, and lines are their lines in the index.
	ids   []string
	lines [][]byte
	index []byte
}

// Manifest returns the bundle's description of itself.
func (b *Bundle) Manifest() Manifest { return b.manifest.clone() }

// Digest returns "sha256:" and the SHA-256 of SHA256SUMS, which identifies all of the
// bundle's content.
func (b *Bundle) Digest() string { return digestPrefix + b.entries[1].sum }

// Read returns the content of an entry after checking it against SHA256SUMS. The error
// is fs.ErrNotExist if there is no such entry, an *IntegrityError if it was changed,
// or an error of the reader.
func (b *Bundle) Read(path string) ([]byte, error) {
	e := find(b.entries, path)
	if e == nil {
		return nil, &fs.PathError{Op: "read", Path: path, Err: fs.ErrNotExist}
	}
	data, err := b.load(e, new([]byte))
	if err != nil {
		return nil, Integrity(err)
	}
	return data, nil
}

// EntryDigest returns "sha256:" and the SHA-256 that SHA256SUMS lists for an entry, or
// "" if there is no such entry. For a document this is the document digest. The entry
// is not read: only Read checks that it still has that digest.
func (b *Bundle) EntryDigest(path string) string {
	e := find(b.entries, path)
	if e == nil || !isHex(e.sum, sumLen) {
		return ""
	}
	return digestPrefix + e.sum
}

// Paths yields the sorted names of the entries that begin with prefix, such as
// "rubrics/" or "rubrics/x_v1/". It omits the manifest, SHA256SUMS, the index, and the calibrations.
func (b *Bundle) Paths(prefix string) iter.Seq[string] {
	rest := b.entries[len(created):]
	first, _ := slices.BinarySearchFunc(rest, prefix, func(e entry, prefix string) int {
		return cmp.Compare(e.name, prefix)
	})
	return func(yield func(string) bool) {
		for _, e := range rest[first:] {
			if !strings.HasPrefix(e.name, prefix) || !yield(e.name) {
				return
			}
		}
	}
}

// Versions returns the kind of a document and its versions with their digests, in ascending
// order, or "" and none. They follow from the names of the entries, so nothing is read. The error is
// an *IntegrityError.
func (b *Bundle) Versions(id string) (kind string, versions []Version, err error) {
	for _, k := range []string{KindRubric, KindRuleSet} {
		for path := range b.Paths(strings.TrimSuffix(DocumentPath(k, id, ""), ".json")) {
			_, _, version, _ := SplitDocumentPath(path)
			digest := b.EntryDigest(path)
			if digest == "" || kind != "" && kind != k {
				return "", nil, Integrity(problemf(path, "has no valid sum, or is another kind of document with the same ID"))
			}
			kind, versions = k, append(versions, Version{Version: version, Digest: digest})
		}
	}
	slices.SortFunc(versions, func(a, b Version) int { return CompareVersions(a.Version, b.Version) })
	return kind, versions, nil
}

// Line returns the line of a document in the index, without its calibration, or nil if the bundle
// has no version of the document. The line agrees with the manifest and the entries. The error is
// an *IntegrityError.
func (b *Bundle) Line(id string) (*IndexLine, error) {
	i, found := slices.BinarySearch(b.ids, id)
	if !found {
		return nil, nil
	}
	line, err := b.decodeIndexLine(b.lines[i])
	if err != nil {
		return nil, Integrity(problemf(IndexName, "line %d: %v", i+1, err))
	}
	if err := b.checkLine(&line); err != nil {
		return nil, Integrity(err)
	}
	return &line, nil
}

func (b *Bundle) decodeIndexLine(text []byte) (IndexLine, error) {
	if len(text) > MaxIndexLine {
		return IndexLine{}, fmt.Errorf("is longer than %d bytes", MaxIndexLine)
	}
	return decodeLine[IndexLine](text, b.manifest.FormatVersion)
}

// Index yields the lines of the index, sorted by ID, with their calibrations, each as Line. It
// decodes the lines one by one. An error, as of Read, ends the sequence.
func (b *Bundle) Index() iter.Seq2[IndexLine, error] {
	return func(yield func(IndexLine, error) bool) {
		calibrations, err := b.calibrations()
		if err != nil {
			yield(IndexLine{}, err)
			return
		}
		for l, err := range decodeLines(IndexName, b.index, b.decodeIndexLine) {
			l.Calibration = calibrations[l.ID]
			delete(calibrations, l.ID)
			if err == nil {
				err = b.checkLine(&l)
			}
			if !yield(l, Integrity(err)) || err != nil {
				return
			}
		}
		if len(calibrations) > 0 {
			id := slices.Min(slices.Collect(maps.Keys(calibrations)))
			yield(IndexLine{}, Integrity(problemf(CalibrationName, "has a line for %s, which is not in the index", id)))
		}
	}
}

// Options are the expectations of Open and Verify.
type Options struct {
	// Digest is the required digest of the bundle, "sha256:" and 64 hexadecimal
	// digits, or nil for any. Without it, a bundle that someone else built passes,
	// because it is consistent in itself. An empty text is not a digest.
	Digest *string
}

// Open reads the end, the directory, SHA256SUMS, the manifest, and the index of a bundle of the
// given size. The manifest must agree with the names of the entries, and the index must have a line
// for each document. With the digest, they determine the content of every other entry; those, and
// the lines, are checked on demand.
//
// The error is a *FormatError if the file is not a bundle of this format, an
// *IntegrityError if the bundle was changed, or an error of the reader. The reader
// stays open and belongs to the caller.
func Open(r io.ReaderAt, size int64, o Options) (*Bundle, error) {
	if o.Digest != nil {
		if err := CheckDigest(*o.Digest); err != nil {
			return nil, fmt.Errorf("the expected digest %w", err)
		}
	}
	if size <= 0 || size > MaxSize {
		return nil, &FormatError{Reason: fmt.Sprintf("it has %d bytes, expected 1 to %d", size, int64(MaxSize))}
	}
	head := make([]byte, min(size, int64(localLen+len(ManifestName))))
	if err := readAt(r, head, 0); err != nil {
		return nil, Integrity(err)
	}
	if err := checkFormat(r, size, head); err != nil {
		return nil, err
	}
	b := &Bundle{r: r}
	if err := b.readEntries(size, head); err != nil {
		return nil, Integrity(err)
	}
	if found := b.Digest(); o.Digest != nil && found != *o.Digest {
		return nil, Integrity(problemf("", "its digest is %s, expected %s: it is another bundle, or it was replaced",
			found, *o.Digest))
	}
	data, err := b.load(&b.entries[0], new([]byte))
	if err == nil {
		b.manifest, err = decodeManifest(data)
	}
	if err == nil {
		err = b.readDocuments()
	}
	if err != nil {
		return nil, Integrity(err)
	}
	return b, nil
}

// checkFormat reads the format from the first entry, which is the same in every
// format, before the rules of this format are applied. If the first entry can't be
// read, the rest of Open reports that.
func checkFormat(r io.ReaderAt, size int64, head []byte) error {
	if !beginsAsBundle(head) || binary.LittleEndian.Uint16(head[8:]) != 0 {
		return nil
	}
	crc, length := binary.LittleEndian.Uint32(head[14:]), int64(binary.LittleEndian.Uint32(head[18:]))
	if length > min(MaxManifest, size-int64(len(head))) {
		return nil
	}
	data := make([]byte, length)
	if err := readAt(r, data, int64(len(head))); err != nil {
		return Integrity(err)
	}
	if crc32.ChecksumIEEE(data) != crc {
		return nil
	}
	var m struct {
		FormatVersion int    `json:"format_version"`
		ReaderVersion string `json:"reader_version"`
	}
	if json.Unmarshal(data, &m) == nil && m.FormatVersion != 0 &&
		(m.FormatVersion < 1 || m.FormatVersion > FormatVersion) {
		if !IsVersion(m.ReaderVersion) {
			m.ReaderVersion = ""
		}
		return &FormatError{Version: m.FormatVersion, Reader: m.ReaderVersion}
	}
	return nil
}

// beginsAsBundle reports whether a file begins with an entry that has the manifest's
// name.
func beginsAsBundle(head []byte) bool {
	return len(head) >= localLen+len(ManifestName) &&
		string(head[:4]) == localSignature &&
		binary.LittleEndian.Uint16(head[26:]) == uint16(len(ManifestName)) &&
		string(head[localLen:localLen+len(ManifestName)]) == ManifestName
}

// notABundle returns the error for a file that begins as something else.
func notABundle(head []byte) error {
	what := "it is a zip that does not begin with " + ManifestName
	if !bytes.HasPrefix(head, []byte("PK")) {
		what = "it is not a zip, it begins with " + excerpt(head, 0)
	}
	return &FormatError{Reason: what + ". Expected a file from `rubric build`"}
}

// readAt fills p. A file that ends early is a Problem, because its size is known.
func readAt(r io.ReaderAt, p []byte, offset int64) error {
	n, err := r.ReadAt(p, offset)
	switch {
	case n == len(p):
		return nil
	case err == nil || errors.Is(err, io.EOF):
		return endsEarly(offset + int64(n))
	}
	return readError(err)
}

// endsEarly is the problem of a file that is shorter than its declared size.
func endsEarly(offset int64) error {
	return problemf("", "the file ends early, at byte %d", offset)
}

// readError wraps an error of the reader, which says nothing about the bundle.
func readError(err error) error { return fmt.Errorf("the bundle can't be read: %w", err) }

// Content checks what this package knows nothing about. Its errors become Problems.
type Content interface {
	// Entry checks an entry by itself. data is overwritten after the call.
	Entry(path string, data []byte) error
	// Line checks a line of the index that agrees with the manifest and the entries.
	Line(b *Bundle, line *IndexLine) error
}

// Verify reads all of a bundle and accepts it only if Write wrote it from valid input.
// Open compares the zip's directory and its end with the bytes that Write writes;
// Verify also checks every entry with the record before it, and whether the manifest,
// the index, and the entries agree. Errors are those of Open; an *IntegrityError names
// the wrong entries, up to a maximum. One entry at a time is in memory.
func Verify(r io.ReaderAt, size int64, o Options, content Content) (*Bundle, error) {
	b, err := Open(r, size, o)
	if err != nil {
		return nil, err
	}
	var found ProblemList
	var buffer []byte
	for i := range b.entries {
		e := &b.entries[i]
		data, err := b.load(e, &buffer)
		if err == nil {
			err = content.Entry(e.name, data)
		}
		if p, ok := err.(BundleProblem); ok {
			found.Add(p)
		} else if err != nil {
			return nil, err
		}
		runtime.Gosched() // a service that verifies its next bundle also answers
	}
	if len(found) > 0 {
		return nil, &IntegrityError{Problems: found}
	}
	for line, err := range b.Index() {
		if err == nil {
			err = content.Line(b, &line)
		}
		if err != nil {
			return nil, Integrity(err)
		}
	}
	return b, nil
}
