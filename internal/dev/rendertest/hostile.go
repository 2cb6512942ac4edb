// Package rendertest helps tests check that text from a library has no effect where it is
// printed.
package rendertest

import (
	"strings"

	"pgregory.net/rapid"
)

// Hostile draws a text that would have an effect if it were not escaped. It contains Mark.
func Hostile(t *rapid.T, what string) string {
	pieces := rapid.SliceOfN(rapid.SampledFrom([]string{
		"`", "``", "|", "\\", "@", "#1", "<b>", "</pre>", "</code>", "<!--", "-->", "[", "](x)", "**", "_", "~~",
		"\n", "\n\n", "\r", "\n::error::", "##[error]",
		"::", ":", " ", "  ", "\x1b[31m", "\u202e", "\u200b", "\u2028", "https://x.example", "www.x.example",
		"&lt;", "&#64;", "- ", "# ", "> ", "    ", "[-", "-]", "é", "\xff",
	}), 0, 8).Draw(t, what)
	at := rapid.IntRange(0, len(pieces)).Draw(t, "place of the mark")
	return strings.Join(pieces[:at], "") + Mark + strings.Join(pieces[at:], "")
}

// Mark marks hostile texts in output.
const Mark = "MARK"
