package wording

import "strings"

// fewestSame is how many anchors of two criteria are the same if those of one were copied: the author can have
// begun to write others.
const fewestSame = 3

// Copied reports whether English anchors were copied from another criterion and are not about their
// own question: most are the same, and their words are those of the other question. Anchors that
// fit any question, such as "None of them", are not copied.
func Copied(question, otherQuestion string, anchors, others []Text) bool {
	same := 0
	for i := range min(len(anchors), len(others)) {
		if Same(anchors[i], others[i]) {
			same++
		}
	}
	if same < fewestSame {
		return false
	}
	own, other := stemsOf(Read(question)), stemsOf(Read(otherQuestion))
	isOther := false
	for i, anchor := range anchors {
		if i >= len(others) || !Same(anchor, others[i]) {
			continue
		}
		for w := range stemsOf(anchor) {
			if own[w] && !other[w] {
				return false
			}
			isOther = isOther || other[w] && !own[w]
		}
	}
	return isOther
}

// stemsOf returns the stems of the words that say what a text is about.
func stemsOf(t Text) map[string]bool {
	const meaningless = some | article | idle | general | absent | number | denial | wholeness
	stems := map[string]bool{}
	for w := range t.Words() {
		if lexicon().kinds[w]&meaningless == 0 {
			stems[stem(strings.TrimSuffix(w, "s"))] = true // also of a plural
		}
	}
	return stems
}
