package compat

import (
	"math"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// rounding is the rounding error of the mean of minimums, and of a share of all weights. It is
// far below rubric.Tolerance, so a hidden threshold stays hidden for scores that pass only by the
// tolerance, except for the last 1e-11 of it.
const rounding = 1e-12

// relativeWeight classifies a change of one relative weight by that of all together, because only
// their proportions count.
func (f *finding) relativeWeight(base, head *rubric.Rubric) {
	switch {
	case sameShares(base, head):
		f.Class, f.effect = schema.Patch, "the weights keep their proportions, so no score changes"
	case overallDecides(head):
		f.effect = "the criteria count differently in the overall score, so work that passed can now fail"
	case overallDecides(base):
		f.Class, f.effect = schema.Minor, "the overall score no longer decides, so "+canPass
	default:
		f.Class, f.effect = schema.Patch, "the overall score changes, but decides nothing, so no verdict changes"
	}
}

// sameShares reports whether each criterion has the same share of all weights.
func sameShares(base, head *rubric.Rubric) bool {
	after := shares(head)
	for name, share := range shares(base) {
		if math.Abs(after[name]-share) > rounding*share {
			return false
		}
	}
	return true // nothing is left for a criterion that only the head has
}

// shares returns the share of each criterion in all relative weights.
func shares(r *rubric.Rubric) map[string]float64 {
	total := 0.0
	for i := range r.Criteria {
		total += r.Criteria[i].Counts()
	}
	shares := make(map[string]float64, len(r.Criteria))
	for i := range r.Criteria {
		shares[r.Criteria[i].Name] = r.Criteria[i].Counts() / total
	}
	return shares
}

// overallDecides reports whether the overall score can fail work whose criteria all pass.
func overallDecides(r *rubric.Rubric) bool {
	return canFail(r.Scoring.PassThreshold, r)
}

// canFail reports whether a pass threshold can fail work whose criteria all pass.
func canFail(threshold float64, r *rubric.Rubric) bool { return threshold > guaranteed(r)+rounding }

// guaranteed returns the lowest overall score at which all essential criteria pass: 0 for a
// rubric that can't be applied.
func guaranteed(r *rubric.Rubric) float64 {
	lowest := map[string]float64{}
	for i := range r.Criteria {
		c := &r.Criteria[i]
		lowest[c.Name] = rubric.MinScore
		if c.Weight == rubric.Essential {
			lowest[c.Name] = r.Minimum(c)
		}
	}
	verdict, _ := r.Verdict(lowest, nil)
	return verdict.Overall
}
