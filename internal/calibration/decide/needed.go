package decide

import (
	"math"

	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
)

// normal is the two-sided 95% quantile of the normal distribution.
const normal = 1.959964

// TooMany is a number of items that nobody labels.
const TooMany = 10_000

// itemsNeeded is how many items make the interval of a correlation end at the
// target, by the variance of Bonett and Wright (2000). power is how many standard errors
// the measured correlation may be closer to the target.
func itemsNeeded(correlation, target, power float64) int {
	distance := math.Atanh(correlation) - math.Atanh(target)
	return items(3 + (1+correlation*correlation/2)*math.Pow((normal+power)/distance, 2))
}

// neededForBias is how many items make the interval of a bias end within the limit: its
// width falls with the root of the number.
func neededForBias(bias *agreement.Estimate, n int, most float64) int {
	if !bias.IsDefined() || !bias.Interval.IsDefined() {
		return 0
	}
	half := (bias.Interval.High - bias.Interval.Low) / 2
	return items(float64(n) * math.Pow(half/(most-math.Abs(bias.Number)), 2))
}

// neededForRate is how many items make the interval of a rate begin at the target, if the
// part of the items that it is about stays as it is.
func neededForRate(of agreement.Share, all int, target float64) int {
	if of.Whole == 0 || all == 0 {
		return 0
	}
	rate := float64(of.Part) / float64(of.Whole)
	if rate <= target {
		return TooMany
	}
	// Wilson's lower bound reaches the target where the score test does.
	n := target * (1 - target) * math.Pow(normal/(rate-target), 2)
	return items(n * float64(all) / float64(of.Whole))
}

// items is a whole number of them, at most TooMany, and that where there is no number.
func items(n float64) int {
	if !(n < TooMany) {
		return TooMany
	}
	return int(math.Ceil(n))
}

// neededItems returns about how many labeled items would decide what is undecided; 0 if more would not
// help.
func (r *Decision) neededItems() int {
	n := 0
	for i := range r.Criteria {
		c, o := &r.Criteria[i], r.Outcomes[i]
		if o.Level == Undecided {
			n = max(n, neededForBias(&c.Bias, c.Items, r.MaximumBias))
		}
		if o.Ranking == Undecided {
			n = max(n, itemsNeeded(c.Spearman.Number, r.Target, 0))
		}
	}
	v := &r.Measurement.Verdict
	if r.RightPassesOutcome == Undecided {
		n = max(n, neededForRate(v.Passes(), v.Items(), r.MinimumRate))
	}
	if r.RightFailsOutcome == Undecided {
		n = max(n, neededForRate(v.Fails(), v.Items(), r.MinimumRate))
	}
	if n == 0 || n >= TooMany {
		return n
	}
	return max(n, r.LabeledItems()+1, r.EnoughItems)
}

// LabeledItems returns how many items have a label and a score, for the criterion with the most.
func (r *Decision) LabeledItems() int {
	has := 0
	for _, c := range r.Criteria {
		has = max(has, c.Items)
	}
	return has
}
