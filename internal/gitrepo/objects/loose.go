package objects

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/rubric-library/rubric-library/internal/files/safefile"
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
func (l *loose) open(h Hash, limit int64) (o object, err error) {
	err = l.readContent(h, 0, func(kind objectKind, size int64, content io.Reader) error {
		if size > limit {
			return &safefile.TooLargeError{Size: size, Max: limit}
		}
		o.kind, o.size = kind, size
		o.data, err = readExactly(content, size)
		return err
	})
	return o, err
}

func (l *loose) check(h Hash) (o object, err error) {
	err = l.readContent(h, 0, func(kind objectKind, size int64, content io.Reader) error {
		o, err = checkContent(h, kind, size, content)
		return err
	})
	return o, err
}

// start returns up to n bytes from the start of an object, as far as they follow from the start of
// its file. They are not checked against its hash.
func (l *loose) start(h Hash, n int) (start []byte, err error) {
	err = l.readContent(h, int64(n), func(_ objectKind, size int64, content io.Reader) error {
		start, err = readStart(content, min(size, int64(n)))
		return err
	})
	return start, err
}

// readContent reads the content of an object, or only what follows from a number of bytes of its file.
func (l *loose) readContent(
	h Hash, compressed int64, do func(kind objectKind, size int64, content io.Reader) error,
) error {
	name := h.String()
	f, err := os.Open(filepath.Join(l.folder, name[:2], name[2:]))
	if errors.Is(err, fs.ErrNotExist) {
		return errNotHere
	}
	if err != nil {
		return err
	}
	defer f.Close()
	l.in = window{file: f, data: l.in.data[:0], end: compressed}
	content, err := l.zlib.reset(&l.in)
	if err != nil {
		return err
	}
	r := bufio.NewReaderSize(content, 64) // longer than any header
	header, err := r.ReadSlice(0)
	if errors.Is(err, bufio.ErrBufferFull) {
		return errNoHeader
	}
	if err != nil {
		return err
	}
	word, number, _ := strings.Cut(strings.TrimSuffix(string(header), "\x00"), " ")
	kind, err := plumbing.ParseObjectType(word)
	if err != nil {
		return err
	}
	size, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return err
	}
	if size < 0 {
		return errNoHeader
	}
	return do(kind, size, r)
}

var errNoHeader = errors.New("it does not start with a type and a size")

func (l *loose) withPrefix(prefix string) (found []Hash, err error) {
	entries, err := os.ReadDir(filepath.Join(l.folder, prefix[:2]))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		// Temporary files have other names.
		if h, ok := ParseHash(prefix[:2] + e.Name()); ok && strings.HasPrefix(h.String(), prefix) {
			found = append(found, h)
		}
	}
	return found, nil
}
