package sheets

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/intake"
	"github.com/rubric-library/rubric-library/internal/authoring/importing/levels"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/table"
)

// meanings finds out what the columns of a header have.
func (s *sheet) meanings() []column {
	all := make([]column, len(s.table.Header.Cells))
	for i, c := range s.table.Header.Cells {
		all[i].heading = strings.Join(strings.Fields(table.Arm(c.Text)), " ")
	}
	s.chooseColumns(all)
	multiple(all)
	numberedParts(all)
	numberedNames(all)
	saysYes := slices.ContainsFunc(all, func(c column) bool { return intake.Fold(c.heading) == "yes" })
	for i := range all {
		c := &all[i]
		if c.isKnown() || c.heading == "" || c.isOf(fields) || scoreColumn().MatchString(c.heading) ||
			rowNumber().MatchString(c.heading) && !saysYes {
			continue
		}
		if level, ok := levelIn(c.heading); ok {
			c.level = &level
		}
	}
	between(all)
	asSamples(all)
	for _, f := range fields {
		choose(all, f)
	}
	checks(all)
	s.takeFirst(all)
	s.takeGroupNames(all)
	return all
}

// takeFirst takes the first column for the criteria if other columns have levels and none has names.
func (s *sheet) takeFirst(all []column) {
	isLevel := func(c column) bool { return c.level != nil || c.part != "" }
	of := func(name string) bool {
		return slices.ContainsFunc(all, func(c column) bool { return c.field == name })
	}
	count := 0
	for _, c := range all {
		if isLevel(c) {
			count++
		}
	}
	if count < 2 || isLevel(all[0]) || of(criterionField) || of(descriptionField) {
		return
	}
	texts := 0
	for _, row := range s.table.Rows {
		if text := strings.TrimSpace(row.Cell(0).Text); text != "" {
			if _, isNumber := intake.Quantity(text); isNumber {
				return
			}
			texts++
		}
	}
	if texts > 0 {
		all[0].field = criterionField
	}
}

// takeGroupNames takes a column whose names recur for groups if another one has names of criteria.
func (s *sheet) takeGroupNames(all []column) {
	of := func(name string) int { return slices.IndexFunc(all, func(c column) bool { return c.field == name }) }
	at := of(criterionField)
	name := of(descriptionField)
	text := slices.IndexFunc(all, func(c column) bool { return intake.Fold(c.heading) == "longdescription" })
	if at < 0 && name >= 0 && text >= 0 && name != text {
		all[name].field, all[text].field = criterionField, descriptionField // as learning platforms name them
	}
	if at < 0 || slices.ContainsFunc(all, func(c column) bool {
		return slices.Contains([]string{groupField, levelField, labelField}, c.field)
	}) {
		return
	}
	for i := range all {
		within := intake.Names("metric subcriterion subcategory indicator item element skill trait")
		weak := slices.Contains(within, intake.Fold(all[i].heading))
		if i > at && weak && !all[i].isKnown() && s.recur(at) && !s.recur(i) {
			all[at].field, all[i].field = groupField, criterionField
			return
		}
	}
}

// recur reports whether a text of a column is in several rows.
func (s *sheet) recur(at int) bool {
	seen := map[string]bool{}
	for _, row := range s.table.Rows {
		text := strings.TrimSpace(row.Cell(at).Text)
		if text != "" && seen[text] {
			return true
		}
		seen[text] = true
	}
	return false
}

// checks takes a column of checks for the criteria or the rules, if no column describes them.
func checks(all []column) {
	of := func(name string) int { return slices.IndexFunc(all, func(c column) bool { return c.field == name }) }
	check, criterion := of(checkField), of(criterionField)
	named := criterion >= 0 && !slices.Contains(groupHeadings, intake.Fold(all[criterion].heading))
	if check < 0 || of(descriptionField) >= 0 || named || intake.Fold(all[check].heading) != "check" {
		return
	}
	if criterion >= 0 {
		all[criterion].field = groupField
	}
	all[check].field = criterionField
	for _, f := range fields {
		if f.name == checkField {
			choose(all, f)
		}
	}
}

// levelIn reads a heading as the label of a level.
func levelIn(heading string) (levels.Level, bool) {
	if m := looksLike().FindStringSubmatch(heading); m != nil {
		heading = m[1] + m[2]
	}
	return levels.ReadLabel(heading)
}

// chooseColumns sets what the author says of columns.
func (s *sheet) chooseColumns(all []column) {
	for _, name := range slices.Sorted(maps.Keys(s.Columns)) {
		i := slices.IndexFunc(all, func(c column) bool { return table.Fold(c.heading) == table.Fold(s.Columns[name]) })
		switch folded := table.Fold(name); {
		case i < 0:
		case slices.ContainsFunc(fields, func(f field) bool { return f.name == folded }):
			all[i].field = folded
		default:
			all[i].choose(name)
		}
	}
}

// choose sets that a column has examples, or the texts of a level.
func (c *column) choose(name string) {
	if m := scoreColumn().FindStringSubmatch(name); m != nil && slices.Contains([]string{"1", "3", "5"}, m[1]) {
		c.anchor, _ = strconv.Atoi(m[1]) // the expression is that of a number
		return
	}
	level := levels.Label(name)
	c.level = &level
}

func (c *column) isKnown() bool {
	return c.field != "" || c.level != nil || c.part != "" || c.anchor > 0
}

// isOf reports whether the heading of a column is that of a field other than the criterion.
func (c *column) isOf(fields []field) bool {
	return slices.ContainsFunc(fields, func(f field) bool {
		return f.name != criterionField && slices.Contains(f.headings, intake.Fold(c.heading))
	})
}

// choose gives a field the column with its most telling heading, if there is one.
func choose(all []column, f field) {
	if slices.ContainsFunc(all, func(c column) bool { return c.field == f.name }) {
		return
	}
	for _, heading := range f.headings {
		for i := range all {
			c := &all[i]
			withoutNote := inBrackets().ReplaceAllString(c.heading, "")
			isHeading := intake.Fold(c.heading) == heading || intake.Fold(withoutNote) == heading
			if isHeading && !c.isKnown() && c.sample == "" {
				c.field = f.name
				return
			}
		}
	}
	number := slices.IndexFunc(all, func(c column) bool { return rowNumber().MatchString(c.heading) && !c.isKnown() })
	if f.name == idField && number >= 0 {
		all[number].field = f.name
	}
}

// checkChoice refuses a choice of the author that the table does not allow.
func (s *sheet) checkChoice() {
	for _, name := range slices.Sorted(maps.Keys(s.Columns)) {
		isChosen := func(c column) bool { return table.Fold(c.heading) == table.Fold(s.Columns[name]) }
		if !slices.ContainsFunc(s.columns, isChosen) {
			s.Refuse("--column %s: the table has no column %s. It has %s.", name, schema.Quote(s.Columns[name]), s.table.Names())
		}
	}
	if s.GroupBy != "" && s.heading(s.GroupBy) < 0 {
		s.Refuse("--group-by: the table has no column %s. It has %s.", schema.Quote(s.GroupBy), s.table.Names())
	}
	for i, c := range s.columns {
		first := slices.IndexFunc(s.columns, func(other column) bool {
			return c.heading != "" && c.part == "" && (c.isKnown() || other.isKnown()) &&
				table.Fold(other.heading) == table.Fold(c.heading)
		})
		if first >= 0 && first < i {
			s.Refuse("Two columns have the heading %s. Remove or rename one of them.", schema.Quote(c.heading))
		}
	}
}

// heading is the column with a heading, or -1.
func (s *sheet) heading(name string) int {
	return slices.IndexFunc(s.columns, func(c column) bool { return table.Fold(c.heading) == table.Fold(name) })
}
