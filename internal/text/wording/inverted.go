package wording

import (
	"slices"
	"strings"
)

const (
	// turned is how much the direction of anchors says that they are inverted if both ends do, and
	// oneEnd how much if one end does and the other says nothing. allToNone is how much it has to say
	// if the ends are all and none of something.
	turned, oneEnd, allToNone = 0.2, 0.3, 0.6
	// decided is how much better the first anchor is than the last one if the ends alone decide.
	decided = 1.2
	// neutral is how good or bad the words of an anchor can be that says nothing.
	neutral = 0.2
	// apart is how much two grades differ that say which end is best.
	apart = 0.4
	// mostFall is how far shares fall at least from the first anchor to the last one.
	mostFall = 0.5
)

// Inversion is what says that anchors are inverted.
type Inversion int

// Nothing says it, shares of something do, which can be bad by words that are not known, or praise and
// faults do.
const (
	NotInverted Inversion = iota
	ByShares
	ByWords
)

// Inverted reports what says that English anchors, from the lowest score, describe the best work first:
// their direction says so, and so do the ends. A denial at one end is not enough, because "no errors"
// can be the best level and "no sources" the worst one.
func Inverted(anchors ...Text) Inversion {
	low, high := anchors[0], anchors[len(anchors)-1]
	worst, isGrade := gradeOf(low)
	best, areGrades := gradeOf(high)
	if isGrade && areGrades && max(best-worst, worst-best) >= apart {
		return by(ByWords, worst > best)
	}
	first := praiseOf(low)
	if first.goodness() < -neutral {
		return NotInverted // as nearly always, without reading the other anchors
	}
	evidence, limit := weighed(first, praiseOf(high))
	switch {
	case limit == 0:
		return evidence
	case evidence == NotInverted && !sharesFall(anchors):
		return NotInverted
	case evidence == NotInverted:
		evidence = ByShares
	}
	return by(evidence, Direction(anchors...) < -limit)
}

// weighed is what praise at the first end and faults at the last one say, and how far the
// direction of the anchors has to agree: 0 if it does not matter.
func weighed(first, last praise) (evidence Inversion, limit float64) {
	// "Perfect, without a source" is not praise: what is absent can be what counts.
	praises, blames := first.good > first.bad+2*first.absent, last.bad > last.good
	isAbsent := last.absent > 0 && last.good == 0
	switch {
	case praises && blames && first.goodness()-last.goodness() >= decided:
		return ByWords, 0
	case praises && (blames || isAbsent):
		return ByWords, turned
	case praises && last.goodness() <= neutral, blames && first.goodness() >= -neutral:
		return ByWords, oneEnd
	case isAbsent && first.whole > 0 && first.bad+first.absent == 0:
		return ByShares, allToNone
	}
	return NotInverted, turned
}

func by(evidence Inversion, isInverted bool) Inversion {
	if isInverted {
		return evidence
	}
	return NotInverted
}

// gradeOf returns the grade that an anchor is or begins with, as in "Excellent: every step works".
func gradeOf(anchor Text) (rank float64, isGrade bool) {
	name, _, isName := strings.Cut(anchor.written, ":")
	if !isName && anchor.Len > longestName || !IsGrade(name) {
		return 0, false
	}
	return Rank(name)
}

// sharesFall reports whether anchors have falling shares of something that is not a fault, from all or
// most to none or few.
func sharesFall(anchors []Text) bool {
	isLarge := func(m measure) bool { return m.share != nil && m.share.at >= mostFall || m.total > 0 }
	if !slices.ContainsFunc(measuresOf(anchors[0].written), isLarge) {
		return false
	}
	for _, s := range seriesOf(anchors) {
		first, last := s.amounts[0], s.amounts[len(s.amounts)-1]
		if !s.isShare || first == nil || last == nil || first.at-last.at < mostFall {
			continue
		}
		if turn, n := s.turn(); turn == 0 && n >= fewestMeasured && !s.countsFaults(anchors) {
			return true
		}
	}
	return false
}
