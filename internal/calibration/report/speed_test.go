package report

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/decide"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// large is a dataset of 1,700 items, of which 2 to 5 of 13 raters labeled each for 4 criteria, with
// six judges with two runs each.
func large() (fstest.MapFS, *calibration.Subject) {
	g := rand.New(rand.NewPCG(1, 2))
	s := &calibration.Subject{Digest: digest("a"), Criteria: map[string]string{}, Rubric: &rubric.Rubric{ID: "large_v1", Version: "1.0.0", Scoring: rubric.Scoring{PassThreshold: 3}}}
	head := "applies_to: [large_v1]\nlabeled_by: people\nmethod: By hand.\nlicense: CC0-1.0\ncriteria:\n"
	for i := range 4 {
		name := fmt.Sprint("c", i)
		s.Criteria[name] = digest(fmt.Sprint(i))
		s.Rubric.Criteria = append(s.Rubric.Criteria, rubric.Criterion{Name: name, Weight: rubric.Important, Threshold: 3})
		head += fmt.Sprintf("  - {name: %s, digest: %q}\n", name, s.Criteria[name])
	}
	scores := func(truth, noise float64) map[string]float64 {
		all := map[string]float64{}
		for _, c := range s.Rubric.Criteria {
			all[c.Name] = max(1, min(5, math.Round(truth+noise*g.NormFloat64())))
		}
		return all
	}
	files := map[string]*strings.Builder{}
	add := func(name string, line any) {
		if files[name] == nil {
			files[name] = &strings.Builder{}
		}
		data, _ := json.Marshal(line) // of numbers and texts
		fmt.Fprintf(files[name], "%s\n", data)
	}
	for i := range 1700 {
		truth, words := 1+4*g.Float64(), ""
		item := calibration.Item{ID: fmt.Sprint("i", i), Labels: map[string]map[string]float64{}}
		for _, rater := range g.Perm(13)[:2+g.IntN(4)] {
			item.Labels[fmt.Sprint("r", rater)] = scores(truth, 1)
		}
		for range 40 {
			words += fmt.Sprintf("word%d ", g.IntN(5000))
		}
		item.Artifact = words
		add("items.jsonl", item)
		for judge := range 6 {
			for _, date := range []string{"2026-11-14", "2026-11-21"} {
				add(fmt.Sprintf("judges/j%d/%s.jsonl", judge, date), calibration.Answer{
					Run: date, Item: item.ID, Model: "m", Date: date, Digest: s.Digest, Items: 1700, Labels: item.AnsweredCriteria(), Scores: scores(truth, .8), Ended: true,
				})
			}
		}
	}
	fsys := fstest.MapFS{"calibration/large/dataset.yaml": {Data: []byte(head)}}
	for name, text := range files {
		fsys[path.Join("calibration/large", name)] = &fstest.MapFile{Data: []byte(text.String())}
	}
	return fsys, s
}

func digest(letter string) string { return "sha256:" + strings.Repeat(letter, 64) }

// BenchmarkReport reads a large dataset, and reports on all judges, compared with their earlier runs.
func BenchmarkReport(b *testing.B) {
	fsys, s := large()
	for b.Loop() {
		d, problems, err := calibration.Load(fsys, "large")
		if err != nil || len(problems) > 0 {
			b.Fatal(problems, err)
		}
		decider := decide.On(d, s, decide.Options{Settings: decide.Defaults(), Seed: 1, AsOf: "2026-11-21"})
		for i := range d.Judges {
			Of(decider.Track(d.Judges[i].NewestRun(s.Digest)))
		}
	}
}
