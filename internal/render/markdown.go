package render

import (
	"fmt"
	"strings"

	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// MaxMarkdown is how long Markdown gets, in bytes: GitHub takes summaries of a
// megabyte.
const MaxMarkdown = 900_000

// Markdown collects what a command prints for a pull request or a job summary.
type Markdown struct{ strings.Builder }

// Printf adds formatted Markdown.
func (m *Markdown) Printf(format string, args ...any) { fmt.Fprintf(m, format, args...) }

// Code is a text in a code span, in which nothing of Markdown or HTML acts, and
// that ends with none of the backticks of the text
// (https://spec.commonmark.org/0.31.2/#code-spans).
func Code(text string) string {
	text = sanitize.Line(text)
	if strings.TrimSpace(text) == "" {
		return ""
	}
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") || strings.HasPrefix(text, " ") && strings.HasSuffix(text, " ") {
		text = " " + text + " "
	}
	return fence + text + fence
}

// Cell is a text in a code span in a table, where a bar would end the cell.
func Cell(text string) string { return Code(strings.ReplaceAll(text, "|", "<U+007C>")) }

// Plain is a sentence in which nothing of Markdown or HTML acts: what could is
// written as its number.
func Plain(text string) string {
	var b strings.Builder
	for _, c := range sanitize.Line(text) {
		if strings.ContainsRune("\\`*_[]<>#|~@&$", c) {
			fmt.Fprintf(&b, "&#%d;", c)
		} else {
			b.WriteRune(c)
		}
	}
	// Two colons could begin a command in a log, and an address is made a link.
	return strings.NewReplacer("::", "&#58;&#58;", "://", "&#58;//", "www.", "www&#46;").Replace(b.String())
}
