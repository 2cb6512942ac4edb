package intake

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// mostWeight is the highest relative weight of a criterion.
const mostWeight = 1000

// weigh sets the relative weights of the criteria of a draft, for all readers. The points of
// criteria win over their weights and those of the groups around them.
func (r *Reader) weigh(d *Draft) {
	value := d.pointsOf()
	if value == nil {
		value = d.sharesOf()
	}
	all := make([]float64, len(d.Criteria))
	unset := make([]bool, len(d.Criteria))
	var silent []int // without a weight in the file
	for i := range d.Criteria {
		c := &d.Criteria[i]
		all[i] = value(i)
		switch {
		case math.IsNaN(all[i]): // the file does not say it
			all[i] = 1
			silent = append(silent, i)
		case all[i] == 0:
			all[i] = 1
			unset[i] = true
			c.notes = append(c.notes, "The weight in the imported file is 0, and a criterion always counts: 1 without relative_weight.")
			r.AddDropped(c.Place, "A weight of 0 is dropped: each criterion counts in the overall score. Remove the criterion, or set its relative_weight above 0.")
		case all[i] < 0:
			all[i] = -all[i]
			c.Negative = true
			r.AddDerived(c.Place, "A criterion with negative points asks for a fault.")
		}
		r.stateWeight(c)
	}
	isExport := slices.ContainsFunc(d.Criteria, func(c Criterion) bool { return c.RelativeWeight != "" })
	if len(all) == 0 || isExport || slices.Min(all) == slices.Max(all) {
		return
	}
	factor := r.factor(d, slices.Max(all))
	for _, i := range silent {
		unset[i] = true
		r.AddDerived(d.Criteria[i].Place, "A criterion without a weight counts 1, and others have a weight.")
	}
	for i := range d.Criteria {
		if !unset[i] {
			d.Criteria[i].RelativeWeight = schema.Plain(round(all[i] / factor))
		}
	}
}

// stateWeight sets the weight of a criterion to essential, important, or "".
func (r *Reader) stateWeight(c *Criterion) {
	if _, isNumber := Quantity(c.Weight); !isNumber && !isStated(c.Weight) && c.Weight != "" {
		r.AddDropped(c.Place, fmt.Sprintf("The weight %s is dropped: write essential or important, or a number as relative_weight.",
			schema.Quote(c.Weight)))
	}
	if !isStated(c.Weight) {
		c.Weight = c.stated
	}
	if c.Weight = strings.ToLower(c.Weight); c.Required && c.Weight == "" {
		c.Weight = "essential"
		r.AddDerived(c.Place, "A criterion that the file marks as required or critical is essential.")
	}
}

// factor is what weights are divided by so that the highest is allowed.
func (r *Reader) factor(d *Draft, most float64) float64 {
	factor := 1.0
	for most/factor > mostWeight {
		factor *= 10
	}
	if factor > 1 {
		r.AddDerived(d.Place, fmt.Sprintf("The weights were divided by %s: relative_weight is at most %d.",
			schema.Plain(factor), mostWeight))
	}
	return factor
}

// pointsOf returns the points of each criterion, NaN for one without, or nil if none has some.
func (d *Draft) pointsOf() func(i int) float64 {
	has := func(c Criterion) bool { _, ok := Quantity(c.Points); return ok }
	if slices.ContainsFunc(d.Criteria, has) {
		return func(i int) float64 { value, _ := Quantity(d.Criteria[i].Points); return value }
	}
	pointed := func(c Criterion) bool { return c.Pointed && len(c.Levels) > 0 }
	weighed := slices.ContainsFunc(d.Criteria, func(c Criterion) bool {
		_, ok := Quantity(c.Weight)
		return ok || slices.ContainsFunc(c.Groups, func(g Group) bool { return g.Weight+g.Points != "" })
	})
	if weighed || slices.ContainsFunc(d.Criteria, func(c Criterion) bool { return !pointed(c) }) {
		return nil
	}
	return func(i int) float64 { // the points of the best level
		best := 0.0
		for _, l := range d.Criteria[i].Levels {
			if !l.IsNamed() {
				best = max(best, l.High)
			}
		}
		return best
	}
}

// sharesOf returns the weight of each criterion: its share in its group, times the share of the
// group.
func (d *Draft) sharesOf() func(i int) float64 {
	sums := d.groupSums()
	return func(i int) float64 {
		c := d.Criteria[i]
		own, isNumber := Quantity(c.Weight)
		weighed := slices.IndexFunc(c.Groups, func(g Group) bool { return !math.IsNaN(g.share()) })
		if weighed < 0 {
			return own
		}
		if !isNumber {
			own = 1
		}
		around, value := "", own
		for j, g := range c.Groups {
			around = fmt.Sprintf("%s/%d", around, g.Number)
			if j >= weighed {
				value *= orOne(g.share()) / sums[around]
			}
		}
		return value
	}
}

// groupSums are the sums of the weights in each group, by the numbers of the groups around them.
func (d *Draft) groupSums() map[string]float64 {
	sums, seen := map[string]float64{}, map[string]bool{}
	add := func(around, name string, value float64) {
		if !seen[around+"/"+name] {
			seen[around+"/"+name] = true
			sums[around] += value
		}
	}
	for i := range d.Criteria {
		around := ""
		for _, g := range d.Criteria[i].Groups {
			add(around, fmt.Sprint(g.Number), orOne(g.share()))
			around = fmt.Sprintf("%s/%d", around, g.Number)
		}
		own, _ := Quantity(d.Criteria[i].Weight)
		add(around, fmt.Sprint("criterion ", i), orOne(own))
	}
	return sums
}

// isStated reports whether a weight is one of a rubric of the library.
func isStated(weight string) bool {
	return slices.Contains([]string{"essential", "important"}, strings.ToLower(strings.TrimSpace(weight)))
}
