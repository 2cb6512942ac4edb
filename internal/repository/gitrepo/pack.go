package gitrepo

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"

	"github.com/rubric-library/rubric-library/internal/files/limits"
)

// pack is a file of many objects. Git stores some of them as a delta to a base,
// another object of the same pack, which can itself be a delta.
//
// go-git reads the pack piece by piece and applies the deltas. This package decides
// how much is read, because go-git itself loads all of a base into memory, and all of
// a delta before it knows the size of the result.
type pack struct {
	path  string // without its extension
	index *packIndex
	file  *os.File // nil until it is needed
	scan  *packfile.Scanner
	kinds map[int64]objectKind
	bases *cache[packPlace, packObject]
}

// packPlace identifies an object's place, and packObject is the object there.
type packPlace struct {
	pack   *pack
	offset int64
}

type packObject struct {
	kind objectKind
	data []byte
}

const (
	// maxChain is the longest chain of deltas that Git makes.
	maxChain = 4096
	// maxBase is the size in bytes of the largest base of a small object. Git makes no
	// delta to a base that is more than 32 times as large.
	maxBase = 64 << 20
	// maxWork limits the bytes that are assembled for one object, in multiples of the
	// largest base.
	maxWork = 64
)

func (p *pack) open() error {
	if p.file != nil {
		return nil
	}
	f, err := os.Open(p.path + ".pack")
	if errors.Is(err, os.ErrNotExist) {
		return errNotHere // Git has moved its objects
	}
	if err == nil {
		p.file, p.scan = f, packfile.NewScanner(f)
	}
	return err
}

func (p *pack) close() error {
	if p.file == nil {
		return nil
	}
	err := p.file.Close()
	p.file = nil
	return err
}

// packHeader is a pack's description of an object, which precedes its content.
type packHeader struct {
	kind   objectKind // 0 for a delta
	base   int64      // offset of a delta's base
	size   int64      // of the object
	stored int64      // of the stored form: the object or the delta
}

// header reads the header of the object at an offset. The reader yields the stored
// form, and must be closed.
func (p *pack) header(offset int64) (o packHeader, r io.Reader, done io.Closer, err error) {
	h, err := p.scan.SeekObjectHeader(offset)
	if err != nil {
		return o, nil, nil, err
	}
	o = packHeader{kind: h.Type, size: h.Length, stored: h.Length}
	switch h.Type {
	case commitObject, treeObject, blobObject, tagObject:
	case plumbing.OFSDeltaObject:
		o.kind, o.base = 0, h.OffsetReference
	case plumbing.REFDeltaObject:
		o.kind = 0
		if o.base, err = p.index.find(h.Reference); err != nil {
			return o, nil, nil, fmt.Errorf("its delta base %s is not in its pack", h.Reference)
		}
	default:
		return o, nil, nil, fmt.Errorf("its pack gives it the unknown type %d", h.Type)
	}
	content, err := p.scan.ReadObject()
	if err != nil {
		return o, nil, nil, err
	}
	if o.kind != 0 {
		return o, content, content, nil
	}
	// A delta starts with the sizes of the base and of the result.
	buffer := bufio.NewReaderSize(content, 2*binary.MaxVarintLen64)
	sizes, err := buffer.Peek(int(min(2*binary.MaxVarintLen64, o.stored)))
	_, n := binary.Uvarint(sizes)
	size, m := binary.Uvarint(sizes[max(n, 0):])
	if o.size = int64(size); err != nil || n <= 0 || m <= 0 || o.size < 0 {
		_ = content.Close()
		return o, nil, nil, errors.Join(err, packfile.ErrInvalidDelta)
	}
	return o, buffer, content, nil
}

// size returns the size of the object at an offset.
func (p *pack) size(offset int64) (int64, error) {
	o, _, done, err := p.header(offset)
	if err != nil {
		return 0, err
	}
	return o.size, done.Close()
}

// kind returns the type of the object at an offset, which is that of the last base.
func (p *pack) kind(offset int64) (kind objectKind, err error) {
	var chain []int64
	for kind == 0 {
		if kind = p.kinds[offset]; kind != 0 {
			break
		}
		if chain = append(chain, offset); len(chain) > maxChain {
			return 0, errTooLong
		}
		o, _, done, err := p.header(offset)
		if err != nil {
			return 0, err
		}
		_ = done.Close() // only the header was needed
		kind, offset = o.kind, o.base
	}
	for _, at := range chain {
		p.kinds[at] = kind
	}
	return kind, nil
}

// errLargeBase means that reading an object that is not too large would require
// reading too much.
var errLargeBase = errors.New("it is stored as a delta of an object that is too large to be read")

var errTooLong = errors.New("its chain of deltas is too long")

// read returns the object at an offset, or a *limits.TooLargeError if it has more
// than limit bytes. The bytes must not be changed.
func (p *pack) read(offset, limit int64) (object packObject, err error) {
	most := max(limit, maxBase)
	var places []int64   // of the deltas, starting with the object itself
	var deltas [][]byte  // their content
	var held, work int64 // bytes of the deltas, and of all their results
	for at := offset; ; {
		if known, ok := p.bases.get(packPlace{p, at}); ok {
			if size := int64(len(known.data)); at == offset && size > limit {
				return packObject{}, &limits.TooLargeError{Size: size, Max: limit}
			}
			object = known
			break
		}
		o, r, done, err := p.header(at)
		if err != nil {
			return packObject{}, err
		}
		held, work = held+o.stored, work+o.size
		switch {
		case at == offset && o.size > limit:
			err = &limits.TooLargeError{Size: o.size, Max: limit}
		case o.size > most || o.kind == 0 && held > most || work/maxWork > most:
			err = fmt.Errorf("%w: reading it takes more than %d bytes", errLargeBase, most)
		case len(deltas) == maxChain:
			err = errTooLong
		}
		var data []byte
		if err == nil {
			data, err = readExactly(r, o.stored)
		}
		_ = done.Close() // everything needed was read
		if err != nil {
			return packObject{}, err
		}
		if places = append(places, at); o.kind == 0 {
			deltas, at = append(deltas, data), o.base
			continue
		}
		object = packObject{o.kind, data}
		p.keep(at, object)
		break
	}
	for i, delta := range slices.Backward(deltas) {
		if object.data, err = packfile.PatchDelta(object.data, delta); err != nil {
			return packObject{}, err
		}
		p.keep(places[i], object)
	}
	return object, nil
}

// keep caches an object as the base of others, unless it is large.
func (p *pack) keep(offset int64, o packObject) {
	if len(o.data) <= maxKept {
		p.bases.put(packPlace{p, offset}, o, len(o.data)+100)
	}
}
