package objects

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"
)

// A delta describes an object by another one, its base: after the sizes of both, it copies parts of
// the base or inserts bytes (gitformat-pack(5)).
type delta struct {
	base, size int64
	commands   []byte
}

var errInvalidDelta = errors.New("it is stored as an invalid delta")

// maxDeltaStart is the most that the two sizes take.
const maxDeltaStart = 2 * binary.MaxVarintLen64

// parseDelta reads the start of a delta.
func parseDelta(data []byte) (delta, error) {
	base, n := binary.Uvarint(data)
	if n <= 0 {
		return delta{}, errInvalidDelta
	}
	size, m := binary.Uvarint(data[n:])
	if m <= 0 || int64(base) < 0 || int64(size) < 0 {
		return delta{}, errInvalidDelta
	}
	return delta{int64(base), int64(size), data[n+m:]}, nil
}

// command is a part of the object that a delta describes: bytes, or else a part of the base.
type command struct {
	insert   []byte
	from, to int64
}

// next returns the next command and removes it from the delta. It is false if the delta ends before
// the command does, or if the command is not valid.
func (d *delta) next() (c command, ok bool) {
	first, rest := d.commands[0], d.commands[1:]
	if first&0x80 == 0 {
		n := int(first)
		if n == 0 || len(rest) < n {
			return c, false
		}
		d.commands = rest[n:]
		return command{insert: rest[:n]}, true
	}
	// Each of the lower bits says whether a byte of the offset or of the size follows.
	var number uint64
	for bit := range 7 {
		if first>>bit&1 == 0 {
			continue
		}
		if len(rest) == 0 {
			return c, false
		}
		number |= uint64(rest[0]) << (8 * bit)
		rest = rest[1:]
	}
	size := int64(number >> 32)
	if size == 0 {
		size = 1 << 16
	}
	c.from = int64(number & (1<<32 - 1))
	c.to = c.from + size
	d.commands = rest
	return c, true
}

// pieces is an object as parts of a base and inserted bytes. The bytes of a base are shared by all
// objects that are deltas of it, so a folder that changes a thousand times takes little memory.
type pieces struct {
	kind  objectKind
	size  int64
	parts []part
	own   int64 // bytes that are not shared with a base
	// copied says that the only part is a copy, because there would be too many.
	copied bool
}

// part is some bytes of an object.
type part struct {
	end  int64 // in the object
	data []byte
}

// whole is an object that shares nothing.
func whole(kind objectKind, data []byte) pieces {
	size := int64(len(data))
	return pieces{kind: kind, size: size, parts: []part{{size, data}}, own: size}
}

// maxParts is how many parts an object has at most. One with more is copied.
const maxParts = 200

// weight is how many bytes an object takes in a cache. If nothing else keeps its base, it takes up to
// eight times as many.
func (o *pieces) weight() int {
	return int(max(o.own, o.size/8)) + len(o.parts)*40 + 100
}

// join returns the bytes of the object.
func (o *pieces) join() []byte {
	if len(o.parts) == 1 {
		return o.parts[0].data
	}
	data := make([]byte, 0, o.size)
	for _, p := range o.parts {
		data = append(data, p.data...)
	}
	return data
}

// add appends bytes, which must not be changed.
func (o *pieces) add(data []byte) {
	o.size += int64(len(data))
	if o.copied {
		o.parts[0].data, o.parts[0].end, o.own = append(o.parts[0].data, data...), o.size, o.size
		return
	}
	if o.parts = append(o.parts, part{o.size, data}); len(o.parts) > maxParts {
		o.parts, o.copied, o.own = []part{{o.size, o.join()}}, true, o.size
	}
}

// eachOf calls do with the parts of a range of the object.
func (o *pieces) eachOf(from, to int64, do func(data []byte)) {
	first, _ := slices.BinarySearchFunc(o.parts, from+1, func(p part, at int64) int { return cmp.Compare(p.end, at) })
	for _, p := range o.parts[first:] {
		start := p.end - int64(len(p.data))
		if start >= to {
			break
		}
		do(p.data[max(from-start, 0) : min(to, p.end)-start])
	}
}

// apply returns the object that the delta describes.
func (d delta) apply(base *pieces) (pieces, error) {
	o := pieces{kind: base.kind, parts: make([]part, 0, len(base.parts)+2)}
	insert := func(data []byte) {
		o.own += int64(len(data))
		o.add(data)
	}
	if err := d.each(base, insert, o.add); err != nil {
		return pieces{}, err
	}
	return o, nil
}

// each calls insert and share with the parts of the object that the delta describes, in their order:
// those of the delta, and those of the base.
func (d delta) each(base *pieces, insert, share func(data []byte)) error {
	if d.base != base.size {
		return errInvalidDelta
	}
	size := int64(0)
	for len(d.commands) > 0 {
		c, ok := d.next()
		size += int64(len(c.insert)) + c.to - c.from
		if !ok || c.to > d.base || size > d.size {
			return errInvalidDelta
		}
		if c.insert != nil {
			insert(c.insert)
		} else {
			base.eachOf(c.from, c.to, share)
		}
	}
	if size != d.size {
		return errInvalidDelta
	}
	return nil
}

// start returns up to n bytes from the start of the object that a delta describes, as far as they
// follow from the start of the delta and from that of its base.
func (d delta) start(n int, base func() ([]byte, error)) ([]byte, error) {
	n = int(min(int64(n), d.size))
	var data []byte
	for len(data) < n && len(d.commands) > 0 {
		c, ok := d.next()
		if !ok {
			break
		}
		if c.insert == nil {
			known, err := base()
			if err != nil {
				return nil, err
			}
			there := int64(len(known))
			c.insert = known[min(c.from, there):min(c.to, there)]
			if c.to > there {
				d.commands = nil
			}
		}
		data = append(data, c.insert...)
	}
	return data[:min(n, len(data))], nil
}
