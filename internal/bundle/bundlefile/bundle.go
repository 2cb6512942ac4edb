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

// Bundle is an open bundle. It doesn't change, and any number of goroutines can
// use it at the same time.
type Bundle struct {
	r        io.ReaderAt
	manifest Manifest
	// entries are in the order of the container: the manifest, SHA256SUMS, the
	// index, then the rest sorted by name.
	entries []entry
}

// Manifest is what the bundle says of itself.
func (b *Bundle) Manifest() Manifest { return b.manifest.clone() }

// Digest is "sha256:" and the SHA-256 of SHA256SUMS: the name of all that is in
// the bundle.
func (b *Bundle) Digest() string { return digestPrefix + b.entries[1].sum }

// Read returns the content of an entry after it was checked against SHA256SUMS.
// The error is fs.ErrNotExist if there is no such entry, an *IntegrityError if
// it was changed, or what the reader said.
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

// EntryDigest is "sha256:" and the SHA-256 that SHA256SUMS lists for an entry;
// of a document it is the document digest. It is "" if there is no such entry.
// The entry is not read: Read says whether it still has that digest.
func (b *Bundle) EntryDigest(path string) string {
	e := find(b.entries, path)
	if e == nil || !isHex(e.sum, sumLen) {
		return ""
	}
	return digestPrefix + e.sum
}

// Paths gives, sorted by bytes, the names of the entries that begin with prefix,
// such as "rubrics/" or "rubrics/x_v1/". The manifest, SHA256SUMS and the index
// are not among them.
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

// Index gives the lines of the index, sorted by ID, each checked by itself. It
// reads the entry first and decodes a line when it is asked for. An error is the
// last that it gives; it is as of Read.
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

// cutLine takes line number n off the index.
func cutLine(n int, data []byte) (line, rest []byte, err error) {
	end := bytes.IndexByte(data[:min(len(data), MaxIndexLine+1)], '\n')
	if end < 0 {
		return nil, nil, problemf(IndexName, "line %d does not end within %d bytes", n, MaxIndexLine)
	}
	return data[:end], data[end+1:], nil
}
