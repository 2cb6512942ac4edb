package agreement

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// pair is scores and labels of the same items.
type pair struct{ judge, people []float64 }

// drawPair draws few distinct values, so that ties are common. They are halves, so that
// sums are exact.
func drawPair(t *rapid.T) pair {
	half := rapid.Map(rapid.IntRange(2, 10), func(i int) float64 { return float64(i) / 2 })
	n := rapid.IntRange(0, 30).Draw(t, "items")
	list := rapid.SliceOfN(half, n, n)
	return pair{list.Draw(t, "judge"), list.Draw(t, "people")}
}

// drawRatings draws labels 1 to 5 of 1 to 4 raters, some of them missing.
func drawRatings(t *rapid.T) Ratings {
	raters := rapid.IntRange(1, 4).Draw(t, "raters")
	label := rapid.SampledFrom([]float64{1, 2, 3, 4, 5, nan})
	return rapid.SliceOfN(rapid.SliceOfN(label, raters, raters), 0, 20).Draw(t, "ratings")
}

func near(a, b Value) bool {
	return a.Undefined == b.Undefined && (!a.IsDefined() || math.Abs(a.Number-b.Number) <= 1e-9)
}

func TestCorrelationLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPair(t)
		order := rapid.Permutation(positions(len(p.judge))).Draw(t, "order")
		v := Spearman(p.judge, p.people)
		if turned := Spearman(p.people, p.judge); v.IsDefined() != turned.IsDefined() || v.Number != turned.Number {
			t.Fatalf("Spearman is %v, and %v with the sides exchanged", v, turned)
		}
		if shuffled := Spearman(pick(p.judge, order), pick(p.people, order)); !near(v, shuffled) {
			t.Fatalf("Spearman is %v, and %v with the items in another order", v, shuffled)
		}
		if math.Abs(v.Number) > 1 {
			t.Fatalf("Spearman is %v", v)
		}
		if self := Spearman(p.judge, p.judge); self.IsDefined() && math.Abs(self.Number-1) > 1e-12 {
			t.Fatalf("Spearman of a list with itself is %v", self)
		}
	})
}

func TestRanksSeeOnlyTheOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPair(t)
		rising := make([]float64, len(p.judge))
		for i, x := range p.judge {
			rising[i] = math.Exp(3*x) - 100
		}
		if v, other := Spearman(p.judge, p.people), Spearman(rising, p.people); v != other {
			t.Fatalf("%v became %v under a rising function", v, other)
		}
	})
}

// TestAJudgeOnePointTooGenerous: all statistics except correlations show the bias.
func TestAJudgeOnePointTooGenerous(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		people := rapid.SliceOfN(rapid.IntRange(1, 4), 2, 30).Draw(t, "people")
		people = append(people, 1, 4)
		x, y := make([]float64, len(people)), make([]float64, len(people))
		for i, label := range people {
			x[i], y[i] = float64(label+1), float64(label)
		}
		for _, c := range []struct {
			name      string
			got, want Value
		}{
			{"Spearman", Spearman(x, y), number(1)},
			{"bias", Bias(x, y), number(1)}, {"the mean absolute error", distance(x, y), number(1)},
		} {
			if c.got != c.want {
				t.Fatalf("%s is %v, want %v", c.name, c.got, c.want)
			}
		}
		if k := quadraticKappa(x, y); !(k.Number < 1) {
			t.Fatalf("quadratic kappa is %v", k)
		}
	})
}

func TestKappaIsOneForEqualCategoriesOnly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 8).Draw(t, "items")
		list := rapid.SliceOfN(rapid.SampledFrom([]float64{1, 2, 3}), n, n)
		judge, people := list.Draw(t, "judge"), list.Draw(t, "people")
		if rapid.Bool().Draw(t, "equal") {
			judge = people
		}
		k := quadraticKappa(judge, people)
		equal := slices.Equal(judge, people) && n > 0 && slices.Max(people) > slices.Min(people)
		if (k == number(1)) != equal {
			t.Fatalf("quadratic kappa is %v", k)
		}
		if other := quadraticKappa(people, judge); !near(number(k.Number), number(other.Number)) {
			t.Fatalf("quadratic kappa is %v, and %v with the sides exchanged", k, other)
		}
	})
}

// betweenPeople are the statistics of ratings that treat all raters equally.
var betweenPeople = map[string]func(Ratings) Value{
	"ordinal alpha": OrdinalAlpha, "interval alpha": alphas["interval"],
	"the correlation of people": func(r Ratings) Value { return NewPeople(r, 2, 1, 0).Compare(nil).Correlation.People },
}

func TestRatingsHaveNoOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRatings(t)
		items := rapid.Permutation(positions(len(r))).Draw(t, "items")
		raters := rapid.Permutation(positions(r.width())).Draw(t, "raters")
		shuffled := transpose(pick(transpose(pick(r, items)), raters))
		for name, of := range betweenPeople {
			if v, other := of(r), of(shuffled); len(r) > 0 && !near(v, other) {
				t.Fatalf("%s is %v, and %v in another order", name, v, other)
			}
		}
	})
}

func TestUnitsWithOneLabelDontChangeAlpha(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRatings(t)
		lone := Ratings{}
		for range rapid.IntRange(1, 3).Draw(t, "lone") {
			row := slices.Repeat([]float64{nan}, max(1, r.width()))
			row[rapid.IntRange(0, len(row)-1).Draw(t, "rater")] = rapid.Float64Range(1, 5).Draw(t, "label")
			lone = append(lone, row)
		}
		for _, of := range []func(Ratings) Value{alphas["nominal"], OrdinalAlpha, alphas["interval"], alphas["ratio"]} {
			v, with := of(r), of(append(slices.Clone(r), lone...))
			if v.IsDefined() != with.IsDefined() || v.Number != with.Number {
				t.Fatalf("alpha is %v, and %v with items of one label", v, with)
			}
		}
	})
}

// TestNoNumberIsUnusable calls all statistics with arbitrary floats: they return a finite
// number or a reason.
func TestNoNumberIsUnusable(t *testing.T) {
	anything := rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{1, 2, 3, 0, nan, inf, -inf, 1e60, -1e60, 1e-320, math.MaxFloat64}))
	rapid.Check(t, func(t *rapid.T) {
		x, y := rapid.SliceOfN(anything, 0, 6).Draw(t, "x"), rapid.SliceOfN(anything, 0, 6).Draw(t, "y")
		r := Ratings(rapid.SliceOfN(rapid.SliceOfN(anything, 0, 4), 0, 5).Draw(t, "ratings"))
		values := []Value{distance(x, y), Bias(x, y), Spearman(x, y)}
		estimates := EstimatePairs(x, y, 1, 3)
		for _, e := range []Estimate{estimates.Spearman, estimates.QuadraticKappa, estimates.MeanAbsoluteError, estimates.Bias} {
			values = append(values, e.Value, Value{e.Interval.Low, e.Interval.Undefined}, Value{e.Interval.High, e.Interval.Undefined})
		}
		for _, of := range betweenPeople {
			values = append(values, of(r))
		}
		people := NewPeople(r, 2, 1, 3)
		for _, against := range []AgainstPeople{people.Compare(x).Correlation, people.Compare(x).Level} {
			d := against.Difference
			values = append(values, against.People, against.Judge, d.Value, Value{d.Interval.Low, d.Interval.Undefined}, Value{d.Interval.High, d.Interval.Undefined})
		}
		for _, rater := range people.Raters() {
			s := rater.Severity
			values = append(values, rater.Correlation, s.Value, Value{s.Interval.Low, s.Interval.Undefined}, Value{s.Interval.High, s.Interval.Undefined})
		}
		s := SelfAgreement(r)
		values = append(values, s.Exact, s.Spread)
		for _, v := range values {
			if v.IsDefined() && (math.IsNaN(v.Number) || math.IsInf(v.Number, 0)) {
				t.Fatalf("a value is %v", v.Number)
			}
		}
	})
}

func transpose(r Ratings) Ratings {
	turned := make(Ratings, r.width())
	for j := range turned {
		turned[j] = slices.Repeat([]float64{nan}, len(r))
		for i, row := range r {
			if j < len(row) {
				turned[j][i] = row[j]
			}
		}
	}
	return turned
}

func pick[T any](list []T, index []int) []T {
	picked := make([]T, len(index))
	for i, place := range index {
		picked[i] = list[place]
	}
	return picked
}

func positions(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}
