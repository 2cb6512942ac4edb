package bundlefile

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
)

// directory is where the zip's directory is and how many entries it has.
type directory struct {
	n            int
	offset, size int64
}

// readEnd reads what stands after the directory.
func readEnd(r io.ReaderAt, size int64) (directory, error) {
	tail := make([]byte, min(size, sizeOfEnd(many)))
	if err := readAt(r, tail, size-int64(len(tail))); err != nil {
		return directory{}, err
	}
	var d directory
	if len(tail) >= endLen {
		end := tail[len(tail)-endLen:]
		d = directory{
			n:      int(binary.LittleEndian.Uint16(end[10:])),
			size:   int64(binary.LittleEndian.Uint32(end[12:])),
			offset: int64(binary.LittleEndian.Uint32(end[16:])),
		}
		if d.n == many && int64(len(tail)) == sizeOfEnd(many) && string(tail[:4]) == end64Signature {
			d.n = int(min(binary.LittleEndian.Uint64(tail[24:]), MaxEntries+1))
		}
		if d.n > MaxEntries {
			return d, &FormatError{Reason: fmt.Sprintf("it says that it has more than %d entries, the most that a bundle has", MaxEntries)}
		}
	}
	want := appendEnd(nil, d.n, d.size, d.offset)
	if !bytes.HasSuffix(tail, want) || d.offset+d.size+int64(len(want)) != size {
		return d, explainEnd(r, size)
	}
	return d, nil
}

// errDirectory says that the directory is not that of a bundle; explainDirectory
// says why.
var errDirectory = errors.New("the directory is not that of a bundle")

// readEntries reads the directory and SHA256SUMS side by side. What the
// directory must be follows from the names in SHA256SUMS, in their order, but
// for the size and the CRC-32 of each entry.
func (b *Bundle) readEntries(size int64) error {
	d, err := readEnd(b.r, size)
	if err != nil {
		return err
	}
	first := []entry{{name: ManifestName}, {name: SumsName}}
	if _, err = d.scan(b.r, first); err == nil {
		b.entries, err = b.readSums(&first[1], d.n)
	}
	if err == nil {
		err = b.scanAll(d)
	}
	if err == errDirectory {
		return explainDirectory(b.r, d, b.entries)
	}
	return err
}

func (b *Bundle) scanAll(d directory) error {
	used, err := d.scan(b.r, b.entries)
	if err == nil && (used != d.size || len(b.entries) != d.n || b.entries[len(b.entries)-1].next() != d.offset) {
		return errDirectory
	}
	return err
}

// scan goes through the directory's first records, which must be those that
// Write writes for entries with the names, and fills in the rest of each entry.
// It returns the length of these records.
func (d directory) scan(r io.ReaderAt, entries []entry) (used int64, err error) {
	room := max(centralLen+MaxName, min(d.size, 1<<16))
	in := bufio.NewReaderSize(io.NewSectionReader(r, d.offset, d.size), int(room))
	var want []byte
	at := int64(0)
	for i := range entries {
		e := &entries[i]
		record, err := in.Peek(centralLen + len(e.name))
		switch {
		case err == io.EOF:
			return 0, errDirectory
		case err != nil:
			return 0, readError(err)
		}
		e.crc = binary.LittleEndian.Uint32(record[16:])
		e.size = binary.LittleEndian.Uint32(record[20:])
		e.offset = uint32(at)
		at = e.next()
		want = appendCentral(want[:0], e)
		if !bytes.Equal(record, want) || at > d.offset || int64(e.size) > maxSize(e.name) {
			return 0, errDirectory
		}
		used += int64(len(record))
		if _, err := in.Discard(len(record)); err != nil {
			return 0, readError(err)
		}
	}
	return used, nil
}

// readSums reads SHA256SUMS, its own sum included, for a bundle of n entries. It
// goes piece by piece and keeps one copy, because in a new process touching
// memory for the first time takes as long as reading the file.
func (b *Bundle) readSums(e *entry, n int) ([]entry, error) {
	header := appendLocal(nil, e)
	record := make([]byte, len(header))
	if err := readAt(b.r, record, int64(e.offset)); err != nil {
		return nil, err
	}
	var text strings.Builder
	text.Grow(int(e.size))
	sum, crc := sha256.New(), crc32.NewIEEE()
	content := io.NewSectionReader(b.r, int64(e.offset)+int64(len(header)), int64(e.size))
	if n, err := io.Copy(io.MultiWriter(&text, sum, crc), content); err != nil {
		return nil, readError(err)
	} else if n < int64(e.size) {
		return nil, endsEarly(e.next() - int64(e.size) + n)
	}
	e.sum = hex.EncodeToString(sum.Sum(nil))
	if err := e.check(record, header, e.sum, crc.Sum32()); err != nil {
		return nil, err
	}
	entries, err := parseSums(text.String(), n)
	if err == nil {
		entries[1] = *e
	}
	return entries, err
}

// load reads an entry and checks it.
func (b *Bundle) load(e *entry) ([]byte, error) {
	header := appendLocal(nil, e)
	record := make([]byte, len(header)+int(e.size))
	if err := readAt(b.r, record, int64(e.offset)); err != nil {
		return nil, err
	}
	data := record[len(header):]
	if err := e.check(record[:len(header)], header, sumOf(data), crc32.ChecksumIEEE(data)); err != nil {
		return nil, err
	}
	return data, nil
}

// check compares what was read of an entry with the directory and with
// SHA256SUMS: the record before the content, the sum and the CRC-32.
func (e *entry) check(record, header []byte, sum string, crc uint32) error {
	switch {
	case !bytes.Equal(record, header):
		return explainLocal(e.name, record, header)
	case sum != e.sum:
		return problemf(e.name, "has another content: SHA256SUMS lists %.12q…, found %.12q…", e.sum, sum)
	case crc != e.crc:
		return problemf(e.name, "has a content with the CRC-32 %08x; the zip's directory says %08x", crc, e.crc)
	}
	return nil
}
