package bundlefile

import (
	"bufio"
	"encoding/binary"
	"hash/crc32"
	"io"
)

// The records of a zip (APPNOTE 6.3.10, sections 4.3.7 to 4.3.16) in format 1. The
// reader compares with the same bytes, so it accepts only what the writer writes.
const (
	localSignature   = "PK\x03\x04"
	centralSignature = "PK\x01\x02"
	endSignature     = "PK\x05\x06"
	end64Signature   = "PK\x06\x06"
	locatorSignature = "PK\x06\x07"

	// Version needed 1.0, flags 0, method 0 (stored), time 0:00, date 1980-01-01.
	entryFields = "\x0a\x00\x00\x00\x00\x00\x00\x00\x21\x00"
	madeBy      = "\x14\x03" // version 2.0, Unix
	attributes  = "\x00\x00\xa4\x81"

	localLen   = 30
	centralLen = 46
	endLen     = 22
	end64Len   = 56
	locatorLen = 20

	// many is the lowest number of entries that needs zip64.
	many = 1<<16 - 1
)

type entry struct {
	name string
	// sum is the hexadecimal SHA-256 of the content.
	sum               string
	crc, size, offset uint32
}

func (e *entry) next() int64 {
	return int64(e.offset) + localLen + int64(len(e.name)) + int64(e.size)
}

// appendLocal appends the record before the content of an entry.
func appendLocal(out []byte, e *entry) []byte {
	out = append(out, localSignature+entryFields...)
	out = appendFacts(out, e)
	out = append(out, 0, 0)
	return append(out, e.name...)
}

// appendCentral appends the record of an entry in the directory.
func appendCentral(out []byte, e *entry) []byte {
	out = append(out, centralSignature+madeBy+entryFields...)
	out = appendFacts(out, e)
	out = append(out, "\x00\x00\x00\x00\x00\x00\x00\x00"+attributes...)
	out = binary.LittleEndian.AppendUint32(out, e.offset)
	return append(out, e.name...)
}

// appendFacts appends the fields that both records of an entry have.
func appendFacts(out []byte, e *entry) []byte {
	out = binary.LittleEndian.AppendUint32(out, e.crc)
	out = binary.LittleEndian.AppendUint32(out, e.size)
	out = binary.LittleEndian.AppendUint32(out, e.size)
	return binary.LittleEndian.AppendUint16(out, uint16(len(e.name)))
}

// sizeOfEnd returns the length of the part after the directory of n entries.
func sizeOfEnd(n int) int64 {
	if n >= many {
		return end64Len + locatorLen + endLen
	}
	return endLen
}

// appendEnd appends the part after a directory of n entries with the given size and
// offset.
func appendEnd(out []byte, n int, size, offset int64) []byte {
	le := binary.LittleEndian
	if n >= many {
		out = append(out, end64Signature...)
		out = le.AppendUint64(out, end64Len-12) // APPNOTE 4.3.14.1 excludes the first 12 bytes
		out = append(out, "\x2d\x03\x2d\x00\x00\x00\x00\x00\x00\x00\x00\x00"...)
		out = le.AppendUint64(out, uint64(n))
		out = le.AppendUint64(out, uint64(n))
		out = le.AppendUint64(out, uint64(size))
		out = le.AppendUint64(out, uint64(offset))
		out = append(out, locatorSignature+"\x00\x00\x00\x00"...)
		out = le.AppendUint64(out, uint64(offset+size))
		out = le.AppendUint32(out, 1)
	}
	out = append(out, endSignature+"\x00\x00\x00\x00"...)
	out = le.AppendUint16(out, uint16(min(n, many)))
	out = le.AppendUint16(out, uint16(min(n, many)))
	out = le.AppendUint32(out, uint32(size))
	out = le.AppendUint32(out, uint32(offset))
	return append(out, 0, 0)
}

// writeContainer writes the entries, the directory, and the end.
func writeContainer(w io.Writer, all []File) error {
	out := bufio.NewWriterSize(w, 1<<16) // it keeps its first error
	var record, directory []byte
	at := int64(0)
	for _, f := range all {
		e := entry{name: f.Path, crc: crc32.ChecksumIEEE(f.Data), size: uint32(len(f.Data)), offset: uint32(at)}
		record = appendLocal(record[:0], &e)
		_, _ = out.Write(record)
		_, _ = out.Write(f.Data)
		directory = appendCentral(directory, &e)
		at = e.next()
	}
	_, _ = out.Write(appendEnd(directory, len(all), int64(len(directory)), at))
	return out.Flush()
}
