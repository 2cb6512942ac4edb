package bundlefile

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

func TestWhatWasWrittenIsRead(t *testing.T) {
	m, index, files := sample()
	b := must.Get(verify(write(t, nil)))(t)
	m.FormatVersion, m.ReaderVersion = 2, "0.1.0"
	m.Counts, m.Retired = Counts{Documents: 3, Rubrics: 2, RuleSets: 1, Versions: 4}, []string{"old_v1"}
	if diff := cmp.Diff(m, b.Manifest()); diff != "" {
		t.Errorf("the manifest:\n%s", diff)
	}
	if diff := cmp.Diff(index, collect(t, b.Index())); diff != "" {
		t.Errorf("the index:\n%s", diff)
	}
	for _, f := range files {
		data, err := b.Read(f.Path)
		if err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(f.Data, data, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s:\n%s", f.Path, diff)
		}
		if got, want := b.EntryDigest(f.Path), digestPrefix+sumOf(f.Data); got != want {
			t.Errorf("%s has the digest %s, expected %s", f.Path, got, want)
		}
	}
}

func collect(t *testing.T, index iter.Seq2[IndexLine, error]) []IndexLine {
	t.Helper()
	var all []IndexLine
	for l, err := range index {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
	}
	return all
}

func TestEmptyLibrary(t *testing.T) {
	data := write(t, func(m *Manifest, index *[]IndexLine, files *[]File) {
		*m, *index, *files = Manifest{LibraryVersion: "0.1.0", Commit: commit}, nil, nil
	})
	b := must.Get(verify(data))(t)
	if lines := collect(t, b.Index()); lines != nil {
		t.Errorf("the index has %v, expected nothing", lines)
	}
}

func TestPaths(t *testing.T) {
	b := must.Get(open(write(t, nil)))(t)
	tests := []struct {
		reason, prefix string
		want           []string
	}{
		{"the versions of a document", "rubrics/a/", []string{"rubrics/a/1.10.0.json", "rubrics/a/1.2.0.json"}},
		{"not those of a document whose ID begins alike", "rulesets/a/", nil},
		{"all that begins alike", "rulesets/a", []string{"rulesets/a_b_v1/0.1.0.json"}},
		{"one entry", "retired.json", []string{"retired.json"}},
		{"the first four are never listed", "manifest.json", nil},
		{"after the last", "zzz", nil},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, slices.Collect(b.Paths(tt.prefix))); diff != "" {
				t.Error(diff)
			}
		})
	}
	if n := len(slices.Collect(b.Paths(""))); n != 10 {
		t.Errorf("there are %d paths, expected 10", n)
	}
	for range b.Paths("") {
		break // the iterator must not continue
	}
}

func TestReadWhatIsNotThere(t *testing.T) {
	b := must.Get(open(write(t, nil)))(t)
	for _, path := range []string{"", "rubrics", "rubrics/a", "rubrics/a/1.2.0.jso", "rubrics/a/1.2.0.json/", "../manifest.json", "/manifest.json", "zzz"} {
		if _, err := b.Read(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q: got %v, expected that it does not exist", path, err)
		}
		if d := b.EntryDigest(path); d != "" {
			t.Errorf("%q has the digest %s", path, d)
		}
	}
}

func TestExpectedDigest(t *testing.T) {
	data := write(t, nil)
	r, size := bytes.NewReader(data), int64(len(data))
	if _, err := Open(r, size, Options{Digest: new(golden(t, FormatVersion).digest)}); err != nil {
		t.Errorf("the right digest: %v", err)
	}
	other := digestPrefix + strings.Repeat("0", 64)
	_, err := Open(r, size, Options{Digest: new(other)})
	var integrity *IntegrityError
	if !errors.As(err, &integrity) || !strings.Contains(err.Error(), golden(t, FormatVersion).digest) || !strings.Contains(err.Error(), other) {
		t.Errorf("another digest: got %v, expected both digests", err)
	}
	for _, wrong := range []string{"", "sha256:", golden(t, FormatVersion).digest[7:], strings.ToUpper(golden(t, FormatVersion).digest), golden(t, FormatVersion).digest + "0"} {
		_, err := Verify(r, size, Options{Digest: new(wrong)}, anything{})
		if err == nil || errors.As(err, &integrity) || !strings.Contains(err.Error(), "expected digest") {
			t.Errorf("%q: got %v, expected that the digest itself is wrong", wrong, err)
		}
	}
}

// TestDigestCoversEverything: a new bundle that is consistent in itself can't have the
// digest of the old one.
func TestDigestCoversEverything(t *testing.T) {
	old := unpack(t, write(t, nil))
	for i, f := range old {
		if f.Path == SumsName {
			continue
		}
		changed := slices.Clone(old)
		changed[i].Data = append(bytes.Clone(f.Data), '\n')
		data := pack(t, resum(changed))
		_, err := Open(bytes.NewReader(data), int64(len(data)), Options{Digest: new(golden(t, FormatVersion).digest)})
		if err == nil || !strings.Contains(err.Error(), "its digest is") {
			t.Errorf("%s changed: got %v, expected another digest", f.Path, err)
		}
	}
}

func TestNothingThatIsHandedOutLeadsBack(t *testing.T) {
	b := must.Get(open(write(t, nil)))(t)
	b.Manifest().Refused[0].ID = "changed"
	b.Manifest().Tombstones[0].ID = "changed"
	for l := range b.Index() {
		l.Versions[0].Digest = "changed"
	}
	for _, name := range []string{SumsName, "retired.json"} {
		data := must.Get(b.Read(name))(t)
		clear(data)
	}
	m, index, _ := sample()
	if diff := cmp.Diff(m.Refused, b.Manifest().Refused) + cmp.Diff(m.Tombstones, b.Manifest().Tombstones) + cmp.Diff(index, collect(t, b.Index())); diff != "" {
		t.Error(diff)
	}
	if data, err := b.Read("retired.json"); err != nil || string(data) != "[2]" {
		t.Errorf("got %q, %v", data, err)
	}
}

func TestManyGoroutines(t *testing.T) {
	b := must.Get(open(write(t, nil)))(t)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 50 {
				for path := range b.Paths("") {
					if _, err := b.Read(path); err != nil {
						t.Error(err)
					}
				}
				for _, err := range b.Index() {
					if err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	group.Wait()
}

func TestNewerFormat(t *testing.T) {
	files := unpack(t, write(t, nil))
	files = replace(t, files, ManifestName, `"counts":{`, `"counts":{"a_new_key":{},`)
	files = replace(t, files, ManifestName, `,"reader_version":"0.1.0"`, "")
	tests := []struct {
		reason  string
		version string
		want    string
		found   int
	}{
		{"a format to come", `3,"reader_version":"7.8.9"`, "the bundle has format 3, but this program reads formats 1 to 2. Install version 7.8.9 or later, or use an earlier bundle", 3},
		{"a format far away", "1000000", "Install the newest version", 1000000},
		{"a format that names no version", `3,"reader_version":"\u001b"`, "Install the newest version", 3},
		{"a format that never was", "-1", "does not exist", -1},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			data := pack(t, resum(replace(t, files, ManifestName, `"format_version":2`, `"format_version":`+tt.version)))
			// A future format may end differently.
			for _, data := range [][]byte{data, data[:len(data)-endLen]} {
				_, err := open(data)
				var format *FormatError
				if !errors.As(err, &format) || format.Version != tt.found || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("got %v, expected %q", err, tt.want)
				}
			}
		})
	}
}

func TestNotABundle(t *testing.T) {
	zip := pack(t, []File{{"hello.txt", []byte("hello")}})
	tests := []struct {
		reason string
		data   string
		want   string
	}{
		{"an empty file", "", "it has 0 bytes"},
		{"a page that was downloaded instead", "<!DOCTYPE html>\n<title>Not Found</title>", `it begins with "<!DOCTYPE html>\n<tit"`},
		{"a short file", "x", `it begins with "x"`},
		{"a long file", strings.Repeat("x", 1<<20), "it is not a zip"},
		{"another zip", string(zip), "does not begin with manifest.json"},
		{"an empty zip", string(appendEnd(nil, 0, 0, 0)), "does not begin with manifest.json"},
		{"another zip with a tail", string(zip) + "tail", "does not begin with manifest.json"},
		{"another zip after a program", "#!/bin/sh\n" + string(zip), `it is not a zip, it begins with "#!/bin/sh`},
		{"a zip with more entries than are allowed", string(appendEnd(nil, MaxEntries+1, 0, 0)), "more than 1000000 entries"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			_, err := open([]byte(tt.data))
			var format *FormatError
			if !errors.As(err, &format) || format.Version != 0 || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, expected %q", err, tt.want)
			}
		})
	}
	if _, err := Open(bytes.NewReader(zip), MaxSize+1, Options{}); err == nil || !strings.Contains(err.Error(), "1 to 4294967295") {
		t.Errorf("a size beyond the limit: got %v", err)
	}
}

// faulty is a file on a disk that fails after a number of reads.
type faulty struct {
	r     io.ReaderAt
	reads int
}

var errDisk = errors.New("the disk is broken")

func (f *faulty) ReadAt(p []byte, offset int64) (int, error) {
	f.reads--
	if f.reads < 0 {
		return 0, errDisk
	}
	return f.r.ReadAt(p, offset)
}

func TestBrokenDiskIsNotABrokenBundle(t *testing.T) {
	data := write(t, nil)
	for reads := range 1000 {
		_, err := Verify(&faulty{bytes.NewReader(data), reads}, int64(len(data)), Options{}, anything{})
		if err == nil {
			return
		}
		if !errors.Is(err, errDisk) {
			t.Fatalf("after %d reads: got %v, expected the error of the disk", reads, err)
		}
	}
	t.Error("Verify does not come to an end")
}

func TestFileThatShrinks(t *testing.T) {
	data := write(t, nil)
	for n := range data {
		_, err := Verify(bytes.NewReader(data[:n]), int64(len(data)), Options{}, anything{})
		var integrity *IntegrityError
		if !errors.As(err, &integrity) {
			t.Fatalf("cut at %d: got %v, expected an integrity error", n, err)
		}
	}
}

// swapped is a file in which a byte changes after a number of reads.
type swapped struct {
	data    []byte
	at      int64
	already int
}

func (s *swapped) ReadAt(p []byte, offset int64) (int, error) {
	n := copy(p, s.data[offset:])
	if offset <= s.at && s.at < offset+int64(n) {
		if s.already--; s.already < 0 {
			p[s.at-offset] ^= 1
		}
	}
	return n, nil
}

func TestFileThatChangesAfterItWasVerified(t *testing.T) {
	data := write(t, nil)
	at := int64(bytes.Index(data, []byte(`{"text":"two"}`)))
	b, err := Verify(&swapped{data, at, 1}, int64(len(data)), Options{}, anything{})
	if err != nil {
		t.Fatal(err)
	}
	var integrity *IntegrityError
	for i := range b.entries {
		if _, err = b.Read(b.entries[i].name); err != nil {
			break
		}
	}
	if !errors.As(err, &integrity) {
		t.Errorf("got %v, expected that the change is found", err)
	}
}
