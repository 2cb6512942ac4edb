package wording

import (
	"cmp"
	"math"
)

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
			step := cmp.Compare(a.at, before.at)
			if at == 0 && step*direction < 0 {
				at = i
			}
			if step != 0 {
				direction = step
			}
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
		if turn, n := s.turn(); s.isShare && !s.isPercent || turn > 0 || n < fewestMeasured || !s.inRanges() {
			continue
		}
		for i := 1; i < len(s.amounts); i++ {
			if s.amounts[i-1] != nil && s.amounts[i] != nil {
				if gap, overlaps := s.fit(s.amounts[i-1], s.amounts[i]); gap || overlaps {
					return i, gap, true
				}
			}
		}
	}
	return 0, false, false
}

// fit reports whether two amounts leave a gap or overlap. Shares, and amounts such as minutes, may
// share an end, because what is measured is rarely right there; a count often is.
func (s *series) fit(low, high *amount) (gap, overlaps bool) {
	if low.at > high.at {
		low, high = high, low
	}
	step := float64(countStep)
	if s.isShare {
		step = shareStep
	}
	const rounding = 1e-9
	if high.low > low.high+step+rounding {
		return true, false
	}
	if math.IsInf(low.high, 1) || low.low >= high.low || high.low >= high.high {
		return false, false
	}
	share := high.low < low.high-rounding
	touch := high.low <= low.high && low.low < low.high && !s.isShare && !isCost(s.of)
	return false, share || touch
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
