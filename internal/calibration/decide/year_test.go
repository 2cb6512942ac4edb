package decide

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/dev/calibrationtest"
)

// year plays weekly runs of a judge on 40 items, whose scores have noise and, in week
// w, a shift. It returns the weeks in which drift is reported, the first of them 1, and
// the decision after the last.
func year(t *testing.T, weeks int, seed uint64, noise float64, shift func(week int) float64) (alarms []int, last *Decision) {
	t.Helper()
	generator := rand.New(rand.NewPCG(seed, 9))
	labels := calibrationtest.Spread(40)
	d := calibrationtest.Labeled(labels...)
	d.Judges = []calibration.Judge{{Name: "j"}}
	monday := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
	for week := range weeks {
		date := monday.AddDate(0, 0, 7*week).Format(time.DateOnly)
		scores := make([]float64, len(labels))
		for i, label := range labels {
			scores[i] = max(1, min(5, math.Round(float64(label)+shift(week)+noise*generator.NormFloat64())))
		}
		run := calibrationtest.Scored(scores...)
		run.Name, run.Date = date, date
		for i := range run.Answers {
			run.Answers[i].Run, run.Answers[i].Date = date, date
		}
		d.Judges[0].Answers = append(d.Judges[0].Answers, run.Answers...)
		o := options
		o.AsOf = date
		calibrationtest.Asked(d, run)
		r := On(d, calibrationtest.Depth(), o).Track(run)
		if r.HasDrifted() {
			alarms = append(alarms, week+1)
		}
		last = r
	}
	return alarms, last
}

// TestAYearOfWeeks: a steady judge is left alone, one that drifts slowly is found although
// no week differs from the one before, and one that improves raises few
// alarms, by chance.
func TestAYearOfWeeks(t *testing.T) {
	weeks, alarms := 0, 0
	for seed := range uint64(2) {
		weeks += 52
		found, _ := year(t, 52, seed, 0.5, func(int) float64 { return 0 })
		alarms += len(found)
	}
	if share := float64(alarms) / float64(weeks); share > 0.05 {
		t.Errorf("steady judges raise an alarm in %d of %d weeks", alarms, weeks)
	}
	creeping, _ := year(t, 16, 11, 0.3, func(week int) float64 { return 0.08 * float64(min(week, 10)) })
	if len(creeping) == 0 || creeping[0] > 9 {
		t.Errorf("a bias that grows by 0.08 a week is reported in the weeks %v", creeping)
	}
	if len(creeping) < 8 {
		t.Errorf("a bias of 0.8 is reported in %d of 16 weeks", len(creeping))
	}
	improving, _ := year(t, 16, 12, 0.3, func(week int) float64 { return 0.4 - 0.04*float64(min(week, 10)) })
	if len(improving) > 2 {
		t.Errorf("a judge that improves raises alarms in the weeks %v", improving)
	}
	t.Logf("steady: %d of %d weeks; creeping: from week %d; improving: %v", alarms, weeks, creeping[0], improving)
}

// TestWhatAWeekSays: the summary of a week says what the run is compared with.
func TestWhatAWeekSays(t *testing.T) {
	for _, c := range []struct {
		reason           string
		weeks            int
		shift            func(week int) float64
		first, reference bool
	}{
		{"steady", 4, func(int) float64 { return 0 }, false, true},
		{"the first week", 1, func(int) float64 { return 2 }, true, false},
		{"never", 5, func(int) float64 { return 2 }, false, false},
		{"worse from the fourth week", 6, func(week int) float64 { return 2 * float64(week/3) }, false, true},
		{"worse in the second week", 2, func(week int) float64 { return 2 * float64(week) }, false, true},
		{"worse, and then well again", 4, func(week int) float64 { return 2 * float64(week%3) }, false, true},
	} {
		_, last := year(t, c.weeks, 3, 0.1, c.shift)
		if last.First != c.first || last.HasReference != c.reference {
			t.Errorf("%s: the first run %v, with a reference %v", c.reason, last.First, last.HasReference)
		}
	}
}
