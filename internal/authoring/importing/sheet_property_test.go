package importing

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/intake"

	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// sheetScales are the labels of levels, from the worst to the best.
var sheetScales = [][]string{
	{"0", "1"}, {"1", "2", "3"}, {"0", "5", "10"}, {"1", "2", "3", "4"}, {"1", "2", "3", "4", "5"}, {"0", "1", "2", "3", "4"},
	{"0.0", "0.5", "1.0"}, {"Level 1", "Level 2", "Level 3", "Level 4"}, {"Poor", "Excellent"}, {"Fail", "Pass"}, {"Poor", "Fair", "Good"},
	{"Beginning", "Developing", "Proficient", "Exemplary"}, {"1 - Poor", "2 - Fair", "3 - Good", "4 - Very good", "5 - Excellent"},
	{"Poor (1 pt)", "Fair (2 pts)", "Good (3 pts)"}, {"0-49", "50-74", "75-100"}, {"F", "D", "C", "B", "A"}, {"★", "★★", "★★★"},
}

// anchorsOf are the anchors that have a text, by the number of levels.
var anchorsOf = map[int][]string{2: {"1", "5"}, 3: {"1", "3", "5"}, 4: {"1", "2", "4", "5"}, 5: {"1", "2", "3", "4", "5"}}

// TestEachLayoutKeepsTheOrder writes random rubrics in each layout, scale, and order.
func TestEachLayoutKeepsTheOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scale := rapid.SampledFrom(sheetScales).Draw(t, "scale")
		count := rapid.IntRange(1, 4).Draw(t, "criteria")
		text := func(criterion, level int) string { return fmt.Sprintf("kupa %d morin %d", criterion, level) }
		order := make([]int, len(scale))
		for i := range order {
			order[i] = i
		}
		if rapid.Bool().Draw(t, "best first") {
			slices.Reverse(order)
		}
		layout := rapid.SampledFrom([]string{"wide", "transposed", "long", "canvas"}).Draw(t, "layout")
		rows := sheetRows(layout, scale, order, count, text)
		var out bytes.Buffer
		w := csv.NewWriter(&out)
		w.Comma = rapid.SampledFrom([]rune{',', ';', '\t'}).Draw(t, "separator")
		must.Do(t, w.WriteAll(rows))
		read, problems := Read(source.NewFile("t.csv", out.Bytes()), intake.Options{Format: "csv"})
		if len(problems) > 0 || len(read.Drafts) != 1 {
			t.Fatalf("%v\n%s", problems, out.String())
		}
		for c, criterion := range read.Drafts[0].Content.Get("criteria").List() {
			anchors := criterion.Get("anchors")
			for level, at := range anchorsOf[len(scale)] {
				if got := anchors.Get(at).Text(); !strings.HasSuffix(got, text(c, level)) {
					t.Fatalf("criterion %d, anchor %s: got %q, want %q\n%s", c, at, got, text(c, level), out.String())
				}
			}
		}
	})
}

// sheetRows are the rows of a table.
func sheetRows(layout string, scale []string, order []int, criteria int, text func(criterion, level int) string) (rows [][]string) {
	name := func(c int) string { return fmt.Sprintf("Zelba%s", string(rune('a'+c))) }
	switch layout {
	case "wide":
		head := []string{"Criterion"}
		for _, l := range order {
			head = append(head, scale[l])
		}
		rows = append(rows, head)
		for c := range criteria {
			row := []string{name(c)}
			for _, l := range order {
				row = append(row, text(c, l))
			}
			rows = append(rows, row)
		}
	case "transposed":
		head := []string{"Level"}
		for c := range criteria {
			head = append(head, name(c))
		}
		rows = append(rows, head)
		for _, l := range order {
			row := []string{scale[l]}
			for c := range criteria {
				row = append(row, text(c, l))
			}
			rows = append(rows, row)
		}
	case "long":
		rows = append(rows, []string{"Criterion", "Level", "Description"})
		for c := range criteria {
			for _, l := range order {
				rows = append(rows, []string{name(c), scale[l], text(c, l)})
			}
		}
	case "canvas":
		head := []string{"Rubric Name", "Criteria Name"}
		for range order {
			head = append(head, "Rating Name", "Rating Description", "Rating Points")
		}
		rows = append(rows, head)
		for c := range criteria {
			row := []string{"Essay", name(c)}
			for _, l := range order {
				row = append(row, fmt.Sprintf("Zor%d", l), text(c, l), fmt.Sprint(l*(c+1)))
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// TestNoTextOfASheetIsLost looks for each text of the tables that come in, in the documents with
// their comments, or for its column or row in the remarks.
func TestNoTextOfASheetIsLost(t *testing.T) {
	for _, name := range must.Get(filepath.Glob("testdata/sheets/*.txtar"))(t) {
		archive := must.Get(txtar.ParseFile(name))(t)
		var options string
		for _, f := range archive.Files {
			if f.Name == "options" {
				options = string(f.Data)
			}
			if f.Name != "table.csv" {
				continue
			}
			read, problems := Read(source.NewFile("table.csv", f.Data), optionsOf(options))
			if len(problems) > 0 {
				continue
			}
			said := ""
			for _, d := range read.Drafts {
				said += d.ID + "\n" + d.Name + "\n" + fmt.Sprint(d.Notes) + flat(d.Content)
			}
			for _, r := range append(read.Dropped, read.Derived...) {
				said += r.Text + " " + r.First + "\n"
			}
			for _, cell := range longTexts(f.Data) {
				for line := range strings.Lines(cell) {
					line = levelNumber.ReplaceAllString(strings.TrimSpace(line), "")
					if !strings.Contains(intake.Fold(said), intake.Fold(line)) {
						t.Errorf("%s: %q is lost", filepath.Base(name), line)
					}
				}
			}
		}
	}
}

// levelNumber is the label of a level in a text that has several.
var levelNumber = regexp.MustCompile(`^[0-9](?::| =) `)

// flat are all texts of a value, each on its own lines.
func flat(n *yamltree.Node) string {
	out := n.Value + "\n"
	for _, e := range n.Entries {
		out += flat(e.Value)
	}
	for _, item := range n.Items {
		out += flat(item)
	}
	return out
}

// longTexts are the cells below the headings that have two or more words.
func longTexts(data []byte) (texts []string) {
	data = bytes.TrimPrefix(data, []byte("sep=;\n"))
	r := csv.NewReader(bytes.NewReader(data))
	r.FieldsPerRecord = -1
	head, _, _ := bytes.Cut(data, []byte("\n"))
	for _, comma := range []rune{';', '\t'} {
		if bytes.ContainsRune(head, comma) {
			r.Comma = comma
		}
	}
	rows, _ := r.ReadAll()
	headings := slices.IndexFunc(rows, func(row []string) bool {
		return len(row) < 2 || row[1] != "" // before them are titles
	})
	for i, row := range rows {
		for _, cell := range row {
			if _, isNumber := intake.Quantity(cell); isNumber {
				continue
			}
			if i != headings && len(strings.Fields(cell)) > 1 && !strings.HasPrefix(cell, "'") {
				texts = append(texts, strings.TrimSpace(cell))
			}
		}
	}
	return texts
}
