package gitrepo

import (
	"bufio"
	"errors"
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
	in     window // of the last file
	zlib   inflater
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
	l.in = window{file: f, data: l.in.data[:0]}
	content, err := l.zlib.reset(&l.in)
	if err != nil {
		return o, err
	}
	r := bufio.NewReaderSize(content, 64) // longer than any header
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
