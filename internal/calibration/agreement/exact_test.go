package agreement

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// table is labels from 1 to 5: a row an item, a column a rater.
type table [][]int64

func (t table) ratings() Ratings {
	rows := make(Ratings, len(t))
	for i, row := range t {
		for _, x := range row {
			rows[i] = append(rows[i], float64(x))
		}
	}
	return rows
}

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

// exactMeanSquares are within items, between raters, between items, and the residual.
func exactMeanSquares(t table) (within, raters, items, residual *big.Rat) {
	n, k := whole(len(t)), whole(len(t[0]))
	one := whole(1)
	var all, rowMeans, columnMeans []*big.Rat
	within = new(big.Rat)
	for _, row := range t {
		var own []*big.Rat
		for _, x := range row {
			own = append(own, big.NewRat(x, 1))
		}
		all = append(all, own...)
		rowMeans = append(rowMeans, over(sum(own...), k))
		within.Add(within, products(own, own))
	}
	for j := range t[0] {
		columnMeans = append(columnMeans, over(sum(t.column(j)...), n))
	}
	ofRaters, ofItems := times(products(columnMeans, columnMeans), n), times(products(rowMeans, rowMeans), k)
	ofRest := less(less(products(all, all), ofRaters), ofItems)
	return over(within, times(n, less(k, one))), over(ofRaters, less(k, one)), over(ofItems, less(n, one)),
		over(ofRest, times(less(n, one), less(k, one)))
}

// exactICC has nil where a denominator is not positive.
func exactICC(t table) []*big.Rat {
	within, raters, items, residual := exactMeanSquares(t)
	n, k := whole(len(t)), whole(len(t[0]))
	more := less(k, whole(1))
	quotient := func(above, below *big.Rat) *big.Rat {
		if below.Sign() <= 0 {
			return nil
		}
		return over(above, below)
	}
	perItem := over(less(raters, residual), n)
	return []*big.Rat{
		quotient(less(items, within), sum(items, times(more, within))),
		quotient(less(items, residual), sum(items, times(more, residual), times(k, perItem))),
		quotient(less(items, residual), sum(items, times(more, residual))),
		quotient(less(items, within), items),
		quotient(less(items, residual), sum(items, perItem)),
		quotient(less(items, residual), items),
	}
}

func drawTable(t *rapid.T) table {
	items, raters := rapid.IntRange(2, 6).Draw(t, "items"), rapid.IntRange(2, 4).Draw(t, "raters")
	return rapid.SliceOfN(rapid.SliceOfN(rapid.Int64Range(1, 5), raters, raters), items, items).Draw(t, "table")
}

func equals(t *rapid.T, name string, labels table, got Value, want *big.Rat) {
	if want == nil {
		if got.Defined() {
			t.Fatalf("%s of %v is %v, and it has no denominator", name, labels, got.Number)
		}
		return
	}
	number, _ := want.Float64()
	if !got.Defined() || math.Abs(got.Number-number) > 1e-9*max(1, math.Abs(number)) {
		t.Fatalf("%s of %v is %+v, want %v", name, labels, got, number)
	}
}

// TestICCIsItsExactQuotient computes the same with whole numbers: each form is that
// quotient, or undefined where the denominator is not positive.
func TestICCIsItsExactQuotient(t *testing.T) {
	check := func(t *rapid.T, labels table) {
		got := ICC(labels.ratings())
		want := exactICC(labels)
		for i, v := range []Value{got.OneWay, got.Agreement, got.Consistency, got.OneWayMean, got.AgreementMean, got.ConsistencyMean} {
			equals(t, []string{"ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)"}[i], labels, v, want[i])
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		check(t, table{{1, 1}, {2, 1}, {1, 2}}) // the denominator of ICC(2,k) is 0
		check(t, drawTable(t))
	})
}

// TestPairsAreTheirExactQuotients does so for the statistics of a judge and people.
func TestPairsAreTheirExactQuotients(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		labels := drawTable(t)
		judge, people, n := labels.column(0), labels.column(1), len(labels)
		x, y := make([]float64, n), make([]float64, n)
		i, j := make([]int, n), make([]int, n)
		bias, squared := new(big.Rat), new(big.Rat)
		for row := range labels {
			i[row], j[row] = int(labels[row][0]), int(labels[row][1])
			x[row], y[row] = float64(i[row]), float64(j[row])
			d := less(judge[row], people[row])
			bias.Add(bias, d)
			squared.Add(squared, times(d, d))
		}
		equals(t, "bias", labels, Bias(x, y), over(bias, whole(n)))
		xx, yy, xy := products(judge, judge), products(people, people), products(judge, people)
		var r2, kappa *big.Rat
		if xx.Sign() > 0 && yy.Sign() > 0 {
			r2 = over(times(xy, xy), times(xx, yy))
			// 1 less the squared differences over those of all pairs of a score and a label.
			expected := new(big.Rat)
			for _, a := range judge {
				for _, b := range people {
					expected.Add(expected, times(less(a, b), less(a, b)))
				}
			}
			kappa = less(whole(1), over(times(squared, whole(n)), expected))
		}
		pearson := Pearson(x, y)
		if pearson.Defined() && pearson.Number*float64(xy.Sign()) < 0 {
			t.Fatalf("Pearson of %v is %v, and the covariance has another sign", labels, pearson.Number)
		}
		equals(t, "squared Pearson", labels, Value{Number: pearson.Number * pearson.Number, Undefined: pearson.Undefined}, r2)
		equals(t, "quadratic kappa", labels, QuadraticKappa(i, j, 1, 5), kappa)
	})
}
