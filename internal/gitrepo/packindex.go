package gitrepo

import (
	"bufio"
	"bytes"
	"crypto/sha1" // the checksum of an index
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/go-git/go-git/v5/plumbing/format/idxfile"
)

// indexFile has the size of an index, which go-git compares with the number of objects.
type indexFile struct {
	*bufio.Reader
	file *os.File
}

func (f indexFile) Stat() (fs.FileInfo, error) { return f.file.Stat() }

// readIndex reads the index of a pack. go-git reads only version 2 of the two that
// gitformat-pack(5) describes; pack.indexVersion=1 and Git before 1.6 write version 1.
func readIndex(path string) (*idxfile.MemoryIndex, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := bufio.NewReader(f)
	var in io.Reader = indexFile{r, f}
	if magic, err := r.Peek(4); err == nil && string(magic) != "\xfftOc" {
		if in, err = version2(r); err != nil {
			return nil, err
		}
	}
	index := idxfile.NewMemoryIndex()
	return index, idxfile.NewDecoder(in).Decode(index)
}

// version2 returns an index of version 1 in version 2.
func version2(f io.Reader) (io.Reader, error) {
	const fanout = 256 * 4
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	end := len(data) - sha1.Size
	if end < fanout+sha1.Size || sha1.Sum(data[:end]) != [sha1.Size]byte(data[end:]) {
		return nil, errors.New("it does not match its checksum")
	}
	entries, sum := data[fanout:end-sha1.Size], data[end-sha1.Size:end]
	if len(entries) != 24*int(binary.BigEndian.Uint32(data[fanout-4:])) {
		return nil, errors.New("its size does not match the number of its objects")
	}
	var names, offsets []byte
	for entry := range slices.Chunk(entries, 24) {
		offsets, names = append(offsets, entry[:4]...), append(names, entry[4:]...)
	}
	unchecked := make([]byte, len(offsets)) // checksums that go-git doesn't compare
	out := slices.Concat([]byte("\xfftOc\x00\x00\x00\x02"), data[:fanout], names, unchecked, offsets, sum)
	all := sha1.Sum(out)
	return bytes.NewReader(append(out, all[:]...)), nil
}
