package bundlefile

import (
	"bytes"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// checkFound fails unless Verify rejects data with a typed error, and unless
// everything that can still be read is as in the original.
func checkFound(t *testing.T, data []byte, original map[string]string) (ok bool) {
	t.Helper()
	_, err := verify(data)
	var integrity *IntegrityError
	var format *FormatError
	if !errors.As(err, &integrity) && !errors.As(err, &format) {
		t.Errorf("Verify gives %v, expected that it finds the change", err)
		return false
	}
	b, err := open(data)
	if err != nil {
		return true
	}
	for path, want := range original {
		got, err := b.Read(path)
		switch {
		case err == nil && string(got) != want:
			t.Errorf("Read of %s gives %q, expected %q or an error", path, got, want)
			return false
		case err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.As(err, &integrity):
			t.Errorf("Read of %s: %v, expected an integrity error", path, err)
			return false
		}
	}
	if got := string(must.Get(b.manifest.encode())(t)); got != original[ManifestName] {
		t.Errorf("the manifest is %s, expected %s", got, original[ManifestName])
		return false
	}
	return true
}

func contents(t *testing.T, data []byte) map[string]string {
	all := map[string]string{}
	for _, f := range unpack(t, data) {
		all[f.Path] = string(f.Data)
	}
	return all
}

func TestEveryByteCounts(t *testing.T) {
	data := write(t, nil)
	original := contents(t, data)
	for i := range data {
		for bit := range 8 {
			changed := bytes.Clone(data)
			changed[i] ^= 1 << bit
			if !checkFound(t, changed, original) {
				t.Fatalf("byte %d, bit %d", i, bit)
			}
		}
	}
}

func TestEveryByteMoreOrLess(t *testing.T) {
	data := write(t, nil)
	original := contents(t, data)
	for i := range data {
		for reason, changed := range map[string][]byte{
			"cut off":   data[:i],
			"beheaded":  data[i+1:],
			"less":      slices.Delete(bytes.Clone(data), i, i+1),
			"more":      slices.Insert(bytes.Clone(data), i, 'x'),
			"more zero": slices.Insert(bytes.Clone(data), i, 0),
			"twice":     slices.Insert(bytes.Clone(data), i, data[i:min(len(data), i+50)]...),
		} {
			if !checkFound(t, changed, original) {
				t.Fatalf("byte %d: %s", i, reason)
			}
		}
	}
	for _, tail := range []string{"\x00", "\n", "PK\x05\x06", string(data)} {
		if !checkFound(t, append(bytes.Clone(data), tail...), original) {
			t.Fatalf("followed by %.20q", tail)
		}
	}
}

// TestEntriesChanged repacks the entries of a bundle after a change, without
// recomputing SHA256SUMS.
func TestEntriesChanged(t *testing.T) {
	at := func(files []File, path string) int {
		return slices.IndexFunc(files, func(f File) bool { return f.Path == path })
	}
	const doc = "rubrics/a/1.2.0.json"
	tests := []struct {
		reason string
		change func([]File) []File
		want   []string
	}{
		{"changed", func(f []File) []File { return replace(t, f, doc, "two", "tow") }, []string{doc + ": has different content"}},
		{"two changed", func(f []File) []File {
			return replace(t, replace(t, f, doc, "two", "tow"), "retired.json", "2", "3")
		}, []string{doc + ": has different content", "retired.json: has different content"}},
		{"removed", func(f []File) []File { return slices.Delete(f, at(f, doc), at(f, doc)+1) }, []string{doc + ": is missing"}},
		{"the manifest removed", func(f []File) []File { return f[1:] }, []string{"not a bundle: it is a zip that does not begin with manifest.json"}},
		{"SHA256SUMS removed", func(f []File) []File { return slices.Delete(f, 1, 2) }, []string{"SHA256SUMS: is missing"}},
		{"the index removed", func(f []File) []File { return slices.Delete(f, 2, 3) }, []string{"index.jsonl: is missing"}},
		{"all but the first removed", func(f []File) []File { return f[:1] }, []string{"SHA256SUMS: is missing"}},
		{"added", func(f []File) []File { return slices.Insert(f, at(f, doc), File{"rubrics/a/1.11.0.json", nil}) }, []string{"rubrics/a/1.11.0.json: is in the zip's directory, but SHA256SUMS does not list it"}},
		{"added at the end", func(f []File) []File { return append(f, File{"schema/z.json", nil}) }, []string{"the zip's directory has more entries than the 13 that SHA256SUMS lists"}},
		{"duplicated", func(f []File) []File { return slices.Insert(f, at(f, doc), f[at(f, doc)]) }, []string{"rubrics/old_v1/3.0.0.json: is missing or out of order: the zip's directory has " + doc + " in its place"}},
		{"duplicated at the end", func(f []File) []File { return append(f, File{doc, []byte("{}")}) }, []string{"more entries than the 13"}},
		{"the manifest duplicated", func(f []File) []File { return append(f, f[0]) }, []string{"more entries than the 13"}},
		{"SHA256SUMS duplicated", func(f []File) []File { return slices.Insert(f, 0, f[1]) }, []string{"does not begin with manifest.json"}},
		{"renamed", func(f []File) []File { f[at(f, doc)].Path = "rubrics/a/1.2.1.json"; return f }, []string{"rubrics/a/1.2.1.json: is in the zip's directory, but SHA256SUMS does not list it"}},
		{"renamed to another place", func(f []File) []File { f[at(f, doc)].Path = "changelog.json.json"; return f }, []string{`"changelog.json.json": is in the zip's directory, but SHA256SUMS does not list it`}},
		{"reordered", func(f []File) []File {
			i := at(f, doc)
			f[i], f[i+1] = f[i+1], f[i]
			return f
		}, []string{doc + ": is missing or out of order: the zip's directory has rubrics/old_v1/3.0.0.json in its place"}},
		{"the manifest second", func(f []File) []File { f[0], f[1] = f[1], f[0]; return f }, []string{"does not begin with manifest.json"}},
		{"the index last", func(f []File) []File { return slices.Concat(f[:2], f[3:], f[2:3]) }, []string{"index.jsonl: is missing or out of order"}},
		{"contents swapped", func(f []File) []File {
			i := at(f, doc)
			f[i].Data, f[i-1].Data = f[i-1].Data, f[i].Data
			return f
		}, []string{"rubrics/a/1.10.0.json: has different content", doc + ": has different content"}},
		{"a path that leads out", func(f []File) []File { return append(f, File{"../../etc/passwd", nil}) }, []string{"more entries than the 13"}},
		{"an absolute path", func(f []File) []File { return append(f, File{"/etc/passwd", nil}) }, []string{"more entries than the 13"}},
		{"a backslash", func(f []File) []File { return append(f, File{`rubrics\a\1.2.0.json`, nil}) }, []string{"more entries than the 13"}},
		{"a folder", func(f []File) []File { return append(f, File{"rubrics/", nil}) }, []string{"more entries than the 13"}},
		{"no name", func(f []File) []File { return append(f, File{"", nil}) }, []string{"more entries than the 13"}},
		{"a name with an escape", func(f []File) []File { return append(f, File{"\x1b[2J", nil}) }, []string{"more entries than the 13"}},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			original := write(t, nil)
			data := pack(t, tt.change(unpack(t, original)))
			_, err := verify(data)
			if err == nil {
				t.Fatal("the change was not found")
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("got %v, expected %q in it", err, want)
				}
			}
			checkFound(t, data, contents(t, original))
		})
	}
}

func TestOfManyProblemsTheFirstAreListed(t *testing.T) {
	m, index, files := library(25)
	var out bytes.Buffer
	must.Get(Write(&out, m, index, files))(t)
	changed := unpack(t, out.Bytes())
	for i := range changed[4:] {
		changed[4+i].Data[0]++
	}
	_, err := verify(pack(t, changed))
	var integrity *IntegrityError
	if !errors.As(err, &integrity) || len(integrity.Problems) != 11 || integrity.Problems[10].Error() != "and more" {
		t.Errorf("got %v, expected 10 problems and more", err)
	}
}
