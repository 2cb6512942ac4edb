package gitrepo

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"

	"github.com/rubric-library/rubric-library/internal/files/limits"
)

// pack is a file of many objects. Git stores some of them as a delta to a base,
// another object of the same pack, which can itself be a delta.
//
// go-git reads the pack piece by piece and applies the deltas. This package decides
// how much is read, because go-git's own loop reads all of a base into memory, and all
// of a delta before it knows the size of the result.
type pack struct {
	path  string // without its extension
	index *idxfile.MemoryIndex
	file  *os.File // nil until it is needed
	scan  *packfile.Scanner
	bases *cache[packPlace, object]
}

type packPlace struct {
	pack   *pack
	offset int64
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

func (p *pack) close() error {
	if p.file == nil {
		return nil
	}
	err := p.file.Close()
	p.file = nil
	return err
}

// find returns where an object is in the pack, or errNotHere, and opens the file.
func (p *pack) find(h hash) (int64, error) {
	offset, err := p.index.FindOffset(h)
	if errors.Is(err, plumbing.ErrObjectNotFound) {
		return 0, errNotHere
	}
	if err != nil || p.file != nil {
		return offset, err
	}
	f, err := os.Open(p.path + ".pack")
	if errors.Is(err, os.ErrNotExist) {
		return 0, errNotHere // Git has moved its objects
	} else if err != nil {
		return 0, err
	}
	p.file, p.scan = f, packfile.NewScanner(f)
	return offset, nil
}

func (p *pack) open(h hash, limit int64) (o object, err error) {
	offset, err := p.find(h)
	if err != nil {
		return o, err
	}
	if limit < 0 {
		return p.stat(offset)
	}
	o, err = p.assemble(offset, &budget{limit: limit, most: max(limit, maxBase)})
	if err == nil && o.size > limit { // it was cached
		err = &limits.TooLargeError{Size: o.size, Max: limit}
	}
	return o, err
}

// stat reads the headers of an object and of its bases, the last of which has the type.
func (p *pack) stat(offset int64) (object, error) {
	head, err := p.header(offset)
	if err != nil {
		return object{}, err
	}
	size, content, err := p.content(head)
	if err != nil {
		return object{}, err
	}
	_ = content.Close() // only its start was needed
	for chain := 0; err == nil && head.kind == 0; chain++ {
		if head, err = p.header(head.base); chain == maxChain {
			err = errTooLong
		}
	}
	return object{kind: head.kind, size: size}, err
}

// packHeader is a pack's description of an object.
type packHeader struct {
	kind   objectKind // 0 for a delta
	base   int64      // offset of a delta's base
	stored int64      // size of the stored form: the object or the delta
}

func (p *pack) header(offset int64) (packHeader, error) {
	h, err := p.scan.SeekObjectHeader(offset)
	if err != nil {
		return packHeader{}, err
	}
	switch h.Type {
	case commitObject, treeObject, blobObject, tagObject:
		return packHeader{kind: h.Type, stored: h.Length}, nil
	case plumbing.OFSDeltaObject:
		return packHeader{base: h.OffsetReference, stored: h.Length}, nil
	case plumbing.REFDeltaObject:
		base, err := p.index.FindOffset(h.Reference)
		if err != nil {
			err = fmt.Errorf("its delta base %s is not in its pack", h.Reference)
		}
		return packHeader{base: base, stored: h.Length}, err
	}
	return packHeader{}, fmt.Errorf("its pack gives it the unknown type %d", h.Type)
}

// content returns the size of the object whose header was read last, and its stored
// form, which has not been read.
func (p *pack) content(head packHeader) (size int64, stored io.ReadCloser, err error) {
	stored, err = p.scan.ReadObject()
	if err != nil || head.kind != 0 {
		return head.stored, stored, err
	}
	// A delta starts with the sizes of the base and of the result.
	buffer := bufio.NewReaderSize(stored, 2*binary.MaxVarintLen64)
	sizes, err := buffer.Peek(int(min(2*binary.MaxVarintLen64, head.stored)))
	_, n := binary.Uvarint(sizes)
	result, m := binary.Uvarint(sizes[max(n, 0):])
	if size = int64(result); err != nil || n <= 0 || m <= 0 || size < 0 {
		_ = stored.Close()
		return 0, nil, errors.Join(err, packfile.ErrInvalidDelta)
	}
	return size, struct {
		io.Reader
		io.Closer
	}{buffer, stored}, nil
}

var (
	// errLargeBase means that reading an object that is not too large would require
	// reading too much.
	errLargeBase = errors.New("it is stored as a delta of an object that is too large to be read")
	errTooLong   = errors.New("its chain of deltas is too long")
)

// budget limits what is read for one object.
type budget struct {
	limit, most int64 // of the object's size, and of that of each base
	chain       int   // objects so far
	held, work  int64 // bytes of the deltas, and of all objects
}

// assemble reads the object at an offset: its delta, and then the base of that.
func (p *pack) assemble(offset int64, b *budget) (o object, err error) {
	if known, ok := p.bases.get(packPlace{p, offset}); ok {
		return known, nil
	}
	head, err := p.header(offset)
	if err != nil {
		return o, err
	}
	size, content, err := p.content(head)
	if err != nil {
		return o, err
	}
	if b.work += size; head.kind == 0 {
		b.held += head.stored
	}
	var data []byte
	switch {
	case b.chain == 0 && size > b.limit:
		err = &limits.TooLargeError{Size: size, Max: b.limit}
	case max(size, b.held, b.work/maxWork) > b.most:
		err = fmt.Errorf("%w: reading it takes more than %d bytes", errLargeBase, b.most)
	case b.chain == maxChain:
		err = errTooLong
	default:
		data, err = readExactly(content, head.stored)
	}
	_ = content.Close() // everything needed was read
	b.chain++
	if err == nil && head.kind == 0 {
		if o, err = p.assemble(head.base, b); err == nil {
			data, err = packfile.PatchDelta(o.data, data)
		}
		head.kind = o.kind
	}
	if o = (object{head.kind, size, data}); err == nil && len(data) <= maxKept {
		p.bases.put(packPlace{p, offset}, o, len(data)+100)
	}
	return o, err
}

func (p *pack) withPrefix(prefix string) (found []hash, err error) {
	first, err := hex.DecodeString(prefix[:2])
	if err != nil {
		return nil, err
	}
	if at := p.index.FanoutMapping[first[0]]; at >= 0 {
		for name := range slices.Chunk(p.index.Names[at], len(hash{})) {
			if strings.HasPrefix(hex.EncodeToString(name), prefix) {
				found = append(found, hash(name))
			}
		}
	}
	return found, nil
}

// indexFile has the size of an index, which go-git compares with the number of objects.
type indexFile struct {
	*bufio.Reader
	file *os.File
}

func (f indexFile) Stat() (fs.FileInfo, error) { return f.file.Stat() }

// readIndex reads the index of a pack. go-git reads only version 2, which Git has written by default
// since 1.6.
func readIndex(path string) (*idxfile.MemoryIndex, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	index := idxfile.NewMemoryIndex()
	return index, idxfile.NewDecoder(indexFile{bufio.NewReader(f), f}).Decode(index)
}
