package levels

import (
	"github.com/rubric-library/rubric-library/internal/text/lazy"
	"github.com/rubric-library/rubric-library/internal/text/wording"
)

var (
	// ends are the ends of a scale, with a name for each: "1 (poor) to 5 (excellent)".
	ends = lazy.Expr(`(?i)([0-9]{1,4}(?:\.[0-9]{1,3})?)\s*(?:%|[(=:]\s*([^()=:;,0-9]{1,40}?)\s*\)?)?\s*(?:,|;|-|–|—|\.\.\.?|…|\bto\b|\bthrough\b|\band\b)\s*([0-9]{1,4}(?:\.[0-9]{1,3})?)\s*(?:%|[(=:]\s*([^()=:;,0-9]{1,40})\)?)?`)
	// higher says that high numbers are best, and lower that low ones are.
	higher = lazy.Expr(`(?i)\b(?:higher|larger|more)\s+(?:is|are|=)\s+better\b|\bhighest\s+(?:score\s+)?(?:is|=)\s+(?:the\s+)?best\b`)
	lower  = lazy.Expr(`(?i)\b(?:lower|smaller|less)\s+(?:is|are|=)\s+better\b|\blowest\s+(?:score\s+)?(?:is|=)\s+(?:the\s+)?best\b`)
	// spoken is a scale in the description of a criterion.
	spoken = lazy.Expr(`(?i)\b(?:scale|scored?|rated?|rating|graded?)\b[^.?!;\d]{0,80}\b(?:of|from|between)\s+[0-9]+\s*(?:\([^)]*\)\s*)?(?:to|and|-|–|—|through)\s*[0-9]+\b(?:\s*\([^)]*\))?`)
)

// mostScale is how many bytes of a text can say what its scale is.
const mostScale = 8 << 10

// Scale reads what a text says of a scale, such as "0-10" and "1 (best) to 6 (worst)".
func Scale(text string) (d Declared) {
	text = text[:min(len(text), mostScale)]
	if m := ends().FindStringSubmatch(text); m != nil {
		low, _, isLow := readNumber(m[1])
		high, _, isHigh := readNumber(m[3])
		first, last := m[2], m[4]
		if low > high {
			low, high, first, last = high, low, last, first
		}
		if isLow && isHigh && low < high {
			d = Declared{Low: low, High: high, IsKnown: true, Direction: directionOf(first, last)}
		}
	}
	switch {
	case higher().MatchString(text):
		d.Direction = HighIsBest
	case lower().MatchString(text):
		d.Direction = LowIsBest
	}
	return d
}

// directionOf is the direction from the name of the lowest number to that of the highest.
func directionOf(first, last string) Direction {
	const middle = 0.5
	low, isLow := wording.Rank(first)
	high, isHigh := wording.Rank(last)
	if !isLow {
		low = middle
	}
	if !isHigh {
		high = middle
	}
	switch {
	case low < high:
		return HighIsBest
	case low > high:
		return LowIsBest
	}
	return Unknown
}

// InDescription reads what the description of a criterion says of its scale, such as "Rate it
// from 0 to 10."
func InDescription(text string) Declared {
	text = text[:min(len(text), mostScale)]
	d := Scale(spoken().FindString(text))
	switch {
	case higher().MatchString(text):
		d.Direction = HighIsBest
	case lower().MatchString(text):
		d.Direction = LowIsBest
	}
	return d
}
