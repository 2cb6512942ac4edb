package bundlecheck_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	_ "github.com/rubric-library/rubric-library/internal/dev/quick"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
	"github.com/rubric-library/rubric-library/internal/library/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

// rubricOf returns the text of a rubric that names a dataset, or none.
func rubricOf(id, version, dataset string) string {
	text, _, _ := strings.Cut(scripttest.Rubric(id, version, "prd"), "calibration_dataset:")
	return text + dataset + "\n"
}

// releases are bundles with common documents.
func releases(t *testing.T) (all [][]byte) {
	const dataset = "calibration_dataset: calibration/a"
	score := 0.5
	for _, documents := range [][]string{
		{rubricOf("a_v1", "1.0.0", ""), rubricOf("b_v1", "1.0.0", dataset)},
		{rubricOf("a_v1", "1.0.0", ""), rubricOf("a_v1", "1.1.0", dataset), rubricOf("b_v1", "1.0.0", dataset)},
		{rubricOf("a_v1", "1.0.0", ""), rubricOf("b_v1", "1.0.0", dataset), rubricOf("c_v1", "1.0.0", "")},
	} {
		l := bundletest.Library{Verifiable: true, Documents: documents, Correlations: map[string]*float64{"b_v1": &score}}
		if len(all) == 1 {
			l.Correlations["a_v1"] = nil
		}
		var out bytes.Buffer
		must.Get(bundletest.Write(&out, l))(t)
		must.Get(verify(out.Bytes()))(t)
		all = append(all, out.Bytes())
	}
	return all
}

func verify(data []byte) (*bundlefile.Bundle, error) {
	return bundlecheck.Structure(bytes.NewReader(data), int64(len(data)), bundlefile.Options{})
}

// forged replaces the content of an entry by one of the same length, with its sums, as an
// attacker would.
func forged(data []byte, b *bundlefile.Bundle, name string, content []byte) []byte {
	swap := func(before, after []byte) {
		data = bytes.Replace(data, before, after, 1)
		crc := func(text []byte) []byte { return binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(text)) }
		data = bytes.ReplaceAll(data, crc(before), crc(after))
	}
	before, _ := b.Read(name)
	sums, _ := b.Read(bundlefile.SumsName)
	sum := func(text []byte) []byte { return fmt.Appendf(nil, "%x", sha256.Sum256(text)) }
	swap(before, content)
	swap(sums, bytes.Replace(sums, sum(before), sum(content), 1))
	return data
}

// mutated draws a change of a few bytes of an entry: of a text, a version, a digest, an ID, or
// anything.
func mutated(t *rapid.T, data []byte) []byte {
	b, err := verify(data)
	if err != nil {
		return data
	}
	names := append(slices.Collect(b.Paths("")), bundlefile.IndexName, bundlefile.IndexName, bundlefile.CalibrationName, bundlefile.CalibrationName)
	name := rapid.SampledFrom(names).Draw(t, "entry")
	content, _ := b.Read(name)
	swaps := [][2]string{
		{"a_v1", "b_v1"}, {"b_v1", "a_v1"}, {"Clarity", "Obscure"}, {"1.0.0", "1.1.0"}, {"rubric", "banana"}, {"0.5", "0.6"}, {"0.5", "1.5"},
		{"calibration/a", "calibration/b"}, {"calibration_dataset", "calibration_datasex"}, {"threshold", "thresh0ld"},
	}
	for path := range b.Paths("rubrics/") {
		for other := range b.Paths("rubrics/") {
			swaps = append(swaps, [2]string{b.EntryDigest(path), b.EntryDigest(other)})
		}
	}
	swaps = slices.DeleteFunc(swaps, func(s [2]string) bool { return s[0] == s[1] || !bytes.Contains(content, []byte(s[0])) })
	swap := rapid.SampledFrom(append(swaps, [2]string{"{}", "[]"})).Draw(t, "swap")
	changed := bytes.Replace(content, []byte(swap[0]), []byte(swap[1]), rapid.IntRange(-1, 2).Draw(t, "times"))
	if len(changed) > 0 && rapid.IntRange(0, 3).Draw(t, "any") == 0 {
		changed = bytes.Clone(changed)
		changed[rapid.IntRange(0, len(changed)-1).Draw(t, "at")] = rapid.SampledFrom([]byte(`a1"{},\ `)).Draw(t, "byte")
	}
	return forged(bytes.Clone(data), b, name, changed)
}

// TestStructureNextIsStructure: whatever was verified before, also repeated and in turn, StructureNext
// accepts exactly what Structure accepts, with the same words.
func TestStructureNextIsStructure(t *testing.T) {
	good := releases(t)
	accepted, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		var before bundlecheck.Checked
		pool := slices.Clone(good)
		for range rapid.IntRange(2, 12).Draw(t, "bundles") {
			data := rapid.SampledFrom(pool).Draw(t, "bundle")
			for range rapid.IntRange(0, 2).Draw(t, "changes") {
				data = mutated(t, data)
			}
			pool = append(pool, data)
			_, want := verify(data)
			_, checked, got := bundlecheck.StructureNext(bytes.NewReader(data), int64(len(data)), bundlefile.Options{}, before)
			if fmt.Sprint(want) != fmt.Sprint(got) {
				t.Fatalf("Structure says %v, StructureNext %v", want, got)
			}
			if refused++; got == nil {
				before = checked
				accepted++
				refused--
			}
		}
	})
	if accepted < 20 || refused < 20 {
		t.Errorf("%d bundles were accepted and %d refused, which compares too little", accepted, refused)
	}
	t.Logf("%d accepted, %d refused", accepted, refused)
}
