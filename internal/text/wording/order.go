package wording

import (
	"cmp"
	"math"
	"slices"
)

// series are the amounts of one unit in the anchors of a criterion, from the lowest score. That of
// an anchor without one is nil.
type series struct {
	unit
	amounts []*amount
}

// Amounts are the amounts in the anchors of a criterion.
type Amounts []series

// AmountsOf returns the amounts in English anchors, from the lowest score. There are none if too few
// anchors have one to be compared.
func AmountsOf(anchors []Text) (all Amounts) {
	unmeasured := 0
	for i, anchor := range anchors {
		measures := measuresOf(anchor.written)
		if len(measures) == 0 {
			if unmeasured++; unmeasured > len(anchors)-fewestMeasured {
				return nil
			}
		}
		for _, m := range measures {
			k := slices.IndexFunc(all, func(s series) bool { return s.unit == m.unit })
			if k < 0 {
				k = len(all)
				all = append(all, series{m.unit, make([]*amount, len(anchors))})
			}
			all[k].amounts[i] = &m.amount
		}
	}
	return all
}

// turn returns the first amount after which the direction changes, from rising to falling or the
// other way around, 0 if none does, and how many amounts there are.
func (s *series) turn() (at, n int) {
	var before *amount
	direction := 0
	for i, a := range s.amounts {
		if a == nil {
			continue
		}
		n++
		if before != nil {
			step := cmp.Compare(a.value(), before.value())
			if at == 0 && step*direction < 0 {
				at = i
			}
			direction = cmp.Or(step, direction)
		}
		before = a
	}
	return at, n
}

// fewestMeasured is how many anchors need an amount of one unit to be compared, and mostlyMeasured
// how many to have an order.
const fewestMeasured, mostlyMeasured = 3, 4

// OutOfOrder returns the first anchor that breaks the order of the others: their numbers, shares,
// or quantifiers rise or fall, and it does not.
func (all Amounts) OutOfOrder() (at int, found bool) {
	for _, s := range all {
		if at, n := s.turn(); at > 0 && n >= mostlyMeasured {
			return at, true
		}
	}
	return 0, false
}

// Misfit returns the first anchor whose range of numbers overlaps with that of the anchor before
// it, or leaves a gap.
func (all Amounts) Misfit() (at int, gap, found bool) {
	for _, s := range all {
		if turn, n := s.turn(); s.isShare || turn > 0 || n < fewestMeasured || !s.inRanges() {
			continue
		}
		for i := 1; i < len(s.amounts); i++ {
			low, high := s.amounts[i-1], s.amounts[i]
			if low == nil || high == nil {
				continue
			}
			if low.value() > high.value() {
				low, high = high, low
			}
			overlaps := low.low < high.low && high.low < high.high && high.low < low.high && !math.IsInf(low.high, 1)
			if gap = high.low > low.high+1; gap || overlaps {
				return i, gap, true
			}
		}
	}
	return 0, false, false
}

// inRanges reports whether at least two amounts are ranges, and all differ.
func (s *series) inRanges() bool {
	ranges := 0
	seen := map[amount]bool{}
	for _, a := range s.amounts {
		if a == nil {
			continue
		}
		if seen[*a] {
			return false
		}
		seen[*a] = true
		if a.low < a.high {
			ranges++
		}
	}
	return ranges >= 2
}
