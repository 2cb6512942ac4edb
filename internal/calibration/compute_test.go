package calibration

import (
	"encoding/json"
	"fmt"
	"math"
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

// labeled is a dataset whose items have these labels as the mean of two raters, who
// differ on some.
func labeled(labels ...int) *Dataset {
	d := &Dataset{Name: "depth", AppliesTo: []string{"depth_v1"}, LabeledBy: People, Criteria: []Labeled{{"clarity", words}}}
	for i, label := range labels {
		first, second := float64(label), float64(label)
		if i%4 == 1 && label > 1 && label < 5 {
			first, second = first-1, second+1
		}
		d.Items = append(d.Items, Item{ID: fmt.Sprintf("i%03d", i), Artifact: fmt.Sprint("text ", i), Labels: map[string]map[string]float64{"r1": {"clarity": first}, "r2": {"clarity": second}}})
	}
	return d
}

// scored is a run in which the judge gave these scores; 0 is no answer.
func scored(scores ...float64) *Run {
	run := &Run{Name: "2026-11-21", Judge: "j", Model: "m", Date: "2026-11-21", Digest: words}
	for i, score := range scores {
		a := Answer{Run: run.Name, Item: fmt.Sprintf("i%03d", i), Repeat: 1, Model: "m", Date: run.Date, Digest: words}
		if score == 0 {
			a.Error = "no JSON"
		} else {
			a.Scores = map[string]float64{"clarity": score}
		}
		run.Answers = append(run.Answers, a)
	}
	return run
}

// spread is n labels that go round the scale.
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

// random scores have nothing to do with the labels.
func random(n int) []float64 {
	r := rand.New(rand.NewPCG(5, 0))
	out := make([]float64, n)
	for i := range out {
		out[i] = float64(1 + r.IntN(5))
	}
	return out
}

// worsened is labels of which every k-th is replaced by its mirror.
func worsened(labels []int, k int) []float64 {
	out := floats(labels)
	for i := range out {
		if i%k == 0 {
			out[i] = 6 - out[i]
		}
	}
	return out
}

var options = Options{Settings: Defaults(), Seed: 1, AsOf: "2026-11-21"}

// byAuthors has labels that show how the tools work.
func byAuthors(d *Dataset) *Dataset {
	d.LabeledBy = Authors
	return d
}

// noisy scores are labels with noise of this size and a shift, on the scale.
func noisy(labels []int, noise, shift float64) []float64 {
	r := rand.New(rand.NewPCG(7, 0))
	out := make([]float64, len(labels))
	for i, label := range labels {
		out[i] = max(1, min(5, math.Round(float64(label)+shift+noise*r.NormFloat64())))
	}
	return out
}

// TestConditions plays judges and datasets: each gets the outcome that it deserves, the
// condition that is not met is named, and its sentence says what to do.
func TestConditions(t *testing.T) {
	perfect := func(n int) *Run { return scored(floats(spread(n))...) }
	plain := func(n int) *Dataset { return labeled(spread(n)...) }
	tests := []struct {
		reason  string
		dataset *Dataset
		run     *Run
		subject func(*Subject)
		asOf    string
		want    Outcome
		unmet   []ConditionName // those that are not met, or undecided
		says    string          // in the first message
	}{
		{reason: "a judge that agrees", dataset: plain(40), run: perfect(40), want: Met},
		{
			reason: "a judge that squeezes the scale, and passes what people fail", dataset: plain(60),
			run: scored(func() []float64 {
				out := floats(spread(60))
				for i := range out {
					out[i] = 4 + out[i]/5
				}
				return out
			}()...),
			want: NotMet, unmet: []ConditionName{ConditionVerdict, ConditionLevel},
			says: "The judge's verdict differs from people's: it fails 0 of the 24 items that people fail (0.00 to 0.14); the rate must be at least 0.70 in its whole interval.",
		},
		{
			reason: "a judge one point too lenient", dataset: plain(100), run: scored(noisy(spread(100), 0.2, 1)...),
			want: NotMet, unmet: []ConditionName{ConditionVerdict, ConditionLevel}, says: "The judge's verdict differs",
		},
		{
			reason: "a judge that says anything", dataset: plain(100), run: scored(random(100)...),
			want: NotMet, unmet: []ConditionName{ConditionVerdict, ConditionRanking}, says: "The judge's verdict differs",
		},
		{
			reason: "a good judge on few items", dataset: plain(20), run: scored(noisy(spread(20), 0.7, 0)...),
			want: Undecided, unmet: []ConditionName{ConditionPeople, ConditionVerdict, ConditionRanking}, says: "Too few items are labeled by the same two raters to know how far people agree: clarity 20; at least 30 are required for each criterion.",
		},
		{
			reason: "a judge that always says the same", dataset: plain(40), run: scored(slices.Repeat([]float64{5}, 40)...),
			want: NotMet, unmet: []ConditionName{ConditionVerdict, ConditionLevel, ConditionRanking}, says: "The judge's verdict differs",
		},
		{
			reason: "people who always say the same", dataset: labeled(slices.Repeat([]int{4}, 40)...), run: scored(noisy(slices.Repeat([]int{4}, 40), 0.1, 0)...),
			want: Undecided, unmet: []ConditionName{ConditionVerdict, ConditionRanking}, says: "it fails 0 of the 0 items that people fail",
		},
		{
			reason: "nine items, whatever they say", dataset: plain(9), run: perfect(9),
			want: Undecided, unmet: []ConditionName{ConditionPeople, ConditionVerdict, ConditionLevel, ConditionRanking}, says: "Too few items",
		},
		{
			reason: "one item that differs decides nothing", dataset: labeled(append([]int{5}, slices.Repeat([]int{3}, 11)...)...),
			run:  scored(append([]float64{5}, slices.Repeat([]float64{3}, 11)...)...),
			want: Undecided, unmet: []ConditionName{ConditionPeople, ConditionVerdict, ConditionRanking}, says: "clarity 12;",
		},
		{
			reason: "labels of other words", dataset: plain(40), run: perfect(40), subject: func(s *Subject) { s.Criteria["clarity"] = newWords },
			want: NotMet, unmet: []ConditionName{ConditionFreshness},
			says: "The words of clarity have changed since the items were labeled. Label the items again, or confirm the labels if they still hold (`rubric reaffirm depth --reason TEXT`).",
		},
		{
			reason: "labels that an owner reaffirmed", run: perfect(40), subject: func(s *Subject) { s.Criteria["clarity"] = newWords },
			dataset: func() *Dataset {
				d := plain(40)
				d.Reaffirmed = []Reaffirmation{{"clarity", newWords, "2026-11-20", "A comma was added."}}
				return d
			}(),
			want: Met,
		},
		{
			reason: "answers to other words", dataset: plain(40), run: perfect(40), subject: func(s *Subject) { s.Digest = newWords },
			want: NotMet, unmet: []ConditionName{ConditionFreshness}, says: "The rubric's words have changed since run 2026-11-21 of j. Run the judge again",
		},
		{
			reason: "answers that could not be read", dataset: plain(40), run: scored(append(floats(spread(37)), 0, 0, 0)...),
			want: NotMet, unmet: []ConditionName{ConditionCoverage}, says: "The judge answered 92.5% of the items readably, and at least 95% is required; of 40 attempts, 3 gave no answer that could be read, and the judge was unavailable in 0.",
		},
		{reason: "a few of them", dataset: plain(40), run: scored(append(floats(spread(38)), 0, 0)...), want: Met},
		{
			reason: "repeats hide no unreadable answers", dataset: plain(40),
			run: func() *Run {
				run := perfect(40)
				run.Repeats = 2
				for i, a := range run.Answers {
					if a.Repeat = 2; i < 10 {
						a.Scores, a.Error = nil, "no JSON"
					}
					run.Answers = append(run.Answers, a)
				}
				return run
			}(),
			want: NotMet, unmet: []ConditionName{ConditionCoverage}, says: "87.5% of the items readably, and at least 95% is required; of 80 attempts, 10 gave no answer",
		},
		{
			reason: "too little never looks like enough", dataset: plain(1000), run: scored(append(floats(spread(949)), make([]float64, 51)...)...),
			want: NotMet, unmet: []ConditionName{ConditionCoverage}, says: "The judge answered 94.9% of the items readably",
		},
		{
			reason: "an old run", dataset: plain(40), run: perfect(40), asOf: "2026-12-27",
			want: NotMet, unmet: []ConditionName{ConditionAge}, says: "The run is 36 days old (2026-11-21), and at most 35 days are allowed. Run the judge again.",
		},
		{reason: "a run on its last day", dataset: plain(40), run: perfect(40), asOf: "2026-12-26", want: Met},
		{
			reason: "a run of the future", dataset: plain(40), run: perfect(40), asOf: "2026-11-20",
			want: NotMet, unmet: []ConditionName{ConditionAge}, says: `The run is dated "2026-11-21", which is after 2026-11-20.`,
		},
		{
			reason: "labels by authors", dataset: byAuthors(plain(40)), run: perfect(40),
			want: NotMet, unmet: []ConditionName{ConditionPeople}, says: "This is a demonstration: the authors of the rubric gave the labels.",
		},
		{
			reason: "labels by a model", run: perfect(40),
			dataset: func() *Dataset {
				d := plain(40)
				d.LabeledBy = Model
				return d
			}(),
			want: NotMet, unmet: []ConditionName{ConditionPeople}, says: "This is a demonstration: a language model gave the labels.",
		},
		{
			reason: "no labels", dataset: labeled(), run: scored(),
			want: NotMet, unmet: []ConditionName{ConditionPeople, ConditionCoverage, ConditionVerdict, ConditionLevel, ConditionRanking}, says: "No item has a label for clarity.",
		},
		{reason: "no judge", dataset: plain(40), want: NotMet, unmet: []ConditionName{ConditionFreshness}, says: "No judge has answered."},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			s, o := depth(), options
			if tt.subject != nil {
				tt.subject(s)
			}
			if tt.asOf != "" {
				o.AsOf = tt.asOf
			}
			r := computed(tt.dataset, s, tt.run, o)
			if r.Outcome != tt.want || r.Gate.Given() || !slices.Equal(unmet(r), tt.unmet) {
				t.Errorf("outcome %s, given by one run %v, unmet %v; want %s, %v\n%s", r.Outcome, r.Gate.Given(), unmet(r), tt.want, tt.unmet, strings.Join(r.Messages, "\n"))
			}
			if first := strings.Join(r.Messages[:min(1, len(r.Messages))], ""); !strings.Contains(first, tt.says) {
				t.Errorf("it says\n%s\nwant\n%s", first, tt.says)
			}
		})
	}
}

// unmet are the conditions that a report does not meet.
func unmet(r *Report) (names []ConditionName) {
	for _, c := range r.Conditions {
		if c.Outcome != Met {
			names = append(names, c.Name)
		}
	}
	return names
}

// TestItemsOfDevNeverCount: whatever a judge does on items that prompts were tuned on, it
// neither certifies the judge nor hides answers that could not be read on the others.
func TestItemsOfDevNeverCount(t *testing.T) {
	dev := func(d *Dataset, from int) *Dataset {
		for i := range d.Items[from:] {
			d.Items[from+i].Split = "dev"
		}
		return d
	}
	wrong := append(random(40), floats(spread(2000))...)
	if r := computed(dev(labeled(append(spread(40), spread(2000)...)...), 40), depth(), scored(wrong...), options); r.Outcome != NotMet || r.Criteria[0].Items != 40 || r.Dataset.Dev != 2000 {
		t.Errorf("outcome %s on %d items, %d in dev", r.Outcome, r.Criteria[0].Items, r.Dataset.Dev)
	}
	run := scored(floats(append(spread(40), spread(2000)...))...)
	run.Repeats = 3
	for _, a := range run.Answers[:40] { // two of three answers can't be read
		for repeat := 2; repeat <= 3; repeat++ {
			a.Repeat, a.Scores, a.Error = repeat, nil, "no JSON"
			run.Answers = append(run.Answers, a)
		}
	}
	r := computed(dev(labeled(append(spread(40), spread(2000)...)...), 40), depth(), run, options)
	if !slices.Equal(unmet(r), []ConditionName{ConditionCoverage}) {
		t.Errorf("not met are %v, coverage %v", unmet(r), r.Coverage.Share)
	}
}

// TestNoisyLabelsAreNamed: where no judge could reach the target, the advice is about the
// criterion.
func TestNoisyLabelsAreNamed(t *testing.T) {
	d := labeled(spread(60)...)
	for i, label := range random(60) {
		d.Items[i].Labels["r2"] = map[string]float64{"clarity": label}
	}
	r := computed(d, depth(), scored(slices.Concat(random(60)[30:], random(60)[:30])...), options)
	if said := strings.Join(r.Messages, "\n"); !strings.Contains(said, "too noisy for any judge to be expected to reach the target on clarity") {
		t.Error(said)
	}
}

// TestItemsNeededDecide holds the advice to its word: with as many items as it says, and
// the same values, what was undecided is met.
func TestItemsNeededDecide(t *testing.T) {
	few := computed(labeled(spread(25)...), depth(), scored(noisy(spread(25), 0.6, 0)...), options)
	if few.Outcome != Undecided || few.ItemsNeeded <= 25 {
		t.Fatalf("outcome %s, %d items needed\n%s", few.Outcome, few.ItemsNeeded, strings.Join(few.Messages, "\n"))
	}
	rounds := few.ItemsNeeded/25 + 2
	labels, scores := slices.Repeat(spread(25), rounds), slices.Repeat(noisy(spread(25), 0.6, 0), rounds)
	if many := computed(labeled(labels...), depth(), scored(scores...), options); many.Outcome != Met {
		t.Errorf("with %d items: %s\n%s", len(labels), many.Outcome, strings.Join(many.Messages, "\n"))
	}
}

// TestNothingDoubtfulIsCalibrated holds what must never pass,
// over any data.
func TestNothingDoubtfulIsCalibrated(t *testing.T) {
	calibrated := 0
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 50).Draw(t, "items")
		labels := rapid.SliceOfN(rapid.IntRange(1, 5), n, n).Draw(t, "labels")
		scores := rapid.SliceOfN(rapid.Float64Range(1, 5), n, n).Draw(t, "scores")
		if rapid.Bool().Draw(t, "agrees") {
			scores = floats(labels)
		}
		d, s := labeled(labels...), depth()
		run := d.weeks(scores, scores)
		d.LabeledBy = rapid.SampledFrom([]Labeler{People, People, People, Authors, Model}).Draw(t, "labeled by")
		s.Digest = rapid.SampledFrom([]string{words, words, newWords}).Draw(t, "words of the rubric")
		s.Criteria["clarity"] = rapid.SampledFrom([]string{words, words, newWords}).Draw(t, "words of the criterion")
		r := computed(d, s, run, options)
		if r.Calibrated {
			calibrated++
		}
		if r.Rank.Given() && (d.LabeledBy != People || s.Digest != words || s.Criteria["clarity"] != words || n < pairedItems || !(r.Criteria[0].Spearman.Number >= 0.7)) || r.Gate.Given() && !r.Rank.Given() {
			t.Fatalf("rank %+v, gate %+v: %+v", r.Rank, r.Gate, r)
		}
		if _, err := json.Marshal(r); err != nil {
			t.Fatal(err)
		}
	})
	if calibrated == 0 {
		t.Error("no judge is calibrated, so that nothing is tested")
	}
}

func TestTheOrderOfItemsAndAnswersSaysNothing(t *testing.T) {
	d, run := labeled(spread(40)...), scored(worsened(spread(40), 6)...)
	want := computed(d, depth(), run, options)
	shuffled := labeled(spread(40)...)
	r := rand.New(rand.NewPCG(1, 2))
	other := *run
	other.Answers = slices.Clone(run.Answers)
	r.Shuffle(len(other.Answers), func(i, j int) { other.Answers[i], other.Answers[j] = other.Answers[j], other.Answers[i] })
	got := computed(shuffled, depth(), &other, options)
	if diff := cmp.Diff(marshal(t, want), marshal(t, got)); diff != "" {
		t.Errorf("the order of answers counts (-want +got):\n%s", diff)
	}
	again := computed(d, depth(), run, options)
	if diff := cmp.Diff(marshal(t, want), marshal(t, again)); diff != "" {
		t.Errorf("computing twice differs:\n%s", diff)
	}
	other.Digest = words
	seeded := computed(d, depth(), run, Options{Settings: Defaults(), Seed: 2, AsOf: "2026-11-21"})
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
	d := labeled(spread(20)...)
	run := scored(floats(spread(20))...)
	for i := range 20 {
		a := run.Answers[i]
		a.Repeat, a.Scores = 2, map[string]float64{"clarity": min(5, a.Scores["clarity"]+1)}
		run.Answers = append(run.Answers, a)
	}
	c := computed(d, depth(), run, options).Criteria[0]
	if c.Items != 20 || c.Repeats.Items != 20 {
		t.Errorf("%d items and %d with repeats, want 20 and 20", c.Items, c.Repeats.Items)
	}
	if want := 0.4; c.Bias.Number != want { // 4 of 5 labels are raised by a half
		t.Errorf("bias is %v, want %v", c.Bias.Number, want)
	}
}

func TestARecordIsReadAsItWasWritten(t *testing.T) {
	d := labeled(spread(40)...)
	want := NewRecord(computed(d, depth(), scored(worsened(spread(40), 3)...), options))
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
		"other words":       func(r *Record) { r.Rubric.JudgeDigest = newWords },
		"other labels":      func(r *Record) { r.LabelsDigest = newWords },
		"labeled by others": func(r *Record) { r.LabeledBy = Model },
		"may gate no more":  func(r *Record) { r.Gate = LibraryLimits },
		"may rank no more":  func(r *Record) { r.Rank = LibraryLimits },
	} {
		other := *want
		if change(&other); d.Recorded(&other) {
			t.Errorf("%s: the run is known as recorded", reason)
		}
	}
}
