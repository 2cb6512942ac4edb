package gitrepo

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/hex"
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

// store is one folder of objects: files of one object each, called loose, and packs.
// gitrepository-layout(5) describes it.
type store struct {
	folder string
	packs  map[string]*pack // by path; nil until they are listed
	bases  *cache[packPlace, packObject]
	zlib   io.ReadCloser // of the last loose object, for reuse
}

// errNotHere means that a store doesn't have an object.
var errNotHere = errors.New("is not here")

// list lists the packs, and keeps those that are already known.
func (s *store) list() error {
	entries, err := os.ReadDir(filepath.Join(s.folder, "pack"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	packs := map[string]*pack{}
	for _, e := range entries {
		name, isIndex := strings.CutSuffix(e.Name(), ".idx")
		if !isIndex {
			continue
		}
		path := filepath.Join(s.folder, "pack", name)
		if known := s.packs[path]; known != nil {
			packs[path] = known
			continue
		}
		if _, err := os.Stat(path + ".pack"); errors.Is(err, fs.ErrNotExist) {
			continue // Git is about to write it, or has just removed it
		}
		index, err := readIndex(path + ".idx")
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return fmt.Errorf("the index of the pack %s is damaged: %w", path, err)
		}
		packs[path] = &pack{path: path, index: index, kinds: map[int64]objectKind{}, bases: s.bases}
	}
	for path, p := range s.packs {
		if packs[path] == nil {
			_ = p.close() // it is gone
		}
	}
	s.packs = packs
	return nil
}

// get calls a function with each pack that has the object, and its place there, until
// one can read it, and then the function for the loose object. The error is the first
// that is not errNotHere.
func get[T any](s *store, h hash, packed func(p *pack, offset int64) (T, error), loose func(*store) (T, error)) (found T, err error) {
	if s.packs == nil {
		if err := s.list(); err != nil {
			return found, err
		}
	}
	first := errNotHere
	for _, p := range s.packs {
		offset, err := p.index.find(h)
		if err == nil {
			err = p.open()
		}
		if err == nil {
			found, err = packed(p, offset)
		}
		if err == nil || limits.IsTooLarge(err) {
			return found, err
		}
		if first == errNotHere {
			first = err
		}
	}
	if found, err = loose(s); err != nil && first != errNotHere {
		err = first
	}
	return found, err
}

// loose reads the file of an object: its type, a space, its size, a zero byte, and,
// unless limit is negative, its content.
func (s *store) loose(h hash, limit int64) (kind objectKind, size int64, data []byte, err error) {
	name := h.String()
	f, err := os.Open(filepath.Join(s.folder, name[:2], name[2:]))
	if errors.Is(err, fs.ErrNotExist) {
		err = errNotHere
	}
	if err != nil {
		return 0, 0, nil, err
	}
	defer f.Close()
	if s.zlib == nil {
		s.zlib, err = zlib.NewReader(f)
	} else {
		err = s.zlib.(zlib.Resetter).Reset(f, nil)
	}
	if err != nil {
		return 0, 0, nil, err
	}
	r := bufio.NewReaderSize(s.zlib, 64) // longer than any header
	header, err := r.ReadSlice(0)
	if err == nil {
		word, number, _ := strings.Cut(string(header[:len(header)-1]), " ")
		var n uint64
		if n, err = strconv.ParseUint(number, 10, 63); err == nil {
			kind, err = plumbing.ParseObjectType(word)
		}
		size = int64(n)
	}
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		return 0, 0, nil, errors.New("it does not start with a type and a size")
	case err == nil && limit >= 0 && size > limit:
		err = &limits.TooLargeError{Size: size, Max: limit}
	case err == nil && limit >= 0:
		data, err = readExactly(r, size)
	}
	return kind, size, data, err
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

// withPrefix lists the objects whose hash starts with prefix, in any order.
func (s *store) withPrefix(prefix string) (found []hash, err error) {
	if err := s.list(); err != nil { // no new pack may be missed
		return nil, err
	}
	first, err := hex.DecodeString(prefix[:2])
	if err != nil {
		return nil, err
	}
	for _, p := range s.packs {
		found = append(found, p.index.withPrefix(prefix, first[0])...)
	}
	entries, err := os.ReadDir(filepath.Join(s.folder, prefix[:2]))
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

func (s *store) close() (err error) {
	for _, p := range s.packs {
		err = errors.Join(err, p.close())
	}
	return err
}
