package text

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Plain returns the words of a text, with a space between two of them: what remains equal if
// somebody changes only case, spaces, punctuation, invisible characters, or the form in which
// Unicode writes a character. Punctuation separates words, so that 1.5 is not 15. Of a text
// without words, Plain keeps everything but spaces.
func Plain(text string) string {
	visible := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r) {
			return -1
		}
		return r
	}, text)
	// Some letters, such as the Greek sigma, have two lowercase forms and one uppercase form.
	folded := norm.NFKC.String(strings.ToLower(strings.ToUpper(norm.NFKC.String(visible))))
	separates := func(r rune) bool { return !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.S) }
	if words := strings.FieldsFunc(folded, separates); len(words) > 0 {
		return strings.Join(words, " ")
	}
	return strings.Join(strings.Fields(folded), "")
}
