package objects

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"sort"
	"strings"
)

// packIndex is the index of a pack (gitformat-pack(5), version 2, which Git has written by default
// since 1.6): the hashes of its objects, sorted, and where each begins.
type packIndex struct {
	count  int
	fanout []byte // for each first byte of a hash, the number of hashes up to it, in 4 bytes
	hashes []byte
	places []byte // of each object, in 4 bytes: its offset, or a number in far
	far    []byte // offsets of 8 bytes
}

var errMalformedIndex = errors.New("it is damaged or of version 1")

const (
	indexStart = "\xfftOc\x00\x00\x00\x02"
	fanoutSize = 256 * 4
)

// readIndex reads the index of a pack, and checks it against its hash.
func readIndex(path string) (*packIndex, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	rest, ok := bytes.CutPrefix(data, []byte(indexStart))
	if !ok || len(rest) < fanoutSize+2*sha1.Size {
		return nil, errMalformedIndex
	}
	rest, sum := rest[:len(rest)-sha1.Size], rest[len(rest)-sha1.Size:]
	if own := sha1.Sum(data[:len(data)-sha1.Size]); !bytes.Equal(own[:], sum) {
		return nil, fmt.Errorf("%w: it does not match its hash", errMalformedIndex)
	}
	index := &packIndex{fanout: rest[:fanoutSize]}
	rest = rest[fanoutSize : len(rest)-sha1.Size] // without the hash of the pack
	const perObject = len(Hash{}) + 4 + 4         // the hash, a checksum, and the place
	index.count = int(index.upTo(255))
	if len(rest)/perObject < index.count {
		return nil, fmt.Errorf("%w: it is truncated", errMalformedIndex)
	}
	for b := 1; b < 256; b++ {
		if index.upTo(byte(b-1)) > index.upTo(byte(b)) {
			return nil, fmt.Errorf("%w: its hashes are not sorted", errMalformedIndex)
		}
	}
	index.hashes, rest = rest[:index.count*len(Hash{})], rest[index.count*(len(Hash{})+4):]
	index.places, index.far = rest[:index.count*4], rest[index.count*4:]
	return index, nil
}

// upTo is the number of hashes whose first byte is at most b.
func (x *packIndex) upTo(b byte) uint32 { return binary.BigEndian.Uint32(x.fanout[4*int(b):]) }

// rangeOf returns the range of the numbers of the hashes with a first byte.
func (x *packIndex) rangeOf(b byte) (from, to int) {
	if b > 0 {
		from = int(x.upTo(b - 1))
	}
	return from, int(x.upTo(b))
}

func (x *packIndex) hash(i int) []byte { return x.hashes[i*len(Hash{}) : (i+1)*len(Hash{})] }

// find returns where an object is in the pack, or errNotHere.
func (x *packIndex) find(h Hash) (offset int64, err error) {
	from, to := x.rangeOf(h[0])
	at := from + sort.Search(to-from, func(i int) bool { return bytes.Compare(x.hash(from+i), h[:]) >= 0 })
	if at == to || !bytes.Equal(x.hash(at), h[:]) {
		return 0, errNotHere
	}
	const isFar = 1 << 31
	place := binary.BigEndian.Uint32(x.places[4*at:])
	if place&isFar == 0 {
		return int64(place), nil
	}
	far := 8 * int64(place&^isFar)
	if far+8 > int64(len(x.far)) {
		return 0, fmt.Errorf("%w: it has too few offsets", errMalformedIndex)
	}
	return int64(binary.BigEndian.Uint64(x.far[far:])), nil
}

// withPrefix lists the hashes that start with a prefix of at least two hexadecimal digits.
func (x *packIndex) withPrefix(prefix string) (found []Hash, err error) {
	first, err := hex.DecodeString(prefix[:2])
	if err != nil {
		return nil, err
	}
	from, to := x.rangeOf(first[0])
	for name := range slices.Chunk(x.hashes[from*len(Hash{}):to*len(Hash{})], len(Hash{})) {
		if strings.HasPrefix(hex.EncodeToString(name), prefix) {
			found = append(found, Hash(name))
		}
	}
	return found, nil
}
