package wording

const (
	// mostLeft is how many words of an anchor may have a meaning of their own if it says
	// almost nothing; in a long anchor, it is one word of shareLeft.
	mostLeft, shareLeft = 3, 5
	// stemLength is how many bytes two words share if they are forms of one word.
	stemLength = 5
	// absentReach is how many words after "lacks" or "without" can be what is missing.
	absentReach = 5
)

// OnlyLadder reports whether English anchors, from the lowest score, differ almost only in
// degree: all but one of them have a word of degree, and few words left without such words
// and the words of the question. Anchors with numbers of their own, or between the lowest
// and the highest, with something of the question that is missing, can be told apart.
func OnlyLadder(question string, anchors ...Text) bool {
	kinds := lexicon().kinds
	const meaningless = some | article | idle | general
	graded := 0
	for i, anchor := range anchors {
		if isGraded(anchor, i) {
			graded++
		}
	}
	if graded < len(anchors)-1 {
		return false
	}
	asked := map[string]bool{}
	for w := range Read(question).Words() {
		if kinds[w]&meaningless == 0 {
			asked[stem(w)] = true
		}
	}
	everywhere := repeated(anchors)
	bare := 0
	for i, anchor := range anchors {
		between := 0 < i && i < len(anchors)-1
		left, missing := 0, 0
		for w := range anchor.Words() {
			kind := kinds[w]
			part := kind&meaningless == 0 && asked[stem(w)] && !everywhere[stem(w)]
			switch {
			case (kind&number != 0 || '0' <= w[0] && w[0] <= '9') && !part && !everywhere[stem(w)]:
				return false
			case between && (w == "either" || part && missing > 0):
				return false
			case kind&absent != 0:
				missing = absentReach + 1
			case kind&meaningless == 0 && !part && !everywhere[stem(w)]:
				left++
			}
			missing--
		}
		if isGraded(anchor, i) && left <= max(mostLeft, anchor.Len/shareLeft) {
			bare++
		}
	}
	return bare >= len(anchors)-1
}

// some are words of degree.
const some = grade | degree | vague

// isGraded reports whether the anchor with a number has a word of degree, which in the lowest can
// say that something is missing.
func isGraded(anchor Text, number int) bool {
	for w := range anchor.Words() {
		if kind := lexicon().kinds[w]; kind&some != 0 || number == 0 && kind&absent != 0 {
			return true
		}
	}
	return false
}

// repeated returns the stems of the words that all anchors have: they tell none apart.
func repeated(anchors []Text) map[string]bool {
	in := map[string]int{}
	for i, anchor := range anchors {
		for w := range anchor.Words() {
			if in[stem(w)] == i {
				in[stem(w)]++
			}
		}
	}
	all := map[string]bool{}
	for w, n := range in {
		if n == len(anchors) {
			all[w] = true
		}
	}
	return all
}

func stem(word string) string { return word[:min(len(word), stemLength)] }
