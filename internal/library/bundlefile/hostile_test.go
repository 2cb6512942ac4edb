package bundlefile

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// allocated returns the number of bytes that f allocates, including those that are
// freed.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// checkBounded fails unless data is rejected with a typed error, and with no more
// memory than a multiple of its size and a fixed amount.
func checkBounded(t *testing.T, data []byte, times, fixed uint64) error {
	t.Helper()
	var err error
	limit := times*uint64(len(data)) + fixed
	if got := allocated(func() { _, err = verify(data) }); got > limit {
		t.Errorf("%d bytes were allocated for a file of %d bytes, expected at most %d", got, len(data), limit)
	}
	var integrity *IntegrityError
	var format *FormatError
	if !errors.As(err, &integrity) && !errors.As(err, &format) {
		t.Errorf("got %v, expected that it is refused", err)
	}
	return err
}

const megabyte = 1 << 20

// TestHostileArchives opens archives that archive/zip can write and accepts.
func TestHostileArchives(t *testing.T) {
	inside := unpack(t, write(t, nil))
	for reason, file := range map[string]File{
		"a path that leads out":       {"../../evil.json", []byte("{}")},
		"a path that leads out later": {"rubrics/a/../../../evil.json", []byte("{}")},
		"an absolute path":            {"/etc/passwd", []byte("{}")},
		"a drive":                     {"C:/evil.json", []byte("{}")},
		"backslashes":                 {`rubrics\a\1.2.0.json`, []byte("{}")},
		"a duplicate":                 {"retired.json", []byte("{}")},
		"upper case":                  {"RETIRED.json", []byte("{}")},
		"a folder":                    {"rubrics/a/", nil},
		"zeros that compress well":    {"schema/z.json", make([]byte, 50*megabyte)},
		"a long name":                 {"schema/" + strings.Repeat("x", 65_000) + ".json", nil},
	} {
		for _, method := range []uint16{zip.Store, zip.Deflate} {
			t.Run(reason, func(t *testing.T) {
				if err := checkBounded(t, archive(t, slices.Concat(inside, []File{file}), method, ""), 8, megabyte); len(err.Error()) > 20_000 {
					t.Errorf("the message has %d bytes", len(err.Error()))
				}
			})
		}
	}
}

// TestLiesAboutSizes: nothing is allocated for a size that the file only claims.
func TestLiesAboutSizes(t *testing.T) {
	data := write(t, nil)
	end := len(data) - endLen
	directory := int(binary.LittleEndian.Uint32(data[end+16:]))
	set := func(at int, value uint32) func([]byte) {
		return func(data []byte) { binary.LittleEndian.PutUint32(data[at:], value) }
	}
	twice := func(at int, value uint32) func([]byte) {
		return func(data []byte) { set(at, value)(data); set(at+4, value)(data) }
	}
	const huge = 0xfffffffe
	for reason, lie := range map[string]func([]byte){
		"the manifest before its content": set(18, huge),
		"the manifest in the directory":   twice(directory+20, MaxManifest),
		"SHA256SUMS in the directory":     twice(directory+centralLen+len(ManifestName)+20, 200*megabyte),
		"the directory":                   set(end+12, huge),
		"the place of the directory":      set(end+16, huge),
		"the number of entries":           set(end+8, 0xfffefffe),
		"the sign of zip64":               set(end+8, 0xffffffff),
		"a length of a name":              set(directory+28, 0xffff),
	} {
		t.Run(reason, func(t *testing.T) {
			changed := bytes.Clone(data)
			lie(changed)
			checkBounded(t, changed, 8, megabyte)
		})
	}
	t.Run("a manifest beyond its limit", func(t *testing.T) {
		files := unpack(t, data)
		files[0].Data = make([]byte, 30*megabyte)
		checkBounded(t, pack(t, resum(files)), 0, megabyte)
	})
	t.Run("a directory that is all of a large file", func(t *testing.T) {
		changed := append(make([]byte, 20*megabyte), appendEnd(nil, 3, 20*megabyte, 0)...)
		checkBounded(t, changed, 8, megabyte)
	})
	t.Run("many entries in zip64", func(t *testing.T) {
		changed := appendEnd(bytes.Clone(data[:end]), MaxEntries, int64(end-directory), int64(directory))
		checkBounded(t, changed, 8, megabyte)
	})
	t.Run("more entries than there can be in zip64", func(t *testing.T) {
		changed := appendEnd(bytes.Clone(data[:end]), many, int64(end-directory), int64(directory))
		binary.LittleEndian.PutUint64(changed[end+24:], 1<<63+5)
		checkBounded(t, changed, 8, megabyte)
	})
}

// TestHostileJSON puts JSON into a bundle that is otherwise consistent.
func TestHostileJSON(t *testing.T) {
	deep := strings.Repeat("[", 500_000) + strings.Repeat("]", 500_000)
	tests := []struct {
		reason, path, content string
		want                  string
	}{
		{"a deep manifest", ManifestName, deep, "manifest.json: its JSON"},
		{"a deep key in the manifest", ManifestName, `{"refused":` + deep[:400_000] + deep[600_000:] + "}\n", "manifest.json: its JSON"},
		{"many empty objects", ManifestName, `{"refused":[` + strings.Repeat("{},", 340_000) + "{}]}\n", "manifest.json: its JSON"},
		{"an unknown key that is long", ManifestName, `{"` + strings.Repeat("x", 1_000_000) + "\":1}\n", "unknown field"},
		{"a long commit", ManifestName, strings.Replace(string(unpack(t, write(t, nil))[0].Data), commit, strings.Repeat("x", 1_000_000), 1), "manifest.json: commit is"},
		{"a manifest beyond its limit", ManifestName, strings.Repeat(" ", MaxManifest+1), "manifest.json: has a size of"},
		{"a deep index", IndexName, deep + "\n", "index.jsonl: line 1"},
		{"many empty versions", IndexName, `{"versions":[` + strings.Repeat("{},", 340_000) + "{}]}\n", "index.jsonl: line 1"},
		{"an index without line ends", IndexName, strings.Repeat("x", 30*megabyte), "index.jsonl: line 1 is not that of a"},
		{"a line beyond its limit", IndexName, strings.Repeat("x", MaxIndexLine+1) + "\n", "index.jsonl: line 1 is not that of a"},
		{"an index of line ends", IndexName, strings.Repeat("\n", 10*megabyte), "index.jsonl: line 1"},
		{"sums without line ends", SumsName, strings.Repeat("x", 30*megabyte), "SHA256SUMS: line 1"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			files := unpack(t, write(t, nil))
			for i := range files {
				if files[i].Path == tt.path {
					files[i].Data = []byte(tt.content)
				}
			}
			if tt.path != SumsName {
				files = resum(files)
			}
			// Documented: decoding takes up to 256 MiB in addition to the file's size.
			err := checkBounded(t, pack(t, files), 8, 256*megabyte)
			if !strings.Contains(err.Error(), tt.want) || len(err.Error()) > 2000 {
				t.Errorf("got %.2000v, expected %q in it", err, tt.want)
			}
		})
	}
}

func TestZip64(t *testing.T) {
	for _, n := range []int{many - 5, many - 4, many - 3, 70_000} { // and the four entries of every bundle
		m, index, files := tiny(n)
		var out bytes.Buffer
		must.Get(Write(&out, m, index, files))(t)
		b, err := verify(out.Bytes())
		if err != nil {
			t.Fatalf("%d documents: %v", n, err)
		}
		if got := b.Manifest().Counts; got != (Counts{Documents: n, Rubrics: n, Versions: n}) {
			t.Errorf("%d documents are counted as %+v", n, got)
		}
		if data, err := b.Read(files[n-1].Path); err != nil || string(data) != index[n-1].ID {
			t.Errorf("the last document of %d is %q, %v", n, data, err)
		}
		if zip64 := bytes.Contains(out.Bytes()[out.Len()-100:], []byte(end64Signature)); zip64 != (n+4 >= many) {
			t.Errorf("%d entries: zip64 is %v", n+4, zip64)
		}
		other, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
		if err != nil || len(other.File) != n+4 {
			t.Errorf("archive/zip does not read %d entries: %v", n+4, err)
		}
	}
}

func TestZip64Changed(t *testing.T) {
	m, index, files := tiny(many - 4)
	var out bytes.Buffer
	must.Get(Write(&out, m, index, files))(t)
	data := out.Bytes()
	end := len(data) - int(sizeOfEnd(many))
	for i := end; i < len(data); i++ {
		data[i] ^= 1
		if _, err := open(data); err == nil {
			t.Errorf("byte %d of the end changed: no error", i-end)
		}
		data[i] ^= 1
	}
	for reason, changed := range map[string][]byte{
		"without its zip64 record": slices.Concat(data[:end], data[end+end64Len:]),
		"without its locator":      slices.Concat(data[:end+end64Len], data[end+end64Len+locatorLen:]),
		"without both":             slices.Concat(data[:end], data[len(data)-endLen:]),
		"with a byte after it":     append(bytes.Clone(data), 0),
		"with a byte before it":    slices.Concat(data[:end], []byte{0}, data[end:]),
	} {
		var integrity *IntegrityError
		if _, err := open(changed); !errors.As(err, &integrity) {
			t.Errorf("%s: got %v, expected an integrity error", reason, err)
		}
	}
	small := write(t, nil)
	end = len(small) - endLen
	small = slices.Concat(small[:end], appendEnd(nil, many, 0, 0)[:end64Len+locatorLen], small[end:])
	if _, err := open(small); err == nil {
		t.Error("zip64 where it is not needed is accepted")
	}
}

func TestOpenKeepsLittle(t *testing.T) {
	m, index, files := library(2000)
	var out bytes.Buffer
	must.Get(Write(&out, m, index, files))(t)
	r := io.NewSectionReader(bytes.NewReader(out.Bytes()), 0, int64(out.Len()))
	got := allocated(func() {
		must.Get(Open(r, r.Size(), Options{}))(t)
	})
	if got > 2*megabyte { // the names, the sums, and the index
		t.Errorf("opening a bundle of %d bytes allocates %d bytes", out.Len(), got)
	}
}
