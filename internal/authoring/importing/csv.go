package importing

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration/labels"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// The columns of a rubric and of a rule set.
var (
	criterionColumns = []string{"criterion", "description", "weight", "threshold", "1", "2", "3", "4", "5", "score_1", "score_3", "score_5"}
	ruleColumns      = []string{"id", "description", "severity", "weight", "phase", "check"}
)

// csv reads a table with one row for each criterion of a rubric or each rule of a rule set.
func (r *reader) csv() {
	rows, problems := labels.ReadCells(r.file)
	if r.problems = problems; len(problems) > 0 {
		return
	}
	columns := map[string]int{}
	for i, heading := range rows[0].Texts {
		heading = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(strings.TrimPrefix(heading, "\uFEFF"))), " ", "_")
		if at, twice := columns[heading]; twice && heading != "" {
			r.refuse("Columns %d and %d are both %s. Rename or remove one of them.", at+1, i+1, schema.Quote(heading))
			return
		}
		columns[heading] = i
	}
	_, scored := columns["criterion"]
	known := ruleColumns
	if scored {
		known = criterionColumns
	}
	_, described := columns["description"]
	switch {
	case scored && r.options.Kind == &document.RuleSet:
		r.refuse("The columns are those of a rubric, which can't become a rule set: expected %s.", schema.Or(ruleColumns, "and"))
		return
	case !scored && (r.options.Kind == &document.Rubric || !described):
		r.refuse("The first row must have the columns of a rubric: %s; or of a rule set: %s. Only criterion or description is required.",
			schema.Or(criterionColumns, "and"), schema.Or(ruleColumns, "and"))
		return
	}
	for _, heading := range rows[0].Texts {
		if name := strings.ReplaceAll(strings.ToLower(strings.TrimSpace(heading)), " ", "_"); name != "" && !slices.Contains(known, name) {
			r.dropped("row 1", fmt.Sprintf("The column %s is dropped: expected %s.", schema.Quote(heading), schema.Or(known, "or")))
		}
	}
	d := draft{}
	for _, row := range rows[1:] {
		cell := func(column string) string {
			if i, ok := columns[column]; ok && strings.TrimSpace(row.Texts[i]) != "" {
				return lines(row.Texts[i])
			}
			return ""
		}
		if scored {
			d.criteria = append(d.criteria, criterionOf(cell))
		} else {
			rule := ruleOf(cell)
			r.marked(&rule, fmt.Sprintf("row %d", row.Number))
			d.rules = append(d.rules, rule)
		}
	}
	if len(rows) > 1 {
		r.drafts = []draft{d}
	}
}

func criterionOf(cell func(string) string) criterion {
	c := criterion{key: cell("criterion"), description: cell("description"), weight: choice(cell("weight")), threshold: number(cell("threshold"))}
	for i := range c.anchors {
		c.anchors[i] = cell(fmt.Sprint(i + 1))
	}
	c.examples = [3]string{cell("score_1"), cell("score_3"), cell("score_5")}
	return c
}

func ruleOf(cell func(string) string) rule {
	return rule{
		id: choice(cell("id")), description: cell("description"), severity: choice(cell("severity")), weight: number(cell("weight")),
		phase: strings.ToUpper(choice(cell("phase"))), check: cell("check"),
	}
}

// choice is a word that a spreadsheet may have capitalized.
func choice(text string) string { return strings.ToLower(strings.TrimSpace(text)) }

// decimalComma matches a number as spreadsheets write it in some languages. With three
// digits, the comma could separate thousands.
var decimalComma = regexp.MustCompile(`^([0-9]+),([0-9]{1,2})$`)

func number(text string) string {
	return decimalComma.ReplaceAllString(strings.TrimSpace(text), "$1.$2")
}
