package render

import (
	"fmt"
	"strings"

	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// MaxMarkdown is the maximum length of Markdown in bytes: GitHub limits summaries to 1
// MiB.
const MaxMarkdown = 900_000

// Markdown collects the output of a command for a pull request or a job summary.
type Markdown struct{ strings.Builder }

// Printf adds formatted Markdown.
func (m *Markdown) Printf(format string, args ...any) { fmt.Fprintf(m, format, args...) }

// Code returns a text in a code span, where Markdown and HTML have no effect. Backticks in
// the text do not end the span (https://spec.commonmark.org/0.31.2/#code-spans).
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

// Cell returns a text in a code span for a table, where a bar would end the cell.
func Cell(text string) string { return Code(strings.ReplaceAll(text, "|", "<U+007C>")) }

// Plain returns a sentence in which special characters of Markdown and HTML are escaped as
// numeric character references.
func Plain(text string) string {
	var b strings.Builder
	for _, c := range sanitize.Line(text) {
		if strings.ContainsRune("\\`*_[]<>#|~@&$", c) {
			fmt.Fprintf(&b, "&#%d;", c)
		} else {
			b.WriteRune(c)
		}
	}
	// Two colons could start a command in a log, and URLs become links.
	return strings.NewReplacer("::", "&#58;&#58;", "://", "&#58;//", "www.", "www&#46;").Replace(b.String())
}
