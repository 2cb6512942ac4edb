package replay

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/change/compat"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// The pools are small, so that both sides have names in common, patterns match, and
// minimums are reached. Draws are mostly from the start of a pool.
var (
	someNames      = []string{"a", "b", "c"}
	someNegatives  = []string{"m", "n"}
	someThresholds = []float64{3, 3.5, 2.5, 4, 2, 5, 1}
	somePatterns   = []any{"x", "y", "xy", "[^x]", "z$"}
	someTexts      = []string{"aa", "x", "y", "xy", "ax\nz", ""}
	someDigests    = []string{"base", "head", "other"}
)

func pick[T any](t *rapid.T, list []T) T { return rapid.SampledFrom(list).Draw(t, "pick") }

// anyRubric draws a realistic rubric.
func anyRubric(t *rapid.T) map[string]any {
	var criteria, negatives []any
	for _, name := range someNames[:rapid.IntRange(1, len(someNames)).Draw(t, "criteria")] {
		criteria = append(criteria, criterion(name, pick(t, []string{"essential", "important"}), pick(t, someThresholds)))
	}
	for _, name := range someNegatives[:rapid.IntRange(0, len(someNegatives)).Draw(t, "negative criteria")] {
		negatives = append(negatives, anyNegative(t, name))
	}
	return rubricOf(pick(t, append(someThresholds, 0)), criteria, negatives)
}

func anyNegative(t *rapid.T, name string) map[string]any {
	return negative(name, pick(t, []string{"fail", "report"}), pick(t, somePatterns), pick(t, somePatterns))
}

// mutations are edits of a rubric, of every class of change.
var mutations = map[string]func(t *rapid.T, doc map[string]any){
	"name": func(t *rapid.T, doc map[string]any) { doc["name"] = pick(t, []string{"Y", "Z"}) },
	"threshold": func(t *rapid.T, doc map[string]any) {
		anyElement(t, doc, "criteria")["threshold"] = pick(t, someThresholds)
	},
	"weight": func(t *rapid.T, doc map[string]any) {
		anyElement(t, doc, "criteria")["weight"] = pick(t, []string{"essential", "important"})
	},
	"relative weight": func(t *rapid.T, doc map[string]any) {
		anyElement(t, doc, "criteria")["relative_weight"] = pick(t, []float64{0.5, 1, 3, 1000})
	},
	"all weights": func(t *rapid.T, doc map[string]any) {
		factor := pick(t, []float64{0.3, 3})
		for _, c := range doc["criteria"].([]any) {
			weight, there := c.(map[string]any)["relative_weight"].(float64)
			if !there {
				weight = 1
			}
			c.(map[string]any)["relative_weight"] = min(1000, weight*factor)
		}
	},
	"words":  func(t *rapid.T, doc map[string]any) { anyElement(t, doc, "criteria")["description"] = "How it looks." },
	"rename": func(t *rapid.T, doc map[string]any) { anyElement(t, doc, "criteria")["name"] = "d" },
	"add": func(t *rapid.T, doc map[string]any) {
		doc["criteria"] = append(doc["criteria"].([]any), criterion("e", "essential", pick(t, someThresholds)))
	},
	"scoring": func(t *rapid.T, doc map[string]any) {
		doc["scoring"] = map[string]any{"pass_threshold": pick(t, someThresholds), "essential_minimum": pick(t, someThresholds)}
	},
	"negative": func(t *rapid.T, doc map[string]any) {
		doc["negative_criteria"] = []any{anyNegative(t, pick(t, someNegatives))}
	},
	"no negative": func(_ *rapid.T, doc map[string]any) { delete(doc, "negative_criteria") },
}

func anyElement(t *rapid.T, doc map[string]any, key string) map[string]any {
	return pick(t, doc[key].([]any)).(map[string]any)
}

// anyChange draws both sides of a change: none to three edits.
func anyChange(t *rapid.T) (base, head *document.Document) {
	doc := anyRubric(t)
	base = parsed(doc)
	edits := rapid.SampledFrom(slices.Sorted(maps.Keys(mutations)))
	for _, name := range rapid.SliceOfNDistinct(edits, 0, 3, rapid.ID).Draw(t, "edits") {
		mutations[name](t, doc)
	}
	return base, parsed(doc)
}

// anyDataset draws items with labels and a judge with one run.
func anyDataset(t *rapid.T, base, head *calibration.Subject) *calibration.Dataset {
	d := &calibration.Dataset{Name: "d", LabeledBy: calibration.People, Judges: []calibration.Judge{{Name: "j"}}}
	digest := map[string]string{"base": base.Digest, "head": head.Digest, "other": "other"}[pick(t, someDigests)]
	names := slices.Concat(someNames, []string{"d", "e"})
	for i := range rapid.IntRange(1, 8).Draw(t, "items") {
		id := fmt.Sprint("i", i)
		labels, scores := map[string]float64{}, map[string]float64{}
		for _, name := range names {
			if rapid.IntRange(0, 9).Draw(t, "is scored") < 9 {
				labels[name] = float64(rapid.IntRange(1, 5).Draw(t, "label"))
				scores[name] = pick(t, someThresholds)
			}
		}
		d.Items = append(d.Items, calibration.Item{ID: id, Artifact: pick(t, someTexts), Labels: map[string]map[string]float64{"ann": labels}})
		d.Judges[0].Answers = append(d.Judges[0].Answers, calibration.Answer{Run: "r", Item: id, Digest: digest, Scores: scores})
	}
	return d
}

// TestReplayKeepsTheClasses checks the classes on recorded scores: changes up to patch flip
// nothing, and with changes up to minor, no item that passed fails.
func TestReplayKeepsTheClasses(t *testing.T) {
	flips := map[schema.Class]int{}
	for range 10 { // enough for some flips of each class that has them
		rapid.Check(t, func(t *rapid.T) {
			one, other := anyChange(t)
			d := anyDataset(t, subject(t, one), subject(t, other))
			keepsItsClass(t, one, other, d, flips)
			keepsItsClass(t, other, one, d, flips)
		})
	}
	if flips[schema.Minor] == 0 || flips[schema.Major] == 0 {
		t.Errorf("nothing flipped, which shows nothing: %v", flips)
	}
}

func keepsItsClass(t *rapid.T, base, head *document.Document, d *calibration.Dataset, flips map[schema.Class]int) {
	class := compat.Class(compat.Compare(base, head))
	for _, rec := range replayed(t, subject(t, base), subject(t, head), d) {
		toFail, toPass := rec.CountFlips()
		for _, o := range rec.Criteria {
			toFail, toPass = toFail+o.ToFail, toPass+o.ToPass
		}
		if class <= schema.Minor && toFail > 0 || class <= schema.Patch && toPass > 0 {
			t.Fatalf("the change is %s, and the result is %+v", class, rec)
		}
		flips[class] += len(rec.Flips)
	}
}

// TestReplayIsWhatTheVerdictsSay compares a replay with the verdicts of both sides for each
// item.
func TestReplayIsWhatTheVerdictsSay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		baseDoc, headDoc := anyChange(t)
		base, head := subject(t, baseDoc), subject(t, headDoc)
		d := anyDataset(t, base, head)
		want := map[string]bool{}
		known := 0
		for i, a := range d.Judges[0].Answers {
			was, ok1 := passes(t, base.Rubric, d.Items[i].Artifact, a.Scores)
			is, ok2 := passes(t, head.Rubric, d.Items[i].Artifact, a.Scores)
			if ok1 && ok2 {
				known++
				if was != is {
					want[a.Item] = is
				}
			}
		}
		rec := replayed(t, base, head, d)[0]
		got := map[string]bool{}
		for _, f := range rec.Flips {
			got[f.Item] = f.To == ToPass
			if len(f.Reasons) == 0 {
				t.Fatalf("%s flips without a reason", f.Item)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || rec.Replayed != known || len(rec.Flips) != len(got) {
			t.Fatalf("%d verdicts are known and %d replayed:\n%s", known, rec.Replayed, diff)
		}
	})
}

// passes returns the verdict on an item, if all scores exist.
func passes(t *rapid.T, r *rubric.Rubric, text string, scores map[string]float64) (passed, ok bool) {
	hits, err := r.NegativeHits(text)
	if err != nil {
		t.Fatal(err)
	}
	asked := map[string]float64{}
	for _, c := range r.Criteria {
		if score, ok := scores[c.Name]; ok {
			asked[c.Name] = score
		}
	}
	v, err := r.Verdict(asked, rubric.HitNames(hits))
	return v.Passed, err == nil
}

// TestReplayHasNoDirection swaps the sides, which reverses all flips.
func TestReplayHasNoDirection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		baseDoc, headDoc := anyChange(t)
		base, head := subject(t, baseDoc), subject(t, headDoc)
		d := anyDataset(t, base, head)
		there, back := replayed(t, base, head, d), replayed(t, head, base, d)
		for i := range there {
			toFail, toPass := there[i].CountFlips()
			backToFail, backToPass := back[i].CountFlips()
			if toFail != backToPass || toPass != backToFail || there[i].Replayed != back[i].Replayed {
				t.Fatalf("there %+v\nback %+v", there[i], back[i])
			}
		}
	})
}

func replayed(t fataler, base, head *calibration.Subject, d *calibration.Dataset) []Recording {
	r := &Rubric{}
	r.replay(base, head, d)
	if r.Missing != "" {
		t.Fatalf("%s", r.Missing)
	}
	return r.Recordings
}
