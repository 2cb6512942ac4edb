package bundlefile

import (
	"bytes"
	"cmp"
	"io"
	"io/fs"
	"iter"
	"slices"
	"strings"
)

// Bundle is an open bundle. It doesn't change, and is safe for concurrent use.
type Bundle struct {
	r        io.ReaderAt
	manifest Manifest
	// entries are in the order of the container: the manifest, SHA256SUMS, and the
	// index, then the others sorted by name.
	entries []entry
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
	data, err := b.load(e)
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
// "rubrics/" or "rubrics/x_v1/". It omits the manifest, SHA256SUMS, and the index.
func (b *Bundle) Paths(prefix string) iter.Seq[string] {
	rest := b.entries[3:]
	first, _ := slices.BinarySearchFunc(rest, prefix, func(e entry, prefix string) int { return cmp.Compare(e.name, prefix) })
	return func(yield func(string) bool) {
		for _, e := range rest[first:] {
			if !strings.HasPrefix(e.name, prefix) || !yield(e.name) {
				return
			}
		}
	}
}

// Index yields the lines of the index, sorted by ID, each checked by itself. It reads
// the whole entry first, and decodes the lines one by one. An error, as of Read, ends
// the sequence.
func (b *Bundle) Index() iter.Seq2[IndexLine, error] {
	return func(yield func(IndexLine, error) bool) {
		data, err := b.Read(IndexName)
		if err != nil {
			yield(IndexLine{}, err)
			return
		}
		for n := 1; len(data) > 0; n++ {
			var line []byte
			line, data, err = cutLine(n, data)
			var l IndexLine
			if err == nil {
				if l, err = DecodeIndexLine(line); err != nil {
					err = problemf(IndexName, "line %d: %v", n, err)
				}
			}
			if err != nil {
				yield(IndexLine{}, Integrity(err))
				return
			}
			if !yield(l, nil) {
				return
			}
		}
	}
}

// cutLine splits line number n off the index.
func cutLine(n int, data []byte) (line, rest []byte, err error) {
	end := bytes.IndexByte(data[:min(len(data), MaxIndexLine+1)], '\n')
	if end < 0 {
		return nil, nil, problemf(IndexName, "line %d is longer than %d bytes", n, MaxIndexLine)
	}
	return data[:end], data[end+1:], nil
}
