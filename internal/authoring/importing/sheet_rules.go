package importing

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/table"
)

// readRules reads a row for each rule.
func (s *sheet) readRules(d *draft) {
	if !s.has(descriptionField) && !s.has(criterionField) {
		s.instead(checkField, descriptionField)
	}
	if i := s.of(criterionField); i >= 0 && s.has(descriptionField) && slices.Contains(groupHeadings, fold(s.columns[i].heading)) {
		s.instead(criterionField, groupField)
	}
	for _, row := range s.table.Rows {
		place := s.place(row)
		if all, _ := s.levels(row, false); len(all) > 0 {
			s.refuse("A criterion with levels can't become a rule, which passes or fails: see %s. Use --as rubric.", place)
			return
		}
		out := rule{
			id: s.ruleID(row), category: s.field(row, groupField), description: s.field(row, descriptionField), severity: s.word(row, severityField),
			weight: s.ruleWeight(row), phase: strings.ToUpper(s.word(row, phaseField)), check: s.field(row, checkField),
		}
		if name := s.field(row, criterionField); name != "" {
			out.description = strings.TrimSuffix(name+": "+out.description, ": ")
		}
		c := criterion{place: place}
		s.mark(&c, s.word(row, requiredField))
		if c.required && out.severity == "" {
			out.severity = "fail"
			s.derived(place, "A criterion that the file marks as required or critical became a rule with the severity fail.")
		}
		if out.description+out.check+out.id != "" {
			d.rules = append(d.rules, s.rule(out, place))
		}
	}
}

// ruleID is the ID of a rule, if it has the form of one.
func (s *sheet) ruleID(row table.Row) string {
	id := s.word(row, idField)
	if _, isNumber := quantity(id); isNumber {
		return ""
	}
	if id != "" && authoring.CheckParts(&document.RuleSet, []string{id}) != nil {
		s.dropped(s.place(row), "The ID of a rule is dropped: expected a phase, a category, and a name, such as a.task.names_the_date.")
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
	value, isNumber := quantity(text)
	switch {
	case text == "":
		return ""
	case !isNumber || value <= 0:
		s.dropped(s.place(row), fmt.Sprintf("The weight %s is dropped: that of a rule is a number above 0.", schema.Quote(text)))
		return ""
	}
	return schema.Plain(value)
}
