package render

import (
	"fmt"
	"strconv"
	"strings"
)

// Count returns a number with its noun: "1 rule", "2 rules".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Number formats a number with as many decimals as needed.
func Number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// FirstSentence returns a text up to its first period or question mark, for tables.
func FirstSentence(text string) string {
	text = OneLine(text)
	for i, c := range text {
		if (c == '.' || c == '?') && strings.HasPrefix(text[i+1:], " ") {
			return text[:i+1]
		}
	}
	return text
}

// OneLine returns a text without line breaks.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
