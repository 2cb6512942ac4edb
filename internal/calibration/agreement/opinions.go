package agreement

import "math"

// Opinion is whether an item passes: by a rater, by the other raters, and by the judge in the
// rater's place.
type Opinion struct {
	// Given reports whether all three have a verdict.
	Given                bool
	Rater, Others, Judge bool
}

// ComparedVerdicts is how the verdicts of a judge compare with those of people.
type ComparedVerdicts struct {
	// Raters has each rater's verdicts against those of the others.
	Raters      []Verdicts    `json:"raters"`
	RightPasses AgainstPeople `json:"right_passes"`
	RightFails  AgainstPeople `json:"right_fails"`
}

// CompareOpinions compares a judge with people on equal terms. There is a row for each item and
// a column for each rater. A rater is left out of a mean for which the others pass, or fail,
// fewer than floor items.
func CompareOpinions(items [][]Opinion, floor int) ComparedVerdicts {
	width := 0
	for _, row := range items {
		width = max(width, len(row))
	}
	c := ComparedVerdicts{Raters: make([]Verdicts, width)}
	for rater := range width {
		var verdicts [][2]bool
		for _, row := range items {
			if rater < len(row) && row[rater].Given {
				verdicts = append(verdicts, [2]bool{row[rater].Rater, row[rater].Others})
			}
		}
		c.Raters[rater] = CompareVerdicts(verdicts)
	}
	c.RightPasses = newRights(items, width, true).compare(floor)
	c.RightFails = newRights(items, width, false).compare(floor)
	return c
}

// rights counts, by rater, the items with a verdict of the others, and how often the rater and
// the judge have the same.
type rights struct {
	items         [][]Opinion
	others        bool
	all           []int
	people, judge []int
}

func newRights(items [][]Opinion, width int, others bool) *rights {
	r := &rights{items, others, make([]int, width), make([]int, width), make([]int, width)}
	for _, row := range items {
		for rater, o := range row {
			if !r.counts(o) {
				continue
			}
			r.all[rater]++
			if o.Rater == others {
				r.people[rater]++
			}
			if o.Judge == others {
				r.judge[rater]++
			}
		}
	}
	return r
}

func (r *rights) counts(o Opinion) bool { return o.Given && o.Others == r.others }

// compare compares the mean shares of the raters.
func (r *rights) compare(floor int) AgainstPeople {
	floor = max(floor, 1)
	most := 0
	for rater, n := range r.all {
		most = max(most, n)
		if n < floor {
			r.all[rater] = 0 // left out
		}
	}
	var people, judge []Value
	for rater, n := range r.all {
		if n > 0 {
			people, judge = append(people, Share{r.people[rater], n}.Value()), append(judge, Share{r.judge[rater], n}.Value())
		}
	}
	if len(people) == 0 {
		return notAgainstPeople(tooFew(most, floor))
	}
	a := AgainstPeople{People: Value{Number: Mean(numbers(people))}, Judge: Value{Number: Mean(numbers(judge))}}
	a.Difference = Estimate{Value{Number: a.Judge.Number - a.People.Number}, r.interval(float64(len(people)))}
	return a
}

// interval is Agresti and Min's (2005, Statistics in Medicine 24) for pairs, which unlike a
// bootstrap has a width if judge and people never differ: two more items are counted, with half
// an item for each way in which both can be right or wrong. The verdicts on an item stay
// together.
func (r *rights) interval(raters float64) Interval {
	shares := make([]float64, len(r.all)) // by rater: of the mean, of one item
	shift := make([]float64, len(r.all))  // by rater: the difference
	center, tie, better, worse := 0.0, 0.0, 0.0, 0.0
	for rater, n := range r.all {
		if n > 0 {
			shares[rater] = 1 / (raters * float64(n+2))
			shift[rater] = float64(r.judge[rater]-r.people[rater]) / float64(n+2)
			center += shift[rater] / raters
			tie -= float64(shares[rater] * shift[rater])
			better += float64(shares[rater] * (1 - shift[rater]))
			worse += float64(shares[rater] * (-1 - shift[rater]))
		}
	}
	variance := float64(tie*tie) + float64(better*better)/2 + float64(worse*worse)/2
	for _, row := range r.items {
		deviation := 0.0
		for rater, o := range row {
			if r.counts(o) {
				deviation += float64(shares[rater] * (o.difference() - shift[rater]))
			}
		}
		variance += float64(deviation * deviation)
	}
	half := normal * math.Sqrt(variance)
	return Interval{Low: max(-1, center-half), High: min(1, center+half)}
}

// difference is 1 if only the judge agrees with the others, -1 if only the rater does, or 0.
func (o Opinion) difference() float64 {
	switch {
	case o.Rater == o.Judge:
		return 0
	case o.Judge == o.Others:
		return 1
	}
	return -1
}
