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
		reason          string
		ratings         Ratings
		ordinal, people Value
	}{
		{"no items", nil, none("there are no items"), none("there are no items")},
		{"one item", Ratings{{1, 2}}, none("1 item, at least 2 required"), none("1 item, at least 2 required")},
		{"nobody labeled anything", Ratings{{nan, nan}, {}}, none("there are no labels"), none("there are no labels")},
		{"one rater can't disagree", Ratings{{1, nan}, {2, nan}}, none("only one person gave labels"), none("only one person gave labels")},
		{"nobody labeled what another did", Ratings{{1, nan}, {nan, 2}, {3, nan}},
			none("no item has two labels"), none("no rater's labels can be compared with those of the others")},
		{"a single pair could only give 0", Ratings{{1, 2}, {nan, 2}, {3, nan}},
			none("only one item has two labels"), none("no rater's labels can be compared with those of the others")},
		{"all labels are equal: no variation, though all agree", Ratings{{5, 5}, {5, 5}, {5, 5}},
			none(constantLabels), none("no rater's labels can be compared with those of the others")},
		{"only labels without a partner differ", Ratings{{5, 5}, {5, 5}, {1, nan}},
			none(constantLabels), none("no rater's labels can be compared with those of the others")},
		{"an infinite label is refused", Ratings{{1, inf}, {2, 2}},
			none("one of the labels is not finite or too large"), none("one of the labels is not finite or too large")},
		{"full agreement, and a rater who labeled nothing", Ratings{{1, 1, nan}, {2, 2, nan}, {5, 5, nan}}, number(1), number(1)},
		{"a short row is one with missing labels", Ratings{{1, 1, 1}, {2, 2, 2}, {5, 5, 5}, {4}}, number(1), number(1)},
		{"two raters in opposite order", Ratings{{1, 3}, {2, 2}, {3, 1}}, number(-2. / 3), number(-1)},
	}
	for _, tt := range tests {
		checkValue(t, tt.reason, "ordinal alpha", OrdinalAlpha(tt.ratings), tt.ordinal)
		checkValue(t, tt.reason, "the correlation of people", NewPeople(tt.ratings, 2, 1, 0).Compare(nil).Correlation.People, tt.people)
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
