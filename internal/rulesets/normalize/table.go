package normalize

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/markdown"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/table"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
)

// ruleTable is a table in Markdown with a column of IDs.
type ruleTable struct {
	table.Table
	page  *markdown.Page
	block *markdown.Block
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

// newTable returns the rule table of a block, or nil if it is not a rule table.
func newTable(p *markdown.Page, b *markdown.Block) *ruleTable {
	t := &ruleTable{page: p, block: b}
	for _, span := range b.Header.Cells {
		t.Header.Cells = append(t.Header.Cells, table.Cell{Text: p.CellPlain(span), Span: span})
	}
	t.at, t.unread, t.problems = t.Columns(CodeTable, "rule's ", fieldOf)
	if _, found := t.at[idKey]; !found {
		return nil
	}
	return t
}

// otherNames are other names of columns.
var otherNames = map[string]string{
	"rule_id": idKey, "rule": descriptionKey, "how_to_check": checkKey, "how_to_verify": checkKey,
	"verification": checkKey,
}

// fieldOf returns the field for a column's name, or "".
func fieldOf(name string) string {
	name = table.Fold(strings.ReplaceAll(name, "-", " "))
	if field := otherNames[name]; field != "" {
		return field
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
			problems = append(problems, problemAt(CodeTable, c.Span,
				"The column %s is not a field of a rule. Did you mean %q? If not, rename the column.",
				schema.Quote(c.Text), capital(meant)))
		}
	}
	var rows []Row
	for i, line := range t.block.Rows {
		row := Row{
			Where:   fmt.Sprintf("row %d of the table in line %d", i+1, t.page.File.Position(t.block.Span.Start).Line),
			columns: columns,
		}
		problems = append(problems, t.read(line, &row)...)
		if len(row.value.Entries) > 0 {
			rows = append(rows, row)
		}
	}
	return rows, problems
}

// read fills the row from a line of the table. An empty row has no entries.
func (t *ruleTable) read(line markdown.Row, row *Row) []source.Problem {
	var problems []source.Problem
	row.value = &yamltree.Node{Kind: yamltree.Mapping, Style: yamltree.Flow, Span: line.Span}
	for _, field := range fields {
		i, found := t.at[field]
		if !found || i >= len(line.Cells) || line.Cells[i].Len() == 0 {
			continue
		}
		span := line.Cells[i]
		if span.Len() > markdown.MostInline {
			problems = append(problems, problemAt(CodeTable, span,
				"%sThe cell has %d bytes, more than the limit of %d. Shorten its text.",
				row.prefix(field), span.Len(), markdown.MostInline))
		}
		if text := t.text(field, span); !slices.Contains(noValue, text) {
			row.value.Entries = append(row.value.Entries, cellEntry(field, text, span))
		}
	}
	if span, text := t.excessText(line.Cells); text != "" {
		problems = append(problems, problemAt(CodeTable, span,
			"%s: %s is after the last column, so it is ignored. The header has %d columns. Escape a | in a cell as \\|.",
			capital(row.Where), schema.Quote(text), len(t.Header.Cells)))
	}
	row.broken = len(problems) > 0
	return problems
}

// text is the text of a cell in one line. A text for people and judges keeps code and the
// targets of links.
func (t *ruleTable) text(field string, span source.Span) string {
	if field == descriptionKey || field == checkKey {
		return strings.ReplaceAll(t.page.CellText(span), "\n", " ")
	}
	return t.page.CellPlain(span)
}

// noValue are the texts of a cell without a value.
var noValue = []string{"", "-", "–", "—"}

// cellEntry returns a cell as a key with its value. It ignores case for enumerated values
// and recognizes numbers.
func cellEntry(field, text string, span source.Span) yamltree.KeyValue {
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

// excessText returns the text of a line after the last column, which is in no cell.
func (t *ruleTable) excessText(cells []source.Span) (source.Span, string) {
	if len(cells) < len(t.Header.Cells) || cells[len(cells)-1].Len() == 0 {
		return source.Span{}, ""
	}
	f := t.page.File
	start := cells[len(cells)-1].End
	end := f.LineSpan(f.Position(start).Line).End
	const around = " \t|"
	rest := f.Data[start:end]
	start += len(rest) - len(bytes.TrimLeft(rest, around))
	text := string(bytes.Trim(rest, around))
	return source.Span{Start: start, End: start + len(text)}, text
}
