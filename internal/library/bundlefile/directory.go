package bundlefile

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"strings"
)

// directory is the place of the zip's directory and its number of entries.
type directory struct {
	n            int
	offset, size int64
}

// readEnd reads the part after the directory.
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
			return d, &FormatError{
				Reason: fmt.Sprintf("it claims to have more than %d entries, the maximum of a bundle", MaxEntries),
			}
		}
	}
	want := appendEnd(nil, d.n, d.size, d.offset)
	got := tail[max(0, len(tail)-len(want)):]
	at := size - int64(len(got)) + int64(firstDifference(got, want))
	switch {
	case len(tail) < endLen || string(tail[len(tail)-endLen:][:4]) != endSignature:
		return d, problemf("", "its end is missing: the file was truncated after %d bytes, or bytes were added at its end", size)
	case !bytes.Equal(got, want):
		return d, differs("", at)
	case d.offset+d.size+int64(len(want)) != size:
		return d, problemf("", "it has %d bytes, but its end says %d: bytes were added or removed",
			size, d.offset+d.size+int64(len(want)))
	}
	return d, nil
}

// differs is the problem of a container that differs at an offset from what Write
// writes. The path is the entry at that place, or "".
func differs(path string, at int64) BundleProblem {
	return problemf(path, "the container differs at byte %d from a build's: it was changed, or packed again by another program", at)
}

// readEntries reads the directory and SHA256SUMS in parallel. The names in SHA256SUMS,
// in their order, determine the directory except for the size and the CRC-32 of each
// entry.
func (b *Bundle) readEntries(size int64, head []byte) error {
	d, err := readEnd(b.r, size)
	first := []entry{{name: ManifestName}, {name: SumsName}}
	if err == nil {
		_, err = b.scan(d, first)
	}
	if _, ok := err.(BundleProblem); ok && !beginsAsBundle(head) {
		return notABundle(head)
	} else if err != nil {
		return err
	}
	b.entries, err = b.readSums(&first[1], d.n)
	if err != nil {
		return err
	}
	used, err := b.scan(d, b.entries)
	last := &b.entries[len(b.entries)-1]
	switch {
	case err != nil:
		return err
	case used != d.size:
		return problemf("", "the zip's directory has more entries than the %d that %s lists", len(b.entries)-1, SumsName)
	case last.next() != d.offset:
		return differs(last.name, last.next())
	case len(b.entries) != d.n:
		return problemf("", "its end says %d entries, but the zip's directory has %d", d.n, len(b.entries))
	}
	return nil
}

// scan reads the directory's first records, which must be those that Write writes for
// the names of the entries, and fills in the rest of each entry. It returns the length
// of these records.
func (b *Bundle) scan(d directory, entries []entry) (used int64, err error) {
	room := max(centralLen+MaxName, min(d.size, 1<<16))
	in := bufio.NewReaderSize(io.NewSectionReader(b.r, d.offset, d.size), int(room))
	var want []byte
	at := int64(0)
	for i := range entries {
		e := &entries[i]
		record, err := in.Peek(centralLen + len(e.name))
		switch {
		case err == io.EOF:
			return 0, problemf(e.name, "is missing from the zip's directory")
		case err != nil:
			return 0, readError(err)
		}
		e.crc = binary.LittleEndian.Uint32(record[16:])
		e.size = binary.LittleEndian.Uint32(record[20:])
		e.offset = uint32(at)
		at = e.next()
		want = appendCentral(want[:0], e)
		switch {
		case !bytes.Equal(record, want):
			return 0, b.otherRecord(in, e.name, d.offset+used+int64(firstDifference(record, want)))
		case int64(e.size) > maxSize(e.name):
			return 0, problemf(e.name, "has a size of %d bytes: at most %d are allowed", e.size, maxSize(e.name))
		case at > d.offset:
			return 0, problemf(e.name, "ends at byte %d, after the start of the zip's directory", at)
		}
		used += int64(len(record))
		if _, err := in.Discard(len(record)); err != nil {
			return 0, readError(err)
		}
	}
	return used, nil
}

// otherRecord is the problem of a record of the directory that should be that of the
// named entry, but differs from it at the byte.
func (b *Bundle) otherRecord(in *bufio.Reader, name string, at int64) error {
	head, _ := in.Peek(centralLen) // the caller has seen more
	record, err := in.Peek(centralLen + min(MaxName, int(binary.LittleEndian.Uint16(head[28:]))))
	if err != nil && err != io.EOF {
		return readError(err)
	}
	found := string(record[centralLen:])
	switch {
	case string(record[:4]) != centralSignature || found == name:
		return differs(name, at)
	case b.entries != nil && find(b.entries, found) == nil:
		return problemf(found, "is in the zip's directory, but %s does not list it", SumsName)
	}
	return problemf(name, "is missing or out of order: the zip's directory has %s in its place", quoteName(found))
}

// readSums reads SHA256SUMS, including its own sum, for a bundle of n entries. It
// reads piece by piece and keeps one copy, because in a new process touching memory
// for the first time takes as long as reading the file.
func (b *Bundle) readSums(e *entry, n int) ([]entry, error) {
	header := appendLocal(nil, e)
	record := make([]byte, len(header))
	if err := readAt(b.r, record, int64(e.offset)); err != nil {
		return nil, err
	}
	var text strings.Builder
	text.Grow(int(e.size))
	crc := crc32.NewIEEE()
	content := io.NewSectionReader(b.r, int64(e.offset)+int64(len(header)), int64(e.size))
	if n, err := io.Copy(io.MultiWriter(&text, crc), content); err != nil {
		return nil, readError(err)
	} else if n < int64(e.size) {
		return nil, endsEarly(e.next() - int64(e.size) + n)
	}
	// The sum and the lines take about as long as each other. No line counts before the
	// sum is known.
	sum, done := sha256.New(), make(chan bool)
	go func() {
		_, _ = io.Copy(sum, struct{ io.Reader }{strings.NewReader(text.String())}) // in pieces; never an error
		close(done)
	}()
	entries, err := parseSums(text.String(), n)
	<-done
	e.sum = hex.EncodeToString(sum.Sum(nil))
	if err := e.check(record, header, e.sum, crc.Sum32()); err != nil {
		return nil, err
	}
	if err == nil {
		entries[1] = *e
	}
	return entries, err
}

// load reads an entry and checks it. The content is in the buffer, which grows if
// necessary.
func (b *Bundle) load(e *entry, buffer *[]byte) ([]byte, error) {
	header := appendLocal(nil, e)
	*buffer = slices.Grow((*buffer)[:0], len(header)+int(e.size))
	record := (*buffer)[:len(header)+int(e.size)]
	if err := readAt(b.r, record, int64(e.offset)); err != nil {
		return nil, err
	}
	data := record[len(header):]
	if err := e.check(record[:len(header)], header, sumOf(data), crc32.ChecksumIEEE(data)); err != nil {
		return nil, err
	}
	return data, nil
}

// check compares an entry with the directory and with SHA256SUMS: the record before
// the content, the sum, and the CRC-32.
func (e *entry) check(record, header []byte, sum string, crc uint32) error {
	switch {
	case !bytes.Equal(record, header):
		return differs(e.name, int64(e.offset)+int64(firstDifference(record, header)))
	case sum != e.sum:
		return problemf(e.name, "has different content: SHA256SUMS lists %.12q…, got %.12q…", e.sum, sum)
	case crc != e.crc:
		return problemf(e.name, "has the CRC-32 %08x, but the zip's directory says %08x", crc, e.crc)
	}
	return nil
}
