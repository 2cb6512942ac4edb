package calibration

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/pkg/rubric"
)

const (
	words    = "sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	newWords = "sha256:bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
)

// depth is a rubric with one criterion.
func depth() *Subject {
	r := &rubric.Rubric{
		ID: "depth_v1", Version: "1.0.0", CalibrationDataset: "calibration/depth",
		Criteria: []rubric.Criterion{{Name: "clarity", Weight: rubric.Essential, Threshold: 3}},
		Scoring:  rubric.Scoring{PassThreshold: 3},
	}
	return &Subject{Rubric: r, Digest: words, Criteria: map[string]string{"clarity": words}}
}

// labelled returns a dataset whose items have the given labels by one rater.
func labelled(labels ...int) *Dataset {
	d := &Dataset{Name: "depth", AppliesTo: []string{"depth_v1"}, LabelledBy: People, Criteria: []Labelled{{"clarity", words}}}
	for i, label := range labels {
		d.Items = append(d.Items, Item{ID: fmt.Sprintf("i%03d", i), Artifact: fmt.Sprint("text ", i), Labels: map[string]map[string]int{"r1": {"clarity": label}}})
	}
	return d
}

// scored returns a run with the given scores; 0 means no answer.
func scored(scores ...float64) *Run {
	run := &Run{Name: "2026-11-21", Judge: "j", Model: "m", Date: "2026-11-21", Digest: words}
	for i, score := range scores {
		a := Answer{Run: run.Name, Item: fmt.Sprintf("i%03d", i), Repeat: 1, Model: "m", Date: run.Date, Digest: words}
		if score == 0 {
			a.Error = "invalid JSON"
		} else {
			a.Scores = map[string]float64{"clarity": score}
		}
		run.Answers = append(run.Answers, a)
	}
	return run
}

// spread returns n labels that cycle through the scale.
func spread(n int) []int {
	labels := make([]int, n)
	for i := range labels {
		labels[i] = i%5 + 1
	}
	return labels
}

func floats(labels []int) []float64 {
	out := make([]float64, len(labels))
	for i, label := range labels {
		out[i] = float64(label)
	}
	return out
}

// random returns scores that are independent of the labels.
func random(n int) []float64 {
	r := rand.New(rand.NewPCG(5, 0))
	out := make([]float64, n)
	for i := range out {
		out[i] = float64(1 + r.IntN(5))
	}
	return out
}

// worsened replaces every k-th label with its mirror image on the scale.
func worsened(labels []int, k int) []float64 {
	out := floats(labels)
	for i := range out {
		if i%k == 0 {
			out[i] = 6 - out[i]
		}
	}
	return out
}

var options = Options{Settings: Defaults(), Seed: 1}

func TestOutcomes(t *testing.T) {
	tests := []struct {
		reason     string
		dataset    func() *Dataset
		run        *Run
		subject    func(*Subject)
		want       Outcome
		calibrated bool
		says       string
	}{
		{
			reason: "the whole interval reaches the target", dataset: func() *Dataset { return labelled(spread(40)...) }, run: scored(floats(spread(40))...),
			want: Met, calibrated: true, says: "clarity: 1.00 (1.00 to 1.00) reaches the target 0.70.",
		},
		{
			reason: "a judge that says anything is below it", dataset: func() *Dataset { return labelled(spread(100)...) }, run: scored(random(100)...),
			want: NotMet, says: "is below the target 0.70. Check the worst disagreements, then the judge's prompt.",
		},
		{
			reason: "with few items the interval spans it", dataset: func() *Dataset { return labelled(spread(20)...) }, run: scored(worsened(spread(20), 7)...),
			want: Undecided, says: "spans the target 0.70: too few items to tell. If the value stays the same, about ",
		},
		{
			reason: "a judge that always says the same has no correlation", dataset: func() *Dataset { return labelled(spread(40)...) }, run: scored(slices.Repeat([]float64{5}, 40)...),
			want: Refused, says: "clarity: there is no correlation: all scores of the judge are the same.",
		},
		{
			reason: "so do people", dataset: func() *Dataset { return labelled(slices.Repeat([]int{4}, 40)...) }, run: scored(floats(spread(40))...),
			want: Refused, says: "clarity: there is no correlation: all labels are the same.",
		},
		{
			reason: "nine items are too few, whatever they say", dataset: func() *Dataset { return labelled(spread(9)...) }, run: scored(floats(spread(9))...),
			want: Refused, says: "clarity: there is no correlation: 9 items, at least 10 required.",
		},
		{
			reason: "labels of other words are stale", dataset: func() *Dataset { return labelled(spread(40)...) }, run: scored(floats(spread(40))...),
			subject: func(s *Subject) { s.Criteria["clarity"] = newWords },
			want:    Refused, says: "clarity: the labels are for a different wording. Label the items again, or reaffirm the labels in dataset.yaml if they are still valid.",
		},
		{
			reason: "unless an owner reaffirmed them",
			dataset: func() *Dataset {
				d := labelled(spread(40)...)
				d.Reaffirmed = []Reaffirmation{{"clarity", newWords, "2026-11-20", "A comma was added."}}
				return d
			},
			run: scored(floats(spread(40))...), subject: func(s *Subject) { s.Criteria["clarity"] = newWords },
			want: Met, calibrated: true, says: "reaches the target",
		},
		{
			reason: "answers to another rubric are stale", dataset: func() *Dataset { return labelled(spread(40)...) }, run: scored(floats(spread(40))...),
			subject: func(s *Subject) { s.Digest = newWords },
			want:    Refused, says: "The run 2026-11-21 of j is for a different wording of the rubric, so its numbers do not apply to the current one. Run the judge again.",
		},
		{
			reason: "answers that could not be read are no agreement", dataset: func() *Dataset { return labelled(spread(40)...) },
			run:  scored(append(floats(spread(37)), 0, 0, 0)...),
			want: Refused, says: "clarity: the judge gave readable answers for only 37 of 40 items, and at least 95% is required.",
		},
		{
			reason: "a few of them are", dataset: func() *Dataset { return labelled(spread(40)...) }, run: scored(append(floats(spread(38)), 0, 0)...),
			want: Met, calibrated: true, says: "reaches the target",
		},
		{
			reason: "repeats hide no unreadable answers", dataset: func() *Dataset { return labelled(spread(40)...) },
			run: func() *Run {
				run := scored(floats(spread(40))...)
				for _, a := range run.Answers[:10] {
					a.Repeat, a.Scores, a.Error = 2, nil, "invalid JSON"
					run.Answers = append(run.Answers, a)
				}
				return run
			}(),
			want: Refused, says: "The judge gave readable answers for 87.5% of the items, and at least 95% is required. 10 of 50 answers could not be read.",
		},
		{
			reason: "too little never looks like enough", dataset: func() *Dataset { return labelled(spread(1000)...) },
			run:  scored(append(floats(spread(949)), make([]float64, 51)...)...),
			want: Refused, says: "The judge gave readable answers for 94.9% of the items, and at least 95% is required.",
		},
		{
			reason:  "one item that differs decides nothing",
			dataset: func() *Dataset { return labelled(append([]int{5}, slices.Repeat([]int{3}, 11)...)...) },
			run:     scored(append([]float64{5}, slices.Repeat([]float64{3}, 11)...)...),
			want:    Undecided, says: "random samples of the items have no correlation, because nearly all labels or scores are the same: too few items to tell. Label items with other levels.",
		},
		{
			reason: "nobody labelled the criterion", dataset: func() *Dataset { return labelled() }, run: scored(),
			want: Refused, says: "clarity: there are no labels.",
		},
		{
			reason: "no judge answered", dataset: func() *Dataset { return labelled(spread(40)...) },
			want: Refused, says: "clarity: 40 items are labeled, but no judge has answered.",
		},
		{
			reason: "authors are not independent",
			dataset: func() *Dataset {
				d := labelled(spread(40)...)
				d.LabelledBy = Authors
				return d
			},
			run: scored(floats(spread(40))...), want: Met, says: "it never counts as calibrated",
		},
		{
			reason: "neither is a model",
			dataset: func() *Dataset {
				d := labelled(spread(40)...)
				d.LabelledBy = Model
				return d
			},
			run: scored(floats(spread(40))...), want: Met, says: "it never counts as calibrated",
		},
		{
			reason: "people who don't agree are the problem",
			dataset: func() *Dataset {
				d := labelled(spread(60)...)
				for i, label := range random(60) {
					d.Items[i].Labels["r2"] = map[string]int{"clarity": int(label)}
				}
				return d
			},
			run: scored(slices.Concat(random(60)[30:], random(60)[:30])...), want: NotMet,
			says: "with each other. Fix the criterion or the labels before the judge.",
		},
		{
			reason: "a correlation can't see a bias, and the advice names it", dataset: func() *Dataset { return labelled(spread(100)...) },
			run: scored(func() []float64 {
				out := random(100)
				for i := range out {
					out[i] = 5 - out[i]/5
				}
				return out
			}()...),
			want: NotMet, says: "The judge scores higher by ",
		},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			s := depth()
			if tt.subject != nil {
				tt.subject(s)
			}
			r := Compute(tt.dataset(), s, tt.run, options)
			if r.Outcome != tt.want || r.Calibrated != tt.calibrated {
				t.Errorf("outcome is %s, calibrated %v, want %s, %v", r.Outcome, r.Calibrated, tt.want, tt.calibrated)
			}
			said := strings.Join(append(r.Messages, r.Criteria[0].Reason), "\n")
			if !strings.Contains(said, tt.says) {
				t.Errorf("it says\n%s\nwant\n%s", said, tt.says)
			}
		})
	}
}

// TestNothingDoubtfulIsCalibrated checks on arbitrary data what must never pass.
func TestNothingDoubtfulIsCalibrated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 30).Draw(t, "items")
		labels := rapid.SliceOfN(rapid.IntRange(1, 5), n, n).Draw(t, "labels")
		scores := rapid.SliceOfN(rapid.Float64Range(1, 5), n, n).Draw(t, "scores")
		if rapid.Bool().Draw(t, "agrees") {
			scores = floats(labels)
		}
		d, s, run := labelled(labels...), depth(), scored(scores...)
		d.LabelledBy = rapid.SampledFrom([]Labeller{People, Authors, Model}).Draw(t, "labelled by")
		s.Digest = rapid.SampledFrom([]string{words, newWords}).Draw(t, "words of the rubric")
		s.Criteria["clarity"] = rapid.SampledFrom([]string{words, newWords}).Draw(t, "words of the criterion")
		r := Compute(d, s, run, Options{Settings: Defaults(), Seed: 1})
		if r.Calibrated && (d.LabelledBy != People || s.Digest != words || s.Criteria["clarity"] != words || n < 10 || !(r.Criteria[0].Spearman.Number >= 0.7)) {
			t.Fatalf("calibrated: %+v", r)
		}
		if _, err := json.Marshal(r); err != nil {
			t.Fatal(err)
		}
	})
}

func TestTheOrderOfItemsAndAnswersSaysNothing(t *testing.T) {
	d, run := labelled(spread(40)...), scored(worsened(spread(40), 6)...)
	want := Compute(d, depth(), run, options)
	shuffled := labelled(spread(40)...)
	r := rand.New(rand.NewPCG(1, 2))
	other := *run
	other.Answers = slices.Clone(run.Answers)
	r.Shuffle(len(other.Answers), func(i, j int) { other.Answers[i], other.Answers[j] = other.Answers[j], other.Answers[i] })
	got := Compute(shuffled, depth(), &other, options)
	if diff := cmp.Diff(marshal(t, want), marshal(t, got)); diff != "" {
		t.Errorf("the order of answers counts (-want +got):\n%s", diff)
	}
	again := Compute(d, depth(), run, options)
	if diff := cmp.Diff(marshal(t, want), marshal(t, again)); diff != "" {
		t.Errorf("computing twice differs:\n%s", diff)
	}
	other.Digest = words
	seeded := Compute(d, depth(), run, Options{Settings: Defaults(), Seed: 2})
	if seeded.Criteria[0].Spearman.Interval == want.Criteria[0].Spearman.Interval {
		t.Error("another seed gives the same interval")
	}
}

func marshal(t *testing.T, v any) string {
	t.Helper()
	data, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestRepeatsAreAveraged(t *testing.T) {
	d := labelled(spread(20)...)
	run := scored(floats(spread(20))...)
	for i := range 20 {
		a := run.Answers[i]
		a.Repeat, a.Scores = 2, map[string]float64{"clarity": min(5, a.Scores["clarity"]+1)}
		run.Answers = append(run.Answers, a)
	}
	c := Compute(d, depth(), run, options).Criteria[0]
	if c.Items != 20 || c.Repeats.Items != 20 {
		t.Errorf("%d items and %d with repeats, want 20 and 20", c.Items, c.Repeats.Items)
	}
	if want := 0.4; c.Bias.Number != want { // 4 of 5 labels are raised by a half
		t.Errorf("bias is %v, want %v", c.Bias.Number, want)
	}
}

func TestARecordIsReadAsItWasWritten(t *testing.T) {
	d := labelled(spread(40)...)
	before, after := scored(floats(spread(40))...), scored(worsened(spread(40), 3)...)
	before.Name = "2026-11-14"
	drift := Compare(d, before, after, options)
	want := NewRecord(Compute(d, depth(), after, options), drift)
	line, err := want.Encode()
	if err != nil {
		t.Fatal(err)
	}
	d.History = append(d.History, []byte(`{"schema_version": 99}`), line)
	got := d.Records("depth_v1", "j")
	if len(got) != 1 {
		t.Fatalf("%d records, want 1", len(got))
	}
	again, err := got[0].Encode()
	if diff := cmp.Diff(string(line), string(again)); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if !d.Recorded(want) {
		t.Error("the run is not known as recorded")
	}
	for reason, change := range map[string]func(*Record){
		"other words":          func(r *Record) { r.Rubric.JudgeDigest = newWords },
		"other labels":         func(r *Record) { r.LabelsDigest = newWords },
		"labelled by others":   func(r *Record) { r.LabelledBy = Model },
		"calibrated otherwise": func(r *Record) { r.Calibrated = !r.Calibrated },
	} {
		other := *want
		if change(&other); d.Recorded(&other) {
			t.Errorf("%s: the run is known as recorded", reason)
		}
	}
}
