package render

import (
	_ "embed" // the style sheet of the pages
	"encoding/xml"
	"fmt"
	"html"
	"html/template"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/document/jsontext"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
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

// FirstSentence returns a text up to the end of its first sentence, for tables. Most scripts
// end a sentence with a mark and a space, and some with a mark of their own.
func FirstSentence(text string) string {
	text = OneLine(text)
	for i, c := range text {
		end := i + utf8.RuneLen(c)
		if strings.ContainsRune(".?!؟۔", c) && strings.HasPrefix(text[end:], " ") ||
			strings.ContainsRune("。！？।॥።", c) {
			return text[:end]
		}
	}
	return text
}

// OneLine returns a text without line breaks.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// Columns is how many columns a text takes on a terminal.
func Columns(text string) int {
	columns := 0
	for _, cell := range sanitize.Cells(text) {
		columns += cell.Width
	}
	return columns
}

// JSON is one indented object in which no text has an effect on a terminal, with a line end.
func JSON(v any) ([]byte, error) {
	data, err := jsontext.Encode(v, "", "  ")
	return append(sanitize.JSON(data), '\n'), err
}

// WriteJSON writes JSON.
func WriteJSON(w io.Writer, v any) error {
	data, err := JSON(v)
	if err == nil {
		_, err = w.Write(data)
	}
	return err
}

// OrEmpty is a list that is written as [] where it has nothing.
func OrEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// Optional is a text that is written as null if it is empty.
type Optional string

// MarshalJSON writes the text or null.
func (o Optional) MarshalJSON() ([]byte, error) {
	if o == "" {
		return []byte("null"), nil
	}
	return jsontext.Encode(string(o), "", "")
}

// List is a list that is written as [] if it is nil.
type List[T any] []T

// MarshalJSON writes the list.
func (l List[T]) MarshalJSON() ([]byte, error) {
	return jsontext.Encode(OrEmpty([]T(l)), "", "")
}

// PageStyle is the base style sheet of pages: colors, tables, and pictures.
//
//go:embed page.css
var PageStyle string

// Lines sanitizes a text and keeps its line ends.
func Lines(text string) string {
	return EachLine(strings.ReplaceAll(text, "\r\n", "\n"), "\n", sanitize.Line)
}

// spans are texts between backticks.
var spans = lazy.Expr("`([^`\\n]+)`")

// Prose sanitizes and escapes a text, and shows what is between backticks as code.
func Prose(text string) template.HTML {
	return template.HTML(spans().ReplaceAllString(template.HTMLEscapeString(Lines(text)), "<code>$1</code>"))
}

// EachLine changes each line of a text, and joins them with another line end.
func EachLine(text, end string, change func(string) string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = change(line)
	}
	return strings.Join(lines, end)
}

// JUnitSuites is a document of test results. It conforms to the schema of Jenkins
// (junit-10.xsd of its xUnit plugin), which requires the number of errors: tests that could
// not run, of which there are none.
type JUnitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Suites   []JUnitSuite `xml:"testsuite"`
}

// JUnitSuite is a list of test cases with counts that Add updates.
type JUnitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []JUnitCase `xml:"testcase"`

	names map[JUnitCase]int // how often a class and a name were added
}

// JUnitCase is a test case. It passes if Failure and Skipped are nil.
type JUnitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *JUnitMessage `xml:"failure"`
	Skipped *JUnitMessage `xml:"skipped"`
	Output  string        `xml:"system-out,omitempty"`
}

// JUnitMessage is the reason why a case failed or was skipped, as a summary and in full.
type JUnitMessage struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// WriteJUnit writes suites as one document.
func WriteJUnit(w io.Writer, suites []JUnitSuite) error {
	all := JUnitSuites{Suites: suites}
	for _, s := range suites {
		all.Tests += s.Tests
		all.Failures += s.Failures
	}
	out, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, out)
	return err
}

// Add appends a case and counts it.
func (s *JUnitSuite) Add(c JUnitCase) {
	if s.names == nil {
		s.names = map[JUnitCase]int{}
	}
	key := JUnitCase{Class: c.Class, Name: c.Name}
	if s.names[key]++; s.names[key] > 1 {
		c.Name += fmt.Sprintf(" (%d)", s.names[key])
	}
	s.Tests++
	if c.Failure != nil {
		s.Failures++
	}
	if c.Skipped != nil {
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

// MaxMarkdown is the maximum length of Markdown in bytes: GitHub limits summaries to 1
// MiB.
const MaxMarkdown = 900_000

// CutMarkdown returns as many whole lines of Markdown as fit in room bytes, and says that there are
// more. Every line must be complete in itself, such as a row or an item.
func CutMarkdown(text string, room int) string {
	const more = "\n**There is no room for the rest.** The log of the check, `rubric lint`, and `rubric diff` show it.\n"
	if len(text) <= room {
		return text
	}
	text = text[:room-len(more)]
	return text[:strings.LastIndexByte(text, '\n')+1] + more
}

// Markdown collects the output of a command for a pull request or a job summary.
type Markdown struct{ Output }

// Code returns a text in a code span, where Markdown and HTML have no effect. Backticks in
// the text do not end the span (https://spec.commonmark.org/0.31.2/#code-spans).
func Code(text string) string {
	text = sanitize.Line("`" + text)[1:] // no command of a log begins in a span
	if strings.TrimSpace(text) == "" {
		return ""
	}
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") ||
		strings.HasPrefix(text, " ") && strings.HasSuffix(text, " ") {
		text = " " + text + " "
	}
	return fence + text + fence
}

// Cell returns a text in a code span for a table, where a bar would end the cell.
func Cell(text string) string { return Code(strings.ReplaceAll(text, "|", "<U+007C>")) }

// Plain is untrusted text as part of a paragraph, a list item, or a table cell: no
// character is markup, except that text between backticks is code. So is a word that could
// become a link, a mention, or a reference, because hosts find those in the text after they
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
		rest = after
		if Links(word) {
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
		if Links(word) {
			words[i] = "<code>" + words[i] + "</code>"
		}
	}
	return strings.ReplaceAll(strings.Join(words, " "), "  ", " &nbsp;") // a browser shows one of several spaces
}

// Links reports whether a host could make a link of a word, so that Plain writes it as code.
func Links(word string) bool {
	return strings.ContainsAny(word, "@#") || strings.Contains(word, "://") || strings.Contains(word, "www.") ||
		strings.Contains(word, "GH-") ||
		references().MatchString(word)
}

// references matches what Gitea and GitLab refer to things by in addition: !1 is a pull request, [[a]] a
// page or a picture, and the other brackets an inserted text. It also matches the name of an emoji, and a
// hash that can be that of a commit.
var references = lazy.Expr(`[!&$][0-9]|%[^\s<]*[\pL\d_"]|~["\w?.&-]|\^alert|\*iteration:|\[\w+:|\[\[|[{\[][-+]` +
	`|:[\w+-]*[A-Za-z_+-][\w+-]*:|:(100|1234):|\b[0-9a-fA-F]{7,64}\b|\b[A-Z][A-Z0-9_]+-[0-9]`)

// plainWord escapes what is markup. An underscore within a word is none.
func plainWord(word string) string {
	var b strings.Builder
	for i, c := range word {
		if strings.ContainsRune("\\`*[]<>|~&$", c) ||
			c == '_' && !(i > 0 && i+1 < len(word) && isLetter(word[i-1]) && isLetter(word[i+1])) {
			fmt.Fprintf(&b, "&#%d;", c)
		} else {
			b.WriteRune(c)
		}
	}
	return strings.ReplaceAll(b.String(), "::", "&#58;&#58;") // it could start a command in a log
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' }
