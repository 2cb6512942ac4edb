package agreement

// Krippendorff's alpha is 1 less the observed disagreement over the one expected
// by chance, over all pairs of labels of the same item (Krippendorff 2011,
// "Computing Krippendorff's Alpha-Reliability", with any number of raters and
// missing labels). 1 is full agreement, 0 what chance reaches, and it can be
// below 0. An item with one label makes no pair and changes nothing.
//
// There is no value if all paired labels are the same: some libraries say 1
// there, others 0.

// OrdinalAlpha is Krippendorff's alpha where only the order of labels counts: two
// labels are as far apart as there are labels between them. This, with the
// frequencies of labels, is Krippendorff's own distance; what irrCAC calls
// ordinal is another.
func OrdinalAlpha(r Ratings) Value { return newAlpha(r, "labels").ordinal() }

func squaredDifference(a, b float64) float64 { return float64((a - b) * (a - b)) }

// alpha is ratings with their labels as levels.
type alpha struct {
	units   [][]int   // the levels of an item's labels, of items that have two or more
	counts  []int     // by level: how often the units have it
	values  []float64 // by level
	refused Value
	noun    string // what reasons call the labels
}

func newAlpha(r Ratings, noun string) alpha {
	if v := r.refuse(); !v.Defined() {
		return alpha{refused: v}
	}
	var labels []float64
	for i := range r {
		labels = append(labels, r.given(i)...)
	}
	l := newLevels(labels)
	a := alpha{noun: noun, values: l.values, counts: make([]int, len(l.values))}
	for i, next := 0, 0; i < len(r); i++ {
		n := len(r.given(i))
		if unit := l.of[next : next+n]; n > 1 {
			a.units = append(a.units, unit)
			for _, level := range unit {
				a.counts[level]++
			}
		}
		next += n
	}
	return a
}

// ordinal measures by the squared difference of mid-ranks: half of both labels'
// frequencies and all between, which is Krippendorff's definition.
func (a alpha) ordinal() Value {
	a.values = midranks(a.counts)
	return a.measure(squaredDifference)
}

// measure computes alpha for a distance between values that are not equal.
func (a alpha) measure(distance func(a, b float64) float64) Value {
	if !a.refused.Defined() {
		return a.refused
	}
	switch {
	case len(a.units) == 0:
		return undefined("no item has two %s", a.noun)
	case len(a.units) == 1:
		return undefined("only one item has two %s", a.noun)
	case isConstant(a.counts):
		return constant(a.noun)
	}
	observed, expected := 0.0, 0.0
	for _, unit := range a.units {
		observed += a.within(unit, distance) / float64(len(unit)-1)
	}
	for high, n := range a.counts {
		for low, m := range a.counts[:high] {
			if n > 0 && m > 0 {
				expected += float64(float64(n) * float64(m) * distance(a.values[low], a.values[high]))
			}
		}
	}
	return Value{Number: 1 - float64(total(a.counts)-1)*observed/expected}
}

// within sums the distances of all pairs of labels in a unit.
func (a alpha) within(unit []int, distance func(a, b float64) float64) float64 {
	sum := 0.0
	for i, x := range unit {
		for _, y := range unit[:i] {
			if x != y {
				sum += distance(a.values[x], a.values[y])
			}
		}
	}
	return sum
}
