package wording

import (
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
