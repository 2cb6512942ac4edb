package site

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// farApart is the difference on a criterion from which on a judge and people differ.
const farApart = 2

// levels are scores by criterion: means of raters, or of the repeats of a judge.
type levels map[string]float64

// exampleItem is a labeled text with what people say about it and the patterns that match it.
type exampleItem struct {
	calibration.Item
	Title string
	// People has their mean by criterion, and Verdict is "pass" or "fail" by these means alone, or ""
	// where a criterion has none.
	People  levels
	Verdict string
	// Judges are those that answered an item for tuning. What they answered for others stays out of
	// sight, because those who see it tune a judge with it.
	Judges  []judgeLevels
	Matches []string
}

// judgeLevels are what a judge gave a text in its newest run for the rubric's words.
type judgeLevels struct {
	Name string
	levels
	Differs bool // from people, in the verdict or by farApart on a criterion
}

// Level returns the level on a criterion, and 0 if there is none.
func (l judgeLevels) Level(criterion string) float64 { return rounded(l.levels[criterion]) }

// Mean returns what people gave on average for a criterion, with two decimals, or 0 if nobody did.
func (x *exampleItem) Mean(criterion string) float64 { return rounded(x.People[criterion]) }

// Overall returns the people's mean over all criteria that they labeled, with two decimals.
func (x *exampleItem) Overall() float64 { return rounded(x.People.meanLevel()) }

// Differs reports whether a judge and people differ.
func (x *exampleItem) Differs() bool {
	return slices.ContainsFunc(x.Judges, func(j judgeLevels) bool { return j.Differs })
}

// graded returns the labeled texts of a dataset, with the highest mean of people first, at most
// mostExamples. Judges count by their runs for the words with a digest.
func graded(r *rubric.Rubric, d *calibration.Dataset, digest string) (items []exampleItem) {
	var runs []*calibration.Run
	for i := range d.Judges {
		if run := d.Judges[i].NewestRun(digest); run != nil && run.Digest == digest {
			runs = append(runs, run)
		}
	}
	for _, item := range d.Items {
		x := exampleItem{Item: item, People: meansOf(slices.Collect(maps.Values(item.Labels)))}
		x.Verdict = x.People.verdict(r)
		if item.Split == calibration.Dev {
			x.Judges = judged(r, &x, runs)
		}
		items = append(items, x)
	}
	slices.SortStableFunc(items, func(a, b exampleItem) int { return cmp.Compare(b.People.meanLevel(), a.People.meanLevel()) })
	items = items[:min(mostExamples, len(items))]
	entitle(items)
	for i := range items {
		if hits, err := r.NegativeHits(items[i].Artifact); err == nil { // bundles have no pattern that can't be searched
			items[i].Matches = rubric.HitNames(hits)
		}
	}
	return items
}

// judged returns what judges gave a text in their runs.
func judged(r *rubric.Rubric, x *exampleItem, runs []*calibration.Run) (all []judgeLevels) {
	for _, run := range runs {
		var answers []map[string]float64
		for _, a := range run.Answers {
			if a.Item == x.ID {
				answers = append(answers, a.Scores)
			}
		}
		j := judgeLevels{Name: run.Judge, levels: meansOf(answers)}
		if len(j.levels) == 0 {
			continue
		}
		verdict := j.verdict(r)
		j.Differs = verdict != "" && x.Verdict != "" && verdict != x.Verdict
		for name, level := range j.levels {
			if people, ok := x.People[name]; ok && math.Abs(level-people) >= farApart {
				j.Differs = true
			}
		}
		all = append(all, j)
	}
	return all
}

// meansOf returns the mean of each criterion over those that have it.
func meansOf(all []map[string]float64) levels {
	given := map[string][]float64{}
	for _, one := range all {
		for name, level := range one {
			given[name] = append(given[name], level)
		}
	}
	means := levels{}
	for name, each := range given {
		slices.Sort(each) // so that the order of raters changes no digit
		means[name] = agreement.Mean(each)
	}
	return means
}

// meanLevel returns the mean over all criteria, 0 if there are none.
func (l levels) meanLevel() float64 {
	if len(l) == 0 {
		return 0
	}
	return agreement.Mean(slices.Sorted(maps.Values(l)))
}

// verdict returns "pass" or "fail", or "" if a criterion has no level. Pattern hits do not count: they are
// the same for people and judges.
func (l levels) verdict(r *rubric.Rubric) string {
	switch v, err := r.Verdict(l, nil); {
	case err != nil:
		return ""
	case v.Passed:
		return "pass"
	}
	return "fail"
}

func rounded(x float64) float64 { return math.Round(100*x) / 100 }

// entitle gives each text another title: its first line, or if others have that too, its beginning, or else
// that with its ID.
func entitle(items []exampleItem) {
	firstLine := func(x *exampleItem) string { return strings.SplitN(strings.TrimSpace(x.Artifact), "\n", 2)[0] }
	beginning := func(x *exampleItem) string { return x.Artifact }
	identified := func(x *exampleItem) string { return x.ID + ": " + x.Artifact }
	for _, title := range []func(*exampleItem) string{firstLine, beginning, identified} {
		times := map[string]int{}
		for i := range items {
			times[items[i].Title]++
		}
		for i := range items {
			if x := &items[i]; x.Title == "" || times[x.Title] > 1 {
				x.Title = shortened(render.OneLine(title(x)))
			}
		}
	}
}

// examples are the labeled texts of a rubric. Without texts, Reason says why.
type examples struct {
	Dataset *calibration.Dataset // nil if the bundle does not have it
	Count   int
	Reason  string
	Items   []exampleItem
}

// More returns the number of texts that the page leaves out.
func (x *examples) More() int { return x.Count - len(x.Items) }

// First are the texts that are shown at first, and Rest are the others.
func (x *examples) First() []exampleItem { return x.Items[:min(firstExamples, len(x.Items))] }

func (x *examples) Rest() []exampleItem { return x.Items[min(firstExamples, len(x.Items)):] }

// Judged reports whether a judge answered an item for tuning.
func (x *examples) Judged() bool {
	return slices.ContainsFunc(x.Items, func(item exampleItem) bool { return len(item.Judges) > 0 })
}

// mostExamples is how many labeled texts a page has, and firstExamples how many it shows at first.
const (
	mostExamples  = 1000
	firstExamples = 10
)
