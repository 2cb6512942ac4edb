package decide

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/dev/calibrationtest"
	"pgregory.net/rapid"
)

// edits are single edits of evidence, on some of the items or of the answers of a run. pick
// reports whether the edit concerns the i-th of them.
var edits = map[string]func(t *rapid.T, e *evidence, pick func(i int) bool){
	"labels are the scores": func(t *rapid.T, e *evidence, pick func(int) bool) {
		rater := aRater(t)
		e.eachItem(pick, func(item *calibration.Item) { label(item, rater, e.score(item.ID)) })
	},
	"a rater is added": func(t *rapid.T, e *evidence, pick func(int) bool) {
		rater, shift := aRater(t), rapid.SampledFrom([]float64{0, 0.3, 1}).Draw(t, "shift")
		e.eachItem(pick, func(item *calibration.Item) {
			if _, there := item.Labels[rater]; !there {
				label(item, rater, level(item.Labels["r1"]["clarity"]+shift*float64(len(item.ID)%2)))
			}
		})
	},
	"what a rater could not tell": func(t *rapid.T, e *evidence, pick func(int) bool) {
		rater := aRater(t)
		e.eachItem(pick, func(item *calibration.Item) {
			delete(item.Labels[rater], "clarity")
			item.CannotTell[rater] = []string{"clarity"}
		})
	},
	"labels are removed": func(t *rapid.T, e *evidence, pick func(int) bool) {
		rater := aRater(t)
		e.eachItem(pick, func(item *calibration.Item) { delete(item.Labels, rater) })
	},
	"items change their split": func(t *rapid.T, e *evidence, pick func(int) bool) {
		split := rapid.SampledFrom([]string{"", "test", calibration.Dev}).Draw(t, "split")
		e.eachItem(pick, func(item *calibration.Item) { item.Split = split })
	},
	"items change their text": func(_ *rapid.T, e *evidence, pick func(int) bool) {
		e.eachItem(pick, func(item *calibration.Item) { item.Artifact += "." })
	},
	"items are removed": func(t *rapid.T, e *evidence, pick func(int) bool) {
		withAnswers, removed := rapid.Bool().Draw(t, "with their answers"), map[string]bool{}
		e.eachItem(pick, func(item *calibration.Item) { removed[item.ID] = true })
		e.items = slices.DeleteFunc(e.items, func(item calibration.Item) bool { return removed[item.ID] })
		for name := range e.answers {
			e.answers[name] = slices.DeleteFunc(e.answers[name], func(a calibration.Answer) bool { return withAnswers && removed[a.Item] })
		}
	},
	"items are added": func(t *rapid.T, e *evidence, pick func(int) bool) {
		for i := range 20 {
			if pick(i) {
				label := float64(1 + i%5)
				e.items = append(e.items, calibration.Item{ID: fmt.Sprintf("n%02d-%d", i, len(e.items)), Artifact: fmt.Sprintf("New %d of %d.", len(e.items), i), Labels: map[string]map[string]float64{"r1": {"clarity": label}, "r2": {"clarity": level(label + float64(i%2))}}})
			}
		}
	},
	"an item is repeated": func(t *rapid.T, e *evidence, _ func(int) bool) {
		item := rapid.SampledFrom(e.items).Draw(t, "item")
		item.Labels = maps.Clone(item.Labels)
		if rapid.Bool().Draw(t, "under another ID") {
			item.ID += "-again"
		}
		e.items = append(e.items, item)
	},
	"items are reordered": func(t *rapid.T, e *evidence, _ func(int) bool) { slices.Reverse(e.items) },
	"scores are the labels": func(t *rapid.T, e *evidence, pick func(int) bool) {
		e.eachAnswer(t, pick, func(a *calibration.Answer) { *a = e.perfect(*a) })
	},
	"answers say something else": func(t *rapid.T, e *evidence, pick func(int) bool) {
		what := rapid.IntRange(0, 4).Draw(t, "what")
		e.eachAnswer(t, pick, func(a *calibration.Answer) {
			switch what {
			case 0:
				a.Date = "2026-01-06"
			case 1:
				a.Digest = calibrationtest.Words
			case 2:
				a.Items = len(e.items)
			case 3:
				a.Labels = map[string][]string{"r1": {"clarity"}, "r2": {"clarity"}}
			case 4:
				a.Model, a.PromptDigest = "n", calibrationtest.NewWords
			}
		})
	},
	"answers are removed": func(t *rapid.T, e *evidence, pick func(int) bool) {
		name := e.file(t)
		i := -1
		e.answers[name] = slices.DeleteFunc(e.answers[name], func(calibration.Answer) bool { i++; return pick(i) })
	},
	"the judge is asked again": func(t *rapid.T, e *evidence, pick func(int) bool) {
		name, repeats := e.file(t), rapid.IntRange(2, 9).Draw(t, "repeats")
		for i, a := range e.answers[name] {
			for a.Repeat = 2; pick(i) && a.Repeat <= repeats; a.Repeat++ {
				e.answers[name] = append(e.answers[name], e.perfect(a))
			}
		}
	},
	"answers are filled in": func(_ *rapid.T, e *evidence, pick func(int) bool) {
		for run := range recordedRuns - 1 { // the last run may be continued
			list := e.answers[runFile(run)]
			for i, item := range e.items {
				has := func(a calibration.Answer) bool { return a.Item == item.ID }
				if len(list) > 0 && pick(i) && !slices.ContainsFunc(list, has) {
					a := list[0]
					a.Item, a.Labels = item.ID, item.AnsweredCriteria()
					e.answers[runFile(run)] = append(e.answers[runFile(run)], e.perfect(a))
				}
			}
		}
	},
	"an answer is repeated": func(t *rapid.T, e *evidence, _ func(int) bool) {
		name := e.file(t)
		if list := e.answers[name]; len(list) > 0 {
			e.answers[name] = append(list, rapid.SampledFrom(list).Draw(t, "answer"))
		}
	},
	"answers are reordered": func(t *rapid.T, e *evidence, _ func(int) bool) { slices.Reverse(e.answers[e.file(t)]) },
	"a file is moved": func(t *rapid.T, e *evidence, _ func(int) bool) {
		from, to := e.file(t), rapid.SampledFrom([]string{"judges/j.jsonl", "judges/j/run-0.jsonl", "judges/k/run-0.jsonl"}).Draw(t, "to")
		answers := e.answers[from]
		delete(e.answers, from)
		e.answers[to] = append(e.answers[to], answers...)
	},
	"dataset.yaml": func(t *rapid.T, e *evidence, _ func(int) bool) {
		edit := rapid.SampledFrom([][2]string{
			{"labeled_by: authors", "labeled_by: people"}, {"labeled_by: model", "labeled_by: people"}, {calibrationtest.NewWords, calibrationtest.Words},
			{"criteria:\n", "criteria:\n  - name: clarity\n    digest: " + calibrationtest.Words + "\n"}, {"criteria:\n", "criteria:\n  - name: scope\n    digest: " + calibrationtest.Words + "\n"},
			{"[depth_v1]", "[depth_v1, other_v1]"}, {"[depth_v1]", "[other_v1]"}, {"method", "share: full\nmethod"}, {"license: l", "license: k"},
		}).Draw(t, "edit")
		e.head = strings.Replace(e.head, edit[0], edit[1], 1)
	},
}

// edit makes one edit, and returns what it is.
func (e *evidence) edit(t *rapid.T) string {
	name := rapid.SampledFrom(slices.Sorted(maps.Keys(edits))).Draw(t, "edit")
	from, step := rapid.SampledFrom([]int{0, 0, 0, 1, 12, 20, 29, 40}).Draw(t, "from"), rapid.SampledFrom([]int{1, 1, 1, 5, 12, 50}).Draw(t, "step")
	if len(e.items) == 0 || len(e.answers) == 0 {
		return "nothing: no item or no file is left"
	}
	edits[name](t, e, func(i int) bool { return i >= from && (i-from)%step == 0 })
	return name
}

func aRater(t *rapid.T) string { return rapid.SampledFrom([]string{"r1", "r2", "r3"}).Draw(t, "rater") }

func label(i *calibration.Item, rater string, label float64) {
	if i.Labels[rater] == nil {
		i.Labels[rater] = map[string]float64{}
	}
	i.Labels[rater]["clarity"] = label
}

func (e *evidence) eachItem(pick func(int) bool, edit func(*calibration.Item)) {
	for i := range e.items {
		if pick(i) {
			if e.items[i].CannotTell == nil {
				e.items[i].CannotTell = map[string][]string{}
			}
			edit(&e.items[i])
		}
	}
}

func (e *evidence) file(t *rapid.T) string {
	return rapid.SampledFrom(slices.Sorted(maps.Keys(e.answers))).Draw(t, "file")
}

func (e *evidence) eachAnswer(t *rapid.T, pick func(int) bool, edit func(*calibration.Answer)) {
	list := e.answers[e.file(t)]
	for i := range list {
		if pick(i) {
			edit(&list[i])
		}
	}
}

// perfect is an answer that says what the first rater says.
func (e *evidence) perfect(a calibration.Answer) calibration.Answer {
	for _, item := range e.items {
		if item.ID == a.Item {
			a.Error, a.Scores = "", map[string]float64{"clarity": item.Labels["r1"]["clarity"]}
		}
	}
	return a
}

// score is the first score of an item, or 1.
func (e *evidence) score(item string) float64 {
	for _, name := range slices.Sorted(maps.Keys(e.answers)) {
		for _, a := range e.answers[name] {
			if a.Item == item && a.Error == "" {
				return a.Scores["clarity"]
			}
		}
	}
	return 1
}
