package bundlefile

import (
	"bytes"
	"io"
)

// Verify reads all of a bundle and accepts it only if it is what Write writes:
// it checks every entry, whether the manifest, the index and the entries agree,
// and then builds the container again and compares each byte. Errors are as of
// Open; an *IntegrityError names every entry that is wrong, up to a number. It
// holds one entry in memory at a time. content looks into each entry, unless it is
// nil; what it finds is a Problem.
func Verify(r io.ReaderAt, size int64, o Options, content func(path string, data []byte) error) (*Bundle, error) {
	b, err := Open(r, size, o)
	if err != nil {
		return nil, err
	}
	var ps problems
	again := container{w: &comparer{r: r}}
	for i := range b.entries {
		e := &b.entries[i]
		data, err := b.load(e)
		if err == nil && len(ps.found) == 0 {
			err = again.add(e.name, data)
		}
		if err == nil && content != nil {
			err = content(e.name, data)
		}
		if p, ok := err.(Problem); ok {
			ps.add(p)
		} else if err != nil {
			return nil, err
		}
	}
	if err := ps.err(); err != nil {
		return nil, err
	}
	if err := again.close(); err != nil {
		return nil, Integrity(err)
	}
	if err := checkAgreement(&b.manifest, b.Index(), b.entries); err != nil {
		return nil, Integrity(err)
	}
	return b, nil
}

// comparer is a writer to which only the bytes of a file can be written.
type comparer struct {
	r   io.ReaderAt
	at  int64
	buf [1 << 16]byte
}

func (c *comparer) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		chunk := c.buf[:min(len(rest), len(c.buf))]
		if err := readAt(c.r, chunk, c.at); err != nil {
			return 0, err
		}
		if !bytes.Equal(chunk, rest[:len(chunk)]) {
			at := c.at + int64(firstDifference(chunk, rest))
			return 0, problemf("", "byte %d is not what it was a moment ago: the file is being changed while it is read", at)
		}
		c.at += int64(len(chunk))
		rest = rest[len(chunk):]
	}
	return len(p), nil
}
