package agreement

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// manyRaters are labels of a criterion of which each item has 2 to 5 of 13 raters, and the
// scores of judges.
func manyRaters(n, judges int) (Ratings, [][]float64) {
	g := rand.New(rand.NewPCG(5, 13))
	labels, scores := make(Ratings, n), make([][]float64, judges)
	for i := range labels {
		truth := 3 + 1.2*g.NormFloat64()
		label := func(noise float64) float64 { return toScale([]float64{(truth - 3 + noise*g.NormFloat64()) / 1.2})[0] }
		labels[i] = slices.Repeat([]float64{nan}, 13)
		for _, rater := range g.Perm(13)[:2+g.IntN(4)] {
			labels[i][rater] = label(0.8)
		}
		for j := range scores {
			scores[j] = append(scores[j], label(0.9))
		}
	}
	return labels, scores
}

// BenchmarkReports is what a report of 1,700 items, 13 raters, 4 criteria, and 6 judges with 2
// runs each computes here.
func BenchmarkReports(b *testing.B) {
	labels, scores := manyRaters(1700, 12)
	means := labels.Means()
	for b.Loop() {
		for range 4 {
			people := NewPeople(labels, 10, 1, 2000)
			for _, judge := range scores {
				EstimatePairs(judge, means, 1, 2000)
				people.Compare(judge)
			}
			people.Raters()
		}
	}
}
