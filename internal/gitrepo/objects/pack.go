package objects

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// pack is a file of many objects. Git stores some of them as a delta to a base,
// another object of the same pack, which can itself be a delta.
type pack struct {
	path   string // without its extension
	index  *packIndex
	file   *os.File // nil until it is needed
	in     window   // of the file
	zlib   inflater
	bases  *Cache[packPlace, pieces]
	starts *Cache[int64, []byte] // what is known of the starts of objects, by offset
}

type packPlace struct {
	pack   *pack
	offset int64
}

const (
	// maxChain is the longest chain of deltas that Git makes.
	maxChain = 4096
	// maxBase is the size in bytes of the largest base of a small object.
	maxBase = 64 << 20
	// maxRatio is how many times as large as an object the base is to which Git makes a delta.
	maxRatio = 32
	// maxWork limits the bytes that are assembled for one object, in multiples of the
	// largest base.
	maxWork = 64
	// maxStarts is how many bytes of the starts of objects are kept.
	maxStarts = 4 << 20
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
func (p *pack) find(h Hash) (int64, error) {
	offset, err := p.index.find(h)
	if err != nil || p.file != nil {
		return offset, err
	}
	f, err := os.Open(p.path + ".pack")
	if errors.Is(err, os.ErrNotExist) {
		return 0, errNotHere // Git has moved its objects
	} else if err != nil {
		return 0, err
	}
	p.file, p.in = f, window{file: f}
	return offset, nil
}

func (p *pack) withPrefix(prefix string) ([]Hash, error) { return p.index.withPrefix(prefix) }

func (p *pack) open(h Hash, limit int64) (o object, err error) {
	offset, err := p.find(h)
	if err != nil {
		return o, err
	}
	found, err := p.assemble(offset, limit)
	if err == nil && found.size > limit { // it was cached
		err = &safefile.TooLargeError{Size: found.size, Max: limit}
	}
	if err != nil {
		return o, err
	}
	return object{found.kind, found.size, found.join()}, nil
}

// check keeps no more in memory than reading an object of the largest limit does.
func (p *pack) check(h Hash) (o object, err error) {
	offset, err := p.find(h)
	if err != nil {
		return o, err
	}
	s, err := p.header(offset)
	if err != nil {
		return o, err
	}
	if s.kind == 0 {
		return p.checkDelta(h, s)
	}
	content, err := p.content(s)
	if err != nil {
		return o, err
	}
	return checkContent(h, s.kind, s.size, content)
}

// checkDelta is check for an object that is stored as a delta.
func (p *pack) checkDelta(h Hash, s stored) (o object, err error) {
	start, err := p.inflateStart(s, maxDeltaStart, 0)
	if err != nil {
		return o, err
	}
	d, err := parseDelta(start)
	if err != nil {
		return o, err
	}
	if err := refuseUnchecked(d.size); err != nil {
		return o, err
	}
	most := max(maxBase, min(maxRatio*d.size, safefile.MaxDataset))
	if d, err = p.delta(s, most); err != nil {
		return o, err
	}
	base, err := p.assemble(s.base, most)
	if safefile.IsTooLarge(err) || err == nil && base.size > most {
		err = tooMuch(most)
	}
	if err != nil {
		return o, err
	}
	check := newCheck(h, base.kind, d.size)
	write := func(data []byte) { _, _ = check.sum.Write(data) } // which never fails
	if err := d.each(&base, write, write); err != nil {
		return o, err
	}
	return check.result()
}

// stored is how a pack stores an object.
type stored struct {
	offset int64      // in the pack
	kind   objectKind // 0 for a delta
	base   int64      // offset of a delta's base
	size   int64      // of the object or the delta
	data   int64      // offset of the compressed object or delta
}

// header reads how an object is stored: its type and its size, and the base of a delta.
func (p *pack) header(offset int64) (s stored, err error) {
	p.in.seek(offset)
	b, err := p.in.ReadByte()
	kind := objectKind(b >> 4 & 7)
	s = stored{offset: offset, size: int64(b & 15)}
	for shift := 4; err == nil && b&0x80 != 0; shift += 7 {
		if shift > 60 {
			return s, errors.New("its size in its pack is too large")
		}
		b, err = p.in.ReadByte()
		s.size |= int64(b&0x7f) << shift
	}
	switch {
	case err != nil:
		return s, err
	case kind == plumbing.OFSDeltaObject:
		s.base, err = p.offsetBefore(offset)
	case kind == plumbing.REFDeltaObject:
		var base Hash
		if _, err = io.ReadFull(&p.in, base[:]); err == nil {
			if s.base, err = p.index.find(base); err != nil {
				err = fmt.Errorf("its delta base %s is not in its pack", base)
			}
		}
	case slices.Contains([]objectKind{KindCommit, KindTree, KindBlob, KindTag}, kind):
		s.kind = kind
	default:
		err = fmt.Errorf("its pack gives it the unknown type %d", kind)
	}
	s.data = p.in.offset()
	return s, err
}

// offsetBefore reads the offset of a base, which is stored as the distance from the offset of its
// delta.
func (p *pack) offsetBefore(offset int64) (int64, error) {
	var back int64
	for i := 0; ; i++ {
		b, err := p.in.ReadByte()
		if err != nil {
			return 0, err
		}
		back = back<<7 | int64(b&0x7f)
		if b&0x80 == 0 {
			break
		}
		back++
		if back > offset {
			break
		}
	}
	if back <= 0 || back > offset {
		return 0, errors.New("its delta base is not in its pack")
	}
	return offset - back, nil
}

// inflate decompresses an object or delta, which must have as many bytes as it claims to have.
func (p *pack) inflate(s stored) ([]byte, error) {
	content, err := p.content(s)
	if err != nil {
		return nil, err
	}
	return readExactly(content, s.size)
}

// content reads an object or delta, decompressed.
func (p *pack) content(s stored) (io.Reader, error) {
	p.in.seek(s.data)
	return p.zlib.reset(&p.in)
}

// inflateStart decompresses up to n bytes of an object or delta: as many as follow from a number of
// compressed bytes, or from all of them if that is 0.
func (p *pack) inflateStart(s stored, n int, compressed int64) ([]byte, error) {
	p.in.seek(s.data)
	if compressed > 0 {
		p.in.end = s.data + compressed
	}
	r, err := p.zlib.reset(&p.in)
	if err != nil {
		return nil, err
	}
	return readStart(r, min(s.size, int64(n)))
}

var (
	// errLargeBase means that reading an object that is not too large would require
	// reading too much.
	errLargeBase = errors.New("it is stored as a delta of an object that is too large to be read")
	errTooLong   = errors.New("its chain of deltas is too long")
)

// chain returns how an object is stored, and each of its bases, up to the first that is known or
// stored as a whole.
func (p *pack) chain(offset int64) (known pieces, chain []stored, err error) {
	for {
		if known, ok := p.bases.Get(packPlace{p, offset}); ok {
			return known, chain, nil
		}
		s, err := p.header(offset)
		if err != nil {
			return known, nil, err
		}
		chain = append(chain, s)
		if s.kind != 0 {
			return known, chain, nil
		}
		if len(chain) > maxChain {
			return known, nil, errTooLong
		}
		offset = s.base
	}
}

// assemble reads the object at an offset: its bases from the first on, and then its own delta. Only
// what is needed for an object of at most limit bytes is read.
func (p *pack) assemble(offset, limit int64) (o pieces, err error) {
	o, chain, err := p.chain(offset)
	if err != nil || len(chain) == 0 {
		return o, err
	}
	spent := effort{most: max(limit, maxBase)}
	own, err := p.ownDelta(chain[0], limit, spent.most) // says how large the object is
	if err != nil {
		return o, err
	}
	for i, s := range slices.Backward(chain) {
		d := own
		if i > 0 && s.kind == 0 {
			d, err = p.delta(s, spent.most)
		}
		if err == nil {
			o, err = p.addLayer(o, s, d, &spent)
		}
		if err != nil {
			return pieces{}, err
		}
		if o.size <= maxKept {
			p.bases.Put(packPlace{p, s.offset}, o, o.weight())
		}
	}
	return o, nil
}

// ownDelta reads the delta of the object itself, if it is stored as one, and refuses an object of
// more than limit bytes.
func (p *pack) ownDelta(s stored, limit, most int64) (d delta, err error) {
	size := s.size
	if s.kind == 0 {
		d, err = p.delta(s, most)
		size = d.size
	}
	if err == nil && size > limit {
		err = &safefile.TooLargeError{Size: size, Max: limit}
	}
	return d, err
}

// addLayer reads an object that is stored as a whole, or applies a delta to its base.
func (p *pack) addLayer(base pieces, s stored, d delta, spent *effort) (pieces, error) {
	if s.kind == 0 {
		if err := spent.add(d.size, s.size); err != nil {
			return pieces{}, err
		}
		return d.apply(&base)
	}
	if err := spent.add(s.size, 0); err != nil {
		return pieces{}, err
	}
	data, err := p.inflate(s)
	return whole(s.kind, data), err
}

// effort is what was read to assemble an object. One object, all deltas together, and the
// maxWork-th part of all that was written have at most most bytes.
type effort struct{ most, written, deltas int64 }

// add counts an object of a size, made from a delta of a size, or refuses it.
func (e *effort) add(size, delta int64) error {
	e.written += size
	e.deltas += delta
	if max(size, e.deltas, e.written/maxWork) > e.most {
		return tooMuch(e.most)
	}
	return nil
}

func tooMuch(most int64) error {
	return fmt.Errorf("%w: reading it takes more than %d bytes", errLargeBase, most)
}

// delta reads a delta of at most a number of bytes.
func (p *pack) delta(s stored, most int64) (delta, error) {
	if s.size > most {
		return delta{}, tooMuch(most)
	}
	data, err := p.inflate(s)
	if err != nil {
		return delta{}, err
	}
	return parseDelta(data)
}

// start returns up to n bytes from the start of an object, as far as they are found by reading only
// the starts of the object and its bases. They are not checked against its hash.
func (p *pack) start(h Hash, n int) ([]byte, error) {
	offset, err := p.find(h)
	if err != nil {
		return nil, err
	}
	return p.startAt(offset, n, 0)
}

func (p *pack) startAt(offset int64, n, chain int) ([]byte, error) {
	if known, ok := p.starts.Get(offset); ok {
		return known, nil
	}
	if known, ok := p.bases.Get(packPlace{p, offset}); ok {
		var start []byte
		known.eachOf(0, int64(n), func(data []byte) { start = append(start, data...) })
		return start, nil
	}
	s, err := p.header(offset)
	if err == nil && chain == maxChain {
		err = errTooLong
	}
	if err != nil {
		return nil, err
	}
	data, err := p.inflateStart(s, n, int64(n))
	if err != nil {
		return nil, err
	}
	if s.kind == 0 {
		d, err := parseDelta(data)
		if err != nil {
			return nil, err
		}
		base := sync.OnceValues(func() ([]byte, error) { return p.startAt(s.base, n, chain+1) })
		if data, err = d.start(n, base); err != nil {
			return nil, err
		}
	}
	data = data[:min(n, len(data))]
	p.starts.Put(offset, data, n+100)
	return data, nil
}
