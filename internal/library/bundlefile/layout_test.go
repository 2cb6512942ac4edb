package bundlefile

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// TestBytesBetween adds bytes at every boundary and adjusts all offsets.
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
			must.Do(t, c.add(f.Path, f.Data))
		}
		if i == len(files) {
			out.WriteString("junk")
			c.at += 4
		}
		must.Do(t, c.close())
		_, err := verify(out.Bytes())
		want := "not a bundle: it is not a zip, it begins with"
		switch {
		case i == len(files):
			want = files[i-1].Path + ": the container differs at byte"
		case i > 0:
			want = files[i].Path + ": the container differs at byte"
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("bytes before entry %d: got %v, expected %q in it", i, err, want)
		}
	}
}

// TestPlainAdditions adds and removes bytes without other changes.
func TestPlainAdditions(t *testing.T) {
	data := write(t, nil)
	b := must.Get(open(data))(t)
	end := len(data) - endLen
	last := b.entries[len(b.entries)-1]
	directory := int(last.next())
	second := int(b.entries[5].offset)
	const longer, shorter, other = "it has 5498 bytes, but its end says 5494", "it has 5492 bytes, but its end says 5494", "not a bundle: it is not a zip"
	tests := []struct {
		reason string
		data   []byte
		want   string
	}{
		{"at the beginning", slices.Insert(bytes.Clone(data), 0, []byte("junk")...), other},
		{"between two entries", slices.Insert(bytes.Clone(data), second, []byte("junk")...), longer},
		{"in an entry", slices.Insert(bytes.Clone(data), second-1, []byte("junk")...), longer},
		{"before the directory", slices.Insert(bytes.Clone(data), directory, []byte("junk")...), longer},
		{"in the directory", slices.Insert(bytes.Clone(data), directory+10, []byte("junk")...), longer},
		{"after the directory", slices.Insert(bytes.Clone(data), end, []byte("junk")...), longer},
		{"at the end", append(bytes.Clone(data), "junk"...), "its end is missing: the file was truncated after 5498 bytes, or bytes were added at its end"},
		{"removed at the beginning", data[4:], other},
		{"removed from an entry", slices.Delete(bytes.Clone(data), second-2, second), shorter},
		{"removed from the directory", slices.Delete(bytes.Clone(data), directory+10, directory+12), shorter},
		{"removed at the end", data[:len(data)-1], "was truncated after"},
		{"half of it", data[:len(data)/2], "was truncated after"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			_, err := verify(tt.data)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, expected %q in it", err, tt.want)
			}
		})
	}
}

func TestCountThatIsWrong(t *testing.T) {
	for _, n := range []byte{13, 15} {
		data := write(t, nil)
		end := data[len(data)-endLen:]
		end[8], end[10] = n, n
		_, err := verify(data)
		want := fmt.Sprintf("its end says %d entries, but the zip's directory has 14", n)
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
		{"compressed", zip.Deflate, "", "manifest.json: the container differs at byte 3067 from a build's: it was changed, or packed again by another program"},
		{"with sizes after the content", zip.Store, "", "manifest.json: the container differs at byte 4904"},
		{"with a comment", zip.Store, "hello", "bytes were added at its end"},
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
		must.Get(entry.Write(f.Data))(t)
	}
	must.Do(t, w.SetComment(comment))
	must.Do(t, w.Close())
	return out.Bytes()
}

// TestRecordsChanged changes the records of one entry and adjusts everything that
// follows.
func TestRecordsChanged(t *testing.T) {
	const name = "changelog.json"
	set := func(at int, value ...byte) func([]byte) []byte {
		return func(record []byte) []byte { copy(record[at:], value); return record }
	}
	grow := func(at int) func([]byte) []byte {
		return func(record []byte) []byte { record[at] = 4; return append(record, 0, 0, 0, 0) }
	}
	at := func(n int) string { return fmt.Sprintf("%s: the container differs at byte %d from", name, n) }
	tests := []struct {
		reason         string
		local, central func([]byte) []byte
		want           string
	}{
		{"another program", nil, set(4, 63), at(4941)},
		{"a DOS file", nil, set(5, 0), at(4942)},
		{"another version needed", set(4, 20), set(6, 20), at(4943)},
		{"encrypted", set(6, 1), set(8, 1), at(4945)},
		{"marked as UTF-8", set(7, 8), set(9, 8), at(4946)},
		{"compressed", set(8, 8), set(10, 8), at(4947)},
		{"another time", set(10, 1), set(12, 1), at(4949)},
		{"another date", set(12, 0x22), set(14, 0x22), at(4951)},
		{"another CRC-32 in both records", set(14, 1, 2, 3, 4), set(16, 1, 2, 3, 4), "has the CRC-32"},
		{"a size of 4 GB", set(18, 0xfe, 0xff, 0xff, 0xff, 0xfe, 0xff, 0xff, 0xff), set(20, 0xfe, 0xff, 0xff, 0xff, 0xfe, 0xff, 0xff, 0xff), "has a size of 4294967294 bytes: at most 268435456 are allowed"},
		{"a size of 200 MB", nil, set(20, 0, 0, 0, 12, 0, 0, 0, 12), name + ": ends at byte 201330707, after the start of the zip's directory"},
		{"a size that is too large", set(18, 3, 0, 0, 0, 3), set(20, 3, 0, 0, 0, 3), "conformance/verdict.json: the container differs at byte 5039 from"},
		{"a size that is too small", set(18, 1, 0, 0, 0, 1), set(20, 1, 0, 0, 0, 1), "conformance/verdict.json: the container differs at byte 5039 from"},
		{"two sizes", nil, set(20, 1), at(4961)},
		{"an extra field in the directory", nil, grow(30), at(4967)},
		{"a comment", nil, grow(32), at(4969)},
		{"a lying length of the extra field", nil, set(30, 0xff, 0xff), at(4967)},
		{"an extra field before the content", grow(28), nil, "conformance/verdict.json: the container differs at byte 5043 from"},
		{"a lying extra field before the content", set(28, 2), nil, at(4099)},
		{"on another disk", nil, set(34, 1), at(4971)},
		{"marked as text", nil, set(36, 1), at(4973)},
		{"a link", nil, set(40, 0xff, 0xa1), at(4977)},
		{"another offset", nil, set(42, 0), at(4979)},
		{"the offset of another entry", nil, set(42, 0, 0, 0, 0), at(4979)},
		{"another name before its content", set(30, 'x'), nil, at(4101)},
		{"another size before its content", set(22, 9), nil, at(4093)},
		{"compressed before its content", set(8, 8), nil, at(4079)},
		{"another signature before its content", set(0, 'Q'), nil, at(4071)},
		{"another signature in the directory", nil, set(0, 'Q'), at(4937)},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			original := write(t, nil)
			var out bytes.Buffer
			c := container{w: &out}
			for _, f := range unpack(t, original) {
				begin, directory := out.Len(), len(c.directory)
				must.Do(t, c.add(f.Path, f.Data))
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
			must.Do(t, c.close())
			_, err := verify(out.Bytes())
			var integrity *IntegrityError
			if !errors.As(err, &integrity) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, expected %q in it", err, tt.want)
			}
			checkFound(t, out.Bytes(), contents(t, original))
		})
	}
}
