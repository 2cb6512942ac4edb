package agreement

import (
	"math"
	"sync"
)

// People are the labels of a criterion by several raters, ready to be compared with judges.
// What people are among themselves is computed once for all judges.
type People struct {
	drawing
	floor   int
	refused Value
	raters  []leftOut
	once    sync.Once
	among   []matched // by rater: that of the rater with the mean of the others
}

// leftOut is a rater against the mean of the others, for the items that have both.
type leftOut struct {
	places      []int32
	own, others []float64
}

// NewPeople prepares the labels. A rater with fewer than floor items in common with others
// has no values and is left out of comparisons.
func NewPeople(labels Ratings, floor int, seed uint64, resamples int) *People {
	p := &People{
		drawing: drawing{len(labels), resamples, seed}, floor: floor,
		refused: labels.refuse(), raters: make([]leftOut, labels.width()),
	}
	if !p.refused.IsDefined() {
		return p
	}
	for i, row := range labels {
		own := given(row)
		sum := 0.0
		for _, label := range own {
			sum += label
		}
		for j, label := range row {
			r := &p.raters[j]
			if len(own) > 1 && !math.IsNaN(label) {
				r.places = append(r.places, int32(i))
				r.own = append(r.own, label)
				r.others = append(r.others, (sum-label)/float64(len(own)-1))
			}
		}
	}
	return p
}

// Rater compares a rater with the mean of the others.
type Rater struct {
	// Items counts the items that the rater and at least one other labeled.
	Items int `json:"items"`
	// Correlation is Spearman's.
	Correlation Value `json:"correlation"`
	// Severity is the mean of the rater's label minus the mean of the others', in points.
	// Above 0, the rater is more lenient than they are.
	Severity Estimate `json:"severity"`
}

// Raters compares each rater, in the order of the columns, with the others.
func (p *People) Raters() []Rater {
	raters := make([]Rater, len(p.raters))
	for i, m := range p.amongThemselves() {
		raters[i] = Rater{len(p.raters[i].own), m.correlation.value, m.bias.value.NoEstimate()}
		if m.bias.value.IsDefined() {
			raters[i].Severity.Interval = m.bias.interval(p.n)
		}
	}
	return raters
}

func (p *People) amongThemselves() []matched {
	p.once.Do(func() {
		for i := range p.raters {
			r := &p.raters[i]
			p.among = append(p.among, p.match(r.own, r.others, r.places))
		}
		p.resample(p.among)
	})
	return p.among
}

// matched are scores or labels of the same items as the means of others, and what they have in
// common with these.
type matched struct {
	correlation, bias sampled
	cells             *cells
}

func (p *People) match(scores, others []float64, places []int32) matched {
	few := p.refused
	if few.IsDefined() {
		few = few.AtLeast(len(places), max(p.floor, 2))
	}
	if !few.IsDefined() {
		return matched{correlation: sampled{value: few}, bias: sampled{value: few}}
	}
	m := matched{cells: newCells(scores, others, places)}
	m.cells.count(once(p.n))
	m.cells.take(0)
	m.correlation.value, m.bias.value = m.cells.spearman(), m.cells.bias()
	return m
}

// resample computes what a resample gives for all of them while its weights are at hand.
func (p *People) resample(all []matched) {
	p.each(func(w weights, drawn bool) {
		for i := range all {
			m := &all[i]
			if m.cells == nil {
				continue
			}
			m.cells.count(w)
			for lane := range w.lanes {
				m.cells.take(lane)
				m.correlation.add(m.cells.spearman(), drawn)
				m.bias.add(m.cells.bias(), drawn)
			}
		}
	})
}

// Compare compares a judge with people on equal terms. judge has a score for each item, or
// NaN; without a judge it is nil.
func (p *People) Compare(judge []float64) Compared {
	switch why := p.refuse(judge); {
	case !p.refused.IsDefined():
		return Compared{notAgainstPeople(p.refused), notAgainstPeople(p.refused)}
	case !why.IsDefined():
		among := p.amongThemselves()
		return Compared{withoutJudge(among, matched.order, why), withoutJudge(among, matched.distance, why)}
	}
	people, scores := p.matchRaters(judge)
	p.resample(scores)
	return Compared{p.compareRaters(people, scores, matched.order), p.compareRaters(people, scores, matched.distance)}
}

func (p *People) refuse(judge []float64) Value {
	if judge == nil {
		return undefined("no judge has answered")
	}
	if len(judge) != p.n {
		return undefined("the numbers of items differ: %d %s, %d %s", len(judge), scores, p.n, labels)
	}
	for _, score := range judge {
		if !math.IsNaN(score) && !usable(score) {
			return undefined("one of the %s is not finite or too large", scores)
		}
	}
	return Value{}
}

// matchRaters matches each rater, and the judge in the rater's place, with the others, on the
// items that the judge answered.
func (p *People) matchRaters(judge []float64) (people, scores []matched) {
	var again []matched // the raters for whom some items are missing
	var at []int
	people = make([]matched, len(p.raters))
	for i, r := range p.raters {
		var a leftOut
		var answers []float64
		for at, place := range r.places {
			if score := judge[place]; !math.IsNaN(score) {
				answers = append(answers, score)
				a.places, a.own, a.others = append(a.places, place), append(a.own, r.own[at]), append(a.others, r.others[at])
			}
		}
		scores = append(scores, p.match(answers, a.others, a.places))
		if len(a.places) == len(r.places) {
			people[i] = p.amongThemselves()[i]
		} else {
			again, at = append(again, p.match(a.own, a.others, a.places)), append(at, i)
		}
	}
	p.resample(again)
	for j, i := range at {
		people[i] = again[j]
	}
	return people, scores
}
