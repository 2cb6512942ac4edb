package importing

import (
	"maps"
	"slices"
	"strconv"
	"strings"

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
	s.chosen(all)
	multiple(all)
	numberedNames(all)
	saysYes := slices.ContainsFunc(all, func(c column) bool { return fold(c.heading) == "yes" })
	for i := range all {
		c := &all[i]
		if c.isKnown() || c.heading == "" || c.isOf(fields) || scoreColumn().MatchString(c.heading) || rowNumber().MatchString(c.heading) && !saysYes {
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
	return all
}

// checks takes a column of checks for the criteria or the rules, if no column describes them.
func checks(all []column) {
	of := func(name string) int { return slices.IndexFunc(all, func(c column) bool { return c.field == name }) }
	check, criterion := of(checkField), of(criterionField)
	named := criterion >= 0 && !slices.Contains(groupHeadings, fold(all[criterion].heading))
	if check < 0 || of(descriptionField) >= 0 || named || fold(all[check].heading) != "check" {
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

// chosen sets what the author says of columns.
func (s *sheet) chosen(all []column) {
	for _, name := range slices.Sorted(maps.Keys(s.Columns)) {
		i := slices.IndexFunc(all, func(c column) bool { return table.Fold(c.heading) == table.Fold(s.Columns[name]) })
		switch folded := table.Fold(name); {
		case i < 0:
		case slices.ContainsFunc(fields, func(f field) bool { return f.name == folded }):
			all[i].field = folded
		default:
			all[i].named(name)
		}
	}
}

// named sets that a column has examples, or the texts of a level.
func (c *column) named(name string) {
	if m := scoreColumn().FindStringSubmatch(name); m != nil && slices.Contains([]string{"1", "3", "5"}, m[1]) {
		c.anchor, _ = strconv.Atoi(m[1]) // the expression is that of a number
		return
	}
	level := levels.Label(name)
	c.level = &level
}

// multiple finds the columns of levels that have several.
func multiple(all []column) {
	found := map[int]bool{}
	seen := map[string]int{}
	for i := range all {
		m := levelPart().FindStringSubmatch(all[i].heading)
		if m == nil || all[i].isKnown() {
			continue
		}
		part := levelParts[strings.TrimSuffix(strings.ToLower(m[2]), "s")]
		seen[part]++
		all[i].part, all[i].number = part, seen[part]
		if n, err := strconv.Atoi(m[1] + m[3]); err == nil {
			all[i].number = n
		}
		found[all[i].number] = true
	}
	for i := range all {
		c := &all[i]
		switch {
		case c.part == "":
		case len(found) < 2:
			c.part = ""
		case c.part == "text" && seen["name"]+seen["score"] == 0: // the number is all that is known of the level
			level := levels.Score(float64(c.number), "")
			c.part, c.level = "", &level
		}
	}
}

// numberedNames reads headings such as "4 Exceeds", if there are several.
func numberedNames(all []column) {
	found := map[int]levels.Level{}
	for i, c := range all {
		if m := scoreAndName().FindStringSubmatch(c.heading); m != nil && !c.isKnown() {
			level := levels.Label(m[1])
			level.Name = m[2]
			found[i] = level
		}
	}
	for i, level := range found {
		if len(found) > 1 {
			all[i].level = &level
		}
	}
}

// widen repeats the headings of a rating at the end of a header for rows with more ratings.
func widen(t *table.Table) {
	cells := t.Header.Cells
	first := slices.IndexFunc(cells, func(c table.Cell) bool { return levelPart().MatchString(strings.TrimSpace(c.Text)) })
	if first < 0 || slices.ContainsFunc(cells[first:], func(c table.Cell) bool { return !levelPart().MatchString(strings.TrimSpace(c.Text)) }) {
		return
	}
	size := 1
	for first+size < len(cells) && table.Fold(cells[first+size].Text) != table.Fold(cells[first].Text) {
		size++
	}
	for _, row := range t.Rows {
		for i := len(cells); i < len(row.Cells) && size > 1; i++ {
			cells = append(cells, cells[i-size])
		}
	}
	t.Header.Cells = cells
}

// levelParts are the parts of a level by the words in headings.
var levelParts = map[string]string{
	"name": "name", "title": "name", "label": "name", "description": "text", "desc": "text", "text": "text", "definition": "text", "descriptor": "text",
	"point": "score", "pt": "score", "score": "score", "value": "score", "mark": "score",
}

func (c *column) isKnown() bool {
	return c.field != "" || c.level != nil || c.part != "" || c.anchor > 0
}

// between takes the columns between levels for levels, whatever their names.
func between(all []column) {
	isLevel := func(c column) bool { return c.level != nil }
	first := slices.IndexFunc(all, isLevel)
	last := len(all) - 1
	for last > first && !isLevel(all[last]) {
		last--
	}
	for i := first + 1; first >= 0 && i < last; i++ {
		if c := &all[i]; !c.isKnown() && c.heading != "" && !c.isOf(fields) && !slices.Contains(asides, fold(c.heading)) {
			level := levels.Named(c.heading, "")
			c.level = &level
		}
	}
}

// isOf reports whether the heading of a column is that of a field other than the criterion.
func (c *column) isOf(fields []field) bool {
	return slices.ContainsFunc(fields, func(f field) bool { return f.name != criterionField && slices.Contains(f.headings, fold(c.heading)) })
}

// asSamples finds the columns of examples. Columns such as score_1 have examples for the scores 1,
// 3, and 5 if other columns have levels, and are levels if not.
func asSamples(all []column) {
	hasLevels := slices.ContainsFunc(all, func(c column) bool { return c.level != nil || c.part != "" })
	for _, c := range all {
		m := scoreColumn().FindStringSubmatch(c.heading)
		hasLevels = hasLevels && (m == nil || c.isKnown() || slices.Contains([]string{"1", "3", "5"}, m[1]))
	}
	for i := range all {
		c := &all[i]
		if c.isKnown() {
			continue
		}
		if m := scoreColumn().FindStringSubmatch(c.heading); m != nil {
			score, _ := strconv.Atoi(m[1]) // the expression is that of a number
			if hasLevels {
				c.anchor = score
			} else {
				level := levels.Score(float64(score), "")
				c.level = &level
			}
		} else if m := sampleHeading().FindStringSubmatch(c.heading); m != nil {
			if level, ok := levelIn(m[1] + m[2]); ok {
				c.sample = level.String()
			}
		}
	}
}

// choose gives a field the column with its most telling heading, if there is one.
func choose(all []column, f field) {
	if slices.ContainsFunc(all, func(c column) bool { return c.field == f.name }) {
		return
	}
	for _, heading := range f.headings {
		for i := range all {
			c := &all[i]
			if !c.isKnown() && c.sample == "" && (fold(c.heading) == heading || fold(inBrackets().ReplaceAllString(c.heading, "")) == heading) {
				c.field = f.name
				return
			}
		}
	}
	if i := slices.IndexFunc(all, func(c column) bool { return rowNumber().MatchString(c.heading) && !c.isKnown() }); f.name == idField && i >= 0 {
		all[i].field = f.name
	}
}

// checkChoice refuses a choice of the author that the table does not allow.
func (s *sheet) checkChoice() {
	for _, name := range slices.Sorted(maps.Keys(s.Columns)) {
		if !slices.ContainsFunc(s.columns, func(c column) bool { return table.Fold(c.heading) == table.Fold(s.Columns[name]) }) {
			s.refuse("--column %s: the table has no column %s. It has %s.", name, schema.Quote(s.Columns[name]), s.table.Names())
		}
	}
	if s.GroupBy != "" && s.heading(s.GroupBy) < 0 {
		s.refuse("--group-by: the table has no column %s. It has %s.", schema.Quote(s.GroupBy), s.table.Names())
	}
	for i, c := range s.columns {
		first := slices.IndexFunc(s.columns, func(other column) bool {
			return c.heading != "" && c.part == "" && (c.isKnown() || other.isKnown()) && table.Fold(other.heading) == table.Fold(c.heading)
		})
		if first >= 0 && first < i {
			s.refuse("Two columns have the heading %s. Remove or rename one of them.", schema.Quote(c.heading))
		}
	}
}

// heading is the column with a heading, or -1.
func (s *sheet) heading(name string) int {
	return slices.IndexFunc(s.columns, func(c column) bool { return table.Fold(c.heading) == table.Fold(name) })
}
