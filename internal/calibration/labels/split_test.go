package labels_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/labels"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// put imports rows of item and artifact, and returns the dataset after it.
func put(t rapid.TB, d *calibration.Dataset, dev float64, rows ...[2]string) *calibration.Dataset {
	t.Helper()
	table := [][]string{{"item", "rater", "artifact", "clarity"}}
	for _, row := range rows {
		table = append(table, []string{row[0], "r1", row[1], "3"})
	}
	read, problems := labels.Read(source.NewFile("labels.csv", encode(t, table, ',')), labels.Options{Criteria: criteria})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	merged, problems := labels.Merge(d, read, false, dev)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return load(t, subject(t), merged.Items)
}

func splits(d *calibration.Dataset) map[string]string {
	of := map[string]string{}
	for _, item := range d.Items {
		of[item.ID] = item.Split
	}
	return of
}

// TestEqualTextsShareASide also across imports with other shares, or with none: an item keeps its
// side, and one with the same words follows it.
func TestEqualTextsShareASide(t *testing.T) {
	marks := []string{"", ".", "...", " !", "\n", "?!"}
	rapid.Check(t, func(t *rapid.T) {
		d := load(t, subject(t), nil)
		side, n := map[int]string{}, 0
		for range rapid.IntRange(1, 4).Draw(t, "imports") {
			var rows [][2]string
			for range rapid.IntRange(1, 8).Draw(t, "items") {
				text := fmt.Sprintf("Story %d", rapid.IntRange(0, 6).Draw(t, "text"))
				if rapid.Bool().Draw(t, "shouts") {
					text = strings.ToUpper(text)
				}
				n++
				rows = append(rows, [2]string{fmt.Sprintf("i%d", n), text + rapid.SampledFrom(marks).Draw(t, "mark")})
			}
			before := splits(d)
			d = put(t, d, rapid.SampledFrom([]float64{0, 0.3, 0.6, 0.99}).Draw(t, "dev"), rows...)
			for _, item := range d.Items {
				if split, there := before[item.ID]; there && split != item.Split {
					t.Fatalf("%s was %q and is %q", item.ID, split, item.Split)
				}
				var text int
				must.Get(fmt.Sscanf(strings.ToLower(item.Artifact), "story %d", &text))(t)
				if split, there := side[text]; there && split != item.Split {
					t.Fatalf("story %d is %q and %q", text, split, item.Split)
				}
				side[text] = item.Split
			}
		}
	})
}

// TestDevIsAShare: about that share is dev, whatever the order, the IDs, and the other items are.
func TestDevIsAShare(t *testing.T) {
	var rows [][2]string
	for i := range 2000 {
		rows = append(rows, [2]string{fmt.Sprintf("i%04d", i), fmt.Sprintf("Story %d", i)})
	}
	all := splits(put(t, load(t, subject(t), nil), 0.3, rows...))
	dev := 0
	for _, split := range all {
		if split == calibration.Dev {
			dev++
		}
	}
	if dev < 530 || dev > 670 {
		t.Errorf("%d of 2000 are dev, want about 600", dev)
	}
	few := slices.Clone(rows[:100])
	slices.Reverse(few)
	for id, split := range splits(put(t, load(t, subject(t), nil), 0.3, few...)) {
		if split != all[id] {
			t.Errorf("%s is %q among few, and %q among many", id, split, all[id])
		}
	}
	for id, split := range splits(put(t, load(t, subject(t), nil), 0, rows...)) {
		if split != "" {
			t.Fatalf("without a share, %s is %q", id, split)
		}
	}
}

// TestASheetCarriesTheSplit of a file of items, in a form that a rater can't tell.
func TestASheetCarriesTheSplit(t *testing.T) {
	s := subject(t)
	items := []calibration.Item{
		{ID: "a", Artifact: "One", Split: "dev"}, {ID: "b", Artifact: "Two", Split: "test"}, {ID: "c", Artifact: "Three"}, {ID: "d", Artifact: "one."},
	}
	sheet := must.Get(labels.Write(s, "r1", items, ','))(t)
	if strings.Contains(string(sheet), "dev") || strings.Contains(string(sheet), "test") {
		t.Errorf("the sheet shows a split:\n%s", sheet)
	}
	read, problems := labels.Read(source.NewFile("sheet.csv", sheet), labels.Options{Criteria: criteria})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, tt := range []struct {
		reason string
		there  *calibration.Dataset
		dev    float64
		want   map[string]string
	}{
		{"d has the text of a", load(t, s, nil), 0, map[string]string{"a": "dev", "b": "", "c": "", "d": "dev"}},
		{"only c has no side of its own", load(t, s, nil), 0.999999, map[string]string{"a": "dev", "b": "", "c": "dev", "d": "dev"}},
		{"a recorded item with the text of a is test", put(t, load(t, s, nil), 0, [2]string{"x", "ONE"}), 0, map[string]string{"a": "", "b": "", "c": "", "d": "", "x": ""}},
		{"a recorded item with the text of b is dev", put(t, load(t, s, nil), 0.999999, [2]string{"x", "Two!"}), 0, map[string]string{"a": "dev", "b": "dev", "c": "", "d": "dev", "x": "dev"}},
		{"a is recorded as test", put(t, load(t, s, nil), 0, [2]string{"a", "One"}), 0, map[string]string{"a": "", "b": "", "c": "", "d": ""}},
	} {
		merged, problems := labels.Merge(tt.there, read, false, tt.dev)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		if got := splits(load(t, s, merged.Items)); !maps.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.reason, got, tt.want)
		}
	}
}
