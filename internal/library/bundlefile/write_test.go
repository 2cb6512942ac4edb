package bundlefile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// goldenBundle is the sample in a format. After the first release of a library, it never
// changes: a change of the format then needs a new version and its own golden bundle.
type goldenBundle struct {
	digest, sum string
	data        []byte
}

func golden(t testing.TB, format int) goldenBundle {
	t.Helper()
	g := []goldenBundle{
		{digest: "sha256:09350e42fc875f7c440b1ada50982ca471e2517d663968f466f3a3a871278294", sum: "8f0905968ba4962025d830e38709244d4c0cd1a34bf3eb78b8dad5a98698fd80"},
		{digest: "sha256:ee1ad01c9282923b296a9d5c306393d16a68814431214334f22e2fc8a652da7b", sum: "d9a2d65aba536a6b37d5535c06937db60ebca027c0fbd14d049f8dcd1e360442"},
	}[format-1]
	g.data = must.Get(os.ReadFile(fmt.Sprintf("testdata/golden-v%d.zip", format)))(t)
	return g
}

// TestFormatsAreFrozen: each format is read as it was written, and the last one is written.
func TestFormatsAreFrozen(t *testing.T) {
	for format := 1; format <= FormatVersion; format++ {
		want := golden(t, format)
		if sum := sumOf(want.data); sum != want.sum {
			t.Errorf("the golden bundle has the SHA-256 %s, expected %s", sum, want.sum)
		}
		b := must.Get(Verify(bytes.NewReader(want.data), int64(len(want.data)), Options{Digest: new(want.digest)}, anything{}))(t)
		if b.Digest() != want.digest || b.Manifest().FormatVersion != format {
			t.Errorf("the golden bundle has format %d and the digest %s, expected %s", b.Manifest().FormatVersion, b.Digest(), want.digest)
		}
		c, err := b.Calibration("a")
		if err != nil || len(c.Judges) != map[int]int{1: 0, 2: 3}[format] || (c.Reason == "A bundle of format 1 does not name its judges.") != (format == 1) {
			t.Errorf("the calibration is %+v, %v", c, err)
		}
		if got := write(t, nil); format == FormatVersion && !bytes.Equal(got, want.data) {
			t.Errorf("Write gives other bytes than the golden bundle, from byte %d on", firstDifference(got, want.data))
		}
	}
}

func TestOrderOfTheInputSaysNothing(t *testing.T) {
	want := write(t, nil)
	for seed := range uint64(50) {
		random := rand.New(rand.NewPCG(seed, 0))
		got := write(t, func(m *Manifest, index *[]IndexLine, files *[]File) {
			shuffle(random, *files)
			shuffle(random, *index)
			shuffle(random, (*index)[0].Versions)
			shuffle(random, m.Refused)
		})
		if !bytes.Equal(got, want) {
			t.Fatalf("seed %d: the bytes differ from byte %d on", seed, firstDifference(got, want))
		}
	}
}

func shuffle[E any](random *rand.Rand, list []E) {
	random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
}

func TestWriteLeavesItsInputAlone(t *testing.T) {
	m, index, files := sample()
	slices.Reverse(index)
	slices.Reverse(files)
	slices.Reverse(m.Refused)
	slices.Reverse(index[2].Versions)
	wantM, wantIndex, wantFiles := m.clone(), []IndexLine{index[0], index[1], index[2]}, slices.Clone(files)
	wantIndex[2].Versions = slices.Clone(index[2].Versions)
	must.Get(Write(io.Discard, m, index, files))(t)
	if diff := cmp.Diff(wantM, m, cmpopts.EquateEmpty()) + cmp.Diff(wantIndex, index) + cmp.Diff(wantFiles, files); diff != "" {
		t.Errorf("Write changed its input:\n%s", diff)
	}
}

// TestVerifyRefusesWhatWriteWasGiven: Write checks nothing, so Verify has to.
func TestVerifyRefusesWhatWriteWasGiven(t *testing.T) {
	type inputs = func(*Manifest, *[]IndexLine, *[]File)
	add := func(path string, data []byte) inputs {
		return func(_ *Manifest, _ *[]IndexLine, files *[]File) { *files = append(*files, File{path, data}) }
	}
	line := func(change func(*IndexLine)) inputs {
		return func(_ *Manifest, index *[]IndexLine, _ *[]File) { change(&(*index)[0]) }
	}
	manifest := func(change func(*Manifest)) inputs {
		return func(m *Manifest, _ *[]IndexLine, _ *[]File) { change(m) }
	}
	judge := func(change func(*Judge)) inputs { return line(func(l *IndexLine) { change(&l.Calibration.Judges[1]) }) }
	nan := Number(math.NaN())
	tests := []struct {
		reason string
		change inputs
		want   string
	}{
		{"an entry given twice", add("retired.json", nil), "retired.json, must be sorted after retired.json"},
		{"an entry that Write makes", add(SumsName, nil), `names "SHA256SUMS", which can't be the name`},
		{"the index given as a file", add(IndexName, nil), "index.jsonl, must be sorted after index.jsonl"},
		{"a name outside the folders", add("readme.txt", nil), `names "readme.txt", which can't be the name`},
		{"a name that leads out", add("rubrics/../1.0.0.json", nil), "can't be the name of an entry"},
		{"a document that is too large", add("rubrics/a/9.0.0.json", make([]byte, MaxDocument+1)), "has a size of 1048577 bytes: at most 1048576"},
		{"a document that the index leaves out", add("rubrics/b/1.0.0.json", nil), "the bundle has 4 documents"},
		{"a version that the index leaves out", add("rubrics/a/9.0.0.json", nil), "the bundle has 3 documents (2 rubrics, 1 rule sets) in 5 versions"},
		{"a version that is not there", func(_ *Manifest, _ *[]IndexLine, files *[]File) { *files = (*files)[1:] }, "the bundle has 3 documents (2 rubrics, 1 rule sets) in 3 versions"},
		{"a version with another content", func(_ *Manifest, _ *[]IndexLine, files *[]File) { (*files)[0].Data = []byte("{}") }, "is not the version that the index lists"},
		{"a calibration that is not there", line(func(l *IndexLine) { l.Calibration.Path = "calibration/b/x.json" }), "calibration/b/x.json: is missing"},
		{"a calibration elsewhere", line(func(l *IndexLine) { l.Calibration.Path = "retired.json" }), "below calibration/"},
		{"a correlation without its statistics", line(func(l *IndexLine) { l.Calibration.Path, l.Calibration.LabeledBy = "", "" }), "below calibration/"},
		{"a gate that is not yes without a reason", judge(func(j *Judge) { j.Reason = "" }), "the reason why the judge may not gate"},
		{"neither judges nor a reason", line(func(l *IndexLine) { l.Calibration.Judges = nil }), "or the reason why there are none"},
		{"a correlation that is not a number", judge(func(j *Judge) { j.Correlation.Value = &nan }), "NaN"},
		{"a judge without a model", judge(func(j *Judge) { j.Model = "" }), "the model of the judge"},
		{"a judge without a run", judge(func(j *Judge) { j.Run = "" }), "the name of a run"},
		{"a judge that is asked never", judge(func(j *Judge) { j.Repeats = 0 }), "a number from 1 to 1000"},
		{"judges that are not sorted", judge(func(j *Judge) { j.Judge = "tail" }), "each judge once, sorted by name"},
		{"a document twice in the index", func(_ *Manifest, index *[]IndexLine, _ *[]File) { *index = append(*index, (*index)[0]) }, "counts 4 documents"},
		{"a version twice", line(func(l *IndexLine) { l.Versions = append(l.Versions, l.Versions[0]) }), "in 5 versions, but the bundle has"},
		{"no version", line(func(l *IndexLine) { l.Versions = nil }), "in 2 versions, but the bundle has"},
		{"a latest version that is not the highest", line(func(l *IndexLine) { l.Latest = l.Versions[0].Version }), "the highest of its versions that is not yanked"},
		{"a latest version that is not the highest", line(func(l *IndexLine) { l.Latest = "1.2.0" }), "the highest of its versions"},
		{"a version with a leading zero", line(func(l *IndexLine) { l.Versions[0].Version = "1.02.0" }), "a version such as 1.0.0"},
		{"a digest in upper case", line(func(l *IndexLine) { l.Versions[0].Digest = strings.ToUpper(l.Versions[0].Digest) }), "64 hexadecimal digits"},
		{"an ID in upper case", line(func(l *IndexLine) { l.ID, l.Calibration = "A", nil }), "index.jsonl: line 1 is not that of a:"},
		{"an unknown kind", line(func(l *IndexLine) { l.Kind = "ruleset" }), "counts 3 documents (1 rubrics, 2 rule sets)"},
		{"no name", line(func(l *IndexLine) { l.Name = "" }), `name of "a"`},
		{"an artifact type with a space", line(func(l *IndexLine) { l.ArtifactType = "a b" }), "artifact_type"},
		{"a deprecation without a reason", line(func(l *IndexLine) { l.Deprecated.Reason = "" }), "expected a reason"},
		{"a replacement that is not an ID", line(func(l *IndexLine) { l.Deprecated.ReplacedBy = "B" }), "the ID of a document"},
		{"a line that is too long", line(func(l *IndexLine) { l.Description = strings.Repeat("x", MaxIndexLine) }), "line 1 is longer than"},
		{"a library version of two numbers", manifest(func(m *Manifest) { m.LibraryVersion = "1.4" }), "library_version"},
		{"a short commit", manifest(func(m *Manifest) { m.Commit = commit[:8] }), "the full hash of a commit"},
		{"a previous digest without its prefix", manifest(func(m *Manifest) { m.Previous = m.Previous[7:] }), "previous"},
		{"a refused version twice", manifest(func(m *Manifest) { m.Refused = append(m.Refused, m.Refused[0]) }), "each version once"},
		{"a refused version without a reason", manifest(func(m *Manifest) { m.Refused[0].Reason = "" }), "expected a reason"},
		{"a refused version of no document", manifest(func(m *Manifest) { m.Refused[0].ID = "" }), "the ID of a document"},
		{"a refused version of a short commit", manifest(func(m *Manifest) { m.Refused[0].Commit = "abc" }), "the full hash of a commit"},
		{"a refused version with a wrong number", manifest(func(m *Manifest) { m.Refused[0].Version = "v1" }), "a version such as 1.0.0"},
		{"a withdrawn version that is there", manifest(func(m *Manifest) { m.Tombstones[0].Version = "1.2.0" }), "it was withdrawn"},
		{"a yanked version without a number", manifest(func(m *Manifest) { m.Yanked[0].Version = "" }), "a version such as 1.0.0"},
		{"a yanked version without a reason", manifest(func(m *Manifest) { m.Yanked[0].Reason = "" }), "expected a reason"},
		{"a manifest that is too large", manifest(func(m *Manifest) { m.Refused[0].Reason = strings.Repeat("x", MaxManifest) }), "manifest.json: has a size of"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			m, index, files := sample()
			tt.change(&m, &index, &files)
			var out bytes.Buffer
			_, err := Write(&out, m, index, files)
			if err == nil {
				_, err = verify(out.Bytes())
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got error %v, expected %q in it", err, tt.want)
			}
		})
	}
}

// full is a disk with room for a limited number of bytes.
type full int

var errFull = errors.New("no space left")

func (f *full) Write(p []byte) (int, error) {
	if len(p) > int(*f) {
		return int(*f), errFull
	}
	*f -= full(len(p))
	return len(p), nil
}

func TestWriteReportsItsWriter(t *testing.T) {
	m, index, files := library(100) // more than what is buffered
	for _, room := range []full{0, 1, 100_000, 400_000} {
		if _, err := Write(&room, m, index, files); !errors.Is(err, errFull) {
			t.Errorf("got %v, expected the error of the writer", err)
		}
	}
}

// run runs a tool, and skips the test if it is not installed.
func run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skip(err)
	}
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}

func TestOtherToolsReadBundles(t *testing.T) {
	dir := t.TempDir()
	var many bytes.Buffer
	m, index, files := tiny(70_000)
	must.Get(Write(&many, m, index, files))(t)
	for name, data := range map[string][]byte{"small.zip": write(t, nil), "many.zip": many.Bytes()} {
		file := filepath.Join(dir, name)
		must.Do(t, os.WriteFile(file, data, 0o666))
		t.Run("unzip "+name, func(t *testing.T) {
			out := run(t, dir, "unzip", "-t", file)
			if !strings.Contains(out, "No errors detected") || strings.Contains(out, "warning") {
				t.Errorf("unzip says: %.2000s", out)
			}
		})
		t.Run("python "+name, func(t *testing.T) {
			run(t, dir, "python3", "-c", `
import hashlib, sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
for line in z.read("SHA256SUMS").decode().splitlines():
    sum, name = line.split("  ")
    assert hashlib.sha256(z.read(name)).hexdigest() == sum, name
`, file)
		})
	}
	t.Run("sha256sum", func(t *testing.T) {
		run(t, dir, "unzip", "-q", "small.zip", "-d", "small")
		out := run(t, filepath.Join(dir, "small"), "sha256sum", "--strict", "-c", SumsName)
		if n := strings.Count(out, ": OK\n"); n != 13 {
			t.Errorf("sha256sum found %d entries right, expected 13:\n%s", n, out)
		}
		sum := run(t, filepath.Join(dir, "small"), "sha256sum", SumsName)
		if !strings.HasPrefix(sum, strings.TrimPrefix(golden(t, FormatVersion).digest, digestPrefix)) {
			t.Errorf("the SHA-256 of SHA256SUMS is %s, expected the digest %s", sum, golden(t, FormatVersion).digest)
		}
	})
}

func TestJSONIsCanonicalByOthers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "b.zip")
	must.Do(t, os.WriteFile(file, write(t, nil), 0o666))
	run(t, ".", "python3", "-c", `
import json, sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
for name in "manifest.json", "index.jsonl", "calibration.jsonl":
    for line in z.read(name).decode().split("\n")[:-1]:
        assert line == json.dumps(json.loads(line), sort_keys=True, ensure_ascii=False, separators=(",", ":")), line
`, file)
}
