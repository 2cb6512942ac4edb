package wording

import "cmp"

// shareWeight is how much shares count, compared with words. Counts count less: whether more of
// something is better depends on what it is.
const shareWeight, countWeight = 0.5, 0.15

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
	return slope/squares + trend(anchors)
}

// AsksForFault reports whether an English question asks for something bad, such as errors, so that
// "no" is its better answer.
func AsksForFault(question string) bool { return goodness(Read(question)) < 0 }

// trend is positive if the amounts in anchors rise, negative if they fall, and 0 if they do neither or
// if there are none. Amounts of faults count the other way around.
func trend(anchors []Text) float64 {
	shares, counts := 0.0, 0.0
	for _, s := range seriesOf(anchors) {
		switch {
		case isCost(s.of):
		case s.isShare:
			shares += s.direction(anchors)
		default:
			counts += s.direction(anchors)
		}
	}
	limited := func(sum float64) float64 { return max(-1, min(1, sum)) }
	return shareWeight*limited(shares) + countWeight*limited(counts)
}

// seriesOf returns the amounts of anchors, however few have one.
func seriesOf(anchors []Text) Amounts {
	measures := make([][]measure, len(anchors))
	for i, anchor := range anchors {
		measures[i] = measuresOf(anchor.written)
	}
	return amountsOf(measures, false)
}

// direction is 1 if amounts rise, -1 if they fall, and 0 otherwise. If they count faults, it is the
// opposite.
func (s *series) direction(anchors []Text) float64 {
	var first, last *amount
	for _, a := range s.amounts {
		if a == nil || s.isShare && !s.isPercent && a.high == 0 {
			continue // "no" also denies what is bad
		}
		if first == nil {
			first = a
		}
		last = a
	}
	if turn, _ := s.turn(); turn > 0 || first == last {
		return 0
	}
	direction := float64(cmp.Compare(last.at, first.at))
	if s.countsFaults(anchors) {
		return -direction
	}
	return direction
}

// faultReach is how many words after a counted word can say that it is one of a fault.
const faultReach = 3

// countsFaults reports whether what anchors count are faults, such as errors or broken links, or
// something that lacks what it needs: wherever an anchor names what is counted, that or one of the next
// words says so. A fault elsewhere in an anchor is another matter: "two parts are named, the third is
// missing".
func (s *series) countsFaults(anchors []Text) bool {
	const fault = flaw | lacking | absent | denial
	names, faults := 0, 0
	for i, a := range s.amounts {
		if a == nil || a.high == 0 {
			continue // its denial is not one of what is counted
		}
		left, isNamed, isFault := 0, false, false
		for w := range anchors[i].Words() {
			if unitOf(w) == s.of {
				left, isNamed = faultReach+1, true
			}
			isFault = isFault || left > 0 && lexicon().kinds[w]&fault != 0
			left--
		}
		if isNamed {
			names++
		}
		if isFault {
			faults++
		}
	}
	return faults > 0 && faults == names
}

// isCost reports whether more of a unit is neither better nor worse, such as words and minutes.
func isCost(unit string) bool {
	switch unit {
	case "cent", "cents", "dolla", "euro", "euros", "s", "ms", "sec", "min", "mins", "word", "line", "sente",
		"parag", "page", "chara", "token", "secon", "minut", "hour", "day", "week", "attem", "click":
		return true
	}
	return false
}
