package agreement

import "math"

// normal is the 97.5% quantile of the normal distribution, for two-sided 95% intervals.
const normal = 1.959963984540054

// Wilson is the 95% score interval of a share of which part of whole items were counted
// (Wilson 1927). Unlike a bootstrap, it has a width when part is 0 or whole.
func Wilson(part, whole int) Interval {
	if whole < 1 || part < 0 || part > whole {
		return Interval{Undefined: tooFew(0, 1).Undefined} // a share of nothing
	}
	n, p := float64(whole), float64(part)/float64(whole)
	z2 := float64(normal * normal)
	center := (p + z2/(2*n)) / (1 + z2/n)
	half := normal / (1 + z2/n) * math.Sqrt(float64(p*(1-p))/n+z2/(4*n*n))
	low, high := center-half, center+half
	if part == 0 {
		low = 0 // exactly, without the rounding
	}
	if part == whole {
		high = 1
	}
	return Interval{Low: low, High: high}
}

// Share is a share of items with its Wilson interval.
type Share struct {
	Part, Whole int
}

// Value is the share, undefined of nothing.
func (s Share) Value() Value {
	if s.Whole < 1 {
		return tooFew(0, 1)
	}
	return share(s.Part, s.Whole)
}

// Estimate is the share with its Wilson interval.
func (s Share) Estimate() Estimate { return Estimate{s.Value(), Wilson(s.Part, s.Whole)} }

// CorrectPassRate estimates the share of items that people would pass, of items that only
// a judge has seen (Rogan and Gladen 1978): passed says how many of them the judge passed, right passes and right
// fails how often it was right about items that people passed and failed. The estimate
// (p + TNR - 1)/(TPR + TNR - 1) is clipped to 0 and 1, and undefined if TPR + TNR is at
// most 1: then the judge's verdict carries no information.
//
// The interval is that of Lang and Reiczigel (2014, Preventive Veterinary Medicine 113),
// which includes the uncertainty of all three shares. It assumes that both rates are the
// same on the new items.
func CorrectPassRate(passed, rightPasses, rightFails Share) Estimate {
	for _, s := range []Share{passed, rightPasses, rightFails} {
		if v := s.Value(); !v.Defined() {
			return v.NoEstimate()
		}
	}
	p, tpr, tnr := passed.Value().Number, rightPasses.Value().Number, rightFails.Value().Number
	if tpr+tnr-1 <= same {
		return undefined("TPR + TNR is at most 1, so the verdicts of the judge carry no information").NoEstimate()
	}
	estimate := (p + tnr - 1) / (tpr + tnr - 1)
	return Estimate{Value{Number: clip(estimate)}, langReiczigel(passed, rightPasses, rightFails)}
}

func langReiczigel(passed, rightPasses, rightFails Share) Interval {
	z2 := float64(normal * normal)
	n := float64(passed.Whole) + z2
	p := (float64(passed.Part) + z2/2) / n
	adjusted := func(s Share) (rate, variance float64) {
		n := float64(s.Whole) + 2
		rate = (float64(s.Part) + 1) / n
		return rate, rate * (1 - rate) / n
	}
	tpr, ofTPR := adjusted(rightPasses)
	tnr, ofTNR := adjusted(rightFails)
	above := tpr + tnr - 1
	if above <= same {
		return Interval{Undefined: "too few labeled items pass or fail to tell TPR + TNR from 1"}
	}
	rate := (p + tnr - 1) / above
	shift := 2 * z2 * (float64(rate*ofTPR) - float64((1-rate)*ofTNR))
	half := normal / above * math.Sqrt(float64(p*(1-p))/n+float64(rate*rate*ofTPR)+float64((1-rate)*(1-rate)*ofTNR))
	return Interval{Low: clip(rate + shift - half), High: clip(rate + shift + half)}
}

func clip(share float64) float64 { return max(0, min(1, share)) }
