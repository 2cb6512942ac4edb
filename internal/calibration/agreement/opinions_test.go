package agreement

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// opinions are n equal ones of one rater.
func opinions(n int, rater, judge, others bool) [][]Opinion {
	return slices.Repeat([][]Opinion{{{true, rater, others, judge}}}, n)
}

func TestOpinionsOfOneRater(t *testing.T) {
	const P, F = true, false
	items := slices.Concat(opinions(20, P, P, P), opinions(5, P, F, P), opinions(3, F, P, P), opinions(2, F, F, P),
		opinions(7, F, F, F), opinions(2, P, F, F), [][]Opinion{{{}}, {}})
	got := CompareOpinions(items, 10)
	if v := got.Raters[0]; v.BothPass != 25 || v.OnlyPeoplePass != 5 || v.OnlyJudgePass != 2 || v.BothFail != 7 {
		t.Errorf("the rater's verdicts are %+v", v)
	}
	checkValue(t, "of 30 passes", "the rater's share", got.RightPasses.People, number(25./30))
	checkValue(t, "of 30 passes", "the judge's share", got.RightPasses.Judge, number(23./30))
	// Agresti and Min (2005): with half an item more in each cell.
	center := (3.5 - 5.5) / 32
	half := normal * math.Sqrt((3.5+5.5)/32-center*center) / math.Sqrt(32)
	if i := got.RightPasses.Difference.Interval; math.Abs(i.Low-(center-half)) > 1e-12 || math.Abs(i.High-(center+half)) > 1e-12 {
		t.Errorf("the interval is %+v, want %v to %v", i, center-half, center+half)
	}
	checkValue(t, "9 fails are too few", "the difference", got.RightFails.Difference.Value, none("9 items, at least 10 required"))
}

func TestHardOpinions(t *testing.T) {
	const P, F = true, false
	for _, c := range []struct {
		reason string
		items  [][]Opinion
		want   Standing
	}{
		{"nothing", nil, TooFew},
		{"no one has a verdict", [][]Opinion{{{}, {}}}, TooFew},
		{"ten equal verdicts show little", opinions(10, P, P, P), TooFew},
		{"thirty show more", opinions(30, P, P, P), AsWell},
		{"the others never pass", opinions(30, P, P, F), TooFew},
		{"only the judge agrees", opinions(30, F, P, P), Better},
		{"only the rater agrees", opinions(30, P, F, P), Worse},
	} {
		got := CompareOpinions(c.items, 10)
		if got.RightPasses.JudgeStanding() != c.want {
			t.Errorf("%s: %s, want %s: %+v", c.reason, got.RightPasses.JudgeStanding(), c.want, got.RightPasses)
		}
		if i := got.RightPasses.Difference.Interval; i.IsDefined() && (i.Low < -1 || i.High > 1 || i.Low > i.High) {
			t.Errorf("%s: the interval is %+v", c.reason, i)
		}
	}
}

// TestOpinionIntervalCovers: of judges and raters with known rates, the interval holds the
// difference about as often as it promises, also if three raters share the items.
func TestOpinionIntervalCovers(t *testing.T) {
	generator := rand.New(rand.NewPCG(1, 5))
	for _, c := range []struct {
		items         int
		people, judge float64
	}{{15, 0.9, 0.8}, {40, 0.95, 0.95}, {100, 0.7, 0.9}} {
		covered, runs := 0, 2000
		for range runs {
			var items [][]Opinion
			for range c.items {
				row, judge := make([]Opinion, 3), generator.Float64() < c.judge
				for rater := range row {
					row[rater] = Opinion{true, generator.Float64() < c.people, true, judge}
				}
				items = append(items, row)
			}
			i := CompareOpinions(items, 10).RightPasses.Difference.Interval
			if i.Low <= c.judge-c.people && c.judge-c.people <= i.High {
				covered++
			}
		}
		if share := float64(covered) / float64(runs); share < 0.93 {
			t.Errorf("%+v: the interval holds the difference in %.3f of %d cases", c, share, runs)
		}
	}
}
