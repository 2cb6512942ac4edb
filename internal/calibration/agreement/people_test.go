package agreement

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestEqualTerms: with raters as noisy as these, a perfect judge agrees with them better than
// they agree with each other, one like a rater as well, and a guess worse.
func TestEqualTerms(t *testing.T) {
	generator := rand.New(rand.NewPCG(3, 4))
	label := func(truth, noise float64) float64 {
		return max(1, min(5, math.Round(truth+noise*generator.NormFloat64())))
	}
	for _, raters := range []int{2, 3, 8} {
		var ratings Ratings
		var perfect, like, guess, harsh, missing []float64
		for i := range 600 {
			truth := float64(1 + generator.IntN(5))
			row := slices.Repeat([]float64{nan}, raters)
			for _, rater := range generator.Perm(raters)[:2+i%(raters-1)] { // some have 2 labels, some all
				row[rater] = label(truth, 1.2)
			}
			ratings, perfect, like, guess = append(ratings, row), append(perfect, truth), append(like, label(truth, 1.2)), append(guess, float64(1+generator.IntN(5)))
			harsh = append(harsh, like[i]-2)
			missing = append(missing, like[i])
		}
		people := NewPeople(ratings, 10, 1, 500)
		for _, c := range []struct {
			reason             string
			judge              []float64
			correlation, level Standing
		}{
			{"a judge without noise", perfect, Better, AsWell},
			{"a judge like a rater", like, AsWell, AsWell},
			{"a judge like a rater, and harsh", harsh, AsWell, Worse},
			{"a judge that guesses", guess, Worse, ""},
			{"a judge that always says the same", slices.Repeat([]float64{3}, 600), TooFew, ""},
			{"no judge", nil, TooFew, TooFew},
		} {
			got := people.Compare(c.judge)
			if got.Correlation.JudgeStanding() != c.correlation || c.level != "" && got.Level.JudgeStanding() != c.level {
				t.Errorf("%d raters: %s stands %s, %s by its level, want %s, %s: %+v", raters, c.reason, got.Correlation.JudgeStanding(), got.Level.JudgeStanding(), c.correlation, c.level, got)
			}
		}
		missing[0] = nan
		if people.Compare(missing).Correlation.People == people.Compare(like).Correlation.People {
			t.Errorf("%d raters: an item without a score counts for people", raters)
		}
	}
}

func TestStanding(t *testing.T) {
	for _, c := range []struct {
		reason    string
		low, high float64
		undefined string
		want      Standing
	}{
		{"surely better", 0.01, 0.2, "", Better},
		{"at least as good", 0, 0.2, "", AsWell},
		{"at most a little worse", -0.09, 0.2, "", AsWell},
		{"surely worse, if only a little", -0.09, -0.01, "", Worse},
		{"perhaps more than a little worse", -0.1, 0.2, "", TooFew},
		{"nobody can tell", -0.5, 0.5, "", TooFew},
		{"there is no interval", 0, 0, "x", TooFew},
	} {
		a := AgainstPeople{Difference: Estimate{Interval: Interval{Low: c.low, High: c.high, Undefined: c.undefined}}}
		if got := a.JudgeStanding(); got != c.want {
			t.Errorf("%s: the standing is %s, want %s", c.reason, got, c.want)
		}
	}
	none := notAgainstPeople(none("x"))
	if got := none.JudgeStanding(); got != TooFew {
		t.Errorf("without a value, the standing is %s", got)
	}
}

func TestHardPeople(t *testing.T) {
	const alone = "no rater's labels can be compared with those of the others"
	judge := []float64{1, 2, 3, 4}
	tests := []struct {
		reason        string
		ratings       Ratings
		judge         []float64
		people, score Value
	}{
		{"no items", nil, []float64{}, none("there are no items"), none("there are no items")},
		{"nobody labeled anything", Ratings{{nan, nan}, {}}, judge[:2], none("there are no labels"), none("there are no labels")},
		{"one rater has no others", Ratings{{1}, {2}, {3}, {4}}, judge, none("only one person gave labels"), none("only one person gave labels")},
		{"nobody labeled what another did", Ratings{{1, nan}, {nan, 2}, {3, nan}, {nan, 4}}, judge, none(alone), none(alone)},
		{"one item in common", Ratings{{1, 2}, {nan, 2}, {3, nan}, {nan, 4}}, judge, none(alone), none(alone)},
		{"all labels are the same", Ratings{{5, 5}, {5, 5}, {5, 5}, {5, 5}}, judge, none(alone), none(alone)},
		{"an infinite label", Ratings{{1, inf}, {2, 2}}, judge[:2], none("one of the labels is not finite or too large"), none("one of the labels is not finite or too large")},
		{"an infinite score", Ratings{{1, 1}, {2, 2}}, []float64{1, inf}, number(1), none("one of the scores of the judge is not finite or too large")},
		{"a list of other items", Ratings{{1, 1}, {2, 2}}, judge, number(1), none("the numbers of items differ: 4 scores of the judge, 2 labels")},
		{"no judge", Ratings{{1, 1}, {2, 2}}, nil, number(1), none("no judge has answered")},
		{"a judge that always says the same", Ratings{{1, 1}, {2, 2}}, []float64{3, 3}, number(1), none("all scores of the judge are the same")},
		{"a judge that answered nothing", Ratings{{1, 1}, {2, 2}}, []float64{nan, nan}, none(alone), none(alone)},
		{"two raters in opposite order", Ratings{{1, 4}, {2, 3}, {3, 2}, {4, 1}}, judge, number(-1), number(0)},
		{"a rater who always says the same is left out, as is one with one item", Ratings{{1, 1, 5, nan}, {2, 3, 5, nan}, {3, 2, 5, 1}, {4, 4, 5, nan}}, judge,
			number((Spearman([]float64{1, 2, 3, 4}, []float64{3, 4, 8. / 3, 4.5}).Number + Spearman([]float64{1, 3, 2, 4}, []float64{3, 3.5, 3, 4.5}).Number) / 2),
			number((Spearman(judge, []float64{3, 4, 8. / 3, 4.5}).Number + Spearman(judge, []float64{3, 3.5, 3, 4.5}).Number) / 2)},
	}
	for _, tt := range tests {
		got := NewPeople(tt.ratings, 2, 1, 50).Compare(tt.judge).Correlation
		checkValue(t, tt.reason, "the correlation of people", got.People, tt.people)
		checkValue(t, tt.reason, "the correlation of the judge", got.Judge, tt.score)
		if got.Difference.IsDefined() != (tt.people.IsDefined() && tt.score.IsDefined()) {
			t.Errorf("%s: the difference is %+v", tt.reason, got.Difference)
		}
	}
	got := NewPeople(Ratings{{1, 1}, {2, 2}, {3, 3}}, 4, 1, 50)
	few := none("3 items, at least 4 required")
	if diff := cmp.Diff([]Rater{{3, few, few.NoEstimate()}, {3, few, few.NoEstimate()}}, got.Raters()); diff != "" {
		t.Errorf("fewer items than the floor: %s", diff)
	}
}

func TestSeverity(t *testing.T) {
	ratings := Ratings{{1, 2, 3}, {2, 3, nan}, {4, 5, 5}, {2, 4, 4}, {nan, nan, 5}}
	raters := NewPeople(ratings, 2, 1, 500).Raters()
	for i, want := range []struct {
		items    int
		severity float64
	}{{4, (-1.5 - 1 - 1 - 2) / 4}, {4, (0 + 1 + .5 + 1) / 4}, {3, (1.5 + .5 + 1) / 3}} {
		r := raters[i]
		if r.Items != want.items || math.Abs(r.Severity.Number-want.severity) > 1e-12 {
			t.Errorf("rater %d: %+v, want %+v", i, r, want)
		}
		if s := r.Severity.Interval; !s.IsDefined() || s.Low > want.severity || s.High < want.severity {
			t.Errorf("rater %d: the interval is %+v", i, s)
		}
	}
}

// TestAgainstPeopleIsTheMeanOfPlainCorrelations computes the same, resamples included, from
// lists with each item as often as it was drawn.
func TestAgainstPeopleIsTheMeanOfPlainCorrelations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ratings := drawRatings(t)
		judge := rapid.SliceOfN(rapid.SampledFrom([]float64{1, 2, 3, 4, 5, nan}), len(ratings), len(ratings)).Draw(t, "judge")
		got := NewPeople(ratings, 3, 7, 9).Compare(judge).Correlation
		counted := make([]bool, ratings.width())
		people, score := plain(ratings, judge, unpack(once(len(ratings)), 0), 3, counted, true)
		if !got.Difference.IsDefined() {
			if !math.IsNaN(people + score) {
				t.Fatalf("%+v, want %v and %v", got, people, score)
			}
			return
		}
		if !near(got.People, number(people)) || !near(got.Judge, number(score)) {
			t.Fatalf("%+v, want %v and %v", got, people, score)
		}
		want := sampled{value: number(score - people)}
		(drawing{len(ratings), 9, 7}).each(func(w weights, drawn bool) {
			for resample := range w.lanes {
				people, score := plain(ratings, judge, unpack(w, resample), 0, counted, false)
				want.add(number(score-people), drawn)
			}
		})
		checkInterval(t, got.Difference.Interval, want.interval(len(ratings)))
	})
}

func checkInterval(t *rapid.T, got, want Interval) {
	if got.Undefined != want.Undefined || got.Failed != want.Failed || math.Abs(got.Low-want.Low) > 1e-6 || math.Abs(got.High-want.High) > 1e-6 {
		t.Fatalf("the interval is %+v, want %+v", got, want)
	}
}

// plain returns the mean correlations of raters and of the judge with the mean of the others.
// It sets which raters count, or uses it.
func plain(ratings Ratings, judge []float64, times []int, floor int, counted []bool, set bool) (people, score float64) {
	var ofPeople, ofJudge []float64
	for rater := range counted {
		var own, others, scores []float64
		for i, row := range ratings {
			rest := slices.Delete(slices.Clone(row), rater, rater+1)
			if mean := Mean(given(rest)); !math.IsNaN(row[rater] + mean + judge[i]) {
				n := times[i]
				own, others, scores = append(own, slices.Repeat(row[rater:rater+1], n)...), append(others, slices.Repeat([]float64{mean}, n)...), append(scores, slices.Repeat(judge[i:i+1], n)...)
			}
		}
		a, b := Spearman(own, others), Spearman(scores, others)
		if set {
			counted[rater] = len(own) >= floor && a.IsDefined() && b.IsDefined()
		}
		if counted[rater] && a.IsDefined() && b.IsDefined() {
			ofPeople, ofJudge = append(ofPeople, a.Number), append(ofJudge, b.Number)
		}
	}
	return Mean(ofPeople), Mean(ofJudge)
}

func unpack(w weights, resample int) []int {
	times := make([]int, len(w.of))
	w.unpack(times, w.of, resample)
	return times
}
