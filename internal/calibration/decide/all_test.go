package decide

import (
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/dev/calibrationtest"
)

func TestReportsAreOnTheNewestRunOfEachJudge(t *testing.T) {
	d := calibrationtest.Labeled(calibrationtest.Spread(40)...)
	answers := func(date, digest string) []calibration.Answer {
		run := calibrationtest.Scored(calibrationtest.Floats(calibrationtest.Spread(40))...)
		for i := range run.Answers {
			run.Answers[i].Run, run.Answers[i].Date, run.Answers[i].Digest = date, date, digest
		}
		return run.Answers
	}
	if got := On(d, calibrationtest.Depth(), options).All(); len(got) != 1 || got[0].Judge != nil {
		t.Errorf("labels without a judge have %d reports, expected one without a judge", len(got))
	}
	d.Judges = []calibration.Judge{
		{Name: "fresh", Answers: append(append(answers("2026-01-01", calibrationtest.Words), answers("2026-02-01", calibrationtest.Words)...), answers("2026-03-01", calibrationtest.NewWords)...)},
		{Name: "none"},
		{Name: "stale", Answers: append(answers("2026-01-01", calibrationtest.NewWords), answers("2026-02-01", calibrationtest.NewWords)...)},
	}
	var got []string
	for _, r := range On(d, calibrationtest.Depth(), options).All() {
		got = append(got, r.Judge.Name+" "+r.Judge.Run)
	}
	if want := "fresh 2026-02-01, stale 2026-02-01"; strings.Join(got, ", ") != want {
		t.Errorf("the reports are on %v, expected %s", got, want)
	}
}

// TestWithoutAJudge: if nothing is wrong with the labels, only runs are missing.
func TestWithoutAJudge(t *testing.T) {
	for _, tt := range []struct {
		reason string
		items  int
		edit   func(d *calibration.Dataset)
		want   Answer
	}{
		{"labels that are ready", 40, nil, NotYet},
		{"too few labels", 20, nil, NotYet},
		{"labels by a model", 40, func(d *calibration.Dataset) { d.LabeledBy = calibration.Model }, No},
		{"labels of other words", 40, func(d *calibration.Dataset) { d.Criteria[0].Digest = calibrationtest.NewWords }, No},
	} {
		d := calibrationtest.Labeled(calibrationtest.Spread(tt.items)...)
		if tt.edit != nil {
			tt.edit(d)
		}
		r := On(d, calibrationtest.Depth(), options).Decide(nil)
		if r.Rank.Answer != tt.want || r.Gate.Answer != tt.want || r.Gate.Why != Nobody {
			t.Errorf("%s: rank %s, gate %s (%s), expected %s because nobody has answered", tt.reason, r.Rank.Answer, r.Gate.Answer, r.Gate.Why, tt.want)
		}
	}
}
