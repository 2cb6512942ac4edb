package wording

import (
	"regexp"
	"strconv"
	"strings"
)

// The lowest and the highest score of an anchor.
const (
	lowest  = 1
	highest = 5
)

var (
	// label is what stands before the words of an anchor to number it.
	label = regexp.MustCompile(`(?i)^\W*(?:score|level|rating|grade|mark|points?|stars?)?\s*[:=]?\s*(\d+(?:\.\d+)?)(?:\s*(?:/|out of|of)\s*(\d+))?\s*(?:[:)]|$|\s[-–—]\s)`)
	// named is the same with the word that makes the number a score.
	named = regexp.MustCompile(`(?i)^\W*(?:score|level|rating|grade|mark)\s*[:=]?\s*(\d+(?:\.\d+)?)(?:\s*(?:/|out of|of)\s*(\d+))?\b`)
	// given is a score that a sentence gives.
	given = regexp.MustCompile(`(?i)\b(?:gets?|gives?|given|earns?|deserves?|receives?|awarded|assigned?|rated?|scored?|scores|graded?)\s+(?:it\s+)?(?:at|as|an?)?\s*(?:(?:score|rating|grade|mark)\s+of\s+)?(\d+(?:\.\d+)?)(?:\s*(?:/|out of)\s*(\d+))?(?:\s+(?:points?|stars?))?\s*(?:[.,;:!)]|$|(?:if|when|where|for|because)\b)`)
	// share is a percentage that stands in the place of a score.
	share = regexp.MustCompile(`^\W*\d+(?:\.\d+)?(?:\s*%)?\s*(?:[-–—]|to)?\s*(?:\d+(?:\.\d+)?)?\s*%\s*(?:[:;.,)]|$|\s[-–—]\s)`)
	// letter is a school grade.
	letter = regexp.MustCompile(`^\W*(?:(?:[Gg]rade|[Mm]ark|[Ss]core)\s*[:=]?\s*[A-F][+-]?(?:\W|$)|[A-F][+-]?\s*(?:[:)]|$)|[A-F][+-](?:\s|$))`)
	// span is a scale that is named by its ends.
	span = regexp.MustCompile(`(?i)\b(?:scale|scored?|rated?|rating|graded?)\b[^.?!;\d]{0,80}\b(?:of|from|between)\s+(\d+)\s*(?:to|and|-|–|—|through)\s*(\d+)\b`)
)

// Scale finds where the anchor of a score is named after another score or on a
// scale other than 1 to 5, such as "Level 3 of 4", "8/10:", "80 %:", "Grade B" or
// "on a scale from 0 to 10". For a text that is no anchor the score is 0, and only
// a scale that is named by its ends counts. Numbers of what can be observed, such
// as "3 of 4 endpoints" and "80 % of the steps", are none.
func Scale(text string, score int) (Place, bool) {
	if !strings.ContainsAny(text, "0123456789") {
		return letterGrade(text, score)
	}
	if m := spanOf(text); m != nil && !ownScale(text[m[2]:m[3]], text[m[4]:m[5]]) {
		return Place{m[2], m[5]}, true
	}
	if score == 0 {
		return Place{}, false
	}
	for _, expr := range []*regexp.Regexp{label, named, given} {
		if m := expr.FindStringSubmatchIndex(text); m != nil && !isScore(text, m, score) {
			end := m[3]
			if m[5] > 0 {
				end = m[5]
			}
			start := m[0] + leading(text[m[0]:m[1]])
			return Place{start, end}, true
		}
	}
	if m := share.FindStringIndex(text); m != nil {
		return sign(text, m), true
	}
	return letterGrade(text, score)
}

// spanOf finds a scale that is named by its ends. Most texts lack all its words,
// which are quickly looked for.
func spanOf(text string) []int {
	lower := strings.ToLower(text)
	for _, word := range []string{"scale", "score", "rate", "rating", "grade"} {
		if strings.Contains(lower, word) {
			return span.FindStringSubmatchIndex(text)
		}
	}
	return nil
}

func letterGrade(text string, score int) (Place, bool) {
	if m := letter.FindStringIndex(text); m != nil && score != 0 {
		return sign(text, m), true
	}
	return Place{}, false
}

// sign is what a match at the beginning of a text has from its first digit or
// letter on, without what parts it from the words behind it.
func sign(text string, m []int) Place {
	return Place{leading(text), len(strings.TrimRight(text[:m[1]], " \t\n:;.,)-–—"))}
}

func ownScale(from, to string) bool {
	return from == strconv.Itoa(lowest) && to == strconv.Itoa(highest)
}

// isScore tells whether the number of a match is the score itself, of 5 or of
// nothing.
func isScore(text string, m []int, score int) bool {
	n, err := strconv.ParseFloat(text[m[2]:m[3]], 64)
	if err != nil || n != float64(score) {
		return false
	}
	return m[4] < 0 || text[m[4]:m[5]] == strconv.Itoa(highest)
}
