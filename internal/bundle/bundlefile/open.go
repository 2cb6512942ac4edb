package bundlefile

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// Options say what Open and Verify expect.
type Options struct {
	// Digest is what the bundle's digest must be, "sha256:" and 64 hexadecimal
	// digits, or nil for any. Without it, a bundle that somebody else made in
	// full passes: it agrees with itself. An empty text is not a digest.
	Digest *string
}

// Open reads the end, the directory, SHA256SUMS and the manifest of a bundle of
// the given size. Together with the digest they say what every other entry must
// be; those are read and checked when they are asked for.
//
// The error is a *FormatError if it is not a bundle of this format, an
// *IntegrityError if it is one that was changed, or what the reader said. The
// reader stays open and belongs to the caller.
func Open(r io.ReaderAt, size int64, o Options) (*Bundle, error) {
	if o.Digest != nil && !IsDigest(*o.Digest) {
		return nil, fmt.Errorf("the expected digest is %+q; it should be sha256: and 64 hexadecimal digits in lower case", *o.Digest)
	}
	if size <= 0 || size > MaxSize {
		return nil, &FormatError{Reason: fmt.Sprintf("it has %d bytes, and a bundle has 1 to %d", size, int64(MaxSize))}
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
		return nil, Integrity(problemf("", "its digest is %s, expected %s: it is another bundle, or one that was changed as a whole", found, *o.Digest))
	}
	data, err := b.load(&b.entries[0])
	if err == nil {
		b.manifest, err = decodeManifest(data)
	}
	if err != nil {
		return nil, Integrity(err)
	}
	return b, nil
}

// checkFormat looks for the format in the first entry, which is the same in
// every format, before anything else is judged by the rules of this one. A first
// entry that can't be read is left to the rest of Open.
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
		FormatVersion int `json:"format_version"`
	}
	if json.Unmarshal(data, &m) == nil && m.FormatVersion != 0 && m.FormatVersion != FormatVersion {
		return &FormatError{Version: m.FormatVersion}
	}
	return nil
}

// beginsAsBundle tells whether the first bytes of a file are those of an entry
// with the name of the manifest.
func beginsAsBundle(head []byte) bool {
	return len(head) >= localLen+len(ManifestName) &&
		string(head[:4]) == localSignature &&
		binary.LittleEndian.Uint16(head[26:]) == uint16(len(ManifestName)) &&
		string(head[localLen:localLen+len(ManifestName)]) == ManifestName
}

// notABundle is the error of a file that begins as something else.
func notABundle(head []byte) error {
	what := "it is a zip that does not begin with " + ManifestName
	if !bytes.HasPrefix(head, []byte("PK")) {
		what = "it is no zip, it begins with " + excerpt(head, 0)
	}
	return &FormatError{Reason: what + "; expected a file that `rubric build` wrote"}
}

// readAt fills p. A file that ends early is a Problem, because its size was
// known.
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

// endsEarly is the problem of a file that turns out to be shorter than its size.
func endsEarly(offset int64) error {
	return problemf("", "the file ends at byte %d, before its size says so", offset)
}

// readError is an error of the reader, which says nothing about the bundle.
func readError(err error) error { return fmt.Errorf("the bundle can't be read: %w", err) }
