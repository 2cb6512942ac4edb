package agreement

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// table is labels from 1 to 5: a row an item, a column a rater.
type table [][]int64

func (t table) column(j int) []*big.Rat {
	var column []*big.Rat
	for _, row := range t {
		column = append(column, big.NewRat(row[j], 1))
	}
	return column
}

func sum(numbers ...*big.Rat) *big.Rat {
	s := new(big.Rat)
	for _, x := range numbers {
		s.Add(s, x)
	}
	return s
}

func less(a, b *big.Rat) *big.Rat          { return new(big.Rat).Sub(a, b) }
func times(a, b *big.Rat) *big.Rat         { return new(big.Rat).Mul(a, b) }
func whole(n int) *big.Rat                 { return big.NewRat(int64(n), 1) }
func over(a *big.Rat, n *big.Rat) *big.Rat { return new(big.Rat).Quo(a, n) }

// products is the sum of products of the deviations from the means.
func products(x, y []*big.Rat) *big.Rat {
	n := whole(len(x))
	mx, my, s := over(sum(x...), n), over(sum(y...), n), new(big.Rat)
	for i := range x {
		s.Add(s, times(less(x[i], mx), less(y[i], my)))
	}
	return s
}

func drawTable(t *rapid.T) table {
	items, raters := rapid.IntRange(2, 6).Draw(t, "items"), rapid.IntRange(2, 4).Draw(t, "raters")
	return rapid.SliceOfN(rapid.SliceOfN(rapid.Int64Range(1, 5), raters, raters), items, items).Draw(t, "table")
}

func equals(t *rapid.T, name string, labels table, got Value, want *big.Rat) {
	if want == nil {
		if got.IsDefined() {
			t.Fatalf("%s of %v is %v, and it has no denominator", name, labels, got.Number)
		}
		return
	}
	number, _ := want.Float64()
	if !got.IsDefined() || math.Abs(got.Number-number) > 1e-9*max(1, math.Abs(number)) {
		t.Fatalf("%s of %v is %+v, want %v", name, labels, got, number)
	}
}

// TestPairsAreTheirExactQuotients computes the statistics of a judge and people with whole numbers:
// they are that quotient, or undefined where the denominator is not positive.
func TestPairsAreTheirExactQuotients(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		labels := drawTable(t)
		judge, people, n := labels.column(0), labels.column(1), len(labels)
		x, y := make([]float64, n), make([]float64, n)
		bias, squared := new(big.Rat), new(big.Rat)
		for row := range labels {
			x[row], y[row] = float64(labels[row][0]), float64(labels[row][1])
			d := less(judge[row], people[row])
			bias.Add(bias, d)
			squared.Add(squared, times(d, d))
		}
		equals(t, "bias", labels, Bias(x, y), over(bias, whole(n)))
		var kappa *big.Rat
		if products(judge, judge).Sign() > 0 && products(people, people).Sign() > 0 {
			// 1 less the squared differences over those of all pairs of a score and a label.
			expected := new(big.Rat)
			for _, a := range judge {
				for _, b := range people {
					expected.Add(expected, times(less(a, b), less(a, b)))
				}
			}
			kappa = less(whole(1), over(times(squared, whole(n)), expected))
		}
		equals(t, "quadratic kappa", labels, quadraticKappa(x, y), kappa)
	})
}
