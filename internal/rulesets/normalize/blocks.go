package normalize

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

const (
	// mostNested is how many quotations and lists can stand in each other. What
	// is nested deeper is text: goldmark would need quadratic time for it.
	mostNested = 10
	// mostCells is how many cells the tables of a file can have. No file can
	// write more, but a short row of a wide table has cells that nobody wrote.
	mostCells = yamltree.MaxBytes
)

// blocks is the structure of a Markdown file: headings, tables, paragraphs. The
// text in them is left as it is: plain reads the little of it that is needed.
type blocks struct {
	root ast.Node
	// links knows the links that the file defines.
	links parser.Context
	// tooMany is a table that was left out because of its cells, or nil.
	tooMany *source.Span
}

func readBlocks(f *source.File) blocks {
	tables := &boundedTables{ParagraphTransformer: extension.NewTableParagraphTransformer(), left: mostCells}
	p := parser.NewParser(
		parser.WithBlockParsers(boundedContainers()...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
		parser.WithParagraphTransformers(util.Prioritized(tables, 200)), // as extension.Table has it
	)
	links := parser.NewContext()
	root := p.Parse(text.NewReader(f.Data), parser.WithContext(links))
	return blocks{root, links, tables.tooMany}
}

// boundedContainers is goldmark's block parsers, with a bound on how deeply
// blocks are nested.
func boundedContainers() []util.PrioritizedValue {
	all := parser.DefaultBlockParsers()
	for i := range all {
		switch p := all[i].Value; p {
		case parser.NewListParser(), parser.NewBlockquoteParser():
			all[i].Value = shallow{p.(parser.BlockParser)}
		}
	}
	return all
}

// shallow opens no block in more than mostNested others.
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

// boundedTables makes tables of paragraphs until there are too many cells.
type boundedTables struct {
	parser.ParagraphTransformer
	left    int
	tooMany *source.Span
}

func (b *boundedTables) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	lines, columns := node.Lines(), 0
	for i := range lines.Len() {
		line := lines.At(i)
		if text := line.Value(reader.Source()); isDelimiter(text) {
			columns = max(columns, bytes.Count(text, []byte("|"))+1)
		}
	}
	if b.left -= columns * lines.Len(); b.left < 0 && columns > 0 {
		if b.tooMany == nil {
			b.tooMany = &source.Span{Start: lines.At(0).Start, End: lines.At(0).Stop}
		}
		return
	}
	b.ParagraphTransformer.Transform(node, reader, pc)
}

// isDelimiter tells whether a line looks like the one between the header and the
// rows of a table.
func isDelimiter(line []byte) bool {
	return bytes.IndexByte(line, '-') >= 0 && len(bytes.Trim(line, " \t\r\n|:-")) == 0
}
