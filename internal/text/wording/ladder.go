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
	most := len(anchors) - 1 // all but one
	graded := 0
	for i, anchor := range anchors {
		if isGraded(anchor, i) {
			graded++
		}
	}
	if graded < most {
		return false
	}
	r := rungs{asked: askedIn(question), everywhere: repeated(anchors)}
	bare := 0
	for i, anchor := range anchors {
		left, isApart := r.wordsLeft(anchor, 0 < i && i < len(anchors)-1)
		if isApart {
			return false
		}
		if isGraded(anchor, i) && left <= max(mostLeft, anchor.Len/shareLeft) {
			bare++
		}
	}
	return bare >= most
}

// rungs has the stems of words that say nothing about the score: those of the question, and those
// that all anchors have.
type rungs struct{ asked, everywhere map[string]bool }

// wordsLeft counts the words of an anchor that have a meaning of their own. isApart reports that one
// of its words tells the anchor apart from the others: a number or, between both ends, something of
// the question that is missing.
func (r *rungs) wordsLeft(anchor Text, between bool) (left int, isApart bool) {
	reach := 0 // how many words, with this one, can be what a word before them says is missing
	for w := range anchor.Words() {
		kind := lexicon().kinds[w]
		own := !r.everywhere[stem(w)]
		isAsked := own && kind&meaningless == 0 && r.asked[stem(w)]
		isNumber := kind&number != 0 || '0' <= w[0] && w[0] <= '9'
		switch {
		case isNumber && own && !isAsked:
			return 0, true
		case between && (w == "either" || isAsked && reach > 0):
			return 0, true
		case kind&absent != 0:
			reach = absentReach + 1 // one for this word itself
		case own && kind&meaningless == 0 && !isAsked:
			left++
		}
		reach--
	}
	return left, false
}

// askedIn returns the stems of the words of a question that have a meaning.
func askedIn(question string) map[string]bool {
	asked := map[string]bool{}
	for w := range Read(question).Words() {
		if lexicon().kinds[w]&meaningless == 0 {
			asked[stem(w)] = true
		}
	}
	return asked
}

// meaningless are words that say nothing about an artifact.
const meaningless = some | article | idle | general

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
