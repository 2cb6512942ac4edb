package gitrepo

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"sort"
	"strings"
)

// packIndex is the index of a pack, which maps hashes to offsets. gitformat-pack(5)
// describes the two versions: 2, and 1, which pack.indexVersion=1 and Git before 1.6
// write and go-git does not read.
type packIndex struct {
	// counts has for each byte the number of names that start with it or a smaller
	// one.
	counts [256]int
	// The sorted names have 20 bytes each, starting at names + i*nameStep. Their
	// offsets have 4 bytes each, starting at offsets + i*offsetStep; large is where
	// the offsets of 8 bytes start.
	data                         []byte
	names, offsets, large        int
	nameStep, offsetStep, length int
}

const (
	hashSize   = len(hash{})
	fanoutSize = 256 * 4
)

// readIndex reads an index and verifies its checksum.
func readIndex(path string) (*packIndex, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	x := &packIndex{data: data, names: fanoutSize + 4, nameStep: hashSize + 4, offsets: fanoutSize, offsetStep: hashSize + 4}
	fanout := 0
	if bytes.HasPrefix(data, []byte("\xfftOc")) {
		fanout = 8
	}
	if len(data) < fanout+fanoutSize+2*hashSize || fanout > 0 && binary.BigEndian.Uint32(data[4:]) != 2 {
		return nil, errors.New("it is truncated, or its version is neither 1 nor 2")
	}
	for i := range x.counts {
		x.counts[i] = int(binary.BigEndian.Uint32(data[fanout+4*i:]))
		if i > 0 && x.counts[i] < x.counts[i-1] {
			return nil, errors.New("its table is not sorted")
		}
	}
	x.length = x.counts[255]
	least := fanoutSize + x.length*(hashSize+4) + 2*hashSize
	most := least
	if fanout > 0 {
		x.names, x.nameStep = fanout+fanoutSize, hashSize
		x.offsets, x.offsetStep = x.names+x.length*(hashSize+4), 4
		x.large = x.offsets + 4*x.length
		least += fanout + 4*x.length
		most = least + 8*x.length
	}
	end := len(data) - hashSize
	if len(data) < least || len(data) > most {
		return nil, fmt.Errorf("it has %d bytes, which does not match its %d objects", len(data), x.length)
	}
	if sum := sha1.Sum(data[:end]); !bytes.Equal(sum[:], data[end:]) {
		return nil, errors.New("it does not match its checksum")
	}
	return x, nil
}

func (x *packIndex) name(i int) []byte {
	at := x.names + i*x.nameStep
	return x.data[at : at+hashSize]
}

// offset returns where the i-th object is in the pack.
func (x *packIndex) offset(i int) (int64, error) {
	n := binary.BigEndian.Uint32(x.data[x.offsets+i*x.offsetStep:])
	if x.large == 0 || n>>31 == 0 {
		return int64(n), nil
	}
	at := x.large + 8*int(n&0x7fffffff)
	if at+8 > len(x.data)-2*hashSize {
		return 0, errors.New("the index of its pack has an entry that is out of range")
	}
	return int64(binary.BigEndian.Uint64(x.data[at:]) & (1<<63 - 1)), nil
}

// bucket returns the range of the names that start with a byte.
func (x *packIndex) bucket(first byte) (from, to int) {
	if first > 0 {
		from = x.counts[first-1]
	}
	return from, x.counts[first]
}

// find returns where an object is in the pack, or errNotHere.
func (x *packIndex) find(h hash) (int64, error) {
	from, to := x.bucket(h[0])
	i := from + sort.Search(to-from, func(i int) bool { return bytes.Compare(x.name(from+i), h[:]) >= 0 })
	if i == to || !bytes.Equal(x.name(i), h[:]) {
		return 0, errNotHere
	}
	return x.offset(i)
}

// withPrefix lists the objects whose hash starts with prefix.
func (x *packIndex) withPrefix(prefix string, first byte) (found []hash) {
	from, to := x.bucket(first)
	for i := from; i < to; i++ {
		if name := x.name(i); strings.HasPrefix(hex.EncodeToString(name), prefix) {
			found = append(found, hash(name))
		}
	}
	return found
}
