package printer

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/diff"
)

// How much of a text is shown, in characters: of changed text, and of unchanged text
// before and after a change.
const (
	maxChanged = 4000
	maxAround  = 120
)

// shortened omits unchanged text far from a change, and the end of very long changes.
func shortened(parts []diff.Part) []diff.Part {
	out := make([]diff.Part, len(parts))
	for i, p := range parts {
		if p.Op == diff.Same {
			p.Text = middleOut(p.Text, i > 0, i < len(parts)-1)
		} else if n := utf8.RuneCountInString(p.Text); n > maxChanged {
			p.Text = cut(p.Text, maxChanged) + fmt.Sprintf("… (%d more characters)", n-maxChanged)
		}
		out[i] = p
	}
	return out
}

// cut is the first n characters of a text.
func cut(text string, n int) string {
	for i := range text {
		if n == 0 {
			return text[:i]
		}
		n--
	}
	return text
}

// middleOut keeps the words of a long text next to the changes before and after it.
func middleOut(text string, before, after bool) string {
	if utf8.RuneCountInString(text) <= 3*maxAround {
		return text
	}
	var kept string
	if before {
		kept = cut(text, maxAround)
		if at := strings.LastIndexAny(kept, " \n"); at >= 0 {
			kept = kept[:at+1]
		}
	}
	kept += "…"
	if after {
		tail := text[len(cut(text, utf8.RuneCountInString(text)-maxAround)):]
		kept += tail[max(strings.IndexAny(tail, " \n"), 0):]
	}
	return kept
}
