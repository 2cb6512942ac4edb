package agreement

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// published is an input and the value that a paper or the tests of another library print.
// The table of a kappa has a row for each category of people; ratings have a row for each
// item, and null is a missing label.
type published struct {
	Statistic, Source string
	Judge, People     []float64
	Table             [][]int
	Ratings           [][]*float64
	Want, Tolerance   float64
}

// alphas are the published metrics. Only the ordinal one is reported; the others test the
// shared code.
var alphas = map[string]func(Ratings) Value{
	"ordinal":  OrdinalAlpha,
	"interval": measured(squaredDifference),
	"nominal":  measured(func(a, b float64) float64 { return min(1, math.Abs(a-b)) }), // of whole numbers
	"ratio":    measured(func(a, b float64) float64 { return squaredDifference(a, b) / ((a + b) * (a + b)) }),
}

func measured(distance func(a, b float64) float64) func(Ratings) Value {
	return func(r Ratings) Value {
		return alpha(r, func(distinct []float64, _ []int) []float64 { return distinct }, distance)
	}
}

func TestPublishedValues(t *testing.T) {
	data := must.Get(os.ReadFile("testdata/published.json"))(t)
	var values []published
	must.Do(t, json.Unmarshal(data, &values))
	for _, p := range values {
		if v := p.compute(); !v.IsDefined() || !(math.Abs(v.Number-p.Want) <= p.Tolerance) {
			t.Errorf("%s of %s is %+v, want %v within %g", p.Statistic, p.Source, v, p.Want, p.Tolerance)
		}
	}
}

func (p published) compute() Value {
	switch p.Statistic {
	case "spearman":
		return Spearman(p.Judge, p.People)
	case "quadratic kappa":
		return kappa(p.Table)
	}
	return alphas[strings.TrimSuffix(p.Statistic, " alpha")](p.ratings())
}

func (p published) ratings() Ratings {
	ratings := make(Ratings, len(p.Ratings))
	for i, row := range p.Ratings {
		for _, x := range row {
			if x == nil {
				x = &nan
			}
			ratings[i] = append(ratings[i], *x)
		}
	}
	return ratings
}
