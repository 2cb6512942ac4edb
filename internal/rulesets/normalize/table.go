package normalize

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/table"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
)

// ruleTable is a table in Markdown with a column of IDs.
type ruleTable struct {
	table.Table
	file  *source.File
	links parser.Context
	node  *east.Table
	span  source.Span // the header
	// at are the columns by the field of a rule, and unread those without one.
	at       map[string]int
	unread   []int
	problems []source.Problem // of the header
}

// fields are the fields that a column can have.
var fields = func() []string {
	var keys []string
	for i := range document.RuleTable().Fields {
		if f := &document.RuleTable().Fields[i]; f.Value.Shape != schema.List {
			keys = append(keys, f.Key)
		}
	}
	return keys
}()

// newTable returns the rule table of a node, or nil if it is not a rule table.
func newTable(f *source.File, node *east.Table, links parser.Context) *ruleTable {
	t := &ruleTable{file: f, links: links, node: node}
	header := node.FirstChild()
	t.span = lineOf(f, header.Pos())
	for c := range children(header) {
		span := cellSpan(f, c)
		name := cellText(f.Data[span.Start:min(span.End, span.Start+mostInline)], links)
		t.Header.Cells = append(t.Header.Cells, table.Cell{Text: name, Span: span})
	}
	t.at, t.unread, t.problems = t.Columns(CodeTable, "rule's ", fieldOf)
	if _, found := t.at[idKey]; !found {
		return nil
	}
	return t
}

// fieldOf returns the field for a column's name, or "".
func fieldOf(name string) string {
	name = table.Fold(strings.ReplaceAll(name, "-", " "))
	if name == "rule_id" {
		return idKey
	}
	if slices.Contains(fields, name) {
		return name
	}
	return ""
}

// rows reads the table as far as its header allows.
func (t *ruleTable) rows() ([]Row, []source.Problem) {
	problems, columns := t.problems, map[string]string{}
	for field, i := range t.at {
		columns[field] = t.Header.Cells[i].Text
	}
	free := slices.DeleteFunc(slices.Clone(fields), func(field string) bool { return columns[field] != "" })
	for _, i := range t.unread {
		c := t.Header.Cells[i]
		if meant := suggest.Word(folded(c.Text), free); meant != "" {
			problems = append(problems, problemAt(CodeTable, c.Span, "The column %s is not a field of a rule. Did you mean %q? If not, rename the column.", schema.Quote(c.Text), capital(meant)))
		}
	}
	var rows []Row
	number := 0
	for n := range children(t.node) {
		if n.Kind() != east.KindTableRow {
			continue
		}
		number++
		row := Row{Where: fmt.Sprintf("row %d of the table in line %d", number, t.file.Position(t.span.Start).Line), columns: columns}
		problems = append(problems, t.read(n, &row)...)
		if len(row.value.Entries) > 0 {
			rows = append(rows, row)
		}
	}
	return rows, problems
}

// read fills the row from a line of the table. An empty row has no entries.
func (t *ruleTable) read(line ast.Node, row *Row) []source.Problem {
	var problems []source.Problem
	row.value = &yamltree.Node{Kind: yamltree.Mapping, Style: yamltree.Flow, Span: lineOf(t.file, line.Pos())}
	cells := slices.Collect(children(line))
	for _, field := range fields {
		i, found := t.at[field]
		if !found || i >= len(cells) || cells[i].Lines().Len() == 0 {
			continue
		}
		span := cellSpan(t.file, cells[i])
		content := t.file.Data[span.Start:min(span.End, span.Start+mostInline)]
		if len(content) < span.Len() {
			problems = append(problems, problemAt(CodeTable, span, "%sThe cell has %d bytes, more than the limit of %d. Shorten its text.", row.prefix(field), span.Len(), mostInline))
		}
		if text := cellText(content, t.links); !slices.Contains(noValue, text) {
			row.value.Entries = append(row.value.Entries, cellEntry(field, text, span))
		}
	}
	if span, text := t.excess(cells); text != "" {
		problems = append(problems, problemAt(CodeTable, span, "%s: %s is after the last column, so it is ignored. The header has %d columns. Escape a | in a cell as \\|.",
			capital(row.Where), schema.Quote(text), len(t.Header.Cells)))
	}
	row.broken = len(problems) > 0
	return problems
}

// noValue are the texts of a cell without a value.
var noValue = []string{"", "-", "–", "—"}

// cellEntry returns a cell as a key with its value. It ignores case for enumerated values
// and recognizes numbers.
func cellEntry(field, text string, span source.Span) yamltree.Entry {
	value := schema.Find(document.RuleTable().Fields, field).Value
	for _, o := range value.Options {
		if strings.EqualFold(text, o.Word) {
			text = o.Word
		}
	}
	t := yamltree.String
	if _, err := strconv.ParseFloat(text, 64); err == nil && value.Shape == schema.Number {
		t = yamltree.Float
	}
	return entry(field, t, text, span)
}

// excess returns the text of a line after the last column, which is in no cell.
func (t *ruleTable) excess(cells []ast.Node) (source.Span, string) {
	if len(cells) < len(t.Header.Cells) || cells[len(cells)-1].Lines().Len() == 0 {
		return source.Span{}, ""
	}
	start := cellSpan(t.file, cells[len(cells)-1]).End
	end := t.file.LineSpan(t.file.Position(start).Line).End
	const around = " \t|"
	rest := t.file.Data[start:end]
	start += len(rest) - len(bytes.TrimLeft(rest, around))
	text := string(bytes.Trim(rest, around))
	return source.Span{Start: start, End: start + len(text)}, text
}

// cellSpan returns the span of a cell's content.
func cellSpan(f *source.File, cell ast.Node) source.Span {
	if cell.Lines().Len() == 0 {
		return source.Span{}
	}
	line := cell.Lines().At(0)
	span := source.Span{Start: line.Start, End: line.Stop}
	// goldmark treats a pipe at the end of a line as the border, even if escaped.
	if end := span.End; span.Len() > 0 && f.Data[end-1] == '\\' && end < len(f.Data) && f.Data[end] == '|' {
		span.End++
	}
	return span
}

// tableLine returns the first line of a paragraph that looks like part of a table, if
// any.
func tableLine(f *source.File, n ast.Node) (source.Span, bool) {
	for i := range n.Lines().Len() {
		segment := n.Lines().At(i)
		line := bytes.TrimSpace(f.Data[segment.Start:segment.Stop])
		if bytes.HasPrefix(line, []byte("|")) || isDelimiter(line) && bytes.IndexByte(line, '|') >= 0 {
			return lineOf(f, segment.Start), true
		}
	}
	return source.Span{}, false
}

func newHeading(f *source.File, n *ast.Heading, links parser.Context) heading {
	h := heading{level: n.Level}
	lines := n.Lines()
	if lines.Len() == 0 {
		return h
	}
	h.span = source.Span{Start: lines.At(0).Start, End: lines.At(lines.Len() - 1).Stop}
	raw := lines.Value(f.Data)
	h.text = plain(raw[:min(len(raw), mostInline)], links)
	return h
}

// lineOf returns the span of a line from an offset, without white space.
func lineOf(f *source.File, offset int) source.Span {
	end := f.LineSpan(f.Position(offset).Line).End
	text := f.Data[offset:max(offset, end)]
	start := offset + len(text) - len(bytes.TrimLeft(text, " \t"))
	return source.Span{Start: start, End: start + len(bytes.TrimSpace(text))}
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
