package agreement

import (
	"math"
	"slices"
)

// ICCs are the six intraclass correlations of Shrout and Fleiss (1979), at most 1. At 0
// or below, items differ no more than the labels of one item. Fields with the suffix
// Mean are for the mean of all raters, the others for a single rater.
type ICCs struct {
	// Items counts the items with a label from all Raters. The other items are left
	// out, because an analysis of variance needs complete rows.
	Items  int `json:"items"`
	Raters int `json:"raters"`

	OneWay          Value `json:"one_way"`          // ICC(1,1): different raters for each item
	Agreement       Value `json:"agreement"`        // ICC(2,1): a rater who is always stricter counts as disagreement
	Consistency     Value `json:"consistency"`      // ICC(3,1): such a rater does not
	OneWayMean      Value `json:"one_way_mean"`     // ICC(1,k)
	AgreementMean   Value `json:"agreement_mean"`   // ICC(2,k)
	ConsistencyMean Value `json:"consistency_mean"` // ICC(3,k)
}

// ICC returns the intraclass correlations. Raters without labels are left out.
func ICC(r Ratings) ICCs {
	if v := r.refuse(); !v.Defined() {
		return noICC(0, r.raters(), v)
	}
	rows := r.complete()
	raters := r.raters()
	switch {
	case len(rows) == 0:
		return noICC(0, raters, undefined("no item has a label from every person"))
	case len(rows) == 1:
		return noICC(1, raters, undefined("only one item has a label from every person"))
	case spread(slices.Concat(rows...)) <= same:
		return noICC(len(rows), raters, constant(judgeAndPeople.y))
	}
	return shroutFleiss(rows)
}

func noICC(items, raters int, why Value) ICCs {
	return ICCs{Items: items, Raters: raters, OneWay: why, Agreement: why, Consistency: why,
		OneWayMean: why, AgreementMean: why, ConsistencyMean: why}
}

// complete returns the rows with a label from every rater that has labels.
func (r Ratings) complete() Ratings {
	raters := r.raters()
	var rows Ratings
	for i := range r {
		if given := r.given(i); len(given) == raters {
			rows = append(rows, given)
		}
	}
	return rows
}

// shroutFleiss needs at least 2 complete rows with at least 2 labels each.
func shroutFleiss(rows Ratings) ICCs {
	n, k := float64(len(rows)), float64(len(rows[0]))
	within, raters, items, residual := meanSquares(rows)
	// A denominator that is not positive, or that is what rounding leaves of larger
	// terms, gives no value.
	form := func(above float64, below ...float64) Value {
		sum, size := 0.0, 0.0
		for _, term := range below {
			sum += term
			size = max(size, math.Abs(term))
		}
		if sum <= max(same*same, size*same) { // mean squares: their root is what labels differ by
			return undefined("the items differ too little compared with the labels of one item")
		}
		return Value{Number: above / sum}
	}
	return ICCs{
		Items: len(rows), Raters: len(rows[0]),
		OneWay:          form(items-within, items, (k-1)*within),
		Agreement:       form(items-residual, items, (k-1)*residual, k*raters/n, -k*residual/n),
		Consistency:     form(items-residual, items, (k-1)*residual),
		OneWayMean:      form(items-within, items),
		AgreementMean:   form(items-residual, items, raters/n, -residual/n),
		ConsistencyMean: form(items-residual, items),
	}
}

// meanSquares returns the mean squares of the analysis of variance: within items, between
// raters, between items, and residual (WMS, JMS, BMS, and EMS in the paper).
func meanSquares(rows Ratings) (within, raters, items, residual float64) {
	n, k := float64(len(rows)), float64(len(rows[0]))
	all := Mean(slices.Concat(rows...))
	columns := make([]float64, len(rows[0]))
	for j := range columns {
		for _, row := range rows {
			columns[j] += row[j]
		}
		columns[j] /= n
		raters += squaredDifference(columns[j], all)
	}
	for _, row := range rows {
		own := Mean(row)
		items += squaredDifference(own, all)
		for j, x := range row {
			within += squaredDifference(x, own)
			residual += squaredDifference(x-own, columns[j]-all)
		}
	}
	return within / (n * (k - 1)), raters * n / (k - 1), items * k / (n - 1), residual / ((n - 1) * (k - 1))
}
