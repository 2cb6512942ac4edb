package agreement

import "math"

// Ratings are the labels of several raters, or the repeated answers of one: a row
// an item, a column a rater (or repeat). NaN is a missing label, as is the end of
// a row that is shorter than the others.
type Ratings [][]float64

// Means is the mean of each item's labels; NaN for an item without one.
func (r Ratings) Means() []float64 {
	means := make([]float64, len(r))
	for i := range r {
		means[i] = mean(r.given(i))
	}
	return means
}

// width is the number of columns.
func (r Ratings) width() int {
	width := 0
	for _, row := range r {
		width = max(width, len(row))
	}
	return width
}

func (r Ratings) at(item, rater int) float64 {
	if rater < len(r[item]) {
		return r[item][rater]
	}
	return math.NaN()
}

// given is the labels that an item has.
func (r Ratings) given(item int) []float64 {
	given := make([]float64, 0, len(r[item]))
	for _, x := range r[item] {
		if !math.IsNaN(x) {
			given = append(given, x)
		}
	}
	return given
}

// refuse says why nothing can be computed of the ratings: a defined value means
// that it can.
func (r Ratings) refuse() Value {
	for i := range r {
		for _, x := range r.given(i) {
			if !usable(x) {
				return undefined("one of the labels is not finite or too large")
			}
		}
	}
	if v := (Value{}).AtLeast(len(r), 2); !v.Defined() {
		return v
	}
	switch r.raters() {
	case 0:
		return undefined("there are no labels")
	case 1:
		return undefined("only one person gave labels")
	}
	return Value{}
}

// raters is how many columns have a label.
func (r Ratings) raters() int {
	has := make([]bool, r.width())
	n := 0
	for _, row := range r {
		for j, x := range row {
			if !math.IsNaN(x) && !has[j] {
				has[j] = true
				n++
			}
		}
	}
	return n
}

// LeaveOneOut is how well people agree with each other, which a judge can hardly
// exceed: each rater is compared with the mean of the others by Spearman, so that
// nobody is compared with a mean that holds their own labels, and the value is the
// mean over the raters. A rater with fewer than floor items in common with others
// has no value and is left out.
func LeaveOneOut(r Ratings, floor int) Value {
	if v := r.refuse(); !v.Defined() {
		return v
	}
	var values []Value
	for _, p := range leaveOneOut(r) {
		items := total(p.x.count(everything(len(r))))
		values = append(values, p.spearman(everything(len(r))).AtLeast(items, floor))
	}
	return meanOfDefined(values)
}

var personAndOthers = sides{"labels of this person", "labels of the others"}

// leaveOneOut pairs each rater with the mean of the others.
func leaveOneOut(r Ratings) []*pairing {
	var pairings []*pairing
	for rater := range r.width() {
		own, others := make([]float64, len(r)), make([]float64, len(r))
		for i := range r {
			own[i], others[i] = r.at(i, rater), mean(r.others(i, rater))
			if math.IsNaN(own[i]) || math.IsNaN(others[i]) {
				own[i], others[i] = math.NaN(), math.NaN()
			}
		}
		pairings = append(pairings, &pairing{x: newLevels(own), y: newLevels(others), names: personAndOthers})
	}
	return pairings
}

func (r Ratings) others(item, rater int) []float64 {
	var others []float64
	for j, x := range r[item] {
		if j != rater && !math.IsNaN(x) {
			others = append(others, x)
		}
	}
	return others
}

func meanOfDefined(values []Value) Value {
	var defined []float64
	for _, v := range values {
		if v.Defined() {
			defined = append(defined, v.Number)
		}
	}
	if len(defined) == 0 {
		return undefined("nobody's labels can be compared with those of the others")
	}
	return Value{Number: mean(defined)}
}
