package measure

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/dev/calibrationtest"
)

var options = Options{MinimumItems: 10, Seed: 1}

// answered returns a run of a judge that scores each item twice: the label plus noise and
// a shift.
func answered(r *rand.Rand, name string, labels []int, shift, noise float64) *calibration.Run {
	run := &calibration.Run{Name: name, Judge: "j", Model: "m", Date: "2026-11-21", Digest: calibrationtest.Words}
	for i, label := range labels {
		for repeat := range 2 {
			score := min(5, max(1, math.Round(float64(label)+shift+noise*r.NormFloat64())))
			run.Answers = append(run.Answers, calibration.Answer{
				Run: name, Item: fmt.Sprintf("i%03d", i), Repeat: repeat + 1, Scores: map[string]float64{"clarity": score},
			})
		}
	}
	return run
}

// changedShare returns the share of comparisons that report a change.
func changedShare(t *testing.T, noise, shift, noiseAfter float64) float64 {
	t.Helper()
	const weeks = 25
	r := rand.New(rand.NewPCG(7, 7))
	labels, changed := calibrationtest.Spread(40), 0
	d := calibrationtest.Labeled(labels...)
	for range weeks {
		if NewMeter(d, nil, options).Compare(answered(r, "a", labels, 0, noise), answered(r, "b", labels, shift, noiseAfter)).Changed {
			changed++
		}
	}
	return float64(changed) / weeks
}

// TestDriftIsMoreThanNoise simulates weeks of a judge that did not change and of one that
// did, with fixed seeds.
func TestDriftIsMoreThanNoise(t *testing.T) {
	tests := []struct {
		reason                   string
		noise, shift, noiseAfter float64
		least, most              float64
	}{
		{reason: "a judge that only has its noise hardly drifts", noise: 0.7, noiseAfter: 0.7, most: 0.08},
		{reason: "a judge without noise never does", most: 0},
		{reason: "half a point is seen through the noise", noise: 0.7, shift: 0.5, noiseAfter: 0.7, least: 0.8, most: 1},
		{reason: "a judge that guesses now is seen", noise: 0.3, noiseAfter: 3, least: 0.8, most: 1},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			share := changedShare(t, tt.noise, tt.shift, tt.noiseAfter)
			t.Logf("%.0f %% of the weeks are called drift", 100*share)
			if share < tt.least || share > tt.most {
				t.Errorf("want %v to %v", tt.least, tt.most)
			}
		})
	}
}

func TestComparisonsSayWhatTheyAreAbout(t *testing.T) {
	labels := calibrationtest.Spread(30)
	d := calibrationtest.Labeled(labels...)
	before, after := calibrationtest.Scored(calibrationtest.Floats(labels)...), calibrationtest.Scored(calibrationtest.Worsened(labels, 2)...)
	after.Model = "n"
	c := NewMeter(d, nil, options).Compare(before, after)
	if c.Before.Model != "m" || c.After.Model != "n" {
		t.Errorf("the models are %q and %q", c.Before.Model, c.After.Model)
	}
	if one := c.Criteria[0]; one.Changed != Correlation || !one.Worse || one.Before.Text() != "1.00" || one.Correlation.Number >= 0 {
		t.Errorf("half of the scores are mirrored: %+v", one)
	}
	few := NewMeter(calibrationtest.Labeled(calibrationtest.Spread(9)...), nil, options).Compare(calibrationtest.Scored(calibrationtest.Floats(calibrationtest.Spread(9))...), calibrationtest.Scored(calibrationtest.Random(9)...))
	if few.Changed || few.Criteria[0].Correlation.IsDefined() {
		t.Errorf("nine items say something: %+v", few.Criteria[0])
	}
	same := NewMeter(d, nil, options).Compare(before, before)
	if same.Changed || same.Criteria[0].Shift.Number != 0 {
		t.Errorf("a run differs from itself: %+v", same.Criteria[0])
	}
}
