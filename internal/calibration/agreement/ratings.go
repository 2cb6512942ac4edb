package agreement

import (
	"math"
	"slices"
)

// Ratings are the labels of several raters, or the repeated answers of one judge: one row
// for each item, one column for each rater or repeat. NaN is a missing label, as is a
// column beyond the end of a row.
type Ratings [][]float64

// Means returns the mean of each item's labels, NaN for an item without labels.
func (r Ratings) Means() []float64 {
	means := make([]float64, len(r))
	for i, row := range r {
		means[i] = Mean(given(row))
	}
	return means
}

func (r Ratings) width() int {
	width := 0
	for _, row := range r {
		width = max(width, len(row))
	}
	return width
}

// given are the labels of a row that are not missing.
func given(row []float64) []float64 { return slices.DeleteFunc(slices.Clone(row), math.IsNaN) }

// refuse returns an undefined value with the reason if no statistic of the ratings can be
// computed.
func (r Ratings) refuse() Value {
	for _, row := range r {
		if slices.ContainsFunc(given(row), func(x float64) bool { return !usable(x) }) {
			return undefined("one of the labels is not finite or too large")
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

func (r Ratings) raters() int {
	has := map[int]bool{}
	for _, row := range r {
		for j, x := range row {
			if !math.IsNaN(x) {
				has[j] = true
			}
		}
	}
	return len(has)
}

// Terms compares a judge and people on equal terms.
type Terms struct {
	// People is the mean over the raters of the Spearman correlation of each rater with
	// the mean of the others, so that no one is compared with a mean that includes their
	// own labels. Judge is that of the judge with the same means on the same items.
	People Value `json:"people"`
	Judge  Value `json:"judge"`
}

// LeaveOneOut compares each rater, and the judge in the rater's place, with the mean of
// the other raters. judge has a score for each item, or NaN; without a judge it is nil,
// and all items count. A rater with fewer than floor items in common with others has no
// value and is left out.
func LeaveOneOut(r Ratings, judge []float64, floor int) Terms {
	if v := r.refuse(); !v.Defined() {
		return Terms{v, v}
	}
	var people, ofJudge []Value
	for rater := range r.width() {
		own, others, scores := r.leaveOut(rater, judge)
		people = append(people, Spearman(own, others).AtLeast(len(own), floor))
		ofJudge = append(ofJudge, Spearman(scores, others).AtLeast(len(own), floor))
	}
	if judge == nil {
		return Terms{meanOfDefined(people), undefined("no judge has answered")}
	}
	return Terms{meanOfDefined(people), meanOfDefined(ofJudge)}
}

// leaveOut has the labels of a rater, the means of the others, and the scores of the
// judge, for the items that have all three.
func (r Ratings) leaveOut(rater int, judge []float64) (own, others, scores []float64) {
	for i, row := range r {
		if rater >= len(row) {
			continue
		}
		rest, score := slices.Clone(row), 0.0
		rest[rater] = math.NaN()
		if judge != nil {
			score = judge[i]
		}
		if mean := Mean(given(rest)); !math.IsNaN(row[rater] + mean + score) {
			own, others, scores = append(own, row[rater]), append(others, mean), append(scores, score)
		}
	}
	return own, others, scores
}

// Attainable is the highest correlation with the mean of these raters that a judge can
// be expected to reach: the square root of the reliability of that mean, ICC(3,k)
// (Spearman 1904). The rest of the mean is noise of the raters.
func Attainable(icc Reliability) Value {
	v := icc.ConsistencyMean
	if v.Defined() && v.Number < 0 {
		return undefined("the labels of the raters have nothing in common")
	}
	return Value{math.Sqrt(v.Number), v.Undefined}
}

func meanOfDefined(values []Value) Value {
	defined := numbers(values)
	if len(defined) == 0 {
		return undefined("no rater's labels can be compared with those of the others")
	}
	return Value{Number: Mean(defined)}
}

// Reliability is how much the mean of the raters says about items.
type Reliability struct {
	// Items counts the items with a label from all Raters. The other items are left
	// out, because an analysis of variance needs complete rows.
	Items  int `json:"items"`
	Raters int `json:"raters"`
	// ConsistencyMean is the intraclass correlation ICC(3,k) of Shrout and Fleiss (1979), at
	// most 1. A rater who is always stricter counts as no disagreement. At 0 or below, items
	// differ no more than the labels of one item.
	ConsistencyMean Value `json:"consistency_mean"`
}

// ICC returns the reliability of the mean. Raters without labels are left out.
func ICC(r Ratings) Reliability {
	icc := Reliability{Raters: r.raters(), ConsistencyMean: r.refuse()}
	if !icc.ConsistencyMean.Defined() {
		return icc
	}
	var rows Ratings
	for _, row := range r {
		if labels := given(row); len(labels) == icc.Raters {
			rows = append(rows, labels)
		}
	}
	icc.Items = len(rows)
	switch {
	case len(rows) == 0:
		icc.ConsistencyMean = undefined("no item has a label from every person")
	case len(rows) == 1:
		icc.ConsistencyMean = undefined("only one item has a label from every person")
	case spread(slices.Concat(rows...)) <= same:
		icc.ConsistencyMean = constantLabels
	default:
		icc.ConsistencyMean = consistencyMean(rows)
	}
	return icc
}

func spread(numbers []float64) float64 { return slices.Max(numbers) - slices.Min(numbers) }

// consistencyMean compares the mean squares of the analysis of variance between items and
// of the residual (BMS and EMS in the paper). It needs at least 2 complete rows with at
// least 2 labels each.
func consistencyMean(rows Ratings) Value {
	n, k := float64(len(rows)), float64(len(rows[0]))
	all := Mean(slices.Concat(rows...))
	columns := make([]float64, len(rows[0]))
	for j := range columns {
		for _, row := range rows {
			columns[j] += row[j]
		}
		columns[j] /= n
	}
	items, residual := 0.0, 0.0
	for _, row := range rows {
		own := Mean(row)
		items += squaredDifference(own, all)
		for j, x := range row {
			residual += squaredDifference(x-own, columns[j]-all)
		}
	}
	items, residual = items*k/(n-1), residual/((n-1)*(k-1))
	if items <= same*same { // what rounding leaves: the root of a mean square is what labels differ by
		return undefined("the items differ too little compared with the labels of one item")
	}
	return Value{Number: (items - residual) / items}
}
