package bundletest

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

// Record changes the records of one entry: the one before its content and the
// one in the directory. Offsets are those of APPNOTE 4.3.7 and 4.3.12.
type Record func(name string, local, central []byte) (newLocal, newCentral []byte)

// Pack writes a zip of any entries in any order in the form of a bundle, except for the
// changes to its records.
func Pack(files []bundlefile.File, change Record) []byte {
	var out, directory []byte
	le := binary.LittleEndian
	for _, f := range files {
		facts := []byte("\x0a\x00\x00\x00\x00\x00\x00\x00\x21\x00")
		facts = le.AppendUint32(facts, crc32.ChecksumIEEE(f.Data))
		facts = le.AppendUint32(facts, uint32(len(f.Data)))
		facts = le.AppendUint32(facts, uint32(len(f.Data)))
		facts = le.AppendUint16(facts, uint16(len(f.Path)))
		local := slices.Concat([]byte("PK\x03\x04"), facts, []byte("\x00\x00"), []byte(f.Path))
		central := slices.Concat([]byte("PK\x01\x02\x14\x03"), facts,
			[]byte("\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xa4\x81"))
		central = append(le.AppendUint32(central, uint32(len(out))), f.Path...)
		if change != nil {
			local, central = change(f.Path, local, central)
		}
		out = slices.Concat(out, local, f.Data)
		directory = append(directory, central...)
	}
	end := []byte("PK\x05\x06\x00\x00\x00\x00")
	end = le.AppendUint16(end, uint16(len(files)))
	end = le.AppendUint16(end, uint16(len(files)))
	end = le.AppendUint32(end, uint32(len(directory)))
	end = le.AppendUint32(end, uint32(len(out)))
	return slices.Concat(out, directory, end, []byte("\x00\x00"))
}

// Resum updates SHA256SUMS to match the entries, as an attacker would.
func Resum(files []bundlefile.File) []bundlefile.File {
	var lines []string
	for _, f := range files {
		if f.Path != bundlefile.SumsName {
			lines = append(lines, f.Path+"\x00"+fmt.Sprintf("%x", sha256.Sum256(f.Data)))
		}
	}
	slices.Sort(lines)
	var sums []byte
	for _, line := range lines {
		name, sum, _ := strings.Cut(line, "\x00")
		sums = append(sums, sum+"  "+name+"\n"...)
	}
	for i := range files {
		if files[i].Path == bundlefile.SumsName {
			files[i].Data = sums
		}
	}
	return files
}
