package calibration

import (
	"fmt"
	"math"

	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
)

// normal is the two-sided 95% quantile of the normal distribution.
const normal = 1.959964

// tooMany is a number of items that nobody labels.
const tooMany = 10_000

// itemsNeeded is how many items make the interval of a correlation end at the
// target, by the variance of Bonett and Wright (2000).
func itemsNeeded(correlation, target float64) int {
	distance := math.Atanh(correlation) - math.Atanh(target)
	return items(3 + (1+correlation*correlation/2)*math.Pow(normal/distance, 2))
}

// neededForBias is how many items make the interval of a bias end within the limit: its
// width falls with the root of the number.
func neededForBias(bias *agreement.Estimate, n int, most float64) int {
	if !bias.Defined() || !bias.Interval.Defined() {
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
		return tooMany
	}
	// Wilson's lower bound reaches the target where the score test does.
	n := target * (1 - target) * math.Pow(normal/(rate-target), 2)
	return items(n * float64(all) / float64(of.Whole))
}

// items is a whole number of them, at most tooMany, and that where there is no number.
func items(n float64) int {
	if !(n < tooMany) {
		return tooMany
	}
	return int(math.Ceil(n))
}

// neededText says how many items would decide what is undecided.
func (r *Report) neededText(n int) string {
	has := 0
	for _, c := range r.Criteria {
		has = max(has, c.Items)
	}
	if n >= tooMany {
		return fmt.Sprintf("The values are so near to what is required that more than the %d labeled items would hardly decide.", has)
	}
	return fmt.Sprintf("If the values stay as they are, about %d labeled items would decide; there are %d.", max(n, has+1, r.Settings.EnoughItems), has)
}

// two is a number with two decimals, and with a plain minus.
func two(x float64) string {
	text := fmt.Sprintf("%.2f", x)
	if text == "-0.00" {
		return "0.00"
	}
	return text
}

// percent is a share with at most one decimal, rounded down, so that what is too
// little never looks like enough.
func percent(share float64) string {
	return fmt.Sprintf("%g%%", math.Floor(1000*share+1e-6)/10)
}
