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
