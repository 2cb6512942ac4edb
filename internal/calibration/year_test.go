package calibration

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// year plays weekly runs of a judge on 40 items, whose scores have noise and, in week
// w, a shift. It returns the weeks in which drift is reported, the first of them 1.
func year(t *testing.T, weeks int, seed uint64, noise float64, shift func(week int) float64) (alarms []int) {
	t.Helper()
	generator := rand.New(rand.NewPCG(seed, 9))
	labels := spread(40)
	d := labeled(labels...)
	d.Judges = []Judge{{Name: "j"}}
	monday := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
	for week := range weeks {
		date := monday.AddDate(0, 0, 7*week).Format(time.DateOnly)
		scores := make([]float64, len(labels))
		for i, label := range labels {
			scores[i] = max(1, min(5, math.Round(float64(label)+shift(week)+noise*generator.NormFloat64())))
		}
		run := scored(scores...)
		run.Name, run.Date = date, date
		for i := range run.Answers {
			run.Answers[i].Run, run.Answers[i].Date = date, date
		}
		d.Judges[0].Answers = append(d.Judges[0].Answers, run.Answers...)
		o := options
		o.AsOf = date
		r := Track(d, depth(), run, o)
		if r.Drifted() {
			alarms = append(alarms, week+1)
		}
		line, err := NewRecord(r.Report, r.Drift).Encode()
		if err != nil {
			t.Fatal(err)
		}
		d.History = append(d.History, line)
	}
	return alarms
}

// TestAYearOfWeeks: a steady judge is left alone, one that drifts slowly is found although
// no week differs from the one before, and one that improves raises no alarm.
func TestAYearOfWeeks(t *testing.T) {
	weeks, alarms := 0, 0
	for seed := range uint64(2) {
		weeks += 52
		alarms += len(year(t, 52, seed, 0.5, func(int) float64 { return 0 }))
	}
	if share := float64(alarms) / float64(weeks); share > 0.05 {
		t.Errorf("steady judges raise an alarm in %d of %d weeks", alarms, weeks)
	}
	creeping := year(t, 16, 11, 0.3, func(week int) float64 { return 0.08 * float64(min(week, 10)) })
	if len(creeping) == 0 || creeping[0] > 9 {
		t.Errorf("a bias that grows by 0.08 a week is reported in the weeks %v", creeping)
	}
	if len(creeping) < 8 {
		t.Errorf("a bias of 0.8 is reported in %d of 16 weeks", len(creeping))
	}
	improving := year(t, 16, 12, 0.3, func(week int) float64 { return 0.4 - 0.04*float64(min(week, 10)) })
	if len(improving) > 1 {
		t.Errorf("a judge that improves raises alarms in the weeks %v", improving)
	}
	t.Logf("steady: %d of %d weeks; creeping: from week %d; improving: %v", alarms, weeks, creeping[0], improving)
}
