package wording

import "strings"

const (
	// turned is how much the direction of anchors says that they are inverted if both ends do, and
	// oneEnd how much if one end does and the other says nothing.
	turned, oneEnd = 0.2, 0.3
	// decided is how much better the first anchor is than the last one if the ends alone decide.
	decided = 1.2
	// neutral is how good or bad the words of an anchor can be that says nothing.
	neutral = 0.2
	// apart is how much two grades differ that say which end is best.
	apart = 0.4
)

// Inverted reports whether English anchors, from the lowest score, describe the best work first: their
// direction says so, and so do the ends. A denial at one end is not enough, because "no errors" can be
// the best level and "no sources" the worst one.
func Inverted(anchors ...Text) bool {
	if best, isGrade := gradeOf(anchors[0]); isGrade {
		if worst, isGrade := gradeOf(anchors[len(anchors)-1]); isGrade && max(best-worst, worst-best) >= apart {
			return best > worst
		}
	}
	first, last := praiseOf(anchors[0]), praiseOf(anchors[len(anchors)-1])
	// "Perfect, without a source" is not praise: what is absent can be what counts.
	praises, blames := first.good > first.bad+2*first.absent, last.bad > last.good
	if praises && blames && first.goodness()-last.goodness() >= decided {
		return true
	}
	isGood := praises || first.whole > 0 && first.bad+first.absent == 0
	isBad := blames || last.absent > 0 && last.good == 0
	limit := turned
	switch {
	case isGood && isBad:
	case praises && last.goodness() <= neutral, blames && first.goodness() >= -neutral:
		limit = oneEnd
	default:
		return false // as nearly always, without reading all anchors
	}
	return Direction(anchors...) < -limit
}

// gradeOf returns the grade that an anchor is or begins with, as in "Excellent: every step works".
func gradeOf(anchor Text) (rank float64, isGrade bool) {
	name, _, isName := strings.Cut(anchor.written, ":")
	if !isName && anchor.Len > longestName || !IsGrade(name) {
		return 0, false
	}
	return Rank(name)
}
