package agreement

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

var (
	nan = math.NaN()
	inf = math.Inf(1)
)

// number and none return expected Values.
func number(x float64) Value   { return Value{Number: x} }
func none(reason string) Value { return Value{Undefined: reason} }

// distance and quadraticKappa are two of the statistics of all items.
func distance(judge, people []float64) Value {
	p := newPairs(judge, people)
	return statistic{p, p.distance}.ofAll()
}
func quadraticKappa(judge, people []float64) Value {
	p := newPairs(judge, people)
	return statistic{p, p.kappa}.ofAll()
}

func checkValue(t *testing.T, reason, statistic string, got, want Value) {
	t.Helper()
	if got.Undefined != want.Undefined || want.IsDefined() && !(math.Abs(got.Number-want.Number) <= 1e-12) {
		t.Errorf("%s: %s is %v %q, want %v %q", reason, statistic, got.Number, got.Undefined, want.Number, want.Undefined)
	}
}

func TestHardPairs(t *testing.T) {
	const (
		constantJudge  = "all scores of the judge are the same"
		constantPeople = "all labels are the same"
		badScore       = "one of the scores of the judge is missing, not finite, or too large"
		badLabel       = "one of the labels is missing, not finite, or too large"
	)
	tests := []struct {
		reason        string
		judge, people []float64
		spearman, mae Value
	}{
		{"ties share the mean of their ranks, where the short formula would say 0.9", []float64{1, 2, 2, 3}, []float64{1, 2, 3, 4},
			number(4.5 / math.Sqrt(4.5*5)), number(.5)},
		{"a judge that always says the same agrees with nobody", []float64{5, 5, 5, 5}, []float64{1, 2, 3, 4},
			none(constantJudge), number(2.5)},
		{"labels that are all the same say nothing of the judge", []float64{1, 2, 3, 4}, []float64{5, 5, 5, 5},
			none(constantPeople), number(2.5)},
		{"if both are constant, the labels are reported first", []float64{5, 5}, []float64{5, 5},
			none(constantPeople), number(0)},
		{"means that differ by rounding only are constant", []float64{1, 2, 3}, []float64{10. / 3, 3 + 1./3, 1. / 3 * 10},
			none(constantPeople), number(4. / 3)},
		{"there is nothing to compare", nil, nil,
			none("there are no items"), none("there are no items")},
		{"one item has a distance and no order", []float64{4}, []float64{3},
			none("1 item, at least 2 required"), number(1)},
		{"two items are computed, what they are worth is the caller's", []float64{1, 2}, []float64{4, 5},
			number(1), number(3)},
		{"a score that is missing is not 0", []float64{1, nan, 3}, []float64{1, 2, 3},
			none(badScore), none(badScore)},
		{"a label that is infinite is refused", []float64{1, 2, 3}, []float64{1, -inf, 3},
			none(badLabel), none(badLabel)},
		{"squares of these would be infinite", []float64{1, 2, 1e300}, []float64{1, 2, 3},
			none(badScore), none(badScore)},
		{"lists of different lengths are of different items", []float64{1, 2, 3}, []float64{1, 2},
			none("the numbers of items differ: 3 scores of the judge, 2 labels"), none("the numbers of items differ: 3 scores of the judge, 2 labels")},
		{"the largest magnitude", []float64{1e60, 0}, []float64{0, 0}, none(constantPeople), number(5e59)},
		{"a judge that is always one point too generous has the right order", []float64{2, 3, 4, 5}, []float64{1, 2, 3, 4},
			number(1), number(1)},
	}
	for _, tt := range tests {
		checkValue(t, tt.reason, "Spearman", Spearman(tt.judge, tt.people), tt.spearman)
		checkValue(t, tt.reason, "the mean absolute error", distance(tt.judge, tt.people), tt.mae)
	}
}

// TestRoundingSplitsNoTie: numbers up to 1e-9 apart are equal, as are sums that differ only
// by the order of addition.
func TestRoundingSplitsNoTie(t *testing.T) {
	first, second, third := 0.1, 0.2, 0.3 // variables, because constants are exact
	a, b := (first+second)+third, first+(second+third)
	if a == b {
		t.Fatal("these two are equal bit by bit, and the test tests nothing")
	}
	judge := []float64{1, 2, 3, 4}
	if got, want := Spearman(judge, []float64{0, a, b, 1}), Spearman(judge, []float64{0, 0.6, 0.6, 1}); got != want {
		t.Errorf("Spearman is %v with means that differ by rounding, want %v as with equal ones", got, want)
	}
	close := OrdinalAlpha(Ratings{{a, b}, {1, b}, {2, 2}})
	if want := OrdinalAlpha(Ratings{{0.6, 0.6}, {1, 0.6}, {2, 2}}); close != want {
		t.Errorf("ordinal alpha is %v, want %v as with equal labels", close, want)
	}
	apart := Ratings{{0, 1e-9}, {1e-9, 0}}
	if got := SelfAgreement(apart); got.Exact != number(1) {
		t.Errorf("answers that are 1e-9 apart agree as %+v", got)
	}
}

func TestHardCategories(t *testing.T) {
	const outside = "a score or label is outside the scale 1 to 5"
	tests := []struct {
		reason        string
		judge, people []float64
		kappa         Value
	}{
		{"one point too generous", []float64{2, 3, 4, 5}, []float64{1, 2, 3, 4},
			number(1 - 1/3.5)},
		{"unused ends of the scale change no weight", []float64{3, 4, 3}, []float64{3, 4, 4},
			number(.4)},
		{"means are rounded half up", []float64{2.5, 4.4, 2.5}, []float64{3.4, 3.5, 3.5},
			number(.4)},
		{"all are the same", []float64{5, 5, 5}, []float64{5, 5, 5},
			none("all labels are the same")},
		{"a constant judge could only get 0", []float64{5, 5, 5}, []float64{1, 3, 5},
			none("all scores of the judge are the same")},
		{"a level below the scale has no row in the table", []float64{0, 3, 5}, []float64{1, 3, 5},
			none(outside)},
		{"nor has one above it", []float64{1, 3, 5}, []float64{1, 3, 5.5},
			none(outside)},
		{"a score that is missing has no level", []float64{nan, 3, 5}, []float64{1, 3, 5},
			none("one of the scores of the judge is missing, not finite, or too large")},
		{"no items", nil, nil,
			none("there are no items")},
		{"one item", []float64{2}, []float64{3},
			none("1 item, at least 2 required")},
		{"lists of different lengths", []float64{2}, []float64{3, 3},
			none("the numbers of items differ: 1 scores of the judge, 2 labels")},
	}
	for _, tt := range tests {
		checkValue(t, tt.reason, "quadratic kappa", quadraticKappa(tt.judge, tt.people), tt.kappa)
	}
}

func TestConfusionHasPeopleInRows(t *testing.T) {
	empty := make([]int, 5)
	got := Confusion([]float64{1, 3, 2.5}, []float64{1, 1, 2})
	if diff := cmp.Diff([][]int{{1, 0, 1, 0, 0}, {0, 0, 1, 0, 0}, empty, empty, empty}, got); diff != "" {
		t.Error(diff)
	}
	got = Confusion(nil, nil)
	if diff := cmp.Diff([][]int{empty, empty, empty, empty, empty}, got); diff != "" {
		t.Errorf("no items: %s", diff)
	}
	if got = Confusion([]float64{6}, []float64{1}); got != nil {
		t.Errorf("a score outside the scale has a table: %v", got)
	}
}

func TestVerdicts(t *testing.T) {
	const P, F = true, false
	noItems := none("there are no items")
	tests := []struct {
		reason string
		items  [][2]bool
		want   Verdicts
	}{
		{"each cell is its own", [][2]bool{{P, P}, {P, P}, {P, F}, {F, P}, {F, F}, {F, F}},
			Verdicts{2, 1, 1, 2, number(.5), Share{2, 3}.Estimate(), Share{2, 3}.Estimate()}},
		{"who passes everything agrees by chance", [][2]bool{{P, P}, {P, P}, {P, P}, {P, F}},
			Verdicts{3, 0, 1, 0, number(.75), Share{3, 3}.Estimate(), Share{0, 1}.Estimate()}},
		{"people who pass everything test no judge", [][2]bool{{P, P}, {F, P}},
			Verdicts{1, 1, 0, 0, number(1), Share{1, 2}.Estimate(), Share{}.Estimate()}},
		{"one verdict", [][2]bool{{P, P}}, Verdicts{1, 0, 0, 0, number(1), Share{1, 1}.Estimate(), Share{}.Estimate()}},
		{"nothing was judged", nil, Verdicts{0, 0, 0, 0, noItems, Share{}.Estimate(), Share{}.Estimate()}},
	}
	for _, tt := range tests {
		got := CompareVerdicts(tt.items)
		if diff := cmp.Diff(tt.want, got, cmpopts.EquateApprox(0, 1e-12)); diff != "" {
			t.Errorf("%s:\n%s", tt.reason, diff)
		}
		if got.Items() != len(tt.items) {
			t.Errorf("%s: %d items", tt.reason, got.Items())
		}
	}
}

func TestRound(t *testing.T) {
	tests := []struct {
		reason string
		x      float64
		want   int
	}{
		{"half goes up", 2.5, 3},
		{"half goes up below 0 too", -2.5, -2},
		{"a sum that lost its last bit is still a half", 2.5 - 1e-12, 3},
		{"less than half goes down", 2.49, 2},
		{"a category stays what it is", 4, 4},
		{"NaN has no category", nan, math.MinInt},
		{"infinity is in no category", -inf, math.MinInt},
		{"a number beyond int is in no category", 1e300, math.MinInt},
		{"the largest category", math.MaxInt32, math.MaxInt32},
		{"a number beyond it is in no category", 3e9, math.MinInt},
		{"nor is one far below 0", -3e9, math.MinInt},
	}
	for _, tt := range tests {
		if got := Round(tt.x); got != tt.want {
			t.Errorf("%s: Round(%v) = %d, want %d", tt.reason, tt.x, got, tt.want)
		}
	}
}

func TestOverall(t *testing.T) {
	tests := []struct {
		reason        string
		criteria      []Value
		mean, minimum Value
	}{
		{"the mean is not weighted", []Value{number(.8), number(.4)}, number(.6), number(.4)},
		{"a criterion without a value is not left out", []Value{number(.8), none("x"), number(.7)}, none("1 of 3 criteria has no value"), none("1 of 3 criteria has no value")},
		{"several without a value", []Value{none("x"), none("y"), number(.7)}, none("2 of 3 criteria have no value"), none("2 of 3 criteria have no value")},
		{"the only criterion says why it has none", []Value{none("x")}, none("x"), none("x")},
		{"no criteria", nil, none("there are no criteria"), none("there are no criteria")},
	}
	for _, tt := range tests {
		mean, minimum := Overall(tt.criteria)
		checkValue(t, tt.reason, "the mean", mean, tt.mean)
		checkValue(t, tt.reason, "the minimum", minimum, tt.minimum)
	}
}

func TestJSON(t *testing.T) {
	values := []Value{number(.71), number(0), none("there are no items")}
	estimates := []Estimate{{number(.71), Interval{Low: .5, High: .8}}, {number(1), Interval{Undefined: "x"}}, none("y").NoEstimate()}
	got := must.Get(json.Marshal([]any{values, estimates}))(t)
	want := `[[{"value":0.71},{"value":0},{"undefined":"there are no items"}],` +
		`[{"high":0.8,"low":0.5,"value":0.71},{"interval_undefined":"x","value":1},{"undefined":"y"}]]`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	var readValues []Value
	var readEstimates []Estimate
	must.Do(t, json.Unmarshal(got, &[]any{&readValues, &readEstimates}))
	if diff := cmp.Diff(values, readValues) + cmp.Diff(estimates, readEstimates); diff != "" {
		t.Error(diff)
	}
	for _, wrong := range []string{`{}`, `[]`, `{"value":1,"undefined":2}`} {
		if json.Unmarshal([]byte(wrong), &Value{}) == nil {
			t.Errorf("%s is a value", wrong)
		}
	}
	if json.Unmarshal([]byte(`[]`), &Estimate{}) == nil {
		t.Error("[] is an estimate")
	}
}
