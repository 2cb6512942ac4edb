package sheets

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/intake"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/table"
)

// ReadTable reads a table: with a row for each criterion, each level, or each rule, or with a column
// for each criterion.
func ReadTable(r *intake.Reader) {
	t, problems := table.Rows(r.File, 0)
	r.Problems = problems
	if len(problems) > 0 {
		return
	}
	for _, row := range append([]table.Row{t.Header}, t.Rows...) {
		for _, cell := range row.Cells {
			r.CheckLength(len(cell.Text))
		}
	}
	if len(r.Problems) > 0 {
		return
	}
	s := NewSheet(r, t)
	switch {
	case s == nil && len(r.Problems) > 0:
	case s == nil:
		r.Refuse("The table has no column for criteria or for rules. It has %s. Name one with --column criterion=COLUMN, or for a rule set, with --column description=COLUMN.", likelyHeader(t).Names())
	case len(r.Problems) > 0:
	case len(s.table.TooLong("")) > 0:
		r.Problems = s.table.TooLong("")
	case len(s.table.Rows) > intake.Most:
		r.TooMany()
	default:
		s.Read()
	}
}

// NewSheet finds the header of a table: the first row whose headings say what the columns have. It
// returns nil if no row does.
func NewSheet(r *intake.Reader, t *table.Table) *sheet {
	rows := append([]table.Row{t.Header}, t.Rows...)
	for _, row := range rows {
		if len(row.Cells) > mostColumns {
			r.Refuse("Row %d has %d cells: at most %d are allowed. Split the table.", row.Number, len(row.Cells), mostColumns)
			return nil
		}
	}
	var titles []string
	for i := range min(len(rows), mostTitles) {
		found := &sheet{Reader: r, table: &table.Table{Header: rows[i], Rows: rows[i+1:]}, Titles: titles}
		widen(found.table)
		found.columns = found.meanings()
		sparse := !slices.ContainsFunc(rows[:i], func(row table.Row) bool {
			return len(textsOf(row)) >= len(textsOf(rows[i]))
		})
		if found.layout = found.findLayout(); found.layout != "" && sparse {
			found.checkChoice()
			return found
		}
		titles = append(titles, textsOf(rows[i])...)
	}
	return nil
}

// likelyHeader is a table without the rows above its header, which is the first of the rows with the
// most texts.
func likelyHeader(t *table.Table) *table.Table {
	first := append([]table.Row{t.Header}, t.Rows...)
	first = first[:min(len(first), mostTitles)]
	return &table.Table{
		Header: slices.MaxFunc(first, func(a, b table.Row) int { return len(textsOf(a)) - len(textsOf(b)) }),
	}
}

// The layouts of a sheet.
const (
	criteriaInRows = "criteria in rows"
	levelsInRows   = "levels in rows"
	transposed     = "levels in rows, criteria in columns"
	rulesInRows    = "rules in rows"
)

// findLayout finds the layout that the headings and cells suggest, or "".
func (s *sheet) findLayout() string {
	hasRules := s.has(descriptionField) || s.has(checkField)
	switch {
	case s.AsksForRules() && (hasRules || s.has(criterionField)):
		return rulesInRows
	case s.isTransposed():
		return transposed
	case s.isLong():
		return levelsInRows
	case s.has(severityField) && !s.hasLevels() && !s.has(thresholdField) && s.Kind == nil:
		return rulesInRows
	case s.hasCriteria():
		return criteriaInRows
	case hasRules && !s.has(thresholdField) && !s.hasLevels():
		return rulesInRows
	}
	return ""
}

// hasCriteria reports whether the columns have what criteria have.
func (s *sheet) hasCriteria() bool {
	isDescribed := s.has(descriptionField) || s.has(checkField) || s.has(idField)
	return s.has(criterionField) && !s.isOther() || s.hasLevels() && isDescribed ||
		s.has(descriptionField) && s.Kind != nil
}

// isOther reports whether a table is probably of something else: it has names, and nothing that
// criteria have.
func (s *sheet) isOther() bool {
	known := func(c column) bool {
		return c.field != criterionField && c.field != idField && c.isKnown() ||
			slices.Contains(intake.LadderTexts, intake.Fold(c.heading))
	}
	return s.Kind == nil && s.Columns[criterionField] == "" &&
		slices.Contains(weakHeadings, intake.Fold(s.columns[s.columnOf(criterionField)].heading)) &&
		!slices.ContainsFunc(s.columns, known)
}

// Read reads the documents of a sheet in its layout.
func (s *sheet) Read() {
	groups := s.groups()
	for _, g := range groups {
		d := g.draft
		part := *s
		part.table = &table.Table{Header: s.table.Header, Rows: g.rows}
		switch s.layout {
		case transposed:
			part.readTransposed(&d)
		case levelsInRows:
			part.readLong(&d)
		case rulesInRows:
			part.readRules(&d)
		default:
			part.readWide(&d)
		}
		if len(s.Problems) > 0 {
			return
		}
		if len(d.Criteria)+len(d.Rules) > 0 {
			s.Drafts = append(s.Drafts, d)
		}
	}
	s.rest()
}

// rest lists the columns that were not read.
func (s *sheet) rest() {
	for i := range s.columns {
		c := &s.columns[i]
		count := 0
		first := ""
		for _, row := range s.table.Rows {
			if strings.TrimSpace(row.Cell(i).Text) != "" {
				if count++; count == 1 {
					first = s.place(row)
				}
			}
		}
		switch {
		case c.read || count == 0:
		case slices.Contains([]string{severityField, phaseField, checkField}, c.field):
			s.AddDropped(first, fmt.Sprintf("The column %s is dropped: only rules have it. Use --as ruleset.",
				schema.Quote(c.heading)))
		case slices.Contains([]string{relativeField, pointsField}, c.field):
			s.AddDropped(first, fmt.Sprintf("The column %s is dropped: another one has the weights of the rules.",
				schema.Quote(c.heading)))
		case c.heading == "":
			s.AddDropped(first, "A column without a heading is dropped. Write a heading above it.")
		default:
			s.AddDropped(first, fmt.Sprintf("The column %s is dropped: no field of a criterion has this name. To import it, use --column FIELD=COLUMN, where a field is %s.",
				schema.Quote(c.heading), schema.Or(fieldNames(), "or")))
		}
	}
}

// mostTitles is how many rows above the header are looked at, and mostColumns how many cells a
// row can have.
const mostTitles, mostColumns = 10, 100
