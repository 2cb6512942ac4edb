package text

import (
	"iter"
	"regexp"
	"strings"
)

// field matches a line with a key and the lines that continue its value. A line without a
// colon is a key, which no reader knows, rather than nothing.
var field = regexp.MustCompile(`(?m)^([^:\t\n]+):? ?(.*(?:\n+\t.*)*)`)

// Fields yields the keys and values of an embedded text, in which each starts with a line
// "key: value". Lines that start with a tab continue the value, also after empty lines.
func Fields(text string) iter.Seq2[string, string] {
	return func(yield func(key, value string) bool) {
		for _, m := range field.FindAllStringSubmatch(text, -1) {
			if !yield(m[1], strings.TrimPrefix(strings.ReplaceAll(m[2], "\n\t", "\n"), "\n")) {
				return
			}
		}
	}
}
