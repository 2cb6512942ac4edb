package importing

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/levels"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/table"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// The columns of a CSV file with a rubric or a rule set.
var (
	criterionColumns = []string{"criterion", "description", "weight", "relative_weight", "threshold", "1", "2", "3", "4", "5", "score_1", "score_3", "score_5"}
	ruleColumns      = []string{"id", "description", "severity", "weight", "phase", "check"}
)

// decimalComma matches a number as spreadsheets write it in some languages. With three
// digits, the comma could separate thousands.
var decimalComma = lazy.Expr(`^([0-9]+),([0-9]{1,2})$`)

// csv reads a table with one row for each criterion of a rubric or each rule of a rule set.
func (r *reader) csv() {
	t, problems := table.CSV(r.file, 0, "")
	if r.problems = problems; len(problems) > 0 {
		return
	}
	at, _, twice := t.Columns(codeFormat, "", table.Fold)
	known := ruleColumns
	_, scored := at["criterion"]
	if scored {
		known = criterionColumns
	}
	if _, described := at["description"]; scored == (r.Kind == &document.RuleSet) && r.Kind != nil || !scored && !described {
		r.refuse("The first row must have the columns of a rubric: %s; or of a rule set: %s. Only criterion or description is required.",
			schema.Or(criterionColumns, "and"), schema.Or(ruleColumns, "and"))
		return
	}
	r.problems = twice
	for i, c := range t.Header.Cells {
		switch column := table.Fold(c.Text); {
		case column == "" && slices.ContainsFunc(t.Rows, func(row table.Row) bool { return strings.TrimSpace(row.Cell(i).Text) != "" }):
			r.dropped("", "A column without a heading is dropped.")
		case column != "" && !slices.Contains(known, column):
			r.dropped("", fmt.Sprintf("The column %s is dropped: expected %s.", schema.Quote(column), schema.Or(known, "or")))
		}
	}
	if len(t.Rows) >= most {
		r.tooMany()
		return
	}
	d := draft{}
	var columns []levels.Level
	for _, c := range t.Header.Cells {
		if column := table.Fold(c.Text); scored && slices.Contains([]string{"1", "2", "3", "4", "5"}, column) {
			columns = append(columns, levels.Label(column))
		}
	}
	d.scale = levels.Declared{Low: 1, High: 5, IsKnown: true, Columns: columns}
	for n, row := range t.Rows {
		cell := func(column string) string {
			i, found := at[column]
			if text := table.Arm(row.Cell(i).Text); found && strings.TrimSpace(text) != "" {
				return lines(text)
			}
			return ""
		}
		// A spreadsheet may have capitalized words and written decimal commas.
		word := func(column string) string {
			return decimalComma().ReplaceAllString(strings.ToLower(strings.TrimSpace(cell(column))), "$1.$2")
		}
		if scored {
			c := criterion{
				key: cell("criterion"), description: cell("description"),
				weight: word("weight"), relativeWeight: word("relative_weight"), threshold: word("threshold"),
				place: fmt.Sprintf("row %d", n+1),
			}
			for _, level := range columns {
				if level.Text = cell(level.String()); level.Text != "" {
					c.levels = append(c.levels, level)
				}
			}
			for score := 1; score <= 5; score += 2 {
				if text := cell(fmt.Sprintf("score_%d", score)); text != "" {
					c.examples = append(c.examples, example{text: text, anchor: score})
				}
			}
			d.criteria = append(d.criteria, c)
			continue
		}
		d.rules = append(d.rules, r.rule(rule{
			id: word("id"), description: cell("description"), severity: word("severity"), weight: word("weight"),
			phase: strings.ToUpper(word("phase")), check: cell("check"),
		}, fmt.Sprintf("rule %d", n+1)))
	}
	if len(t.Rows) > 0 {
		r.drafts = []draft{d}
	}
}
