// Package packtest writes packs of Git objects by hand, so that tests have those that Git itself
// never writes.
package packtest

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
)

// Kind is how a pack numbers the kinds of what it stores.
type Kind byte

// The kinds of what a pack stores: objects, and differences from another object, which is named by
// its place or by its hash.
const (
	Commit   Kind = 1
	Tree     Kind = 2
	Blob     Kind = 3
	Tag      Kind = 4
	Unknown  Kind = 5
	ByOffset Kind = 6
	ByHash   Kind = 7
)

// Object is what a pack says that it stores, true or not.
type Object struct {
	Name    [20]byte // in the index
	Kind    Kind
	Size    int64    // in the header
	Base    int      // of the kind ByOffset, the number of an object before it
	Ref     [20]byte // of the kind ByHash
	Content []byte   // compressed
}

// Write writes a pack and its index into a folder, which it creates.
func Write(folder string, all ...Object) error {
	pack := binary.BigEndian.AppendUint32([]byte("PACK\x00\x00\x00\x02"), uint32(len(all)))
	places := make([]place, len(all))
	for i, o := range all {
		p := place{name: o.Name, offset: len(pack)}
		back := 0
		if o.Kind == ByOffset {
			back = p.offset - places[o.Base].offset
		}
		pack = slices.Concat(pack, o.header(back), o.Content)
		p.sum = crc32.ChecksumIEEE(pack[p.offset:])
		places[i] = p
	}
	pack = withSum(pack)
	name := filepath.Join(folder, "made-by-hand")
	return errors.Join(
		os.MkdirAll(folder, 0o777), os.WriteFile(name+".pack", pack, 0o666),
		os.WriteFile(name+".idx", index(places, pack[len(pack)-sha1.Size:]), 0o666),
	)
}

// header is what a pack has before the content of an object whose base begins a number of bytes
// before it.
func (o Object) header(back int) []byte {
	var b []byte
	last := byte(o.Kind)<<4 | byte(o.Size&15)
	for rest := o.Size >> 4; rest > 0; rest >>= 7 {
		b, last = append(b, last|0x80), byte(rest&0x7f)
	}
	b = append(b, last)
	switch o.Kind {
	case ByOffset:
		distance := []byte{byte(back & 0x7f)}
		for back >>= 7; back > 0; back >>= 7 {
			back--
			distance = append(distance, 0x80|byte(back&0x7f))
		}
		slices.Reverse(distance)
		b = append(b, distance...)
	case ByHash:
		b = append(b, o.Ref[:]...)
	}
	return b
}

// place is where a pack stores an object, and a checksum of what it has there.
type place struct {
	name   [20]byte
	offset int
	sum    uint32
}

// index is the index of a pack with a hash.
func index(places []place, pack []byte) []byte {
	places = slices.SortedFunc(slices.Values(places), func(a, b place) int { return bytes.Compare(a.name[:], b.name[:]) })
	b := []byte("\xfftOc\x00\x00\x00\x02")
	for first := range 256 {
		upTo, _ := slices.BinarySearchFunc(places, first+1, func(p place, first int) int {
			return cmp.Compare(int(p.name[0]), first)
		})
		b = binary.BigEndian.AppendUint32(b, uint32(upTo))
	}
	for _, p := range places {
		b = append(b, p.name[:]...)
	}
	for _, p := range places {
		b = binary.BigEndian.AppendUint32(b, p.sum)
	}
	for _, p := range places {
		b = binary.BigEndian.AppendUint32(b, uint32(p.offset))
	}
	return withSum(append(b, pack...))
}

func withSum(data []byte) []byte {
	sum := sha1.Sum(data)
	return append(data, sum[:]...)
}

// NameOf is the hash of an object.
func NameOf(kind string, content []byte) [20]byte {
	return sha1.Sum(slices.Concat(fmt.Appendf(nil, "%s %d\x00", kind, len(content)), content))
}

// Difference describes an object of a size by a base of a size, with commands.
func Difference(base, size uint64, commands string) []byte {
	return append(binary.AppendUvarint(binary.AppendUvarint(nil, base), size), commands...)
}

// Compressed is a content as Git stores it.
func Compressed(content []byte) []byte {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	_, err := z.Write(content)
	if err = cmp.Or(err, z.Close()); err != nil {
		panic(err) // a buffer takes everything
	}
	return b.Bytes()
}
