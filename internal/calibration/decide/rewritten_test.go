package decide

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/dev/calibrationtest"
	"pgregory.net/rapid"
)

// evidence is what a dataset records, in parts that can be edited.
type evidence struct {
	head    string
	items   []calibration.Item
	answers map[string][]calibration.Answer // by file
}

const recordedRuns = 3

// files are the files of the dataset d.
func (e *evidence) files() fstest.MapFS {
	fsys := fstest.MapFS{}
	write := func(name string, lines ...any) {
		var b strings.Builder
		for _, line := range lines {
			text, _ := json.Marshal(line) // of strings and numbers
			b.Write(append(text, '\n'))
		}
		fsys["calibration/d/"+name] = &fstest.MapFile{Data: []byte(b.String())}
	}
	fsys["calibration/d/dataset.yaml"] = &fstest.MapFile{Data: []byte(e.head)}
	var items []any
	for _, item := range e.items {
		items = append(items, item)
	}
	write(calibration.ItemsFile, items...)
	for name, answers := range e.answers {
		var lines []any
		for _, a := range answers {
			lines = append(lines, a)
		}
		write(name, lines...)
	}
	return fsys
}

func (e *evidence) clone() *evidence {
	own := &evidence{head: e.head, answers: map[string][]calibration.Answer{}}
	for _, item := range e.items {
		labels := map[string]map[string]float64{}
		for rater, of := range item.Labels {
			labels[rater] = maps.Clone(of)
		}
		item.Labels, item.CannotTell = labels, maps.Clone(item.CannotTell)
		own.items = append(own.items, item)
	}
	for name, answers := range e.answers {
		own.answers[name] = slices.Clone(answers)
	}
	return own
}

func runFile(run int) string { return fmt.Sprintf("judges/j/run-%d.jsonl", run) }

// flaws are what the recorded evidence of a good judge can lack, so that it may not do all.
var flaws = []string{
	"", "", "", "29 pairs", "one rater", "equal raters", "a rater is the judge", "noise", "lenient", "some answers are wrong", "unreadable", "not asked",
	"authors", "model", "stale labels", "stale run", "an earlier program", "one run", "three days apart", "fifty days apart", "few are test", "the rest is dev",
}

// drawEvidence draws a dataset of which a judge has answered the items, and its flaw.
func drawEvidence(t *rapid.T) (e *evidence, flaw string) {
	g := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	flaw = rapid.SampledFrom(flaws).Draw(t, "flaw")
	is := func(flaws ...string) bool { return slices.Contains(flaws, flaw) }
	e = &evidence{answers: map[string][]calibration.Answer{}}
	labeler, labeled := "people", calibrationtest.Words
	if is("authors", "model") {
		labeler = flaw
	}
	if is("stale labels") {
		labeled = calibrationtest.NewWords
	}
	e.head = "applies_to: [depth_v1]\nlabeled_by: " + labeler + "\nmethod: m\nlicense: l\ncriteria:\n  - name: clarity\n    digest: " + labeled + "\n"
	const n = 50
	scores := make([][]float64, recordedRuns)
	for i := range n {
		truth := 1 + float64(i%5)
		item := calibration.Item{ID: fmt.Sprintf("i%02d", i), Artifact: fmt.Sprint("Text ", i), Labels: map[string]map[string]float64{}}
		label(&item, "r1", level(truth+0.4*g.NormFloat64()))
		label(&item, "r2", level(truth+0.4*g.NormFloat64()))
		for run := range scores {
			score := truth
			switch {
			case is("noise"):
				score = level(truth + 1.3*g.NormFloat64())
			case is("lenient"):
				score = min(5, truth+1)
			case is("some answers are wrong") && i < 12, is("the rest is dev") && i >= 20:
				score = 6 - truth
			case i%9 == run:
				score = level(truth + 0.8*g.NormFloat64())
			}
			scores[run] = append(scores[run], score)
		}
		switch {
		case is("29 pairs") && i >= 29, is("one rater"):
			delete(item.Labels, "r2")
		case is("equal raters"):
			item.Labels["r2"] = item.Labels["r1"]
		case is("a rater is the judge"):
			item.Labels["r2"]["clarity"] = scores[0][i]
		}
		if is("few are test") && i >= 12 || is("the rest is dev") && i < 20 {
			item.Split = calibration.Dev
		}
		e.items = append(e.items, item)
	}
	apart := map[string]int{"three days apart": 1, "fifty days apart": 50}[flaw]
	if apart == 0 {
		apart = 7
	}
	for run := range scores {
		date := time.Date(2026, 1, 5+apart*run, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
		for i, item := range e.items {
			a := calibration.Answer{Run: fmt.Sprint("run-", run), Item: item.ID, Repeat: 1, Model: "m", Date: date, Digest: calibrationtest.Words, Items: n, Labels: item.AnsweredCriteria(), Scores: map[string]float64{"clarity": scores[run][i]}}
			file := runFile(run)
			switch {
			case is("not asked") && i%12 == 0, is("one run") && run > 0:
				continue
			case is("unreadable") && i%12 == 0:
				a.Scores, a.Error = nil, "no JSON"
			case is("stale run"):
				a.Digest = calibrationtest.NewWords
			case is("an earlier program"):
				a.Items, a.Labels, file = 0, nil, "judges/j.jsonl"
			}
			e.answers[file] = append(e.answers[file], a)
		}
	}
	return e, flaw
}

// uses is what a judge may do after each run: rank and gate.
func uses(d *calibration.Dataset) map[string]bool {
	may := map[string]bool{}
	if j := d.Judge("j"); j != nil {
		for _, run := range j.Runs() {
			r := On(d, calibrationtest.Depth(), Options{Settings: Defaults(), Seed: 1, AsOf: run.Date}).Decide(&run)
			may[run.Name+" rank"], may[run.Name+" gate"] = r.Rank.Answer.Given(), r.Gate.Answer.Given()
		}
	}
	return may
}

// TestEditsGiveNothing: no edits of recorded evidence give a judge what it had not after a
// recorded run, unless they are reported. New runs, and answers that the last one lacks, are
// left out, and so are reaffirmations: review is the only defense against forged ones.
func TestEditsGiveNothing(t *testing.T) {
	green, flawless, given := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		e, flaw := drawEvidence(t)
		base, problems, err := calibration.Load(e.files(), "d")
		if err != nil || len(problems) > 0 {
			t.Fatal(err, problems)
		}
		edited, names := e.clone(), []string{}
		for range rapid.IntRange(1, 3).Draw(t, "edits") {
			names = append(names, edited.edit(t))
		}
		head, problems, err := calibration.Load(edited.files(), "d")
		if err != nil || len(problems) > 0 || len(calibration.Rewrites(base, base, head, nil)) > 0 {
			return
		}
		green++
		before := uses(base)
		for use, may := range uses(head) {
			if may && !before[use] {
				t.Errorf("%q: after %q, %s", flaw, names, use)
			}
		}
		if flaw == "" {
			flawless++
			if before["run-2 rank"] {
				given++
			}
		}
	})
	if green == 0 || flawless > 0 && given == 0 {
		t.Errorf("%d times, edits are not reported; %d of %d good judges may rank: nothing is tested", green, given, flawless)
	}
}

// TestOrderOfItemsDecidesNothing: the items may be in any order, but that must not choose the
// resamples of an interval, or orders could be tried until a judge is met.
func TestOrderOfItemsDecidesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e, flaw := drawEvidence(t)
		if flaw == "an earlier program" {
			return // its runs count for nothing
		}
		var reports []string
		for range 2 {
			d, problems, err := calibration.Load(e.files(), "d")
			if err != nil || len(problems) > 0 {
				t.Fatal(err, problems)
			}
			run := d.Judge("j").NewestRun(calibrationtest.Words)
			r := On(d, calibrationtest.Depth(), Options{Settings: Defaults(), Seed: 1, AsOf: run.Date}).Decide(run)
			data, err := json.Marshal([]any{r.Criteria, r.Verdict, r.Conditions})
			if err != nil {
				t.Fatal(err)
			}
			reports = append(reports, string(data))
			slices.Reverse(e.items)
		}
		if reports[0] != reports[1] {
			t.Errorf("%q: the report is\n%s\nand with the items in reverse\n%s", flaw, reports[0], reports[1])
		}
	})
}
