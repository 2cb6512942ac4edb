package labels_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/labels"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// stories is a rubric with texts that are hard for spreadsheets.
const stories = `rubric_id: stories_v1
name: Stories
version: "1.0.0"
artifact_type: stories
criteria:
  - name: clarity
    description: "=HYPERLINK(\"https://example.org\"), in words"
    weight: essential
    threshold: 3
    anchors: {1: "None, or so", 2: "Few; some", 3: "Half", 4: "Most", 5: "All \"of\" them"}
    examples: {score_1: "a", score_5: "b"}
  - name: scope
    description: "- How far does it go?"
    weight: important
    threshold: 3
    anchors: {1: "1", 2: "2", 3: "3", 4: "4", 5: "5"}
    examples: {score_1: "a", score_5: "b"}
`

var criteria = []string{"clarity", "scope"}

func subject(t rapid.TB) *calibration.Subject {
	t.Helper()
	return must.Get(calibration.NewSubject(document.Parse(source.NewFile("rubrics/stories/stories_v1.yaml", []byte(stories)))))(t)
}

// load reads a dataset from its files, without problems.
func load(t rapid.TB, s *calibration.Subject, items []byte) *calibration.Dataset {
	t.Helper()
	head, err := labels.NewDataset(&calibration.Dataset{LabeledBy: calibration.People, Method: "alone", License: "CC0-1.0"}, s)
	if err != nil {
		t.Fatal(err)
	}
	d, problems, err := calibration.Load(fstest.MapFS{
		"calibration/stories/dataset.yaml": {Data: head},
		"calibration/stories/items.jsonl":  {Data: items},
	}, "stories")
	if err != nil || len(problems) > 0 {
		t.Fatalf("the dataset can't be read again: %v %v\n%s", err, problems, items)
	}
	return d
}

// textOf draws texts that are hard for CSV and spreadsheets, with line ends that CSV
// supports.
func textOf() *rapid.Generator[string] {
	hard := rapid.SampledFrom([]string{"=1+1", "@SUM(A1)", "'", "''", "\t", " ", "\uFEFF", "\u200b", "\"", ",", ";", "\n", "\n\n", "-", "+", "＝", "NA", "4,0", "ä", "\\.", "#", "\u2028", "\x01"})
	part := rapid.OneOf(hard, rapid.StringN(1, 4, -1))
	return rapid.Custom(func(t *rapid.T) string {
		text := strings.Join(rapid.SliceOfN(part, 1, 6).Draw(t, "parts"), "")
		return strings.ReplaceAll(strings.ReplaceAll(text, "\r", ""), "\x00", "") + "x"
	})
}

var (
	idOf    = rapid.StringMatching(`[A-Za-z0-9][A-Za-z0-9_.-]{0,8}`)
	raterOf = rapid.StringMatching(`[A-Za-z0-9][A-Za-z0-9_.-]{0,3}`)
	keyOf   = rapid.StringMatching(`[a-z][a-z0-9]{0,3}([_.-][a-z0-9]{1,3})?`)
)

// itemsOf draws items with different IDs and labels by some of the raters.
func itemsOf(raters []string) *rapid.Generator[[]calibration.Item] {
	item := rapid.Custom(func(t *rapid.T) calibration.Item {
		item := calibration.Item{ID: idOf.Draw(t, "id"), Artifact: textOf().Draw(t, "artifact"), Labels: map[string]map[string]float64{}}
		if inputs := rapid.MapOfN(keyOf, textOf(), 0, 2).Draw(t, "inputs"); len(inputs) > 0 {
			item.Inputs = inputs
		}
		for _, rater := range raters {
			for _, c := range criteria {
				value := rapid.IntRange(labels.CannotTell, 5).Draw(t, "label")
				if value == labels.CannotTell {
					if item.CannotTell == nil {
						item.CannotTell = map[string][]string{}
					}
					item.CannotTell[rater] = append(item.CannotTell[rater], c) // in order, as criteria are
				} else if value > 0 {
					if item.Labels[rater] == nil {
						item.Labels[rater] = map[string]float64{}
					}
					item.Labels[rater][c] = float64(value)
				}
			}
		}
		return item
	})
	return rapid.SliceOfNDistinct(item, 1, 6, func(i calibration.Item) string { return i.ID })
}

// unlabeled returns items without their labels.
func unlabeled(items []calibration.Item) []calibration.Item {
	items = slices.Clone(items)
	for i := range items {
		items[i].Labels, items[i].CannotTell = map[string]map[string]float64{}, nil
	}
	return items
}

// spelled draws a spelling of an answer by people or programs.
func spelled(t *rapid.T, item calibration.Item, rater, criterion string) string {
	if slices.Contains(item.CannotTell[rater], criterion) {
		return rapid.SampledFrom([]string{"cannot tell", " Cannot tell"}).Draw(t, "unsure")
	}
	value := item.Labels[rater][criterion]
	if value == 0 {
		return rapid.SampledFrom([]string{"", "NA", "-", " ", "n/a"}).Draw(t, "missing")
	}
	return fmt.Sprintf(rapid.SampledFrom([]string{"%d", "%d.0", "%d,0", " %d "}).Draw(t, "spelling"), int(value))
}

// imported returns a dataset with the labels of a file.
func imported(t rapid.TB, d *calibration.Dataset, items []byte, data []byte, o labels.Options) (*calibration.Dataset, []byte) {
	t.Helper()
	o.Criteria = criteria
	read, problems := labels.Read(source.NewFile("labels.csv", data), o)
	if len(problems) > 0 {
		t.Fatalf("%v\n%q", problems, data)
	}
	d.ItemsSource = source.NewFile("items.jsonl", items)
	merged, problems := labels.Merge(d, read, false, 0)
	if len(problems) > 0 {
		t.Fatalf("%v\n%q", problems, data)
	}
	return load(t, subject(t), merged.Items), merged.Items
}

func same(t rapid.TB, got, want []calibration.Item) {
	t.Helper()
	byID := cmpopts.SortSlices(func(a, b calibration.Item) bool { return a.ID < b.ID })
	if diff := cmp.Diff(want, got, byID, cmpopts.IgnoreFields(calibration.Item{}, "Line", "Span")); diff != "" {
		t.Fatalf("what comes in is not what went out (-want +got):\n%s", diff)
	}
}

// An imported sheet adds the labels to the items, whether or not the dataset already has
// the items.
func TestASheetComesBackAsItWentOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := subject(t)
		items := itemsOf([]string{"ada"}).Draw(t, "items")
		separator := rapid.SampledFrom([]rune{',', ';', '\t'}).Draw(t, "separator")
		blank := must.Get(labels.Write(s, "ada", unlabeled(items), separator))(t)
		filled := fillIn(t, blank, separator, items)
		d, stored := imported(t, &calibration.Dataset{Name: "stories"}, nil, filled, labels.Options{})
		same(t, d.Items, items)

		// Once more: nothing changes.
		d, again := imported(t, d, stored, filled, labels.Options{})
		same(t, d.Items, items)
		if !bytes.Equal(again, stored) {
			t.Fatalf("the second import changed the file:\n%s\n%s", stored, again)
		}
	})
}

// fillIn writes the labels into a sheet like a rater, without IDs, in the order of Write,
// and then shuffles the rows.
func fillIn(t *rapid.T, blank []byte, separator rune, items []calibration.Item) []byte {
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(blank, []byte("\uFEFF"))))
	r.Comma = separator
	rows := must.Get(r.ReadAll())(t)
	for i, item := range items {
		for column, header := range rows[0] {
			if name, ok := strings.CutSuffix(header, ": label (1 to 5)"); ok {
				rows[i+1][column] = spelled(t, item, "ada", name)
			}
		}
	}
	rows = append(rows[:1], rapid.Permutation(rows[1:]).Draw(t, "order")...)
	return encode(t, rows, separator)
}

func encode(t rapid.TB, rows [][]string, separator rune) []byte {
	t.Helper()
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Comma = separator
	must.Do(t, w.WriteAll(rows))
	return b.Bytes()
}

// No cell of a sheet starts like a formula, and none has the ID of an item or a label.
func TestASheetHasNoFormulasAndNoHints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := subject(t)
		items := itemsOf([]string{"ada", "bob"}).Draw(t, "items")
		blank := must.Get(labels.Write(s, "cem", items, ','))(t)
		hidden := must.Get(labels.Write(s, "cem", unlabeled(items), ','))(t)
		if !bytes.Equal(blank, hidden) {
			t.Fatal("a sheet tells labels of others")
		}
		rows := must.Get(csv.NewReader(bytes.NewReader(bytes.TrimPrefix(blank, []byte("\uFEFF")))).ReadAll())(t)
		for _, row := range rows {
			for _, cell := range row {
				if begin := strings.TrimLeft(cell, " \uFEFF\u200b\u2028\n\t\x01"); begin != "" && strings.ContainsRune("=+-@＝＋－＠", []rune(begin)[0]) {
					t.Errorf("the cell %q is a formula", cell)
				}
			}
		}
		lengths := map[int]bool{}
		for _, row := range rows[1:] {
			lengths[len(row[0])] = true
		}
		if len(lengths) > 1 {
			t.Errorf("the codes tell the lengths of IDs: %v", lengths)
		}
	})
}

// A long table adds the labels to the items, in any order of its rows.
func TestALongTableComesInAsItIs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raters := rapid.SliceOfNDistinct(raterOf, 1, 3, rapid.ID[string]).Draw(t, "raters")
		items := itemsOf(raters).Draw(t, "items")
		keys := keysOf(items)
		rows := [][]string{append([]string{"Label", "item", " RATER ", "Criterion", "artifact"}, inputHeaders(keys)...)}
		for _, item := range items {
			rows = append(rows, append([]string{"", item.ID, "", "", item.Artifact}, inputCells(item, keys)...))
			for _, rater := range raters {
				for _, c := range criteria {
					rows = append(rows, append([]string{spelled(t, item, rater, c), item.ID, rater, c, ""}, make([]string, len(keys))...))
				}
			}
		}
		rows = append(rows[:1], rapid.Permutation(rows[1:]).Draw(t, "order")...)
		data := encode(t, rows, rapid.SampledFrom([]rune{',', ';', '\t'}).Draw(t, "separator"))
		if rapid.Bool().Draw(t, "mark") {
			data = append([]byte("\uFEFF"), data...)
		}
		d, _ := imported(t, &calibration.Dataset{Name: "stories"}, nil, data, labels.Options{})
		same(t, d.Items, items)
	})
}

// A wide table for each rater adds all labels to the items.
func TestWideTablesAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raters := []string{"ada", "bob", "cem"}
		items := itemsOf(raters).Draw(t, "items")
		keys := keysOf(items)
		d := &calibration.Dataset{Name: "stories"}
		var stored []byte
		for n, rater := range raters {
			rows := [][]string{append([]string{"Scope", "Item", "CLARITY ", "artifact"}, inputHeaders(keys)...)}
			for _, item := range items {
				row := append([]string{spelled(t, item, rater, "scope"), item.ID, spelled(t, item, rater, "clarity"), item.Artifact}, inputCells(item, keys)...)
				if n > 0 && rapid.Bool().Draw(t, "short") {
					row = row[:3] // the dataset has the texts
				}
				rows = append(rows, row)
			}
			d, stored = imported(t, d, stored, encode(t, rows, ','), labels.Options{Rater: rater})
		}
		same(t, d.Items, items)
	})
}

func keysOf(items []calibration.Item) []string {
	keys := map[string]bool{}
	for _, item := range items {
		for key := range item.Inputs {
			keys[key] = true
		}
	}
	return slices.Sorted(maps.Keys(keys))
}

func inputHeaders(keys []string) []string {
	var headers []string
	for _, key := range keys {
		headers = append(headers, "input: "+key)
	}
	return headers
}

func inputCells(item calibration.Item, keys []string) []string {
	var cells []string
	for _, key := range keys {
		cells = append(cells, item.Inputs[key])
	}
	return cells
}

// FuzzRead: reading any file returns valid labels, or problems with positions in the file.
func FuzzRead(f *testing.F) {
	s := subject(f)
	blank, err := labels.Write(s, "ada", []calibration.Item{{ID: "i1", Artifact: "=a", Inputs: map[string]string{"task": "b"}}}, ',')
	if err != nil {
		f.Fatal(err)
	}
	f.Add(blank, "")
	f.Add([]byte("item,rater,criterion,label,artifact\ni1,ada,clarity,4,\"a\nb\"\ni1,bob,scope,\"4,0\",\n"), "")
	f.Add([]byte("\uFEFFitem;clarity;scope;artifact\r\n\r\ni1;4;NA;x\r\n"), "ada")
	f.Add([]byte("item,rater,clarity,artifact\ni1,a@b.c,3,x\n"), "")
	f.Add([]byte("item,rater,clarity\n\"i1,ada,3\n"), "")
	f.Add([]byte("item\tclarty\ni1\t6\ti\xff"), "")
	f.Fuzz(func(t *testing.T, data []byte, rater string) {
		if rater != "" && labels.CheckRater(rater) != "" {
			return
		}
		file := source.NewFile("labels.csv", data)
		read, problems := labels.Read(file, labels.Options{Criteria: criteria, Rater: rater})
		if (read == nil) != (len(problems) > 0) {
			t.Fatalf("labels %v with problems %v", read, problems)
		}
		if read != nil {
			var merged *labels.Merged
			if merged, problems = labels.Merge(&calibration.Dataset{Name: "stories"}, read, false, 0); merged != nil {
				load(t, s, merged.Items)
			}
		}
		for _, p := range problems {
			if p.Message == "" || p.Span.Start < 0 || p.Span.End < p.Span.Start || p.Span.End > len(data) {
				t.Errorf("problem %+v in %d bytes", p, len(data))
			}
		}
	})
}
