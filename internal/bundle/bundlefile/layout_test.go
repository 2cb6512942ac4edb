package bundlefile

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestBytesBetween adds bytes at every border and makes all offsets agree.
func TestBytesBetween(t *testing.T) {
	files := unpack(t, write(t, nil))
	for i := range len(files) + 1 {
		var out bytes.Buffer
		c := container{w: &out}
		for j, f := range files {
			if i == j {
				out.WriteString("junk")
				c.at += 4
			}
			if err := c.add(f.Path, f.Data); err != nil {
				t.Fatal(err)
			}
		}
		if i == len(files) {
			out.WriteString("junk")
			c.at += 4
		}
		if err := c.close(); err != nil {
			t.Fatal(err)
		}
		_, err := verify(out.Bytes())
		var integrity *IntegrityError
		if !errors.As(err, &integrity) {
			t.Fatalf("bytes before entry %d: got %v", i, err)
		}
		wantPath, wantMessage := ManifestName, "begins at byte 4"
		if i > 0 {
			wantPath, wantMessage = files[i-1].Path, "bytes up to what follows it"
		}
		if integrity.Problems[0].Path != wantPath || !strings.Contains(err.Error(), wantMessage) {
			t.Errorf("bytes before entry %d: got %v, expected %q of %s", i, err, wantMessage, wantPath)
		}
	}
}

// TestPlainAdditions adds and removes bytes and changes nothing else.
func TestPlainAdditions(t *testing.T) {
	data := write(t, nil)
	b, err := open(data)
	if err != nil {
		t.Fatal(err)
	}
	end := len(data) - endLen
	last := b.entries[len(b.entries)-1]
	directory := int(last.next())
	second := int(b.entries[5].offset)
	tests := []struct {
		reason string
		data   []byte
		want   string
	}{
		{"at the beginning", slices.Insert(bytes.Clone(data), 0, []byte("junk")...), "4 bytes were added at its beginning"},
		{"between two entries", slices.Insert(bytes.Clone(data), second, []byte("junk")...), b.entries[4].name + ": 4 bytes were added in or after it"},
		{"in an entry", slices.Insert(bytes.Clone(data), second-1, []byte("junk")...), b.entries[4].name + ": 4 bytes were added in or after it"},
		{"before the directory", slices.Insert(bytes.Clone(data), directory, []byte("junk")...), last.name + ": 4 bytes were added in or after it"},
		{"in the directory", slices.Insert(bytes.Clone(data), directory+10, []byte("junk")...), "4 bytes were added in or after the zip's directory"},
		{"after the directory", slices.Insert(bytes.Clone(data), end, []byte("junk")...), "4 bytes were added in or after the zip's directory"},
		{"at the end", append(bytes.Clone(data), "junk"...), "4 bytes were added after its end"},
		{"removed at the beginning", data[4:], "4 bytes are missing at its beginning"},
		{"removed from an entry", slices.Delete(bytes.Clone(data), second-2, second), b.entries[4].name + ": 2 bytes are missing in or after it"},
		{"removed from the directory", slices.Delete(bytes.Clone(data), directory+10, directory+12), "2 bytes are missing in the zip's directory"},
		{"removed at the end", data[:len(data)-1], "was cut off after"},
		{"half of it", data[:len(data)/2], "was cut off after"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			_, err := verify(tt.data)
			var integrity *IntegrityError
			if !errors.As(err, &integrity) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, expected %q in it", err, tt.want)
			}
		})
	}
}

func TestCountThatIsWrong(t *testing.T) {
	for _, n := range []byte{12, 14} {
		data := write(t, nil)
		end := data[len(data)-endLen:]
		end[8], end[10] = n, n
		_, err := verify(data)
		want := fmt.Sprintf("can be read up to entry 13, schema/rubric.schema.json, and the end of the zip says that it has %d", n)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, expected %q in it", err, want)
		}
	}
}

// TestPackedAgain packs the entries with archive/zip, as another program would.
func TestPackedAgain(t *testing.T) {
	tests := []struct {
		reason  string
		method  uint16
		comment string
		want    string
	}{
		{"compressed", zip.Deflate, "", "changelog.json: is compressed, or stored in another way (method 8)"},
		{"with sizes after the content", zip.Store, "", "changelog.json: in the zip's directory, the program is 20, expected 788"},
		{"with a comment", zip.Store, "hello", "it has a comment of 5 bytes"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			_, err := verify(archive(t, unpack(t, write(t, nil)), tt.method, tt.comment))
			var integrity *IntegrityError
			if !errors.As(err, &integrity) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, expected %q in it", err, tt.want)
			}
		})
	}
}

// archive packs files with archive/zip.
func archive(t testing.TB, files []File, method uint16, comment string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range files {
		entry, err := w.CreateHeader(&zip.FileHeader{Name: f.Path, Method: method, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := entry.Write(f.Data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.SetComment(comment); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestRecordsChanged changes the records of one entry and lets everything that
// follows agree.
func TestRecordsChanged(t *testing.T) {
	const name = "changelog.json"
	set := func(at int, value ...byte) func([]byte) []byte {
		return func(record []byte) []byte { copy(record[at:], value); return record }
	}
	grow := func(at int) func([]byte) []byte {
		return func(record []byte) []byte { record[at] = 4; return append(record, 0, 0, 0, 0) }
	}
	tests := []struct {
		reason         string
		local, central func([]byte) []byte
		want           string
	}{
		{"another program", nil, set(4, 63), "in the zip's directory, the program is 831, expected 788"},
		{"a DOS file", nil, set(5, 0), "the program is 20"},
		{"another version needed", set(4, 20), set(6, 20), "in the zip's directory, the version needed is 20, expected 10"},
		{"encrypted", set(6, 1), set(8, 1), "the flags is 1, expected 0"},
		{"marked as UTF-8", set(7, 8), set(9, 8), "the flags is 2048, expected 0"},
		{"compressed", set(8, 8), set(10, 8), "is compressed"},
		{"another time", set(10, 1), set(12, 1), "the time is 1, expected 0"},
		{"another date", set(12, 0x22), set(14, 0x22), "the date is 34, expected 33"},
		{"another CRC-32 in both records", set(14, 1, 2, 3, 4), set(16, 1, 2, 3, 4), "has a content with the CRC-32"},
		{"a size of 4 GB", set(18, 0xfe, 0xff, 0xff, 0xff, 0xfe, 0xff, 0xff, 0xff), set(20, 0xfe, 0xff, 0xff, 0xff, 0xfe, 0xff, 0xff, 0xff), "has a size of 4294967294 bytes; at most 268435456 are allowed"},
		{"a size of 200 MB", nil, set(20, 0, 0, 0, 12, 0, 0, 0, 12), "has a size of 201326592 bytes in the zip's directory, and 2 bytes up to what follows it"},
		{"a size that is too large", set(18, 3, 0, 0, 0, 3), set(20, 3, 0, 0, 0, 3), "has a size of 3 bytes in the zip's directory, and 2 bytes"},
		{"a size that is too small", set(18, 1, 0, 0, 0, 1), set(20, 1, 0, 0, 0, 1), "has a size of 1 bytes in the zip's directory, and 2 bytes"},
		{"two sizes", nil, set(20, 1), "the compressed size is 1, expected 2"},
		{"an extra field in the directory", nil, grow(30), "the length of the extra field is 4, expected 0"},
		{"a comment", nil, grow(32), "the length of the comment is 4, expected 0"},
		{"a lying length of the extra field", nil, set(30, 0xff, 0xff), "the zip's directory can be read up to entry 5"},
		{"an extra field before the content", grow(28), nil, "has a size of 2 bytes in the zip's directory, and 6 bytes"},
		{"a lying extra field before the content", set(28, 2), nil, "in the record before its content, the length of the extra field is 2, expected 0"},
		{"on another disk", nil, set(34, 1), "the disk is 1, expected 0"},
		{"marked as text", nil, set(36, 1), "the internal attributes is 1, expected 0"},
		{"a link", nil, set(40, 0xff, 0xa1), "the attributes is"},
		{"another offset", nil, set(42, 0), "bytes up to what follows it"},
		{"the offset of another entry", nil, set(42, 0, 0, 0, 0), "bytes up to what follows it"},
		{"another name before its content", set(30, 'x'), nil, `is called "xhangelog.json" in the record before its content`},
		{"another size before its content", set(22, 9), nil, "in the record before its content, the size is 9, expected 2"},
		{"compressed before its content", set(8, 8), nil, "is compressed"},
		{"another signature before its content", set(0, 'Q'), nil, "in the record before its content, the signature is"},
		{"another signature in the directory", nil, set(0, 'Q'), "the zip's directory can be read up to entry 5"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			original := write(t, nil)
			var out bytes.Buffer
			c := container{w: &out}
			for _, f := range unpack(t, original) {
				begin, directory := out.Len(), len(c.directory)
				if err := c.add(f.Path, f.Data); err != nil {
					t.Fatal(err)
				}
				if f.Path == name && tt.local != nil {
					record := tt.local(bytes.Clone(out.Bytes()[begin : out.Len()-len(f.Data)]))
					out.Truncate(begin)
					out.Write(append(record, f.Data...))
					c.at = int64(out.Len())
				}
				if f.Path == name && tt.central != nil {
					c.directory = append(c.directory[:directory], tt.central(bytes.Clone(c.directory[directory:]))...)
				}
			}
			if err := c.close(); err != nil {
				t.Fatal(err)
			}
			_, err := verify(out.Bytes())
			var integrity *IntegrityError
			if !errors.As(err, &integrity) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, expected %q in it", err, tt.want)
			}
			checkFound(t, out.Bytes(), contents(t, original))
		})
	}
}

// TestRenamedAndMoved: where the content of a renamed entry can't be read, it is
// one that is missing and one that was added.
func TestRenamedAndMoved(t *testing.T) {
	for reason, offset := range map[string]uint32{
		"into the directory":  4000,
		"to the end":          4130,
		"far beyond the file": 0x7fffffff,
	} {
		data := write(t, nil)
		at := bytes.LastIndex(data, []byte("schema/rubric.schema.json"))
		data[at+len("schema/")] = 's'
		binary.LittleEndian.PutUint32(data[at-4:], offset)
		_, err := verify(data)
		if err == nil || !strings.Contains(err.Error(), "schema/subric.schema.json: was added") || !strings.Contains(err.Error(), "schema/rubric.schema.json: is missing") {
			t.Errorf("%s: got %v, expected one entry that is missing and one that was added", reason, err)
		}
	}
}

// TestComparer: what Verify builds again is compared byte by byte.
func TestComparer(t *testing.T) {
	data := bytes.Repeat([]byte("0123456789"), 20_000)
	c := &comparer{r: bytes.NewReader(data)}
	if _, err := io.Copy(c, bytes.NewReader(data)); err != nil {
		t.Errorf("the same bytes: %v", err)
	}
	changed := bytes.Clone(data)
	changed[123_456] = 'x'
	c = &comparer{r: bytes.NewReader(data)}
	if _, err := c.Write(changed); err == nil || !strings.Contains(err.Error(), "byte 123456") {
		t.Errorf("another byte: got %v", err)
	}
	c = &comparer{r: bytes.NewReader(data)}
	if _, err := c.Write(append(changed[:0:0], data[0], data[1], 'x')); err == nil {
		t.Error("another byte in a short write was not found")
	}
}
