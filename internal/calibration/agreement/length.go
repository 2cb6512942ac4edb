package agreement

// steadyDraws is how many items are drawn in all for the interval of a long list: its
// limits then vary with the seed by less than the two decimals that are shown.
const steadyDraws = 4_000_000

// LengthEffect returns the Spearman correlation of score minus label with the length of
// the text, and its bootstrap interval. Above 0, the judge scores longer texts higher
// than people do.
func LengthEffect(judge, people, length []float64, seed uint64, resamples int) Estimate {
	if v := judgeAndPeople.refuseNumbers(judge, people, 2); !v.Defined() {
		return Estimate{v, Interval{Undefined: v.Undefined}}
	}
	difference := make([]float64, len(judge))
	for i := range judge {
		difference[i] = judge[i] - people[i]
	}
	statistic := newPairing(difference, length, sides{"differences between judge and people", "lengths"}).of((*pairing).spearman)
	n := len(difference)
	return Estimate{statistic(everything(n)), Bootstrap(n, seed, min(resamples, max(200, steadyDraws/n)), statistic)}
}
