package wording

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// The lowest and the highest score of an anchor.
const (
	lowest  = 1
	highest = 5
)

var (
	// label is a number before the words of an anchor.
	label = lazy.Expr(`(?i)^\W*(?:score|level|rating|grade|mark|points?|stars?)?\s*[:=]?\s*(\d+(?:\.\d+)?)(?:\s*(?:/|out of|of)\s*(\d+))?\s*(?:[:)]|$|\s[-–—]\s)`)
	// named is a label with a word that makes the number a score.
	named = lazy.Expr(`(?i)^\W*(?:score|level|rating|grade|mark)\s*[:=]?\s*(\d+(?:\.\d+)?)(?:\s*(?:/|out of|of)\s*(\d+))?\b`)
	// given is a score in a sentence.
	given = lazy.Expr(`(?i)\b(?:gets?|gives?|given|earns?|deserves?|receives?|awarded|assigned?|rated?|scored?|scores|graded?)\s+(?:it\s+)?(?:at|as|an?)?\s*(?:(?:score|rating|grade|mark)\s+of\s+)?(\d+(?:\.\d+)?)(?:\s*(?:/|out of)\s*(\d+))?(?:\s+(?:points?|stars?))?\s*(?:[.,;:!)]|$|(?:if|when|where|for|because)\b)`)
	// share is a percentage instead of a score.
	share = lazy.Expr(`^\W*\d+(?:\.\d+)?(?:\s*%)?\s*(?:[-–—]|to)?\s*(?:\d+(?:\.\d+)?)?\s*%\s*(?:[:;.,)]|$|\s[-–—]\s)`)
	// letter is a school grade.
	letter = lazy.Expr(`^\W*(?:(?:[Gg]rade|[Mm]ark|[Ss]core)\s*[:=]?\s*[A-F][+-]?(?:\W|$)|[A-F][+-]?\s*(?:[:)]|$)|[A-F][+-](?:\s|$))`)
	// span is a scale given by its ends.
	span = lazy.Expr(`(?i)\b(?:scale|scored?|rated?|rating|graded?)\b[^.?!;\d]{0,80}\b(?:of|from|between)\s+(\d+)\s*(?:to|and|-|–|—|through)\s*(\d+)\b`)
)

// Scale finds the place where the anchor of a score names another score or a scale
// other than 1 to 5, such as "Level 3 of 4", "8/10:", "80 %:", "Grade B", or "on a
// scale from 0 to 10". For a text that is not an anchor, the score is 0, and only a
// scale given by its ends counts. Numbers of observable things, such as "3 of 4
// endpoints" and "80 % of the steps", do not count.
func Scale(t Text, score int) (Place, bool) {
	text, lower := t.written, t.joined
	hasDigit := strings.ContainsAny(lower, "0123456789")
	if hasDigit && holds(lower, " scale", " score", " rate", " rating", " grade") {
		if m := span().FindStringSubmatchIndex(text); m != nil && !ownScale(text[m[2]:m[3]], text[m[4]:m[5]]) {
			return Place{m[2], m[5]}, true
		}
	}
	if score == 0 {
		return Place{}, false
	}
	var forms []*regexp.Regexp
	if hasDigit {
		forms = numbered(text)
	}
	if hasDigit && holds(lower, " get", " give", " earn", " deserve", " receive", " award", " assign", " rate", " score", " grade") {
		forms = append(forms, given())
	}
	for _, expr := range forms {
		if m := expr.FindStringSubmatchIndex(text); m != nil && !isScore(text, m, score) {
			return Place{m[0] + leading(text[m[0]:m[1]]), max(m[3], m[5])}, true
		}
	}
	var signs []*regexp.Regexp
	if hasDigit && strings.Contains(text, "%") {
		signs = append(signs, share())
	}
	if mayBeLetter(text) {
		signs = append(signs, letter())
	}
	for _, expr := range signs {
		if m := expr.FindStringIndex(text); m != nil {
			// Without the separator before the words that follow.
			return Place{leading(text), len(strings.TrimRight(text[:m[1]], " \t\n:;.,)-–—"))}, true
		}
	}
	return Place{}, false
}

// holds reports whether a lowercase text has one of the parts. The check is fast, and
// most texts have none.
func holds(lower string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(lower, part) })
}

// mayBeLetter reports whether a text may begin with a school grade: its first letter,
// digit, or underscore is a grade by itself or begins a word for one.
func mayBeLetter(text string) bool {
	for i := range len(text) {
		switch b := text[i]; {
		case strings.IndexByte("GgMmSs", b) >= 0:
			return true
		case 'A' <= b && b <= 'F':
			return i+1 == len(text) || !isLetter(rune(text[i+1])) || text[i+1] >= utf8.RuneSelf
		case b == '_' || b < utf8.RuneSelf && isLetter(rune(b)):
			return false
		}
	}
	return false
}

// numbered returns the labels that a text may begin with: a number, or a word and a number.
func numbered(text string) []*regexp.Regexp {
	from, to := nextWord(text, 0)
	switch fold(text[from:to]) {
	case "score", "level", "rating", "grade", "mark", "point", "points", "star", "stars":
		return []*regexp.Regexp{label(), named()}
	}
	if from < to && '0' <= text[from] && text[from] <= '9' {
		return []*regexp.Regexp{label()}
	}
	return nil
}

func ownScale(from, to string) bool {
	return from == strconv.Itoa(lowest) && to == strconv.Itoa(highest)
}

// isScore reports whether the number of a match is the score itself, out of 5 or without a
// maximum.
func isScore(text string, m []int, score int) bool {
	n, err := strconv.ParseFloat(text[m[2]:m[3]], 64)
	if err != nil || n != float64(score) {
		return false
	}
	return m[4] < 0 || text[m[4]:m[5]] == strconv.Itoa(highest)
}

// mostlyNamed is how many anchors need to name something bad, so that the others are about it
// too, and fewestLevels how many quantifiers make a scale.
const mostlyNamed, fewestLevels = 3, 4

// Inverted reports whether English anchors, from the lowest score, describe the best work first:
// their first words praise at the lowest score and blame at the highest, quantifiers fall
// from all to none, or there is nothing bad at the lowest score and only at the others.
func Inverted(anchors ...Text) bool {
	lowest, highest := anchors[0], anchors[len(anchors)-1]
	if verdict(lowest) > 0 && verdict(highest) < 0 {
		return true
	}
	_, denied := faults(lowest)
	var levels []float64
	for _, anchor := range anchors {
		if level, ok := levelOf(anchor); ok {
			levels = append(levels, level)
		}
	}
	first, _ := levelOf(lowest)
	end, found := levelOf(highest)
	falls := first == 1 && found && end == 0 &&
		slices.IsSortedFunc(levels, func(a, b float64) int { return cmp.Compare(b, a) }) && len(slices.Compact(levels)) >= fewestLevels
	if !denied && !falls {
		return false // as nearly always, without reading all anchors
	}
	named := 0
	for _, anchor := range anchors {
		if isNamed, _ := faults(anchor); isNamed {
			named++
		}
	}
	if named == 0 {
		return falls
	}
	_, still := faults(highest)
	return named >= mostlyNamed && denied && !still
}

// verdict is 1 if the first words of an anchor praise, -1 if they blame, and 0 otherwise.
func verdict(anchor Text) int {
	for w := range anchor.Words() {
		switch kind := lexicon().kinds[w]; {
		case kind&praise != 0:
			return 1
		case kind&blame != 0:
			return -1
		case kind&(article|degree) == 0:
			return 0
		}
	}
	return 0
}

// levelOf returns the quantifier in the first three words of an anchor.
func levelOf(anchor Text) (level float64, found bool) {
	n := 0
	for w := range anchor.Words() {
		if level, found = lexicon().levels[w]; found || n == 2 {
			return level, found
		}
		n++
	}
	return 0, false
}

// faults reports whether a text has a word for something bad, and whether one of the two words
// before it denies it: "no errors".
func faults(text Text) (named, denied bool) {
	last := -3 // the place of the last denial
	n := 0
	for w := range text.Words() {
		switch w {
		case "no", "not", "none", "without", "never", "free":
			last = n
		}
		if lexicon().kinds[w]&bad != 0 {
			named, denied = true, denied || n-last <= 2
		}
		n++
	}
	return named, denied
}
