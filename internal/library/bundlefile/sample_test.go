package bundlefile

import (
	"bytes"
	"hash/crc32"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	_ "github.com/rubric-library/rubric-library/internal/dev/quick"
)

const commit = "0123456789abcdef0123456789abcdef01234567"

// sample is a small library with every kind of content.
func sample() (Manifest, []IndexLine, []File) {
	document := func(kind, id, version, text string) (File, Version) {
		data := []byte(`{"text":"` + text + `"}`)
		return File{DocumentPath(kind, id, version), data}, Version{Version: version, Digest: digestPrefix + sumOf(data)}
	}
	a, a1 := document(KindRubric, "a", "1.2.0", "two")
	b, a2 := document(KindRubric, "a", "1.10.0", "ten")
	c, c1 := document(KindRuleSet, "a_b_v1", "0.1.0", "rules")
	d, d1 := document(KindRubric, "old_v1", "3.0.0", "gone")
	a1.Commit, a1.Time, a1.Release = commit, "2026-11-21T08:30:00Z", "1.0.0"
	m := Manifest{
		LibraryVersion: "1.4.0", Commit: commit, Previous: digestPrefix + strings.Repeat("0", 64),
		Refused:    []Omission{{ID: "a", Version: "1.0.0", Commit: commit, Reason: "It had a tab."}, {ID: "z", Commit: commit, Reason: "No version."}},
		Tombstones: []Omission{{ID: "a", Version: "1.1.0", Reason: "It held a name."}},
		Yanked:     []Omission{{ID: "a", Version: "1.2.0", Reason: "It failed good work."}},
	}
	index := []IndexLine{
		{
			ID: "a", Kind: KindRubric, Name: "Ä \"quoted\" name \u2028", ArtifactType: "prd", Description: "Line\n<tag> & more",
			Language: "de", Latest: "1.10.0", Versions: []Version{a1, a2},
			Deprecated:  &Deprecation{Reason: "Too old.", ReplacedBy: "a_b_v1"},
			Calibration: &Calibration{ID: "a", Path: "calibration/a/statistics.json", LabeledBy: People, Judges: judges()},
			Parts:       []Part{{"criteria", "clear", "Is it \"clear\"?"}, {"negative_criteria", "vague", ""}},
		},
		{ID: "a_b_v1", Kind: KindRuleSet, Name: "Rules", ArtifactType: "api_design", Latest: "0.1.0", Versions: []Version{c1}, Parts: []Part{{"rules", "a.b", "Ü"}}},
		{ID: "old_v1", Kind: KindRubric, Name: "Old", ArtifactType: "prd", Latest: "3.0.0", Versions: []Version{d1}, Retired: true, Calibration: &Calibration{ID: "old_v1", Reason: "Too \"few\" items."}},
	}
	files := []File{
		a, b, c, d,
		{"calibration/a/statistics.json", []byte("{}")},
		{"calibration/a/judges/gpt-4.jsonl", nil},
		{"changelog.json", []byte("[]")},
		{"conformance/verdict.json", []byte("[1]")},
		{"retired.json", []byte("[2]")},
		{"schema/rubric.schema.json", []byte("true")},
	}
	return m, index, files
}

// judges are one of each kind: without a correlation, with one, and for other words.
func judges() []Judge {
	number := func(n Number) *Number { return &n }
	return []Judge{
		{Judge: "flat", Model: "f", Repeats: 1, Run: "first", Date: "2026-11-21", Rank: No, Gate: No, Correlation: &Correlation{Criterion: "clear", Undefined: "all scores are equal"}, Reason: "All scores are equal."},
		{
			Judge: "gpt-4", Model: "gpt-4 <0613> \u2028", PromptDigest: digestPrefix + strings.Repeat("e", 64), Repeats: 3, Run: "2026-11-14-2", Date: "2026-11-14",
			Rank: Yes, Gate: NotYet, Correlation: &Correlation{Criterion: "clear", Value: number(0.8125), Low: number(0.75), High: number(0.875)}, Reason: "Too few items.",
		},
		{Judge: "stale", Model: "s", Repeats: 1, Run: "2026-11-01", Date: "2026-11-01", Rank: CannotTell, Gate: No, Reason: "The words have changed."},
	}
}

// write returns a bundle of the sample, changed before it is written.
func write(t testing.TB, change func(*Manifest, *[]IndexLine, *[]File)) []byte {
	t.Helper()
	m, index, files := sample()
	if change != nil {
		change(&m, &index, &files)
	}
	var out bytes.Buffer
	must.Get(Write(&out, m, index, files))(t)
	return out.Bytes()
}

// anything accepts any content.
type anything struct{}

func (anything) Entry(string, []byte) error { return nil }

func (anything) Line(*Bundle, *IndexLine) error { return nil }

// verify verifies the container of a file.
func verify(data []byte) (*Bundle, error) {
	return Verify(bytes.NewReader(data), int64(len(data)), Options{}, anything{})
}

func open(data []byte) (*Bundle, error) {
	return Open(bytes.NewReader(data), int64(len(data)), Options{})
}

// unpack returns the entries of a valid bundle in the order of the container.
func unpack(t testing.TB, data []byte) []File {
	t.Helper()
	b := must.Get(open(data))(t)
	var files []File
	for _, e := range b.entries {
		content := must.Get(b.Read(e.name))(t)
		files = append(files, File{e.name, content})
	}
	return files
}

// container writes entries, with other bytes between them if a test moves at.
type container struct {
	w         io.Writer
	at        int64
	n         int
	directory []byte
}

func (c *container) add(name string, data []byte) error {
	e := entry{name: name, crc: crc32.ChecksumIEEE(data), size: uint32(len(data)), offset: uint32(c.at)}
	c.directory = appendCentral(c.directory, &e)
	c.at = e.next()
	c.n++
	_, err := c.w.Write(append(appendLocal(nil, &e), data...))
	return err
}

func (c *container) close() error {
	_, err := c.w.Write(appendEnd(c.directory, c.n, int64(len(c.directory)), c.at))
	return err
}

// pack makes a container of any entries in any order, with any content.
func pack(t testing.TB, files []File) []byte {
	t.Helper()
	var out bytes.Buffer
	c := container{w: &out}
	for _, f := range files {
		must.Do(t, c.add(f.Path, f.Data))
	}
	must.Do(t, c.close())
	return out.Bytes()
}

// resum recomputes SHA256SUMS from the other entries, as an attacker would.
func resum(files []File) []File {
	files = slices.Clone(files)
	var lines []string
	at := -1
	for i, f := range files {
		if f.Path == SumsName {
			at = i
			continue
		}
		lines = append(lines, f.Path+" "+sumOf(f.Data))
	}
	slices.Sort(lines)
	var sums []byte
	for _, line := range lines {
		name, sum, _ := strings.Cut(line, " ")
		sums = append(sums, sum+"  "+name+"\n"...)
	}
	files[at].Data = sums
	return files
}

// replace replaces text in one entry.
func replace(t testing.TB, files []File, path, old, now string) []File {
	t.Helper()
	files = slices.Clone(files)
	for i, f := range files {
		if f.Path != path {
			continue
		}
		if bytes.Count(f.Data, []byte(old)) != 1 {
			t.Fatalf("%s does not have %q exactly once:\n%s", path, old, f.Data)
		}
		files[i].Data = bytes.Replace(f.Data, []byte(old), []byte(now), 1)
		return files
	}
	t.Fatalf("no entry %s", path)
	return nil
}
