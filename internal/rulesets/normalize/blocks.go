package normalize

import (
	"bufio"
	"bytes"
	"html"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	gmhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

const (
	// mostNested is the maximum nesting of quotations and lists. Anything deeper is
	// text, because goldmark would need quadratic time.
	mostNested = 10
	// mostCells is the maximum number of table cells in a file. It includes the
	// implied empty cells of short rows, which a file can have without limit.
	mostCells = yamltree.MaxBytes
)

// readBlocks returns the structure of a Markdown file, its headings, tables, and paragraphs,
// and its link definitions. Their text is not parsed; plain parses the parts that are needed.
// A table with too many cells stays a paragraph.
func readBlocks(f *source.File) (root ast.Node, links parser.Context) {
	tables := &boundedTables{extension.NewTableParagraphTransformer(), mostCells}
	all := parser.DefaultBlockParsers()
	for i := range all {
		switch p := all[i].Value; p {
		case parser.NewListParser(), parser.NewBlockquoteParser():
			all[i].Value = shallow{p.(parser.BlockParser)}
		}
	}
	p := parser.NewParser(
		parser.WithBlockParsers(all...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
		parser.WithParagraphTransformers(util.Prioritized(tables, 200)), // as in extension.Table
	)
	links = parser.NewContext()
	root = p.Parse(text.NewReader(f.Data), parser.WithContext(links))
	return root, links
}

// shallow does not open blocks nested deeper than mostNested.
type shallow struct{ parser.BlockParser }

func (s shallow) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		if n.Kind() == ast.KindList || n.Kind() == ast.KindBlockquote {
			depth++
		}
	}
	if depth >= mostNested {
		return nil, parser.NoChildren
	}
	return s.BlockParser.Open(parent, reader, pc)
}

// boundedTables converts paragraphs to tables until there are too many cells.
type boundedTables struct {
	parser.ParagraphTransformer
	left int
}

func (b *boundedTables) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	lines, columns := node.Lines(), 0
	for i := range lines.Len() {
		line := lines.At(i)
		if text := line.Value(reader.Source()); isDelimiter(text) {
			columns = max(columns, bytes.Count(text, []byte("|"))+1)
		}
	}
	if b.left -= columns * lines.Len(); b.left >= 0 {
		b.ParagraphTransformer.Transform(node, reader, pc)
	}
}

// isDelimiter reports whether a line looks like the delimiter between the header and the
// rows of a table.
func isDelimiter(line []byte) bool {
	return bytes.IndexByte(line, '-') >= 0 && len(bytes.Trim(line, " \t\r\n|:-")) == 0
}

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

// PlainText returns the start of a paragraph in Markdown without its markup, and whether it
// is the whole paragraph.
func PlainText(paragraph string) (text string, whole bool) {
	data := []byte(paragraph)
	return plain(data[:min(len(data), mostInline)], parser.NewContext()), len(data) <= mostInline
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
