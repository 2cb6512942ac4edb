package decide

import (
	"fmt"
	"math"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
)

// normal is the two-sided 95% quantile of the normal distribution.
const normal = 1.959964

// tooMany is a number of items that nobody labels.
const tooMany = 10_000

// itemsNeeded is how many items make the interval of a correlation end at the
// target, by the variance of Bonett and Wright (2000). power is how many standard errors
// the measured correlation may be closer to the target.
func itemsNeeded(correlation, target, power float64) int {
	distance := math.Atanh(correlation) - math.Atanh(target)
	return items(3 + (1+correlation*correlation/2)*math.Pow((normal+power)/distance, 2))
}

// Plan says how many labeled items a decision about a judge takes, or returns "" if there
// are enough. If the newest run of a judge is undecided, its values say how many.
//
// Without such a run, only a lower bound is known, which is what the ranking takes for a
// judge halfway from the target to perfect agreement: what the verdict takes depends on how
// many items people pass, and on how close those are to the line.
func Plan(d *calibration.Dataset, s *calibration.Subject, o Options) string {
	var nearest *Decision
	for i := range d.Judges {
		run := d.Judges[i].Newest(s.Digest)
		if run == nil {
			continue
		}
		o.AsOf = run.Date // the values of an old run count here
		r := Of(d, s, run, o)
		if r.Outcome == Met {
			return ""
		}
		if r.ItemsNeeded > 0 && (nearest == nil || r.ItemsNeeded < nearest.ItemsNeeded) {
			nearest = r
		}
	}
	if nearest != nil {
		return fmt.Sprintf("Run %s of %s is undecided. %s", nearest.Judge.Run, nearest.Judge.Name, nearest.neededText(nearest.ItemsNeeded))
	}
	good, criteria, has := (o.Target+1)/2, len(s.Rubric.Criteria), 0
	power := math.Sqrt2 * math.Erfinv(2*math.Pow(planned, 1/float64(criteria))-1) // the normal quantile
	n := max(o.EnoughItems, itemsNeeded(good, o.Target, power))
	for _, item := range d.Test().Items {
		if len(item.Labels) > 0 {
			has++
		}
	}
	if has >= n {
		return ""
	}
	return fmt.Sprintf("A decision takes at least %d labeled items; there are %d. With so many, a judge with a correlation of %s on each criterion (%d) usually reaches the target of %s. "+
		"Its verdict can take several times as many, most of all with one criterion: docs/development/calibration-power.md", n, has, two(good), criteria, two(o.Target))
}

// planned is the share of cases in which a good judge reaches the target on all criteria.
const planned = 0.8

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

func (r *Decision) neededText(n int) string {
	has := 0
	for _, c := range r.Criteria {
		has = max(has, c.Items)
	}
	if n >= tooMany {
		return fmt.Sprintf("The values are so near to what is required that more than the %d labeled items would hardly decide.", has)
	}
	return fmt.Sprintf("If the values stay as they are, about %d labeled items would decide; there are %d.", max(n, has+1, r.EnoughItems), has)
}

// two is a number with two decimals.
func two(x float64) string { return agreement.Value{Number: x}.Text() }

// percent is a share with at most one decimal, rounded down, so that what is too
// little never looks like enough.
func percent(share float64) string {
	return fmt.Sprintf("%g%%", math.Floor(1000*share+1e-6)/10)
}
