package sheets

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/authoring/importing/intake"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/table"
)

// readRules reads a row for each rule.
func (s *sheet) readRules(d *intake.Draft) {
	if !s.has(descriptionField) && !s.has(criterionField) {
		s.moveColumn(checkField, descriptionField)
	}
	i := s.columnOf(criterionField)
	if i >= 0 && s.has(descriptionField) && slices.Contains(groupHeadings, intake.Fold(s.columns[i].heading)) {
		s.moveColumn(criterionField, groupField)
	}
	for _, row := range s.table.Rows {
		place := s.place(row)
		if all, _ := s.levels(row, false); len(all) > 0 {
			s.Refuse("A criterion with levels can't become a rule, which passes or fails: see %s. Use --as rubric.", place)
			return
		}
		out := intake.Rule{
			ID: s.ruleID(row), Category: s.field(row, groupField), Description: s.field(row, descriptionField),
			Severity: s.word(row, severityField), Weight: s.ruleWeight(row),
			Phase: strings.ToUpper(s.word(row, phaseField)), Check: s.field(row, checkField),
		}
		if name := s.field(row, criterionField); name != "" {
			out.Description = strings.TrimSuffix(name+": "+out.Description, ": ")
		}
		c := intake.Criterion{Place: place}
		s.mark(&c, s.word(row, requiredField))
		if c.Required && out.Severity == "" {
			out.Severity = "fail"
			s.AddDerived(place, "A criterion that the file marks as required or critical became a rule with the severity fail.")
		}
		if out.Description+out.Check+out.ID != "" {
			d.Rules = append(d.Rules, s.Rule(out, place))
		}
	}
}

// ruleID is the ID of a rule, if it has the form of one.
func (s *sheet) ruleID(row table.Row) string {
	id := s.word(row, idField)
	if _, isNumber := intake.Quantity(id); isNumber {
		return ""
	}
	if id != "" && authoring.CheckParts(&document.RuleSet, []string{id}) != nil {
		s.AddDropped(s.place(row), "The ID of a rule is dropped: expected a phase, a category, and a name, such as a.task.names_the_date.")
		return ""
	}
	return id
}

// ruleWeight is the weight of a rule: a number above 0, or "".
func (s *sheet) ruleWeight(row table.Row) string {
	text := ""
	for _, field := range []string{weightField, relativeField, pointsField} {
		if text == "" {
			text = s.word(row, field) // which marks the column as read
		}
	}
	value, isNumber := intake.Quantity(text)
	switch {
	case text == "":
		return ""
	case !isNumber || value <= 0:
		s.AddDropped(s.place(row), fmt.Sprintf("The weight %s is dropped: that of a rule is a number above 0.",
			schema.Quote(text)))
		return ""
	}
	return schema.Plain(value)
}
