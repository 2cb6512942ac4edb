package wording

import (
	"cmp"
	"strings"
)

// amountWeight is how much the amounts of anchors count, compared with their words.
const amountWeight = 0.5

// Direction measures in which direction English anchors, in the order given, get better: near 1
// if the last one describes the best work, near -1 if the first one does, and near 0 if the
// words do not say it. It weighs praise, faults, and their denials at every anchor, and amounts.
func Direction(anchors ...Text) float64 {
	if len(anchors) < 2 {
		return 0
	}
	middle := float64(len(anchors)-1) / 2
	slope, squares := 0.0, 0.0
	for i, anchor := range anchors {
		at := (float64(i) - middle) / middle
		slope += at * goodness(anchor)
		squares += at * at
	}
	return slope/squares + amountWeight*trend(anchors)
}

// AsksForFault reports whether an English question asks for something bad, such as errors, so that
// "no" is its better answer.
func AsksForFault(question string) bool { return goodness(Read(question)) < 0 }

// trend is 1 if the amounts in anchors rise, -1 if they fall, and 0 if they do neither or if there
// are none. Amounts of faults count the other way around.
func trend(anchors []Text) float64 {
	measures := make([][]measure, len(anchors))
	for i, anchor := range anchors {
		measures[i] = measuresOf(anchor.written)
	}
	sum := 0.0
	for _, s := range amountsOf(measures, false) {
		if isCost(s.of) {
			continue
		}
		sum += s.direction(func(i int) bool { return countsFaults(anchors[i], s.of) })
	}
	return max(-1, min(1, sum))
}

// direction is 1 if amounts rise, -1 if they fall, and 0 otherwise. If all count faults, it is the
// opposite.
func (s *series) direction(isFault func(anchor int) bool) float64 {
	var first, last *amount
	faults, n := 0, 0
	for i, a := range s.amounts {
		if a == nil || s.isShare && !s.isPercent && a.high == 0 {
			continue // "no" also denies what is bad
		}
		if n++; first == nil {
			first = a
		}
		last = a
		if isFault(i) {
			faults++
		}
	}
	if turn, _ := s.turn(); turn > 0 || n < 2 {
		return 0
	}
	direction := float64(cmp.Compare(last.at, first.at))
	if faults == n {
		return -direction
	}
	return direction
}

// faultReach is how many words after a counted word can say that it is one of a fault.
const faultReach = 3

// countsFaults reports whether what an anchor counts are faults, such as errors or broken links, or
// something that lacks what it needs: the counted word or one of the next says so. A fault
// elsewhere in the anchor is another matter: "two parts are named, the third is missing".
func countsFaults(anchor Text, unit string) bool {
	const fault = flaw | lacking | absent | denial
	left := 0
	for w := range anchor.Words() {
		if stem(strings.TrimSuffix(w, "s")) == unit {
			left = faultReach + 1
		}
		if left > 0 && lexicon().kinds[w]&fault != 0 {
			return true
		}
		left--
	}
	return false
}

// isCost reports whether more of a unit is neither better nor worse, such as words and minutes.
func isCost(unit string) bool {
	switch unit {
	case "cent", "cents", "dolla", "euro", "euros", "s", "ms", "sec", "min", "mins", "word", "line", "sente", "parag", "page", "chara", "token", "secon", "minut", "hour", "day", "week", "attem", "click":
		return true
	}
	return false
}
