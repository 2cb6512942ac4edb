package bundlefile

import "encoding/binary"

// The functions that explain are called once it is known that something is
// wrong. They look at the file with more tolerance, to say what it is.

// field is a number in a record of the zip.
type field struct {
	at, len int
	is      string
}

const method = "method"

// The method comes first because the other fields of a compressed entry follow from it.
var localFields = []field{
	{8, 2, method},
	{0, 4, "signature"}, {4, 2, "version needed"}, {6, 2, "flags"}, {10, 2, "time"}, {12, 2, "date"},
	{14, 4, "CRC-32"}, {18, 4, "compressed size"}, {22, 4, "size"},
	{26, 2, "length of the name"}, {28, 2, "length of the extra field"},
}

var centralFields = []field{
	{10, 2, method},
	{0, 4, "signature"}, {4, 2, "program"}, {6, 2, "version needed"}, {8, 2, "flags"}, {12, 2, "time"}, {14, 2, "date"},
	{16, 4, "CRC-32"}, {20, 4, "compressed size"}, {24, 4, "size"},
	{28, 2, "length of the name"}, {30, 2, "length of the extra field"}, {32, 2, "length of the comment"},
	{34, 2, "disk"}, {36, 2, "internal attributes"}, {38, 4, "attributes"}, {42, 4, "offset"},
}

var endFields = []field{
	{4, 2, "disk"}, {6, 2, "disk of the directory"}, {8, 2, "number of entries on this disk"}, {10, 2, "number of entries"},
	{12, 4, "size of the directory"}, {16, 4, "offset of the directory"}, {20, 2, "length of the comment"},
}

func (f field) of(record []byte) uint32 {
	if f.len == 2 {
		return uint32(binary.LittleEndian.Uint16(record[f.at:]))
	}
	return binary.LittleEndian.Uint32(record[f.at:])
}

// explainFields names the first field that differs.
func explainFields(path, where string, got, want []byte, fields []field) (p Problem, differs bool) {
	for _, f := range fields {
		found, expected := f.of(got), f.of(want)
		switch {
		case found == expected:
		case f.is == method:
			return problemf(path, "is compressed, or stored in another way (method %d); entries of a bundle are stored as they are", found), true
		default:
			return problemf(path, "%s, the %s is %d, expected %d", where, f.is, found, expected), true
		}
	}
	return Problem{}, false
}

// explainLocal says how the record before an entry's content differs.
func explainLocal(path string, got, want []byte) Problem {
	if p, differs := explainFields(path, "in the record before its content", got, want, localFields); differs {
		return p
	}
	return problemf(path, "is called %+q in the record before its content", got[localLen:])
}
