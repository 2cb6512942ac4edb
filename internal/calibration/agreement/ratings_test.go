package agreement

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestHardRatings(t *testing.T) {
	const constantLabels = "all labels are the same"
	tests := []struct {
		reason                string
		ratings               Ratings
		ordinal, icc, ceiling Value
	}{
		{"no items", nil, none("there are no items"), none("there are no items"), none("there are no items")},
		{"one item", Ratings{{1, 2}}, none("1 item, at least 2 required"), none("1 item, at least 2 required"), none("1 item, at least 2 required")},
		{"nobody labeled anything", Ratings{{nan, nan}, {}}, none("there are no labels"), none("there are no labels"), none("there are no labels")},
		{"one rater can't disagree", Ratings{{1, nan}, {2, nan}}, none("only one person gave labels"), none("only one person gave labels"), none("only one person gave labels")},
		{"nobody labeled what another did", Ratings{{1, nan}, {nan, 2}, {3, nan}},
			none("no item has two labels"), none("no item has a label from every person"), none("no rater's labels can be compared with those of the others")},
		{"a single pair could only give 0", Ratings{{1, 2}, {nan, 2}, {3, nan}},
			none("only one item has two labels"), none("only one item has a label from every person"), none("no rater's labels can be compared with those of the others")},
		{"all labels are equal: no variation, though all agree", Ratings{{5, 5}, {5, 5}, {5, 5}},
			none(constantLabels), none(constantLabels), none("no rater's labels can be compared with those of the others")},
		{"only labels without a partner differ", Ratings{{5, 5}, {5, 5}, {1, nan}},
			none(constantLabels), none(constantLabels), none("no rater's labels can be compared with those of the others")},
		{"an infinite label is refused", Ratings{{1, inf}, {2, 2}},
			none("one of the labels is not finite or too large"), none("one of the labels is not finite or too large"), none("one of the labels is not finite or too large")},
		{"full agreement, and a rater the rater nothing", Ratings{{1, 1, nan}, {2, 2, nan}, {5, 5, nan}}, number(1), number(1), number(1)},
		{"a short row is one with missing labels", Ratings{{1, 1, 1}, {2, 2, 2}, {5, 5, 5}, {4}}, number(1), number(1), number(1)},
		{"two raters in opposite order", Ratings{{1, 3}, {2, 2}, {3, 1}}, number(-2. / 3), none("the items differ too little compared with the labels of one item"), number(-1)},
	}
	for _, tt := range tests {
		checkValue(t, tt.reason, "ordinal alpha", OrdinalAlpha(tt.ratings), tt.ordinal)
		checkValue(t, tt.reason, "ICC(3,k)", ICC(tt.ratings).ConsistencyMean, tt.icc)
		checkValue(t, tt.reason, "the ceiling", LeaveOneOut(tt.ratings, nil, 2).People, tt.ceiling)
	}
}

func TestICCCountsCompleteItems(t *testing.T) {
	if got, want := ICC(Ratings{{1, 1}, {2, 2}, {3, nan}}), (Reliability{2, 2, number(1)}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestRefusedRatingsHaveNoItems(t *testing.T) {
	if got, want := ICC(Ratings{{1, inf}, {2, 2}}), (Reliability{0, 2, none("one of the labels is not finite or too large")}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestLeaveOneOut(t *testing.T) {
	ratings := Ratings{
		{1, 1, 5, nan},
		{2, 3, 5, nan},
		{3, 2, 5, 1},
		{4, 4, 5, nan},
	}
	// The third is constant; the fourth has one item in common with others.
	first := Spearman([]float64{1, 2, 3, 4}, []float64{3, 4, 8. / 3, 4.5})
	second := Spearman([]float64{1, 3, 2, 4}, []float64{3, 3.5, 3, 4.5})
	checkValue(t, "only two have a value", "the ceiling", LeaveOneOut(ratings, nil, 2).People, number((first.Number+second.Number)/2))
	checkValue(t, "a floor above all", "the ceiling", LeaveOneOut(ratings, nil, 5).People, none("no rater's labels can be compared with those of the others"))
	checkValue(t, "no judge", "the judge", LeaveOneOut(ratings, nil, 2).Judge, none("no judge has answered"))
}

func TestAttainable(t *testing.T) {
	for _, c := range []struct{ reliability, want Value }{
		{number(.25), number(.5)}, {number(0), number(0)}, {number(-.25), none("the labels of the raters have nothing in common")}, {none("x"), none("x")}, {Value{-1, "x"}, none("x")},
	} {
		checkValue(t, "a reliability", "the attainable correlation", Attainable(Reliability{ConsistencyMean: c.reliability}), c.want)
	}
}

func TestSelfAgreement(t *testing.T) {
	never := none("no item has two answers")
	bad := none("one of the answers is not finite or too large")
	tests := []struct {
		reason  string
		answers Ratings
		want    Repeats
	}{
		{"each item counts the same, however often it was answered", Ratings{{3, 3, 4}, {2, 2}, {5, nan}}, Repeats{2, number((1./3 + 1) / 2), number(0.4714045207910317)}},
		{"a later answer can be lower", Ratings{{4, 3}, {2, 1}}, Repeats{2, number(0), number(math.Sqrt(.5))}},
		{"a judge that repeats itself has no noise", Ratings{{3, 3}, {2, 2}}, Repeats{2, number(1), number(0)}},
		{"nothing was repeated", Ratings{{3}, {2}}, Repeats{0, never, never}},
		{"nothing was answered", nil, Repeats{0, never, never}},
		{"an infinite answer", Ratings{{3, 3}, {2, inf}}, Repeats{0, bad, bad}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, SelfAgreement(tt.answers), cmpopts.EquateApprox(0, 1e-12)); diff != "" {
			t.Errorf("%s:\n%s", tt.reason, diff)
		}
	}
}
