package agreement

import (
	"math"
	"slices"
)

// The scale of scores and labels.
const (
	Lowest  = 1
	Highest = 5
)

// Confusion counts the items by their two levels: one row for each level of people, one
// column for each level of the judge, after means are rounded half up. It returns nil if a level is
// not on the scale, or if the lists differ in length.
func Confusion(judge, people []float64) [][]int {
	if v := onScale(judge, people); !v.IsDefined() {
		return nil
	}
	table := newTable()
	for i, level := range Levels(people) {
		table[level-Lowest][Round(judge[i])-Lowest]++
	}
	return table
}

func onScale(judge, people []float64) Value {
	if v := refuse(judge, people, 0); !v.IsDefined() {
		return v
	}
	for _, level := range slices.Concat(Levels(judge), Levels(people)) {
		if level < Lowest || level > Highest {
			return undefined("a score or label is outside the scale %d to %d", Lowest, Highest)
		}
	}
	return Value{}
}

func newTable() [][]int {
	table := make([][]int, Highest-Lowest+1)
	for i := range table {
		table[i] = make([]int, Highest-Lowest+1)
	}
	return table
}

// kappa is Cohen's weighted kappa (Cohen 1968, equation 9): 1 minus the ratio of the observed
// disagreement to the disagreement expected from the margins, with squared distances as
// weights, over the whole scale, not only the levels that occur. 1 is full agreement, 0 is
// agreement by chance, and negative values are possible. It is undefined if either side has
// only one level, because kappa would always be 0. The rows of the table are people's.
func kappa(table [][]int) Value {
	rows, columns := make([]int, len(table)), make([]int, len(table))
	for i, row := range table {
		for j, count := range row {
			rows[i] += count
			columns[j] += count
		}
	}
	n := total(rows)
	switch {
	case n < 2:
		return tooFew(n, 2)
	case isConstant(rows):
		return constantLabels
	case isConstant(columns):
		return constantScores
	}
	var observed, expected float64
	for i, row := range table {
		for j, count := range row {
			w := float64((i - j) * (i - j))
			observed += float64(w * float64(count))
			expected += float64(w * float64(rows[i]) * float64(columns[j]))
		}
	}
	return Value{Number: 1 - observed*float64(n)/expected}
}

// Verdicts compares the judge and people on whether each item passes.
type Verdicts struct {
	BothPass       int `json:"both_pass"`
	OnlyPeoplePass int `json:"only_people_pass"` // people pass it, the judge fails it
	OnlyJudgePass  int `json:"only_judge_pass"`
	BothFail       int `json:"both_fail"`
	// BaseRate is the share of items, from 0 to 1, that people pass. It, or its
	// complement, is the agreement of a judge that always gives the same verdict.
	BaseRate Value `json:"base_rate"`
	// RightPasses (TPR) is the share of the items that people pass which the judge passes,
	// and RightFails (TNR) the share of those that people fail which it fails, with Wilson
	// intervals.
	RightPasses Estimate `json:"right_passes"`
	RightFails  Estimate `json:"right_fails"`
}

// CompareVerdicts counts the combinations of the judge's verdict and people's on each item;
// true is a pass.
func CompareVerdicts(items [][2]bool) Verdicts {
	counts := map[[2]bool]int{}
	for _, item := range items {
		counts[item]++
	}
	const pass, fail = true, false
	v := Verdicts{
		BothPass: counts[[2]bool{pass, pass}], OnlyPeoplePass: counts[[2]bool{fail, pass}],
		OnlyJudgePass: counts[[2]bool{pass, fail}], BothFail: counts[[2]bool{fail, fail}],
	}
	v.BaseRate = Share{v.BothPass + v.OnlyPeoplePass, len(items)}.Value()
	v.RightPasses, v.RightFails = v.Passes().Estimate(), v.Fails().Estimate()
	return v
}

// Items is the number of items that were compared.
func (v *Verdicts) Items() int { return v.AgreedItems() + v.OnlyPeoplePass + v.OnlyJudgePass }

// AgreedItems returns the number of items with the same verdict.
func (v *Verdicts) AgreedItems() int { return v.BothPass + v.BothFail }

// Passes counts the items that the judge passes, of those that people pass.
func (v *Verdicts) Passes() Share { return Share{v.BothPass, v.BothPass + v.OnlyPeoplePass} }

// Fails counts the items that the judge fails, of those that people fail.
func (v *Verdicts) Fails() Share { return Share{v.BothFail, v.BothFail + v.OnlyJudgePass} }

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
	return Value{Number: float64(s.Part) / float64(s.Whole)}
}

// Estimate is the share with its Wilson interval.
func (s Share) Estimate() Estimate { return Estimate{s.Value(), Wilson(s.Part, s.Whole)} }

// CorrectPassRate estimates the share of items that people would pass, of items that only a judge
// has seen (Rogan and Gladen 1978): passed says how many of them the judge passed, right passes and
// right fails how often it was right about items that people passed and failed. The estimate
// (p + TNR - 1)/(TPR + TNR - 1) is clipped to 0 and 1, and undefined if TPR + TNR is at most 1: then
// the judge's verdict carries no information.
func CorrectPassRate(passed, rightPasses, rightFails Share) Estimate {
	for _, s := range []Share{passed, rightPasses, rightFails} {
		if v := s.Value(); !v.IsDefined() {
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
