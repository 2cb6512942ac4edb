package text

import (
	"iter"
	"strings"
)

// Fields yields the keys and values of an embedded text, in which each starts with a line
// "key: value". Lines that start with a tab continue the value, also after empty lines. A line
// without a colon is a key, which no reader knows, rather than nothing.
func Fields(text string) iter.Seq2[string, string] {
	return func(yield func(key, value string) bool) {
		for rest := ""; text != ""; text = rest {
			rest = text
			for more := true; more; more = strings.HasPrefix(rest, "\t") {
				_, rest, _ = strings.Cut(rest, "\n")
				rest = strings.TrimLeft(rest, "\n")
			}
			field := strings.TrimRight(text[:len(text)-len(rest)], "\n")
			key, value, _ := strings.Cut(field, ":")
			value = strings.ReplaceAll(strings.TrimPrefix(value, " "), "\n\t", "\n")
			if key != "" && !yield(key, strings.TrimPrefix(value, "\n")) {
				return
			}
		}
	}
}
