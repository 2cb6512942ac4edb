package gitrepo

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/rubric-library/rubric-library/internal/files/limits"
)

// loose is a folder with one file for each object (gitrepository-layout(5)). go-git's
// reader has no limit for a header without an end.
type loose struct {
	folder string
	zlib   io.ReadCloser // of the last object, for reuse
}

// open reads the file of an object: its type, a space, its size, a zero byte, and its
// content.
func (l *loose) open(h hash, limit int64) (o object, err error) {
	name := h.String()
	f, err := os.Open(filepath.Join(l.folder, name[:2], name[2:]))
	if errors.Is(err, fs.ErrNotExist) {
		err = errNotHere
	}
	if err != nil {
		return o, err
	}
	defer f.Close()
	if l.zlib == nil {
		l.zlib, err = zlib.NewReader(f)
	} else {
		err = l.zlib.(zlib.Resetter).Reset(f, nil)
	}
	if err != nil {
		return o, err
	}
	r := bufio.NewReaderSize(l.zlib, 64) // longer than any header
	header, err := r.ReadSlice(0)
	kind, size, _ := strings.Cut(strings.TrimSuffix(string(header), "\x00"), " ")
	if err == nil {
		o.kind, err = plumbing.ParseObjectType(kind)
	}
	if err == nil {
		o.size, err = strconv.ParseInt(size, 10, 64)
	}
	switch {
	case errors.Is(err, bufio.ErrBufferFull), o.size < 0:
		err = errors.New("it does not start with a type and a size")
	case err == nil && limit >= 0 && o.size > limit:
		err = &limits.TooLargeError{Size: o.size, Max: limit}
	case err == nil && limit >= 0:
		o.data, err = readExactly(r, o.size)
	}
	return o, err
}

// readExactly reads the number of bytes that an object claims to have. A damaged or
// hostile object has fewer or more, so memory grows with the bytes that arrive, and at
// most one byte too many is read.
func readExactly(r io.Reader, size int64) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(int(min(size, 1<<20)) + bytes.MinRead)
	n, err := b.ReadFrom(io.LimitReader(r, size+1))
	if err == nil && n != size {
		err = fmt.Errorf("it claims to have %d bytes, but it has fewer or more", size)
	}
	return b.Bytes(), err
}

func (l *loose) withPrefix(prefix string) (found []hash, err error) {
	entries, err := os.ReadDir(filepath.Join(l.folder, prefix[:2]))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		// Temporary files have other names.
		if h, ok := parseHash(prefix[:2] + e.Name()); ok && strings.HasPrefix(h.String(), prefix) {
			found = append(found, h)
		}
	}
	return found, nil
}
