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
	given = lazy.Expr(`(?i)\b(?:gets?|gives?|given|earns?|deserves?|receives?|award(?:s|ed)?|assigned?|rated?|scored?|scores|graded?)\s+(?:it\s+)?(?:at|as|an?)?\s*(?:(?:score|rating|grade|mark)\s+of\s+)?(\d+(?:\.\d+)?)(?:\s*(?:/|out of)\s*(\d+))?(?:\s+(?:points?|stars?))?\s*(?:[.,;:!)]|$|(?:if|when|where|for|because)\b)`)
	// share is a percentage instead of a score.
	share = lazy.Expr(`^\W*\d+(?:\.\d+)?(?:\s*%)?\s*(?:[-–—]|to)?\s*(?:\d+(?:\.\d+)?)?\s*%\s*(?:[:;.,)]|\s[-–—]\s)`)
	// letter is a school grade.
	letter = lazy.Expr(`^\W*(?:(?:[Gg]rade|[Mm]ark|[Ss]core)\s*[:=]?\s*[A-F][+-]?(?:\W|$)|[A-F][+-]?\s*(?:[:)]|$)|[A-F][+-](?:\s|$))`)
	// span is a scale given by its ends.
	span = lazy.Expr(`(?i)\b(?:scale|scored?|rated?|rating|graded?)\b[^.?!;\d]{0,80}\b(?:of|from|between)\s+(\d+)\s*(?:to|and|-|–|—|through)\s*(\d+)\b`)
)

// Scale finds the place where the anchor of a score names another score or a scale
// other than 1 to 5, such as "Level 3 of 4", "8/10:", "80 %:", "Grade B", or "on a
// scale from 0 to 10". Numbers of observable things, such as "3 of 4 endpoints" and
// "80 % of the steps", do not count, and neither do shares that the question asks for.
func Scale(t Text, score int, question Text) (Place, bool) {
	if at, found := ends(t); found {
		return at, true
	}
	text, lower := t.written, t.joined
	hasDigit := strings.ContainsAny(lower, "0123456789")
	var forms []*regexp.Regexp
	if hasDigit {
		forms = numbered(text)
	}
	if hasDigit &&
		holds(lower, " get", " give", " earn", " deserve", " receive", " award", " assign", " rate", " score", " grade") {
		forms = append(forms, given())
	}
	for _, expr := range forms {
		if m := expr.FindStringSubmatchIndex(text); m != nil && !isScore(text, m, score) {
			return Place{m[0] + leading(text[m[0]:m[1]]), max(m[3], m[5])}, true
		}
	}
	if at, number, found := scoreIn(t); found && number != strconv.Itoa(score) {
		return at, true
	}
	var signs []*regexp.Regexp
	if hasDigit && strings.Contains(text, "%") && !asksForShare(question) && !namesShare(t) {
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

// ends finds a scale that is given by its ends.
func ends(t Text) (Place, bool) {
	text, lower := t.written, t.joined
	if !strings.ContainsAny(lower, "0123456789") || !holds(lower, " scale", " score", " rate", " rating", " grade") {
		return Place{}, false
	}
	if m := span().FindStringSubmatchIndex(text); m != nil && !ownScale(text[m[2]:m[3]], text[m[4]:m[5]]) {
		return Place{m[2], m[5]}, true
	}
	return Place{}, false
}

// asksForShare reports whether a question asks how much of something there is, so that a percentage in
// an anchor is what can be observed.
func asksForShare(question Text) bool {
	return holds(question.joined, " share ", " shares ", " part of ", " percent ", " percentage ",
		" proportion ", " fraction ", " portion ", " ratio ", " rate ", " coverage ", " how many ", " how much ",
		" how often ", " number of ") ||
		strings.Contains(question.written, "%")
}

// namesShare reports whether an anchor has a word for a share, which its percentage repeats, or no
// words at all.
func namesShare(t Text) bool {
	words := 0
	for w := range t.Words() {
		if level, found := lexicon().levels[w]; found && level > 0 || parts[w] > 0 {
			return true
		}
		if w[0] > '9' {
			words++
		}
	}
	return words == 0
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
