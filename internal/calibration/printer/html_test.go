package printer

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/internal/render/rendertest"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

var update = flag.Bool("update", false, "rewrite the golden files of testdata")

// measurement is the input data of a report.
type measurement struct {
	criteria []string
	items    int
	records  int
	raters   []string
	tags     []string // every item has the first, every other item also the second
	judge    string   // "" for none
	artifact string
	// people and score are what a rater and the judge give to the item i.
	people func(i, rater int) int
	score  func(i int) float64
}

// small has data of two people and a judge who mostly agree.
func small() measurement {
	return measurement{
		criteria: []string{"clarity", "scope"}, items: 12, raters: []string{"r1", "r2"}, tags: []string{"ticket", "short"}, judge: "my-judge", artifact: "As a user\nI want <this>",
		people: func(i, rater int) int { return 1 + (i*2+rater*(i%3))%5 },
		score:  func(i int) float64 { return float64(1 + (i*2+i%2)%5) },
	}
}

// report computes the report on a measurement.
func (m measurement) report() calibration.Tracked {
	r := &rubric.Rubric{ID: "story_v1", Version: "1.0.0"}
	d := &calibration.Dataset{Name: "story", LabeledBy: calibration.People}
	s := &calibration.Subject{Rubric: r, Digest: "sha256:whole", Criteria: map[string]string{}}
	for i, name := range m.criteria {
		r.Criteria = append(r.Criteria, rubric.Criterion{Name: name, Weight: rubric.Essential, Threshold: 3})
		s.Criteria[name] = fmt.Sprint("sha256:", i)
		d.Criteria = append(d.Criteria, calibration.Labeled{Name: name, Digest: s.Criteria[name]})
	}
	run := &calibration.Run{Name: "2026-11-21", Judge: m.judge, Model: "model " + m.judge, Date: "2026-11-21", Digest: s.Digest}
	for i := range m.items {
		item := calibration.Item{ID: fmt.Sprintf("i%02d", i), Artifact: m.artifact + strings.Repeat("!", i), Tags: m.tags[:min(len(m.tags), 1+(i+1)%2)], Labels: map[string]map[string]float64{}}
		answer := calibration.Answer{Run: run.Name, Item: item.ID, Repeat: 1, Scores: map[string]float64{}}
		for _, name := range m.criteria {
			for j, rater := range m.raters {
				if item.Labels[rater] == nil {
					item.Labels[rater] = map[string]float64{}
				}
				item.Labels[rater][name] = float64(m.people(i, j))
			}
			answer.Scores[name] = m.score(i)
		}
		d.Items, run.Answers = append(d.Items, item), append(run.Answers, answer)
	}
	if m.judge == "" {
		run = nil
	}
	if m.judge != "" {
		d.Judges = []calibration.Judge{{Name: m.judge, Answers: run.Answers}}
	}
	c := calibration.Track(d, s, run, calibration.Options{Settings: calibration.Defaults(), Seed: 1, AsOf: "2026-11-21"})
	c.History = m.history()
	return c
}

// history has one recorded run for each day: the fourth drifted, the seventh has no
// numbers, and the wording changes with the tenth.
func (m measurement) history() []calibration.Record {
	var records []calibration.Record
	for i := range m.records {
		date := fmt.Sprintf("2026-%02d-%02d", 1+i/28, 1+i%28)
		record := calibration.Record{Date: date, Judge: calibration.JudgeReference{Model: "model " + m.judge, Run: fmt.Sprint("run-", i), Date: date}}
		for _, name := range m.criteria {
			v := agreement.Value{Number: 0.9 - float64(i)/100}
			if i == 6 {
				v = agreement.Value{Undefined: "all scores of the judge are the same"}
			}
			record.Criteria = append(record.Criteria, calibration.RecordedCriterion{Name: name, Spearman: agreement.Estimate{
				Value: v, Interval: agreement.Interval{Low: v.Number - 0.2, High: min(1, v.Number+0.05), Undefined: v.Undefined},
			}})
		}
		if i == 3 {
			record.Drift = &calibration.RecordedDrift{Since: "run-2", Drifted: true, Reasons: []string{m.criteria[0] + ": it fell."}}
		}
		if i >= 9 {
			record.LabelsDigest = "sha256:other"
		}
		records = append(records, record)
	}
	return records
}

func page(t interface{ Fatal(...any) }, reports ...calibration.Tracked) string {
	var b bytes.Buffer
	if err := HTML(&b, reports); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestCalibrationPage(t *testing.T) {
	m := small()
	m.records = 5
	got := page(t, m.report())
	if again := page(t, m.report()); again != got {
		t.Error("the same data gave two pages")
	}
	golden := filepath.Join("testdata", "calibration.html")
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("-update rewrites the file; this is not in it:\n%s", d)
	}
}

func TestDegenerateCalibrationPages(t *testing.T) {
	change := func(of func(m *measurement)) calibration.Tracked {
		m := small()
		of(&m)
		return m.report()
	}
	twelve := make([]string, 12)
	for i := range twelve {
		twelve[i] = fmt.Sprintf("a_criterion_with_a_long_name_that_does_not_fit_%d", i)
	}
	wild := change(func(m *measurement) { m.records = 3 })
	for i, x := range []float64{math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64} {
		wild.History[i].Criteria[0].Spearman = agreement.Estimate{Value: agreement.Value{Number: x}, Interval: agreement.Interval{Low: -x, High: x}}
	}
	tests := map[string]calibration.Tracked{
		"no judge":           change(func(m *measurement) { m.judge = "" }),
		"no items":           change(func(m *measurement) { m.items = 0 }),
		"one item":           change(func(m *measurement) { m.items = 1 }),
		"one rater":          change(func(m *measurement) { m.raters = m.raters[:1] }),
		"constant judge":     change(func(m *measurement) { m.score = func(int) float64 { return 3 } }),
		"constant people":    change(func(m *measurement) { m.people = func(int, int) int { return 5 } }),
		"no criteria":        change(func(m *measurement) { m.criteria = nil }),
		"twelve criteria":    change(func(m *measurement) { m.criteria, m.records = twelve, 2 }),
		"no tags":            change(func(m *measurement) { m.tags = nil }),
		"one record":         change(func(m *measurement) { m.records = 1 }),
		"fifty records":      change(func(m *measurement) { m.records = 50 }),
		"more than is shown": change(func(m *measurement) { m.records = shownRecords + 1 }),
		"wild history":       wild,
	}
	for name, r := range tests {
		t.Run(name, func(t *testing.T) {
			rendertest.CheckPage(t, page(t, r))
		})
	}
	t.Run("no reports", func(t *testing.T) { rendertest.CheckPage(t, page(t)) })
	t.Run("several", func(t *testing.T) {
		got := page(t, tests["no judge"], tests["one item"])
		rendertest.CheckPage(t, got)
		for _, want := range []string{`href="#report-1"`, `href="#report-2"`} {
			if !strings.Contains(got, want) {
				t.Errorf("the summary has no %s", want)
			}
		}
	})
}

func TestUndefinedIsADashWithItsReason(t *testing.T) {
	m := small()
	m.score = func(int) float64 { return 3 }
	r := m.report()
	got := page(t, r)
	for _, want := range []string{"<td>–<sup>1</sup></td>", "<li>" + r.Criteria[0].Spearman.Undefined + "</li>"} {
		if !strings.Contains(got, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

func TestDriftIsNamedWhereItIs(t *testing.T) {
	m := small()
	m.records = 12
	r := m.report()
	var drifted, reworded []int
	for i, row := range historyTable(&r).Rows {
		if row.Cells[len(row.Cells)-1].Text == "▼ clarity: it fell." {
			drifted = append(drifted, i)
		}
		if row.Cells[len(row.Cells)-2].Text == "changed" {
			reworded = append(reworded, i)
		}
	}
	if diff := cmp.Diff([]int{3}, drifted) + cmp.Diff([]int{9}, reworded); diff != "" {
		t.Error(diff)
	}
}

func TestNothingComesThroughInHTML(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := func(what string) string {
			return rendertest.Hostile(t, what) + rapid.SampledFrom([]string{"", "</script>", "</title>", "</style>", "<svg onload=x>", `" onclick="x`, "' x='", "{{.}}", "]]>", "שלום\u202e"}).Draw(t, "end of "+what)
		}
		m := small()
		m.records = 4
		m.people = func(int, int) int { return 5 }
		m.score = func(int) float64 { return 1 }
		m.criteria = []string{text("criterion"), "b" + text("other criterion")}
		m.judge, m.artifact, m.raters = "j"+text("judge"), text("artifact"), []string{"r" + text("rater")}
		m.items, m.tags = 12, []string{text("tag"), "b" + text("small tag")}
		r := m.report()
		r.Rubric.ID, r.Dataset.Name, r.Judge.Run = text("rubric"), text("dataset"), text("run")
		r.Messages = append(r.Messages, text("message"))
		r.History[0].Date = text("date")
		rendertest.CheckPage(t, page(t, r))
	})
}
