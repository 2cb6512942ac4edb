package normalize

import (
	"bufio"
	"bytes"
	"html"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	gmhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// mostInline is the maximum number of bytes of a text, because goldmark can need
// quadratic time.
const mostInline = 8 << 10

// inlines parses a text as one paragraph, whatever it starts with.
var inlines = parser.NewParser(
	parser.WithBlockParsers(util.Prioritized(parser.NewParagraphParser(), 1000)),
	parser.WithInlineParsers(parser.DefaultInlineParsers()...),
)

// cellText returns the plain text of a table cell. It unescapes pipes everywhere, even in
// code.
func cellText(cell []byte, links parser.Context) string {
	return plain(bytes.ReplaceAll(cell, []byte(`\|`), []byte("|")), links)
}

// plain returns a text of at most mostInline bytes without its markup. It keeps the
// visible text of emphasis, code, and links, decodes entities and escapes, replaces <br>
// with a space, and drops comments. It keeps other tags, because <id> in an instruction is
// more likely a placeholder than HTML.
func plain(data []byte, links parser.Context) string {
	w := plainWriter{data: data}
	root := inlines.Parse(text.NewReader(data), parser.WithContext(links))
	// The walk itself never fails.
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			w.node(n)
		}
		return ast.WalkContinue, nil
	})
	return trim(aroundBreak.ReplaceAllString(w.out.String(), " "))
}

// aroundBreak matches line breaks with the white space around them.
var aroundBreak = regexp.MustCompile(`[ \t\r]*\n[ \t\r\n]*`)

type plainWriter struct {
	data []byte
	out  strings.Builder
}

func (w *plainWriter) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		if value := n.Segment.Value(w.data); n.Parent().Kind() == ast.KindCodeSpan {
			w.out.Write(value)
		} else {
			w.out.WriteString(decoded(value))
		}
		if n.SoftLineBreak() || n.HardLineBreak() {
			w.out.WriteByte('\n')
		}
	case *ast.AutoLink:
		w.out.Write(n.Label(w.data))
	case *ast.RawHTML:
		w.tag(string(n.Segments.Value(w.data)))
	}
}

var breakTag = regexp.MustCompile(`(?i)^<br\s*/?>$`)

func (w *plainWriter) tag(tag string) {
	switch {
	case breakTag.MatchString(tag):
		w.out.WriteByte('\n')
	case !strings.HasPrefix(tag, "<!--"):
		w.out.WriteString(tag)
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
