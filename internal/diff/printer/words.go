package printer

import (
	"fmt"
	"slices"
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

// shortened omits unchanged text far from a change, and the ends of very long changes: of
// two that replace each other, also the beginning that both have.
func shortened(parts []diff.Part) []diff.Part {
	out := slices.Clone(parts)
	for i := 1; i < len(out); i++ {
		if before, after := &out[i-1], &out[i]; before.Op == diff.Old && after.Op == diff.New {
			if same := commonStart(before.Text, after.Text); same > maxChanged/2 {
				before.Text, after.Text = "…"+before.Text[same:], "…"+after.Text[same:]
			}
		}
	}
	for i, p := range out {
		if p.Op == diff.Same {
			p.Text = middleOut(p.Text, i > 0, i < len(parts)-1)
		} else if n := utf8.RuneCountInString(p.Text); n > maxChanged {
			p.Text = cut(p.Text, maxChanged) + fmt.Sprintf("… (%d more characters)", n-maxChanged)
		}
		out[i] = p
	}
	return out
}

// commonStart is the length in bytes of what two texts begin with, without the last
// characters, which are shown.
func commonStart(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	for n = max(0, n-maxAround); n > 0 && !utf8.RuneStart(a[n]); n-- {
	}
	return n
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
