package decide

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/measure"
	"github.com/rubric-library/rubric-library/internal/dev/calibrationtest"
	"pgregory.net/rapid"
)

var options = Options{Settings: Defaults(), Seed: 1, AsOf: calibrationtest.Today}

// computed is the decision about a run that asked about the items and labels of today.
func computed(d *calibration.Dataset, s *calibration.Subject, run *calibration.Run, o Options) *Decision {
	calibrationtest.Asked(d, run)
	return On(d, s, o).Decide(run)
}

// TestConditions plays judges and datasets: each gets the outcome that it deserves, the
// condition that is not met is named, and its sentence says what to do.
func TestConditions(t *testing.T) {
	perfect := func(n int) *calibration.Run {
		return calibrationtest.Scored(calibrationtest.Floats(calibrationtest.Spread(n))...)
	}
	plain := func(n int) *calibration.Dataset { return calibrationtest.Labeled(calibrationtest.Spread(n)...) }
	tests := []struct {
		reason  string
		dataset *calibration.Dataset
		run     *calibration.Run
		subject func(*calibration.Subject)
		asOf    string
		want    Outcome
		unmet   []ConditionName // those that are not met, or undecided
		why     Cause           // of the first of them
	}{
		{reason: "a judge that agrees", dataset: plain(40), run: perfect(40), want: Met},
		{
			reason: "a judge that squeezes the scale, and passes what people fail", dataset: plain(60),
			run: calibrationtest.Scored(func() []float64 {
				out := calibrationtest.Floats(calibrationtest.Spread(60))
				for i := range out {
					out[i] = 4 + out[i]/5
				}
				return out
			}()...),
			want: NotMet, unmet: []ConditionName{ConditionVerdict, ConditionLevel},
		},
		{
			reason: "a judge one point too lenient", dataset: plain(100), run: calibrationtest.Scored(calibrationtest.Noisy(calibrationtest.Spread(100), 0.2, 1)...),
			want: NotMet, unmet: []ConditionName{ConditionVerdict, ConditionLevel},
		},
		{
			reason: "a judge that says anything", dataset: plain(100), run: calibrationtest.Scored(calibrationtest.Random(100)...),
			want: NotMet, unmet: []ConditionName{ConditionVerdict, ConditionRanking},
		},
		{
			reason: "a good judge on few items", dataset: plain(20), run: calibrationtest.Scored(calibrationtest.Noisy(calibrationtest.Spread(20), 0.7, 0)...),
			want: Undecided, unmet: []ConditionName{ConditionPeople, ConditionVerdict, ConditionRanking}, why: FewPaired,
		},
		{
			reason: "a judge that always says the same", dataset: plain(40), run: calibrationtest.Scored(slices.Repeat([]float64{5}, 40)...),
			want: NotMet, unmet: []ConditionName{ConditionVerdict, ConditionLevel, ConditionRanking},
		},
		{
			reason: "people who always say the same", dataset: calibrationtest.Labeled(slices.Repeat([]int{4}, 40)...), run: calibrationtest.Scored(calibrationtest.Noisy(slices.Repeat([]int{4}, 40), 0.1, 0)...),
			want: Undecided, unmet: []ConditionName{ConditionVerdict, ConditionRanking},
		},
		{
			reason: "nine items, whatever they say", dataset: plain(9), run: perfect(9),
			want: Undecided, unmet: []ConditionName{ConditionPeople, ConditionVerdict, ConditionLevel, ConditionRanking}, why: FewPaired,
		},
		{
			reason: "one item that differs decides nothing", dataset: calibrationtest.Labeled(append([]int{5}, slices.Repeat([]int{3}, 11)...)...),
			run:  calibrationtest.Scored(append([]float64{5}, slices.Repeat([]float64{3}, 11)...)...),
			want: Undecided, unmet: []ConditionName{ConditionPeople, ConditionVerdict, ConditionRanking}, why: FewPaired,
		},
		{
			reason: "labels of other words", dataset: plain(40), run: perfect(40), subject: func(s *calibration.Subject) { s.Criteria["clarity"] = calibrationtest.NewWords },
			want: NotMet, unmet: []ConditionName{ConditionFreshness},
			why: StaleLabels,
		},
		{
			reason: "labels that an owner reaffirmed", run: perfect(40), subject: func(s *calibration.Subject) { s.Criteria["clarity"] = calibrationtest.NewWords },
			dataset: func() *calibration.Dataset {
				d := plain(40)
				d.Reaffirmed = []calibration.Reaffirmation{{Criterion: "clarity", Digest: calibrationtest.NewWords, Date: "2026-11-20", Reason: "A comma was added."}}
				return d
			}(),
			want: Met,
		},
		{
			reason: "answers to other words", dataset: plain(40), run: perfect(40), subject: func(s *calibration.Subject) { s.Digest = calibrationtest.NewWords },
			want: NotMet, unmet: []ConditionName{ConditionFreshness}, why: StaleRun,
		},
		{
			reason: "answers that could not be read", dataset: plain(40), run: calibrationtest.Scored(append(calibrationtest.Floats(calibrationtest.Spread(37)), 0, 0, 0)...),
			want: NotMet, unmet: []ConditionName{ConditionCoverage},
		},
		{reason: "a few of them", dataset: plain(40), run: calibrationtest.Scored(append(calibrationtest.Floats(calibrationtest.Spread(38)), 0, 0)...), want: Met},
		{
			reason: "repeats hide no unreadable answers", dataset: plain(40),
			run: func() *calibration.Run {
				run := perfect(40)
				run.Repeats = 2
				for i, a := range run.Answers {
					a.Repeat = 2
					if i < 10 {
						a.Scores, a.Error = nil, "no JSON"
					}
					run.Answers = append(run.Answers, a)
				}
				return run
			}(),
			want: NotMet, unmet: []ConditionName{ConditionCoverage},
		},
		{
			reason: "too little never looks like enough", dataset: plain(1000), run: calibrationtest.Scored(append(calibrationtest.Floats(calibrationtest.Spread(949)), make([]float64, 51)...)...),
			want: NotMet, unmet: []ConditionName{ConditionCoverage},
		},
		{
			reason: "an old run", dataset: plain(40), run: perfect(40), asOf: "2026-12-27",
			want: NotMet, unmet: []ConditionName{ConditionAge},
		},
		{reason: "a run on its last day", dataset: plain(40), run: perfect(40), asOf: "2026-12-26", want: Met},
		{
			reason: "a run of the future", dataset: plain(40), run: perfect(40), asOf: "2026-11-20",
			want: NotMet, unmet: []ConditionName{ConditionAge}, why: Future,
		},
		{
			reason: "labels by authors", dataset: calibrationtest.ByAuthors(plain(40)), run: perfect(40),
			want: NotMet, unmet: []ConditionName{ConditionPeople}, why: Demonstration,
		},
		{
			reason: "labels by a model", run: perfect(40),
			dataset: func() *calibration.Dataset {
				d := plain(40)
				d.LabeledBy = calibration.Model
				return d
			}(),
			want: NotMet, unmet: []ConditionName{ConditionPeople}, why: Demonstration,
		},
		{
			reason: "no labels", dataset: calibrationtest.Labeled(), run: calibrationtest.Scored(),
			want: NotMet, unmet: []ConditionName{ConditionPeople, ConditionCoverage, ConditionVerdict, ConditionLevel, ConditionRanking}, why: Unlabeled,
		},
		{reason: "no judge", dataset: plain(40), want: NotMet, unmet: []ConditionName{ConditionFreshness}, why: NoJudge},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			s, o := calibrationtest.Depth(), options
			if tt.subject != nil {
				tt.subject(s)
			}
			if tt.asOf != "" {
				o.AsOf = tt.asOf
			}
			r := computed(tt.dataset, s, tt.run, o)
			if r.worstOutcome(toGate) != tt.want || r.Gate.Answer.Given() || !slices.Equal(unmet(r), tt.unmet) {
				t.Errorf("outcome %s, gate %s by one run, unmet %v; want %s, %v", r.worstOutcome(toGate), r.Gate.Answer, unmet(r), tt.want, tt.unmet)
			}
			at := slices.IndexFunc(r.Conditions, func(c Condition) bool { return c.Outcome != Met })
			if tt.why != "" && !slices.Equal(r.Conditions[at].Causes, []Cause{tt.why}) {
				t.Errorf("the causes are %v, want %s", r.Conditions[at].Causes, tt.why)
			}
		})
	}
}

// unmet are the conditions that a report does not meet.
func unmet(r *Decision) (names []ConditionName) {
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
	dev := func(d *calibration.Dataset, from int) *calibration.Dataset {
		for i := range d.Items[from:] {
			d.Items[from+i].Split = "dev"
		}
		return d
	}
	wrong := append(calibrationtest.Random(40), calibrationtest.Floats(calibrationtest.Spread(2000))...)
	if r := computed(dev(calibrationtest.Labeled(append(calibrationtest.Spread(40), calibrationtest.Spread(2000)...)...), 40), calibrationtest.Depth(), calibrationtest.Scored(wrong...), options); r.worstOutcome(toGate) != NotMet || r.Criteria[0].Items != 40 || r.Dataset.Dev != 2000 {
		t.Errorf("outcome %s on %d items, %d in dev", r.worstOutcome(toGate), r.Criteria[0].Items, r.Dataset.Dev)
	}
	run := calibrationtest.Scored(calibrationtest.Floats(append(calibrationtest.Spread(40), calibrationtest.Spread(2000)...))...)
	run.Repeats = 3
	for _, a := range run.Answers[:40] { // two of three answers can't be read
		for repeat := 2; repeat <= 3; repeat++ {
			a.Repeat, a.Scores, a.Error = repeat, nil, "no JSON"
			run.Answers = append(run.Answers, a)
		}
	}
	r := computed(dev(calibrationtest.Labeled(append(calibrationtest.Spread(40), calibrationtest.Spread(2000)...)...), 40), calibrationtest.Depth(), run, options)
	if !slices.Equal(unmet(r), []ConditionName{ConditionCoverage}) {
		t.Errorf("not met are %v, coverage %v", unmet(r), r.Coverage.Share)
	}
}

// TestItemsNeededDecide holds the advice to its word: with as many items as it says, and
// the same values, what was undecided is met.
func TestItemsNeededDecide(t *testing.T) {
	few := computed(calibrationtest.Labeled(calibrationtest.Spread(25)...), calibrationtest.Depth(), calibrationtest.Scored(calibrationtest.Noisy(calibrationtest.Spread(25), 0.6, 0)...), options)
	if few.worstOutcome(toGate) != Undecided || few.ItemsNeeded <= 25 {
		t.Fatalf("outcome %s, %d items needed", few.worstOutcome(toGate), few.ItemsNeeded)
	}
	rounds := few.ItemsNeeded/25 + 2
	labels, scores := slices.Repeat(calibrationtest.Spread(25), rounds), slices.Repeat(calibrationtest.Noisy(calibrationtest.Spread(25), 0.6, 0), rounds)
	if many := computed(calibrationtest.Labeled(labels...), calibrationtest.Depth(), calibrationtest.Scored(scores...), options); many.worstOutcome(toGate) != Met {
		t.Errorf("with %d items: %+v", len(labels), many.Conditions)
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
			scores = calibrationtest.Floats(labels)
		}
		d, s := calibrationtest.Labeled(labels...), calibrationtest.Depth()
		run := calibrationtest.Weeks(d, scores, scores)
		d.LabeledBy = rapid.SampledFrom([]calibration.Labeler{calibration.People, calibration.People, calibration.People, calibration.Authors, calibration.Model}).Draw(t, "labeled by")
		s.Digest = rapid.SampledFrom([]string{calibrationtest.Words, calibrationtest.Words, calibrationtest.NewWords}).Draw(t, "words of the rubric")
		s.Criteria["clarity"] = rapid.SampledFrom([]string{calibrationtest.Words, calibrationtest.Words, calibrationtest.NewWords}).Draw(t, "words of the criterion")
		r := computed(d, s, run, options)
		if r.Gate.Answer == Yes {
			calibrated++
		}
		if r.Rank.Answer.Given() && (d.LabeledBy != calibration.People || s.Digest != calibrationtest.Words || s.Criteria["clarity"] != calibrationtest.Words || n < measure.PairedItems || !(r.Criteria[0].Spearman.Number >= 0.7)) || r.Gate.Answer.Given() && !r.Rank.Answer.Given() {
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
	d, run := calibrationtest.Labeled(calibrationtest.Spread(40)...), calibrationtest.Scored(calibrationtest.Worsened(calibrationtest.Spread(40), 6)...)
	want := computed(d, calibrationtest.Depth(), run, options)
	shuffled := calibrationtest.Labeled(calibrationtest.Spread(40)...)
	r := rand.New(rand.NewPCG(1, 2))
	other := *run
	other.Answers = slices.Clone(run.Answers)
	r.Shuffle(len(other.Answers), func(i, j int) { other.Answers[i], other.Answers[j] = other.Answers[j], other.Answers[i] })
	got := computed(shuffled, calibrationtest.Depth(), &other, options)
	if diff := cmp.Diff(marshal(t, want), marshal(t, got)); diff != "" {
		t.Errorf("the order of answers counts (-want +got):\n%s", diff)
	}
	again := computed(d, calibrationtest.Depth(), run, options)
	if diff := cmp.Diff(marshal(t, want), marshal(t, again)); diff != "" {
		t.Errorf("computing twice differs:\n%s", diff)
	}
	other.Digest = calibrationtest.Words
	seeded := computed(d, calibrationtest.Depth(), run, Options{Settings: Defaults(), Seed: 2, AsOf: "2026-11-21"})
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
	d := calibrationtest.Labeled(calibrationtest.Spread(20)...)
	run := calibrationtest.Scored(calibrationtest.Floats(calibrationtest.Spread(20))...)
	for i := range 20 {
		a := run.Answers[i]
		a.Repeat, a.Scores = 2, map[string]float64{"clarity": min(5, a.Scores["clarity"]+1)}
		run.Answers = append(run.Answers, a)
	}
	c := computed(d, calibrationtest.Depth(), run, options).Criteria[0]
	if c.Items != 20 || c.Repeats.Items != 20 {
		t.Errorf("%d items and %d with repeats, want 20 and 20", c.Items, c.Repeats.Items)
	}
	if want := 0.4; c.Bias.Number != want { // 4 of 5 labels are raised by a half
		t.Errorf("bias is %v, want %v", c.Bias.Number, want)
	}
}
