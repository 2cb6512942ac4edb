// Package markdown reads the structure of Markdown files: their headings, lists, tables, and
// paragraphs, each with its place, and the texts in them.
//
// It promises that reading never panics and takes linear time for any input of at most
// yamltree.MaxBytes.
package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// CodeUnreadable is the problem of a file that the parser fails on.
const CodeUnreadable = "markdown"

// BlockKind is the kind of a block.
type BlockKind int

// The kinds of blocks. A list has items; an item and a quotation have blocks of any kind.
const (
	Heading BlockKind = iota
	Paragraph
	List
	Item
	Quote
	Table
	Code
	HTML
)

// Page is a file with its blocks.
type Page struct {
	File *source.File
	// FrontMatter is the YAML between the lines --- at the beginning of the file.
	FrontMatter source.Span
	Blocks      []Block
	// IsBare reports whether Text has some code without backticks, or is nil.
	IsBare func(code string) bool

	links parser.Context
}

// Block is a part of a page.
type Block struct {
	Kind BlockKind
	// Level is that of a heading, from 1 to 6.
	Level int
	// Ordered reports whether a list has numbers.
	Ordered bool
	// Span is the content without the space around it. That of a list, an item, or a
	// quotation is its first line.
	Span source.Span
	// Lines are the lines of the content.
	Lines []source.Span
	// Raw is the text of a heading, a paragraph, code, or HTML, as written, without what
	// begins a line of a list or a quotation.
	Raw []byte
	// Blocks are those inside of a list, an item, or a quotation.
	Blocks []Block
	// Header and Rows are those of a table.
	Header Row
	Rows   []Row
}

// Row is a row of a table. A cell without content has an empty span.
type Row struct {
	Span  source.Span
	Cells []source.Span
}

// Read reads a file. If it returns no page, at least one problem says why.
func Read(f *source.File) (p *Page, problems []source.Problem) {
	if problems := yamltree.CheckText(f); len(problems) > 0 {
		return nil, problems
	}
	defer func() {
		if recover() != nil {
			p, problems = nil, []source.Problem{{
				Code: CodeUnreadable, Span: f.LineSpan(1),
				Message: "The file could not be read because of a bug in this program. Report the bug with the file.",
			}}
		}
	}()
	p = &Page{File: f, FrontMatter: frontMatter(f)}
	data := bytes.Clone(f.Data)
	for i := range p.FrontMatter.End { // which is blank for the parser
		if data[i] != '\n' && data[i] != '\r' {
			data[i] = ' '
		}
	}
	root, links := parse(data)
	p.links = links
	p.Blocks = p.blocks(root)
	return p, nil
}

// frontMatter returns the lines from --- to --- at the beginning of a file.
func frontMatter(f *source.File) (span source.Span) {
	isFence := func(n int) bool { return strings.TrimRight(f.Text(f.LineSpan(n)), " \t") == "---" }
	if !isFence(1) {
		return span
	}
	for n := 2; n <= f.LineCount(); n++ {
		if isFence(n) {
			return source.Span{End: f.LineSpan(n).End}
		}
	}
	return span
}

func (p *Page) blocks(parent ast.Node) (blocks []Block) {
	for n := range children(parent) {
		b := Block{Raw: n.Lines().Value(p.File.Data), Span: p.span(n)}
		for i := range n.Lines().Len() {
			line := n.Lines().At(i)
			b.Lines = append(b.Lines, source.Span{Start: line.Start, End: line.Stop})
		}
		switch n := n.(type) {
		case *ast.Heading:
			b.Kind, b.Level = Heading, n.Level
		case *ast.Paragraph, *ast.TextBlock:
			b.Kind = Paragraph
		case *ast.List:
			b.Kind, b.Ordered = List, n.IsOrdered()
		case *ast.ListItem:
			b.Kind = Item
		case *ast.Blockquote:
			b.Kind = Quote
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			b.Kind = Code
		case *ast.HTMLBlock:
			b.Kind = HTML
		case *east.Table:
			p.table(&b, n)
		default: // a line between parts, or the target of links
			continue
		}
		if b.Kind == List || b.Kind == Item || b.Kind == Quote {
			b.Blocks = p.blocks(n)
		}
		blocks = append(blocks, b)
	}
	return blocks
}

// span returns the content of a block, or the line on which it begins.
func (p *Page) span(n ast.Node) source.Span {
	if lines := n.Lines(); lines.Len() > 0 {
		return source.Span{Start: lines.At(0).Start, End: lines.At(lines.Len() - 1).Stop}
	}
	if n.Pos() >= 0 {
		return p.line(n.Pos())
	}
	return source.Span{}
}

// line returns a line from an offset, without the space around it.
func (p *Page) line(offset int) source.Span {
	end := p.File.LineSpan(p.File.Position(offset).Line).End
	text := p.File.Data[offset:max(offset, end)]
	start := offset + len(text) - len(bytes.TrimLeft(text, " \t"))
	return source.Span{Start: start, End: start + len(bytes.TrimSpace(text))}
}

func (p *Page) table(b *Block, n *east.Table) {
	b.Kind = Table
	for line := range children(n) {
		row := Row{Span: p.line(line.Pos())}
		for c := range children(line) {
			row.Cells = append(row.Cells, p.cellSpan(c))
		}
		if line.Kind() == east.KindTableHeader {
			b.Header, b.Span = row, row.Span
			continue
		}
		b.Rows = append(b.Rows, row)
	}
}

// cellSpan returns the span of a cell's content.
func (p *Page) cellSpan(cell ast.Node) source.Span {
	if cell.Lines().Len() == 0 {
		return source.Span{}
	}
	line, data := cell.Lines().At(0), p.File.Data
	span := source.Span{Start: line.Start, End: line.Stop}
	// goldmark treats a pipe at the end of a line as the border, even if escaped.
	if end := span.End; span.Len() > 0 && data[end-1] == '\\' && end < len(data) && data[end] == '|' {
		span.End++
	}
	return span
}

func children(n ast.Node) func(yield func(ast.Node) bool) {
	return func(yield func(ast.Node) bool) {
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			if !yield(c) {
				return
			}
		}
	}
}

// TableLine returns the first line of a paragraph that looks like part of a table, if any.
func (p *Page) TableLine(b *Block) (source.Span, bool) {
	for _, span := range b.Lines {
		line := bytes.TrimSpace(p.File.Data[span.Start:span.End])
		if bytes.HasPrefix(line, []byte("|")) || isDelimiter(line) && bytes.IndexByte(line, '|') >= 0 {
			return p.line(span.Start), true
		}
	}
	return source.Span{}, false
}

// All are the blocks of a page, with those inside of others.
func (p *Page) All() func(yield func(*Block) bool) {
	return func(yield func(*Block) bool) { each(p.Blocks, yield) }
}

func each(blocks []Block, yield func(*Block) bool) bool {
	for i := range blocks {
		if !yield(&blocks[i]) || !each(blocks[i].Blocks, yield) {
			return false
		}
	}
	return true
}
