package markdown

import (
	"bufio"
	"bytes"
	"html"
	"regexp"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	gmhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

// MostInline is the maximum number of bytes of a text whose markup is read, because goldmark
// can need quadratic time.
const MostInline = 8 << 10

// inlines parses a text as one paragraph, whatever it starts with.
var inlines = parser.NewParser(
	parser.WithBlockParsers(util.Prioritized(parser.NewParagraphParser(), 1000)),
	parser.WithInlineParsers(parser.DefaultInlineParsers()...),
)

// PlainText returns a text in one line and without its markup. It keeps the visible text of
// emphasis, code, and links, decodes entities and escapes, and drops comments. It keeps other
// tags, because <id> in an instruction is more likely a placeholder than HTML. Bytes after
// MostInline are left out.
func (p *Page) PlainText(raw []byte) string {
	w := p.inlineWriter(raw[:min(len(raw), MostInline)], false)
	return trim(aroundBreak.ReplaceAllString(w.out.String(), " "))
}

// Text returns a text without the markup that changes only its looks: Plain with code in
// backticks, which sets `any` apart from any, with the targets of links, with comments in
// parentheses, and with its line breaks. In a text that is longer than MostInline, markup
// counts within a line.
func (p *Page) Text(raw []byte) string {
	if len(raw) <= MostInline {
		return trim(aroundBreak.ReplaceAllString(p.inlineWriter(raw, true).out.String(), "\n"))
	}
	var out strings.Builder
	for line := range bytes.Lines(raw) {
		text := string(bytes.TrimSpace(line))
		if len(line) <= MostInline {
			text = p.Text(line)
		}
		out.WriteString(text + "\n")
	}
	return trim(out.String())
}

// Lead returns the text in bold or italics with which a text begins, or "".
func (p *Page) Lead(raw []byte) string {
	return p.inlineWriter(raw[:min(len(raw), MostInline)], true).lead
}

// CellText returns the text of a table cell, and CellPlain its plain text. They unescape
// pipes everywhere, even in code.
func (p *Page) CellText(span source.Span) string  { return p.Text(p.cell(span)) }
func (p *Page) CellPlain(span source.Span) string { return p.PlainText(p.cell(span)) }

func (p *Page) cell(span source.Span) []byte {
	content := p.File.Data[span.Start:min(span.End, span.Start+MostInline)]
	return bytes.ReplaceAll(content, []byte(`\|`), []byte("|"))
}

// aroundBreak matches line breaks with the white space around them.
var aroundBreak = regexp.MustCompile(`[ \t\r]*\n[ \t\r\n]*`)

func trim(text string) string {
	return strings.TrimFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == '\ufeff' })
}

func (p *Page) inlineWriter(data []byte, marked bool) *writer {
	w := &writer{data: data, marked: marked, isBare: p.IsBare}
	root := inlines.Parse(text.NewReader(data), parser.WithContext(p.links))
	// The walk itself never fails.
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			w.enter(n)
		} else {
			w.leave(n)
		}
		return ast.WalkContinue, nil
	})
	return w
}

type writer struct {
	data   []byte
	marked bool // with code in backticks and the targets of links
	isBare func(code string) bool
	out    strings.Builder
	opened []int // where the links and the first emphasis begin in out
	lead   string
}

func (w *writer) enter(n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		w.text(n)
	case *ast.AutoLink:
		w.out.Write(n.Label(w.data))
	case *ast.RawHTML:
		w.tag(string(n.Segments.Value(w.data)))
	case *ast.CodeSpan:
		w.fence(n, "", " ")
	case *ast.Link, *ast.Image:
		w.opened = append(w.opened, w.out.Len())
	}
}

func (w *writer) leave(n ast.Node) {
	switch n := n.(type) {
	case *ast.CodeSpan:
		w.fence(n, " ", "")
	case *ast.Emphasis:
		if first := n.PreviousSibling() == nil && n.Parent().Kind() == ast.KindParagraph; first {
			w.lead = trim(w.out.String())
		}
	case *ast.Link:
		w.target(n.Destination, n.Title)
	case *ast.Image:
		w.target(n.Destination, n.Title)
	}
}

func (w *writer) text(n *ast.Text) {
	value := n.Segment.Value(w.data)
	if n.Parent().Kind() == ast.KindCodeSpan {
		w.out.Write(value)
	} else {
		w.out.WriteString(decoded(value))
	}
	if n.SoftLineBreak() || n.HardLineBreak() {
		w.out.WriteByte('\n')
	}
}

// fence writes the backticks around code: one more than the longest run that it has.
func (w *writer) fence(n *ast.CodeSpan, before, after string) {
	var code []byte
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			code = append(code, t.Segment.Value(w.data)...)
		}
	}
	if !w.marked || w.isBare != nil && w.isBare(string(code)) {
		return
	}
	run, longest := 0, 0
	for _, c := range code {
		run++
		if c != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	if bytes.HasPrefix(code, []byte("`")) || bytes.HasSuffix(code, []byte("`")) {
		fence = before + fence + after
	}
	w.out.WriteString(fence)
}

// target writes where a link leads, unless its text says it.
func (w *writer) target(destination, title []byte) {
	start := w.opened[len(w.opened)-1]
	w.opened = w.opened[:len(w.opened)-1]
	to := decoded(destination)
	if !w.marked || to == "" || w.out.String()[start:] == to {
		return
	}
	if len(title) > 0 {
		to += ` "` + decoded(title) + `"`
	}
	if w.out.Len() > start {
		to = " (" + to + ")"
	}
	w.out.WriteString(to)
}

var breakTag = regexp.MustCompile(`(?i)^<br\s*/?>$`)

func (w *writer) tag(tag string) {
	switch {
	case breakTag.MatchString(tag):
		w.out.WriteByte('\n')
	case !strings.HasPrefix(tag, "<!--"):
		w.out.WriteString(tag)
	case w.marked:
		if remark := strings.TrimSpace(strings.Trim(tag, "<!->")); remark != "" {
			w.out.WriteString("(" + remark + ")")
		}
	}
}

// decoded returns a text with its escapes and entities decoded once: goldmark renders it
// as HTML, which has only entities left.
func decoded(text []byte) string {
	var b strings.Builder
	out := bufio.NewWriter(&b)
	gmhtml.DefaultWriter.Write(out, text)
	_ = out.Flush() // a Builder never fails
	return html.UnescapeString(b.String())
}
