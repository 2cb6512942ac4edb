package outlines

import (
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/intake"
	"github.com/rubric-library/rubric-library/internal/authoring/importing/levels"
	"github.com/rubric-library/rubric-library/internal/authoring/importing/sheets"
	"github.com/rubric-library/rubric-library/internal/document/markdown"
	"github.com/rubric-library/rubric-library/internal/document/table"
	"github.com/rubric-library/rubric-library/internal/rulesets/normalize"
)

// meaningHeadings are headings of a column with the texts of levels.
var meaningHeadings = append(intake.Names(`meaning meanings descriptor descriptors characteristics
	interpretation whatitmeans whatitlookslike observable evidence performance indicators levelcriteria
	criterion`), intake.Descriptions...)

// grid is a table of Markdown as that of a spreadsheet, in which rows have the numbers of their lines.
func (o *outliner) grid(b *markdown.Block) *table.Table {
	row := func(r markdown.Row) (out table.Row) {
		out.Number = o.File.Position(r.Span.Start).Line
		for _, span := range r.Cells {
			out.Cells = append(out.Cells, table.Cell{Text: o.page.CellText(span), Span: span})
		}
		return out
	}
	t := &table.Table{Header: row(b.Header)}
	cells := t.Header.Cells
	if cells[0].Text == "" && (len(cells) > 2 || slices.Contains(intake.Points, intake.Fold(cells[1%len(cells)].Text))) {
		cells[0].Text = "Criterion" // as is common above the names of rows
	}
	for _, r := range b.Rows {
		t.Rows = append(t.Rows, row(r))
	}
	return t
}

// tableCriteria returns the criteria of a table, and takes its rules.
func (o *outliner) tableCriteria(s *section, p *block) (all []found) {
	if _, _, isRules := normalize.Table(o.page, p.table); isRules || len(p.table.Rows) == 0 {
		return nil
	}
	kind := o.Kind
	o.Kind = nil // criteria without levels become rules with those of other tables
	defer func() { o.Kind = kind }()
	sheet := sheets.NewSheet(o.Reader, o.grid(p.table))
	if sheet == nil || len(sheet.Titles) > 0 {
		return nil
	}
	sheet.Unit, p.taken = "line", true
	sheet.Read()
	documents := o.Drafts
	o.Drafts = nil
	for _, d := range documents {
		if len(o.scale.Columns) == 0 {
			o.scale = d.Scale
		}
		for _, rule := range d.Rules {
			rule.Category = s.heading()
			o.found = append(o.found, rule)
		}
		for _, c := range d.Criteria {
			all = append(all, found{c, &section{title: c.Key, line: p.line, level: listItem, up: s}})
		}
	}
	return all
}

// levelsOfTable returns the levels of a table with a row for each level of one criterion: a column
// with their scores or names, or both, and one with their texts.
func (o *outliner) levelsOfTable(b *markdown.Block) (all []levels.Level) {
	t := o.grid(b)
	labels, texts, ok := levelColumns(t)
	if !ok || labels == 0 || texts < 0 && labels < 2 {
		return nil
	}
	for _, row := range t.Rows {
		l, ok := levels.ReadLabel(row.Cell(0).Text)
		if second, isLabel := levels.ReadLabel(row.Cell(1).Text); labels > 1 && isLabel {
			if l.IsNamed() {
				l, second = second, l
			}
			l.Name = second.Name
		}
		l.Text = row.Cell(texts).Text
		if ok {
			all = append(all, l)
		}
	}
	if !levels.AreLevels(all) {
		return nil
	}
	return all
}

// levelColumns are the number of the first columns, with labels of levels, and the column with
// their texts, or -1. It reports false for a table with other columns.
func levelColumns(t *table.Table) (labels, texts int, ok bool) {
	texts = -1
	for i, c := range t.Header.Cells {
		isUntitled := i == 1 && i == len(t.Header.Cells)-1 && strings.TrimSpace(c.Text) == ""
		switch {
		case labels == i && areLabels(t, i):
			labels++
		case texts < 0 && labels > 0 && (slices.Contains(meaningHeadings, intake.Fold(c.Text)) || isUntitled):
			texts = i
		default:
			return labels, texts, false
		}
	}
	return labels, texts, true
}

// areLabels reports whether all cells of a column are names of levels.
func areLabels(t *table.Table, column int) bool {
	return !slices.ContainsFunc(t.Rows, func(row table.Row) bool {
		_, ok := levels.ReadLabel(row.Cell(column).Text)
		return !ok
	})
}
