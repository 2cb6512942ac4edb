package levels

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// positions are the anchors of the levels of a scale, from the worst, by their number. For other
// numbers, any choice would change what a level means.
var positions = map[int][]int{2: {1, 5}, 3: {1, 3, 5}, 4: {1, 2, 4, 5}, 5: {1, 2, 3, 4, 5}}

// scale is the scale that some ladders share: with numbers, or with names only.
type scale struct {
	isNamed bool
	// declared is what the file says of it.
	declared Declared
	ladders  []int
	// levels are all its levels, without a text: with numbers in ascending order, and with names
	// only in the order of the file. Once place has been called, they are from the worst to the
	// best, and scores has the anchor of each, or nothing if why says why there is none.
	levels   []Level
	reversed bool // whether low numbers are best
	scores   []int
	why      string
}

// scalesOf finds the scales of ladders: that of the columns of a table, of what the file says of
// all or of one of them, or of all together. Ladders that do not fit together have scales of
// their own.
func scalesOf(ladders []Ladder, d Declared) (all []*scale) {
	for _, isNamed := range []bool{false, true} {
		var free []*scale
		for i, l := range ladders {
			own := &scale{isNamed: isNamed, declared: d, ladders: []int{i}, levels: distinct(l.Levels, isNamed)}
			switch n := len(own.levels); {
			case n == 0 || isNamed && len(distinct(l.Levels, false)) > 0: // which has numbers
			case l.Scale.IsKnown || !isNamed && l.Points > 0 && n > 1 && own.levels[n-1].High == l.Points:
				own.declared = l.Scale
				all = append(all, own)
			default:
				own.declared.Direction = cmp.Or(l.Scale.Direction, d.Direction)
				free = append(free, own)
			}
		}
		all = append(all, join(free, distinct(d.Columns, isNamed))...)
	}
	return all
}

// distinct are the levels with a number or with only a name, each once and without its text.
func distinct(levels []Level, isNamed bool) (all []Level) {
	seen := map[identity]bool{}
	for _, l := range levels {
		l.Text = ""
		if l.IsNamed() == isNamed && !isInapplicable(l.Name) && !seen[l.identity()] {
			seen[l.identity()] = true
			all = append(all, l)
		}
	}
	if !isNamed {
		slices.SortStableFunc(all, func(a, b Level) int {
			return cmp.Or(cmp.Compare(a.Low, b.Low), cmp.Compare(a.High, b.High))
		})
	}
	return all
}

// join puts ladders together that share a scale.
func join(free []*scale, columns []Level) (all []*scale) {
	if len(free) == 0 {
		return nil
	}
	widest := slices.Clone(free)
	slices.SortStableFunc(widest, func(a, b *scale) int { return cmp.Compare(len(b.levels), len(a.levels)) })
	together := slices.Clone(columns)
	for _, s := range widest {
		together = append(together, s.levels...)
	}
	if together = distinct(together, free[0].isNamed); len(columns) > 0 || areOne(together, widest) {
		one := &scale{isNamed: free[0].isNamed, declared: free[0].declared, levels: together}
		for _, s := range free {
			one.ladders = append(one.ladders, s.ladders...)
		}
		return []*scale{one}
	}
	with := map[identity][]*scale{} // the scales that have a level
	for _, s := range widest {
		others := with[s.levels[0].identity()]
		if i := slices.IndexFunc(others, func(other *scale) bool { return contains(other.levels, s.levels) }); i >= 0 {
			others[i].ladders = append(others[i].ladders, s.ladders...)
			continue
		}
		all = append(all, s)
		for _, l := range s.levels {
			with[l.identity()] = append(with[l.identity()], s)
		}
	}
	return all
}

// areOne reports whether the levels of all ladders, the widest first, are one scale: one of them
// has all levels; or they are some of those from 1 to 5, or of those between the ends of one.
func areOne(together []Level, widest []*scale) bool {
	if contains(widest[0].levels, together) {
		return true
	}
	if widest[0].isNamed || !areWhole(together) {
		return false
	}
	low, high := together[0].Low, together[len(together)-1].High
	step := together[1].Low - low
	even := true
	for i := 1; i < len(together); i++ {
		even = even && together[i].Low-together[i-1].Low == step
	}
	return low == lowest && high == highest || even && slices.ContainsFunc(widest, func(s *scale) bool {
		return s.levels[0].Low == low && s.levels[len(s.levels)-1].High == high
	})
}

// lowest and highest are the ends of the scale of anchors.
const lowest, highest = 1, 5

func contains(all, some []Level) bool {
	return len(some) <= len(all) &&
		!slices.ContainsFunc(some, func(l Level) bool { return !slices.ContainsFunc(all, l.sameLabel) })
}

// areWhole reports whether levels have whole numbers.
func areWhole(levels []Level) bool {
	return !slices.ContainsFunc(levels, func(l Level) bool { return l.Low != l.High || l.Low != math.Trunc(l.Low) })
}

// place finds the anchors of the levels. The number of levels decides, except where the levels
// are some of those from 1 to 5, or of another scale that the file declares.
func (s *scale) place() {
	n := len(s.levels)
	low, high := s.ends()
	whole := s.wholeSteps()
	switch {
	case !s.isNamed && s.overlap():
		s.why = "the bands overlap"
	case whole != nil:
		for _, l := range s.levels {
			s.scores = append(s.scores, whole[int(l.Low-low)])
		}
	case s.isDeclared() && (s.levels[0].Low > low || s.levels[n-1].High < high):
		s.why = fmt.Sprintf("the file describes no level at an end of its scale, which is %s to %s",
			schema.Plain(low), schema.Plain(high))
	case n == 1 && !s.isNamed && low == highest && high == highest:
		s.scores = []int{highest}
	case n == 1:
		s.why = "one level alone has no evident place on the scale from 1 to 5"
	case positions[n] == nil:
		s.why = fmt.Sprintf("the scale has %d levels, and at most 5 have an evident place on the scale from 1 to 5", n)
	default:
		s.scores = slices.Clone(positions[n])
	}
	if s.reversed {
		slices.Reverse(s.levels)
		slices.Reverse(s.scores)
		for i, score := range s.scores {
			s.scores[i] = lowest + highest - score
		}
	}
}

// wholeSteps are the anchors of each whole number from the lowest to the highest, if the levels
// are some of those, or nil.
func (s *scale) wholeSteps() []int {
	low, high := s.ends()
	steps := high - low + 1
	if s.isNamed || !areWhole(s.levels) {
		return nil
	}
	if low == lowest && high == highest || s.isDeclared() && steps == math.Trunc(steps) {
		return positions[int(steps)]
	}
	return nil
}

// isDeclared reports whether the file says the ends of the scale, and all levels are between
// them.
func (s *scale) isDeclared() bool {
	return !s.isNamed && s.declared.IsKnown && s.levels[0].Low >= s.declared.Low &&
		s.levels[len(s.levels)-1].High <= s.declared.High
}

// ends are the ends of a scale with numbers.
func (s *scale) ends() (low, high float64) {
	if s.isDeclared() {
		return s.declared.Low, s.declared.High
	}
	return s.levels[0].Low, s.levels[len(s.levels)-1].High
}

// overlap reports whether a work can be on two levels.
func (s *scale) overlap() bool {
	for i := 1; i < len(s.levels); i++ {
		if s.levels[i].Low <= s.levels[i-1].High {
			return true
		}
	}
	return false
}
