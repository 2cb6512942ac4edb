package bundlefile

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document/jsontext"
)

// drawLibrary draws a library that Write can write and Verify accepts.
func drawLibrary(t *rapid.T) (Manifest, []IndexLine, []File) {
	id := rapid.StringMatching(`[a-z][a-z0-9]{0,3}(_[a-z0-9]{1,3}){0,2}`)
	number := rapid.OneOf(rapid.IntRange(0, 12), rapid.Just(999_999_999))
	text := rapid.StringN(1, 20, 60)
	hash := func(n int) string { return rapid.StringMatching(fmt.Sprintf(`[0-9a-f]{%d}`, n)).Draw(t, "hash") }
	m := Manifest{
		LibraryVersion: fmt.Sprintf("%d.%d.%d", number.Draw(t, "major"), number.Draw(t, "minor"), number.Draw(t, "patch")),
		Commit:         hash(40),
	}
	if rapid.Bool().Draw(t, "has previous") {
		m.Previous = digestPrefix + hash(64)
	}
	var index []IndexLine
	files := []File{{"retired.json", rapid.SliceOf(rapid.Byte()).Draw(t, "retired")}}
	for _, id := range rapid.SliceOfNDistinct(id, 0, 5, rapid.ID).Draw(t, "ids") {
		l := IndexLine{
			ID: id, Kind: rapid.SampledFrom([]string{KindRubric, KindRuleSet}).Draw(t, "kind"),
			Name: text.Draw(t, "name"), ArtifactType: "a", Description: rapid.String().Draw(t, "description"),
			Retired: rapid.Bool().Draw(t, "retired"),
		}
		if rapid.Bool().Draw(t, "is deprecated") {
			l.Deprecated = &Deprecation{Reason: text.Draw(t, "reason")}
		}
		if l.Calibration = drawCalibration(t, id); l.Calibration != nil && l.Calibration.Path != "" {
			files = append(files, File{Path: l.Calibration.Path})
		}
		for _, v := range rapid.SliceOfNDistinct(number, 1, 4, rapid.ID).Draw(t, "versions") {
			version := fmt.Sprintf("%d.0.%d", v, v)
			f := File{DocumentPath(l.Kind, id, version), rapid.SliceOf(rapid.Byte()).Draw(t, "content")}
			files = append(files, f)
			one := Version{Version: version, Digest: digestPrefix + sumOf(f.Data)}
			if rapid.Bool().Draw(t, "is dated") {
				at := time.Unix(int64(rapid.Uint32().Draw(t, "time")), 0).UTC()
				one.Commit, one.Time = hash(40), at.Format(TimeFormat)
			}
			if rapid.Bool().Draw(t, "is released") {
				one.Release = version
			}
			if len(l.Versions) > 0 && rapid.Bool().Draw(t, "is yanked") {
				m.Yanked = append(m.Yanked, Omission{ID: id, Version: version, Reason: text.Draw(t, "why")})
			}
			l.Versions = append(l.Versions, one)
		}
		l = sortIndex([]IndexLine{l})[0]
		l.Latest, _ = m.LatestOf(id, l.Versions)
		index = append(index, l)
	}
	return m, index, files
}

// drawCalibration draws a calibration for the index.
func drawCalibration(t *rapid.T, id string) *Calibration {
	path := "calibration/" + id + "/s.json"
	reason := rapid.StringN(1, 20, 60)
	switch rapid.IntRange(0, 3).Draw(t, "calibration") {
	case 0:
		c := &Calibration{ID: id, Path: path, LabeledBy: rapid.SampledFrom(labelers).Draw(t, "labeled by")}
		for _, name := range rapid.SliceOfNDistinct(rapid.StringMatching("[a-z0-9]{1,3}([_-][a-z0-9]{1,2})?"), 1, 3, rapid.ID).Draw(t, "judges") {
			c.Judges = append(c.Judges, drawJudge(t, name, c.LabeledBy == People))
		}
		slices.SortFunc(c.Judges, func(a, b Judge) int { return strings.Compare(a.Judge, b.Judge) })
		return c
	case 1:
		return &Calibration{ID: id, Path: path, LabeledBy: "model", Reason: reason.Draw(t, "reason")}
	case 2:
		return &Calibration{ID: id, Reason: reason.Draw(t, "reason")}
	}
	return nil
}

// drawJudge draws a judge by that name, with a correlation only if it counts.
func drawJudge(t *rapid.T, name string, counts bool) Judge {
	text := rapid.StringN(1, 20, 60)
	j := Judge{
		Judge: name, Model: text.Draw(t, "model"), Repeats: rapid.IntRange(1, mostRepeats).Draw(t, "repeats"), Run: rapid.StringMatching("[A-Za-z0-9][A-Za-z0-9_.-]{0,9}").Draw(t, "run"),
		Date: "2026-11-14", Rank: NotYet, Gate: No,
	}
	if counts {
		number := func(least, most float64, name string) *Number {
			return new(Number(rapid.Float64Range(least, most).Draw(t, name)))
		}
		j.Rank, j.Gate = rapid.SampledFrom(answers).Draw(t, "rank"), rapid.SampledFrom(answers).Draw(t, "gate")
		j.Correlation = &Correlation{Criterion: "clear"}
		switch rapid.IntRange(0, 2).Draw(t, "correlation") {
		case 0:
			j.Correlation.Undefined = text.Draw(t, "undefined")
		case 1:
			j.Correlation.Low, j.Correlation.High = number(-1, 0, "low"), number(0, 1, "high")
			fallthrough
		default:
			j.Correlation.Value = number(-1, 1, "value")
		}
	}
	if j.Gate != Yes {
		j.Reason = text.Draw(t, "why")
	}
	return j
}

// TestEveryBundleComesBack: Verify accepts and returns what Write wrote, and the
// bytes do not depend on the order.
func TestEveryBundleComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, index, files := drawLibrary(t)
		var out, again bytes.Buffer
		digest := must.Get(Write(&out, m, index, files))(t)
		b := must.Get(Verify(bytes.NewReader(out.Bytes()), int64(out.Len()), Options{Digest: new(digest)}, anything{}))(t)
		var lines []IndexLine
		for l, err := range b.Index() {
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, l)
		}
		byID := cmpopts.SortSlices(func(a, b IndexLine) bool { return a.ID < b.ID })
		if diff := cmp.Diff(index, lines, byID, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("the index:\n%s", diff)
		}
		for _, f := range files {
			if data, err := b.Read(f.Path); err != nil || !bytes.Equal(data, f.Data) {
				t.Fatalf("%s is %q, %v; expected %q", f.Path, data, err, f.Data)
			}
		}
		if n := len(slices.Collect(b.Paths(""))); n != len(files) {
			t.Fatalf("there are %d paths, expected %d", n, len(files))
		}
		shuffled := rapid.Permutation(files).Draw(t, "shuffled")
		must.Get(Write(&again, b.Manifest(), rapid.Permutation(lines).Draw(t, "lines"), shuffled))(t)
		if !bytes.Equal(out.Bytes(), again.Bytes()) {
			t.Fatal("the same library in another order has other bytes")
		}
	})
}

// TestNoRandomChangePasses changes a bundle at random and recomputes SHA256SUMS: if
// Verify accepts it, Write can write it.
func TestNoRandomChangePasses(t *testing.T) {
	files := unpack(t, write(t, nil))
	rapid.Check(t, func(t *rapid.T) {
		changed := slices.Clone(files)
		i := rapid.SampledFrom([]int{0, 2, 3, 10, 11}).Draw(t, "entry")
		data := bytes.Clone(files[i].Data)
		at := rapid.IntRange(0, len(data)-1).Draw(t, "at")
		switch rapid.IntRange(0, 2).Draw(t, "how") {
		case 0:
			data[at] = rapid.Byte().Draw(t, "byte")
		case 1:
			data = slices.Delete(data, at, at+1)
		case 2:
			data = slices.Insert(data, at, rapid.SampledFrom([]byte("{}[]\",:0 \n\\ua")).Draw(t, "more"))
		}
		changed[i].Data = data
		var packed bytes.Buffer
		c := container{w: &packed}
		for _, f := range resum(changed) {
			must.Do(t, c.add(f.Path, f.Data))
		}
		must.Do(t, c.close())
		checkWritable(t, packed.Bytes())
	})
}

// checkWritable fails if Verify accepts a bundle that Write does not write.
func checkWritable(t must.T, data []byte) {
	b, err := verify(data)
	if err != nil {
		return
	}
	var lines []IndexLine
	for l, err := range b.Index() {
		if err != nil {
			t.Fatal("a verified bundle has a broken index: ", err)
		}
		lines = append(lines, l)
	}
	var files []File
	for path := range b.Paths("") {
		content, err := b.Read(path)
		if err != nil {
			t.Fatal("a verified bundle has a broken entry: ", err)
		}
		files = append(files, File{path, content})
	}
	var out bytes.Buffer
	digest, err := Write(&out, b.Manifest(), lines, files)
	if err != nil || digest != b.Digest() || !bytes.Equal(out.Bytes(), data) {
		t.Fatal("Verify accepts what Write does not write: ", err)
	}
}

// TestTextsAreCanonical: the texts of encoding/json are those of RFC 8785.
func TestTextsAreCanonical(t *testing.T) {
	texts := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.SampledFrom([]rune("\\\"u2028/<>&\u2028\u2029\x00\b\f\n\r\t\x7f\ufffd😀"))))
	rapid.Check(t, func(t *rapid.T) {
		p := Part{List: texts.Draw(t, "list"), Name: texts.Draw(t, "name"), Text: "." + texts.Draw(t, "text")}
		want := jsontext.Append([]byte(`{"list":`), p.List)
		want = jsontext.Append(append(want, `,"name":`...), p.Name)
		want = append(jsontext.Append(append(want, `,"text":`...), p.Text), '}')
		if got := must.Get(canonical(p))(t); !bytes.Equal(got, want) {
			t.Fatalf("got %s, want %s", got, want)
		}
	})
}
