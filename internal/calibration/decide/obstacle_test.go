package decide

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/dev/calibrationtest"
)

// reported returns the report on a perfect judge with a name, whose second run has a date,
// after edits of the dataset and the runs.
func reported(judge, date string, edit func(*calibration.Dataset, *calibration.Run)) *Decision {
	d := calibrationtest.Labeled(calibrationtest.Spread(40)...)
	o := options
	o.AsOf = "2026-03-01"
	day, _ := time.Parse(time.DateOnly, date)
	var run *calibration.Run
	var answers []calibration.Answer
	for _, date := range []string{day.AddDate(0, 0, -7).Format(time.DateOnly), date} {
		run = calibrationtest.Scored(calibrationtest.Floats(calibrationtest.Spread(40))...)
		run.Judge, run.Name, run.Date = judge, date, date
		if edit != nil {
			edit(d, run)
		}
		for _, a := range run.Answers {
			a.Run, a.Date, a.Digest = run.Name, run.Date, run.Digest
			answers = append(answers, a)
		}
	}
	d.Judges = []calibration.Judge{{Name: judge, Answers: answers}}
	return computed(d, calibrationtest.Depth(), run, o)
}

// TestObstaclesAreSaid: what keeps a judge from gating is said once, what matters most first.
func TestObstaclesAreSaid(t *testing.T) {
	stale := func(_ *calibration.Dataset, run *calibration.Run) { run.Digest = calibrationtest.NewWords }
	byAuthors := func(d *calibration.Dataset, _ *calibration.Run) { d.LabeledBy = calibration.Authors }
	answer := func(scores []float64) func(*calibration.Dataset, *calibration.Run) {
		return func(_ *calibration.Dataset, run *calibration.Run) {
			run.Answers = calibrationtest.Scored(scores...).Answers
		}
	}
	weak, undecided, lenient := answer(calibrationtest.Random(40)), answer(calibrationtest.Worsened(calibrationtest.Spread(40), 7)), answer(calibrationtest.Noisy(calibrationtest.Spread(40), 0, 1))
	tests := []struct {
		reason string
		of     *Decision
		says   []string
	}{
		{"nothing is wrong", reported("a", "2026-02-10", nil), nil},
		{"nobody was asked", computed(calibrationtest.Labeled(calibrationtest.Spread(40)...), calibrationtest.Depth(), nil, options), []string{"No judge has answered."}},
		{"the judge read other words", reported("a", "2026-03-01", stale), []string{"The rubric's words have changed"}},
		{"the raters read other words", reported("a", "2026-03-01", func(d *calibration.Dataset, _ *calibration.Run) { d.Criteria[0].Digest = calibrationtest.NewWords }), []string{"The words of clarity have changed"}},
		{"agreement with authors does not count", reported("a", "2026-03-01", byAuthors), []string{"the authors of the rubric gave the labels"}},
		{"all obstacles are reported", reported("a", "2026-03-01", func(d *calibration.Dataset, run *calibration.Run) { calibrationtest.ByAuthors(d); stale(d, run) }), []string{"The rubric's words have changed", "the authors of the rubric gave the labels"}},
		{"too little was answered", reported("a", "2026-03-01", func(_ *calibration.Dataset, run *calibration.Run) { run.Answers = run.Answers[:30] }), []string{"answered 75% of the items"}},
		{"too little is labeled", reported("a", "2026-03-01", func(d *calibration.Dataset, run *calibration.Run) {
			d.Items, run.Answers = d.Items[:9], run.Answers[:9]
		}), []string{"clarity (9 items, at least 10 required)"}},
		{"below the target", reported("a", "2026-03-01", weak), []string{"the correlation must be at least 0.70"}},
		{"too few items are labeled to tell", reported("a", "2026-02-10", undecided), []string{"Too few items to decide", "Run 2026-02-10 has too few items to tell about verdict"}},
		{"a judge that may only rank", reported("a", "2026-02-10", lenient), []string{"Run 2026-02-10 does not meet: level."}},
	}
	for _, tt := range tests {
		r := tt.of
		sentences := strings.Split(strings.TrimSuffix(r.Obstacle(), "."), ". ")
		if once := slices.Compact(slices.Sorted(slices.Values(sentences))); len(once) < len(sentences) {
			t.Errorf("%s: the reason repeats itself: %q", tt.reason, r.Obstacle())
		}
		if (r.Obstacle() == "") != (tt.says == nil) {
			t.Errorf("%s: the reason is %q", tt.reason, r.Obstacle())
		}
		for _, says := range tt.says {
			if !strings.Contains(r.Obstacle(), says) {
				t.Errorf("%s: the reason is %q, expected %q in it", tt.reason, r.Obstacle(), says)
			}
		}
	}
}

func TestReportsAreOnTheNewestRunOfEachJudge(t *testing.T) {
	d := calibrationtest.Labeled(calibrationtest.Spread(40)...)
	answers := func(date, digest string) []calibration.Answer {
		run := calibrationtest.Scored(calibrationtest.Floats(calibrationtest.Spread(40))...)
		for i := range run.Answers {
			run.Answers[i].Run, run.Answers[i].Date, run.Answers[i].Digest = date, date, digest
		}
		return run.Answers
	}
	if got := All(d, calibrationtest.Depth(), options); len(got) != 1 || got[0].Judge != nil {
		t.Errorf("labels without a judge have %d reports, expected one without a judge", len(got))
	}
	d.Judges = []calibration.Judge{
		{Name: "fresh", Answers: append(append(answers("2026-01-01", calibrationtest.Words), answers("2026-02-01", calibrationtest.Words)...), answers("2026-03-01", calibrationtest.NewWords)...)},
		{Name: "none"},
		{Name: "stale", Answers: append(answers("2026-01-01", calibrationtest.NewWords), answers("2026-02-01", calibrationtest.NewWords)...)},
	}
	var got []string
	for _, r := range All(d, calibrationtest.Depth(), options) {
		got = append(got, r.Judge.Name+" "+r.Judge.Run)
	}
	if want := "fresh 2026-02-01, stale 2026-02-01"; strings.Join(got, ", ") != want {
		t.Errorf("the reports are on %v, expected %s", got, want)
	}
}
