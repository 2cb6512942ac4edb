package wording

import "slices"

// series are the amounts of one unit in the anchors of a criterion, from the lowest score. That of
// an anchor without one is nil.
type series struct {
	unit
	amounts []*amount
}

// unit is what amounts count.
type unit struct {
	// of is the stem of a word such as "sources". It is "" for what no anchor names.
	of               string
	isShare, isWrong bool
	// isPercent says that all shares are numbers, so that they can have ranges.
	isPercent bool
}

// Amounts are the amounts in the anchors of a criterion.
type Amounts []series

// AmountsOf returns the amounts in English anchors, from the lowest score. There are none if too few
// anchors have one to be compared.
func AmountsOf(anchors []Text) Amounts {
	unmeasured := 0
	measures := make([][]measure, len(anchors))
	for i, anchor := range anchors {
		measures[i] = measuresOf(anchor.written)
		if len(measures[i]) == 0 {
			if unmeasured++; unmeasured > len(anchors)-fewestMeasured {
				return nil
			}
		}
	}
	return amountsOf(measures, true)
}

// counted are the measures of what one word names, by anchor.
type counted struct {
	of      string
	isWrong bool
	by      []*measure
	// unclear are the anchors with different amounts: which one decides is unknown.
	unclear []bool
}

// amountsOf sorts measures by what they count. What is wrong is apart from what is right, or it is
// compared with it.
func amountsOf(measures [][]measure, apart bool) (all Amounts) {
	names := namesOf(measures)
	for i := range measures {
		for k := range measures[i] {
			if m := &measures[i][k]; len(m.of) > 1 {
				m.of = []string{names.mostFrequent(m.of)}
			}
		}
	}
	named := namesOf(measures).commonest()
	var units []*counted
	for i := range measures {
		for k := range measures[i] {
			m := &measures[i][k]
			of := named
			if len(m.of) > 0 {
				of = m.of[0]
			}
			n := slices.IndexFunc(units, func(c *counted) bool { return c.of == of && (c.isWrong == m.isWrong || !apart) })
			if n < 0 {
				if m.isLate {
					continue
				}
				n = len(units)
				units = append(units, &counted{of, m.isWrong, make([]*measure, len(measures)), make([]bool, len(measures))})
			}
			units[n].add(i, m)
		}
	}
	for _, c := range units {
		all = append(all, c.series()...)
	}
	return all
}

// add adds a measure of an anchor.
func (c *counted) add(anchor int, m *measure) {
	switch before := c.by[anchor]; {
	case before == nil && !m.isLate:
		c.by[anchor] = m
	case before != nil && differ(before, m):
		c.unclear[anchor] = true
	}
}

func differ(a, b *measure) bool {
	return a.count != nil && b.count != nil && *a.count != *b.count ||
		a.share != nil && b.share != nil && *a.share != *b.share
}

// series returns the counts and the shares of a unit. If it is known how many there are in all, the
// counts are shares.
func (c *counted) series() (all []series) {
	known := c.totalCount()
	counts, shares := make([]*amount, len(c.by)), make([]*amount, len(c.by))
	between, isPercent := 0, true
	for i, m := range c.by {
		if m == nil || c.unclear[i] {
			continue
		}
		counts[i], shares[i] = m.amounts(known)
		if s := shares[i]; s != nil {
			isPercent = isPercent && (m.isPercent || s.high == 0 || s.at == 1)
			if s.at > 0 {
				between++
			}
		}
	}
	if between > 1 && known == 0 {
		c.fewAsShares(shares)
	}
	for _, amounts := range []series{
		{unit{c.of, false, c.isWrong, false}, counts}, {unit{c.of, true, c.isWrong, isPercent}, shares},
	} {
		if slices.ContainsFunc(amounts.amounts, func(a *amount) bool { return a != nil }) {
			all = append(all, amounts)
		}
	}
	return all
}

// amounts are the count and the share of a measure, which follows from the count if it is known how
// many there are in all.
func (m *measure) amounts(total float64) (count, share *amount) {
	count, share = m.count, m.share
	if total == 0 {
		total = m.total // as in "one in five"
	}
	if m.but > 0 && total > m.but {
		count = exactly(total - m.but)
	}
	if total > 0 && count != nil && count.high <= total {
		share = &amount{count.low / total, count.high / total, count.at / total}
	}
	return count, share
}

// totalCount returns how many there are in all, if anchors say so and agree, and 0 otherwise.
func (c *counted) totalCount() (total float64) {
	for _, m := range c.by {
		if m == nil || m.total == 0 {
			continue
		}
		if total > 0 && m.total != total {
			return 0
		}
		total = m.total
	}
	return total
}

// mostAsShare is up to which number a count is a small share of an unknown number, and
// oneAsShare the share of one.
const mostAsShare, oneAsShare = 2, 0.08

// fewAsShares adds "one" and "two" to shares such as "half": they are less.
func (c *counted) fewAsShares(shares []*amount) {
	for i, m := range c.by {
		if m != nil && !c.unclear[i] && shares[i] == nil && m.count != nil && m.count.high <= mostAsShare {
			shares[i] = exactly(oneAsShare * m.count.at)
		}
	}
}

// frequency is how many anchors have a word for what is counted.
type frequency map[string]int

// namesOf counts the words for what the measures of anchors count.
func namesOf(measures [][]measure) frequency {
	in := frequency{}
	for _, of := range measures {
		var seen []string
		for k := range of {
			for _, name := range of[k].of {
				if !of[k].isLate && !slices.Contains(seen, name) {
					seen = append(seen, name)
					in[name]++
				}
			}
		}
	}
	return in
}

// mostFrequent returns the first of names that most anchors have.
func (in frequency) mostFrequent(names []string) string {
	return slices.MaxFunc(names, func(a, b string) int { return in[a] - in[b] })
}

// commonest returns the name that most anchors have, or "" if there is not one.
func (in frequency) commonest() (of string) {
	isTied := false
	for name, n := range in {
		switch {
		case n > in[of]:
			of, isTied = name, false
		case n == in[of]:
			isTied = true
		}
	}
	if isTied {
		return ""
	}
	return of
}
