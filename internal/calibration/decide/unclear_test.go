package decide

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/dev/calibrationtest"
)

// opinions is a dataset of three raters around the same truth, each with noise, and a run of a
// judge with noise and a shift.
func opinions(n int, noise, judge, shift float64) (*calibration.Dataset, *calibration.Run) {
	g := rand.New(rand.NewPCG(7, 9))
	level := func(x float64) float64 { return max(1, min(5, math.Round(x))) }
	d, scores := calibrationtest.Labeled(calibrationtest.Spread(n)...), make([]float64, n)
	for i := range d.Items {
		truth := 1 + 4*g.Float64()
		for _, rater := range []string{"r1", "r2", "r3"} {
			d.Items[i].Labels[rater] = map[string]float64{"clarity": level(truth + noise*g.NormFloat64())}
		}
		scores[i] = level(truth + shift + judge*g.NormFloat64())
	}
	return d, calibrationtest.Scored(scores...)
}

// TestLabelsCannotTell: if no person reaches a limit among the others, a judge that is not worse
// than they are is not refuted, and one that is worse is.
func TestLabelsCannotTell(t *testing.T) {
	for _, tt := range []struct {
		reason           string
		n                int
		noise            float64
		judge, shift     float64
		ranking, verdict Outcome // "" for any
	}{
		{"people agree, and so does the judge", 400, 0.4, 0.4, 0, Met, Met},
		{"people agree, and the judge does not", 400, 0.4, 2.5, 0, NotMet, NotMet},
		{"people do not agree, and the judge is like one of them", 800, 1.9, 1.9, 0, CannotTell, CannotTell},
		{"people do not agree, and the judge is worse", 800, 1.9, 9, 0, NotMet, NotMet},
		{"people do not agree, and the judge always passes", 800, 1.9, 0.1, 3, CannotTell, NotMet},
		{"people do not agree, on too few items to tell", 20, 1.9, 1.9, 0, Undecided, ""},
	} {
		d, run := opinions(tt.n, tt.noise, tt.judge, tt.shift)
		r := computed(d, calibrationtest.Depth(), run, options)
		got := map[ConditionName]Outcome{}
		for _, c := range r.Conditions {
			got[c.Name] = c.Outcome
		}
		if got[ConditionRanking] != tt.ranking || tt.verdict != "" && got[ConditionVerdict] != tt.verdict {
			t.Errorf("%s: ranking %s, verdict %s, want %s, %s: %+v, right passes %+v, right fails %+v", tt.reason, got[ConditionRanking], got[ConditionVerdict], tt.ranking, tt.verdict,
				r.Criteria[0].AgainstPeople.Correlation, r.RightPasses, r.RightFails)
		}
	}
}
