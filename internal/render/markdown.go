package render

import (
	"fmt"
	"html"
	"regexp"
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

// Plain is untrusted text as part of a paragraph, a list item, or a table cell: no
// character is markup, except that text between backticks is code. So is a word that could
// become a link, a mention, or a reference, because GitHub finds those in the text after it
// decoded the escapes.
func Plain(text string) string {
	var b strings.Builder
	for rest := sanitize.Line(text); rest != ""; {
		if m := quotedCode.FindStringSubmatch(rest); m != nil {
			b.WriteString(m[1] + Cell(m[2]) + m[3])
			rest = rest[len(m[0]):]
			continue
		}
		word, after, more := strings.Cut(rest, " ")
		if rest = after; links(word) {
			word = Cell(word)
		} else {
			word = plainWord(word)
		}
		b.WriteString(word)
		if more {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// quotedCode is text between backticks, up to the next word.
var quotedCode = regexp.MustCompile("^(\\(?)`([^` ][^`]*)`([.,;:)]*(?: |$))")

// HTML is untrusted text as a part of a line of HTML within Markdown, with the same words in
// code and with all of its spaces.
func HTML(text string) string {
	words := strings.Split(sanitize.Line(text), " ")
	for i, word := range words {
		words[i] = html.EscapeString(word)
		if links(word) {
			words[i] = "<code>" + words[i] + "</code>"
		}
	}
	return strings.ReplaceAll(strings.Join(words, " "), "  ", " &nbsp;") // a browser shows one of several spaces
}

// links reports whether GitHub could make a link of a word.
func links(word string) bool {
	return strings.ContainsAny(word, "@#") || strings.Contains(word, "://") || strings.Contains(word, "www.") || strings.Contains(word, "GH-")
}

// plainWord escapes what is markup. An underscore within a word is none.
func plainWord(word string) string {
	var b strings.Builder
	for i, c := range word {
		if strings.ContainsRune("\\`*[]<>|~&$", c) || c == '_' && !(i > 0 && i+1 < len(word) && isLetter(word[i-1]) && isLetter(word[i+1])) {
			fmt.Fprintf(&b, "&#%d;", c)
		} else {
			b.WriteRune(c)
		}
	}
	return strings.ReplaceAll(b.String(), "::", "&#58;&#58;") // it could start a command in a log
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' }
