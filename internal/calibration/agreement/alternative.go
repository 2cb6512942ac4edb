package agreement

import (
	"cmp"
	"math"
	"slices"
)

// The settings of the alternative annotator test.
const (
	// AlternativeItems is how many items a rater must share with others.
	AlternativeItems = 30
	// AlternativeAdvantage, epsilon in the paper, is by how much a rater may win more
	// often than the judge and the judge still count as an alternative: what the authors
	// recommend where raters are experts.
	AlternativeAdvantage = 0.2
	// alternativeRate is the share of false discoveries among the raters.
	alternativeRate = 0.05
)

// Alternative is the alternative annotator test (Calderon and others, ACL 2025): whether
// the judge could take the place of a rater.
type Alternative struct {
	Raters int `json:"raters"` // that were compared
	// WinningRate is the share of them, 0 to 1, whom the judge can replace: the judge is
	// at least about as near to the other raters as they are. The test is passed at 0.5.
	WinningRate Value `json:"winning_rate"`
	// Advantage is the mean probability, 0 to 1, that the judge is at least as near to the
	// others as the rater is.
	Advantage Value `json:"advantage"`
}

// AlternativeTest leaves out each rater in turn. On every item, the judge or the rater
// wins who has the smaller root mean square distance to the labels of the others; both
// win a tie. That the rater does not win more often by epsilon is a one-sided paired
// t-test, corrected for the number of raters by Benjamini and Yekutieli (2001). judge has
// a score or NaN for each item. At least three raters with 30 items each are needed.
func AlternativeTest(r Ratings, judge []float64) Alternative {
	if v := r.refuse(); !v.Defined() {
		return Alternative{WinningRate: v, Advantage: v}
	}
	var p []float64
	advantage := 0.0
	for rater := range r.width() {
		wins := r.wins(rater, judge)
		if len(wins) < AlternativeItems {
			continue
		}
		advantage += Mean(wins.judge())
		p = append(p, lowerTail(wins, AlternativeAdvantage))
	}
	if len(p) < 3 {
		v := undefined("%d raters share %d items with others, and 3 are needed", len(p), AlternativeItems)
		return Alternative{WinningRate: v, Advantage: v}
	}
	return Alternative{len(p), share(rejected(p, alternativeRate), len(p)), Value{Number: advantage / float64(len(p))}}
}

// wins has an element for each item: 1 if only the rater won, -1 if only the judge did,
// and 0 for a tie.
type wins []float64

func (w wins) judge() []float64 {
	won := make([]float64, len(w))
	for i, x := range w {
		if x <= 0 {
			won[i] = 1
		}
	}
	return won
}

func (r Ratings) wins(rater int, judge []float64) (w wins) {
	for i := range r {
		own, others := r.at(i, rater), r.others(i, rater)
		if len(others) == 0 || math.IsNaN(own+judge[i]) {
			continue
		}
		var ofRater, ofJudge float64
		for _, x := range others {
			ofRater += squaredDifference(own, x)
			ofJudge += squaredDifference(judge[i], x)
		}
		switch {
		case math.Abs(ofRater-ofJudge) <= same:
			w = append(w, 0)
		default:
			w = append(w, float64(cmp.Compare(ofJudge, ofRater)))
		}
	}
	return w
}

// lowerTail is the p-value of the hypothesis that the mean of numbers is at least limit.
func lowerTail(numbers []float64, limit float64) float64 {
	n := float64(len(numbers))
	distance := Mean(numbers) - limit
	deviation := math.Sqrt(squaredDeviations(numbers) / (n - 1))
	if deviation <= same { // all are the same: there is no doubt about the mean
		if distance < 0 {
			return 0
		}
		return 1
	}
	return studentT(distance/(deviation/math.Sqrt(n)), len(numbers)-1)
}

// studentT is the probability of at most t by Student's distribution (Abramowitz and
// Stegun 1964, 26.7.3 and 26.7.4, with a whole number of degrees of freedom).
func studentT(t float64, freedom int) float64 {
	angle := math.Atan(t / math.Sqrt(float64(freedom)))
	sine, cosine := math.Sincos(angle)
	sum, term, k := 0.0, sine, 2
	if freedom%2 == 1 {
		term, k = sine*cosine, 3
	}
	for ; k <= freedom; k += 2 {
		sum += term
		term *= cosine * cosine * float64(k-1) / float64(k)
	}
	if freedom%2 == 1 {
		return 0.5 + (angle+sum)/math.Pi
	}
	return 0.5 + sum/2
}

// rejected is how many hypotheses are rejected at a rate of false discoveries, whatever
// depends on what (Benjamini and Yekutieli 2001).
func rejected(p []float64, rate float64) int {
	sorted := slices.Sorted(slices.Values(p))
	harmonic := 0.0
	for i := range sorted {
		harmonic += 1 / float64(i+1)
	}
	m := float64(len(sorted))
	for i := len(sorted); i > 0; i-- {
		if sorted[i-1] <= rate*float64(i)/(m*harmonic) {
			return i
		}
	}
	return 0
}
