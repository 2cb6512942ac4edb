package report

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/decide"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/rendertest"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

var update = flag.Bool("update", false, "rewrite the golden files of testdata")

// measurement is the input data of a report.
type measurement struct {
	criteria []string
	items    int
	raters   []string
	judge    string
	// people and score are what a rater and the judge give to the item i.
	people func(i, rater int) int
	score  func(i int) float64
}

// small has data of two people and a judge who mostly agree.
func small() measurement {
	return measurement{
		criteria: []string{"clarity", "scope"}, items: 12, raters: []string{"r1", "r2"}, judge: "my-judge",
		people: func(i, rater int) int { return 1 + (i*2+rater*(i%3))%5 },
		score:  func(i int) float64 { return float64(1 + (i*2+i%2)%5) },
	}
}

// report computes the report on a measurement.
func (m measurement) report() *View {
	r := &rubric.Rubric{ID: "story_v1", Version: "1.0.0"}
	d := &calibration.Dataset{Name: "story", LabeledBy: calibration.People}
	s := &calibration.Subject{Rubric: r, Digest: "sha256:whole", Criteria: map[string]string{}}
	for i, name := range m.criteria {
		r.Criteria = append(r.Criteria, rubric.Criterion{Name: name, Weight: rubric.Essential, Threshold: 3})
		s.Criteria[name] = fmt.Sprint("sha256:", i)
		d.Criteria = append(d.Criteria, calibration.Labeled{Name: name, Digest: s.Criteria[name]})
	}
	run := &calibration.Run{Name: "2026-11-21", Judge: m.judge, Model: "model " + m.judge, Date: "2026-11-21", Digest: s.Digest, Items: m.items}
	for i := range m.items {
		item := calibration.Item{ID: fmt.Sprintf("i%02d", i), Artifact: fmt.Sprint("Text ", i), Labels: map[string]map[string]float64{}}
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
		answer.Labels = item.AnsweredCriteria()
		d.Items, run.Answers = append(d.Items, item), append(run.Answers, answer)
	}
	d.Judges = []calibration.Judge{{Name: m.judge, Answers: run.Answers}}
	return Of(decide.On(d, s, decide.Options{Settings: decide.Defaults(), Seed: 1, AsOf: "2026-11-21"}).Track(run))
}

func drawn(t must.T, r *View) string {
	return string(must.Get(Section(r))(t))
}

func TestSection(t *testing.T) {
	m := small()
	got := drawn(t, m.report())
	if again := drawn(t, m.report()); again != got {
		t.Error("the same data gave two sections")
	}
	golden := filepath.Join("testdata", "section.html")
	if *update {
		must.Do(t, os.WriteFile(golden, []byte(got), 0o644))
	}
	want := must.Get(os.ReadFile(golden))(t)
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("-update rewrites the file; this is not in it:\n%s", d)
	}
}

func TestNothingComesThroughInHTML(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := func(what string) string {
			return rendertest.Hostile(t, what) + rapid.SampledFrom([]string{"", "</script>", "</title>", "</style>", "<svg onload=x>", `" onclick="x`, "' x='", "{{.}}", "]]>", "שלום\u202e"}).Draw(t, "end of "+what)
		}
		m := small()
		m.people = func(int, int) int { return 5 }
		m.score = func(int) float64 { return 1 }
		m.criteria = []string{text("criterion"), "b" + text("other criterion")}
		m.judge, m.raters = "j"+text("judge"), []string{"r" + text("rater")}
		r := m.report()
		r.Rubric.ID, r.Dataset.Name, r.Judge.Run = text("rubric"), text("dataset"), text("run")
		r.Answer = append(r.Answer, text("answer"))
		checkSection(t, drawn(t, r))
	})
}
