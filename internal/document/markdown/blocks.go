package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

const (
	// MostNested is the maximum nesting of quotations and lists. Anything deeper is
	// text, because goldmark would need quadratic time.
	MostNested = 10
	// MostCells is the maximum number of table cells in a file. It includes the
	// implied empty cells of short rows, which a file can have without limit.
	MostCells = yamltree.MaxBytes
)

// parse returns the structure of a Markdown file, its headings, tables, and paragraphs,
// and its link definitions. Their text is not parsed; inline parses the parts that are needed.
// A table with too many cells stays a paragraph.
func parse(data []byte) (root ast.Node, links parser.Context) {
	tables := &boundedTables{extension.NewTableParagraphTransformer(), MostCells}
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
	root = p.Parse(text.NewReader(data), parser.WithContext(links))
	return root, links
}

// shallow does not open blocks nested deeper than MostNested.
type shallow struct{ parser.BlockParser }

func (s shallow) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		if n.Kind() == ast.KindList || n.Kind() == ast.KindBlockquote {
			depth++
		}
	}
	if depth >= MostNested {
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
