package render

import (
	"fmt"
	"strconv"
	"strings"
)

// Count is a number of things in words: "1 rule", "2 rules".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Number is a number with as many decimals as it has.
func Number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// FirstSentence is what fits into a table: a text up to its first full stop or
// question mark.
func FirstSentence(text string) string {
	text = OneLine(text)
	for i, c := range text {
		if (c == '.' || c == '?') && strings.HasPrefix(text[i+1:], " ") {
			return text[:i+1]
		}
	}
	return text
}

// OneLine is a text without line breaks.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
