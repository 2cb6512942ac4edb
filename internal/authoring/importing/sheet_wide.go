package importing

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/levels"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/table"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// readWide reads a row for each criterion.
func (s *sheet) readWide(d *draft) {
	s.instead(levelField, pointsField)
	s.instead(textField, descriptionField)
	s.ranges()
	rows := s.about(s.table.Rows)
	pointed := s.haveScores(rows)
	d.scale = s.scale()
	section, sections := "", s.sections(rows)
	for i, row := range rows {
		c := s.criterion(row)
		if all, isPointed := s.levels(row, pointed); len(all) > 0 {
			c.levels = all
			setPoints(&c, isPointed)
		}
		c.examples = s.samples(row)
		switch {
		case s.isSum(c):
			s.dropped(c.place, fmt.Sprintf("The row %s is dropped: a sum follows from the points of the criteria.", schema.Quote(c.key)))
			continue
		case sections[i]:
			section = c.key
			s.derived(c.place, "A row with only a name became the group of the rows below it.")
			continue
		case c.key+c.description+c.id == "" && len(d.criteria) > 0 && s.has(criterionField):
			s.continued(&d.criteria[len(d.criteria)-1], c)
			continue
		}
		if section != "" {
			c.groups = append([]group{{name: section, number: s.groupNumber(section)}}, c.groups...)
		}
		s.add(d, c)
	}
	if len(d.scale.Columns) == 0 && !slices.ContainsFunc(d.criteria, func(c criterion) bool { return len(c.levels) > 0 }) {
		d.scale = levels.Declared{Low: 1, High: 5, IsKnown: true} // of thresholds
	}
}

// ranges reads whether ratings are ranges.
func (s *sheet) ranges() {
	for _, row := range s.table.Rows {
		if s.word(row, rangeField) == "true" {
			s.dropped(s.place(row), fmt.Sprintf("The column %s is dropped: each anchor of a rubric has one score.", schema.Quote(s.columns[s.of(rangeField)].heading)))
		}
	}
}

// instead gives the column of a field to another one that has none.
func (s *sheet) instead(name, other string) {
	if i := s.of(name); i >= 0 && !s.has(other) {
		s.columns[i].field = other
	}
}

// add adds a criterion to a document.
func (s *sheet) add(d *draft, c criterion) {
	if c.key+c.description+c.id == "" && len(c.levels) == 0 {
		return
	}
	if len(c.levels) == 0 {
		c.description, c.levels = levels.In(c.description)
	}
	s.addCriterion(d, c, &object{Node: &yamltree.Node{}, reader: s.reader, path: c.place})
}

// criterion reads what a row says of a criterion, except for its levels.
func (s *sheet) criterion(row table.Row) criterion {
	c := criterion{
		key: s.field(row, criterionField), id: s.field(row, idField), description: s.field(row, descriptionField),
		weight: s.word(row, weightField), relativeWeight: s.word(row, relativeField), points: s.word(row, pointsField), threshold: s.word(row, thresholdField), place: s.place(row),
	}
	if name := s.field(row, groupField); name != "" {
		c.groups = []group{{name: name, number: s.groupNumber(name)}}
	}
	s.mark(&c, s.word(row, requiredField))
	s.ladder(&c)
	s.describe(&c, row)
	if _, isNumber := quantity(c.id); c.id != "" && c.key+c.description != "" && !isNumber {
		s.dropped(c.place, fmt.Sprintf("The column %s is dropped: a criterion is identified by its name.", schema.Quote(s.columns[s.of(idField)].heading)))
	}
	return c
}

// ladder takes the levels out of the text of a criterion, such as a prompt, before other columns
// add to the text, unless columns have the levels.
func (s *sheet) ladder(c *criterion) {
	if s.hasLevels() {
		return
	}
	if c.description != "" {
		c.description, c.levels = levels.In(c.description)
	} else if rest, all := levels.In(c.key); len(all) > 0 {
		c.key, c.description, c.levels = "", rest, all
	}
}

// groupNumber is the number of a group by its name.
func (s *sheet) groupNumber(name string) int {
	i := slices.Index(s.names, name)
	if i < 0 {
		i = len(s.names)
		s.names = append(s.names, name)
	}
	return i + 1
}

// mark reads whether a criterion is required.
func (s *sheet) mark(c *criterion, word string) {
	switch {
	case slices.Contains(names("true yes y x 1 hard required always must mandatory critical essential ✓ ✔ ☑ ✅"), word):
		c.required = true
	case slices.Contains(names("false no n 0 - optional never ☐ ❌ ✗ ✘"), word) || word == "":
	default:
		s.dropped(c.place, fmt.Sprintf("%s is dropped: its value is not yes or no. Write essential or important as weight.", schema.Quote(word)))
	}
	if slices.Contains(names("required critical must mandatory"), c.weight) {
		c.required, c.weight = true, ""
	}
}

// describe adds the texts that a judge needs next to the description.
func (s *sheet) describe(c *criterion, row table.Row) {
	for i, column := range s.columns {
		if column.isKnown() || column.sample != "" {
			continue
		}
		rest, all := ladderIn(strings.TrimSpace(row.Cell(i).Text))
		isLadder := len(all) > 0 && len(s.levelColumns()) == 0 && slices.Contains(ladders, fold(column.heading))
		if !isLadder && !slices.Contains(slices.Concat(added, descriptions, ladderTexts), fold(column.heading)) {
			continue
		}
		text := s.text(row, i)
		if len(all) > 0 && len(s.levelColumns()) == 0 {
			text, c.levels = rest, all
		}
		switch {
		case text == "":
		case c.description == "" && c.key == "":
			c.description = text
		default:
			c.description = strings.TrimSpace(cmp.Or(c.description, c.key) + "\n" + column.heading + ": " + text)
			s.derived(c.place, fmt.Sprintf("The text under %s became a part of the description.", schema.Quote(column.heading)))
		}
	}
}

// isSum reports whether a row has the sum of the points.
func (s *sheet) isSum(c criterion) bool {
	key := strings.TrimRight(fold(c.key), "0123456789")
	hasText := func(l levels.Level) bool { _, isNumber := quantity(l.Text); return !isNumber }
	return !slices.ContainsFunc(c.levels, hasText) && slices.Contains(names("total totals sum totalpoints totalscore overall overallscore maximum grandtotal finalscore score grade points"), key)
}

// sections reports for each row whether it is the heading of the rows below it: it has only a name,
// while all others have levels.
func (s *sheet) sections(rows []table.Row) []bool {
	sections := make([]bool, len(rows))
	if len(s.levelColumns()) < 2 || s.has(groupField) {
		return sections
	}
	counts := make([]int, len(rows))
	for i, row := range rows {
		counts[i] = len(textsOf(row))
		alone := counts[i] == 1 && strings.TrimSpace(row.Cell(s.of(criterionField)).Text) != ""
		sections[i] = alone
		if !alone && counts[i] < 3 {
			return make([]bool, len(rows))
		}
	}
	for i := range sections {
		sections[i] = sections[i] && i+1 < len(rows) && counts[i+1] > 2
	}
	return sections
}

// continued adds a row without a name to the criterion above it.
func (s *sheet) continued(c *criterion, more criterion) {
	for _, level := range more.levels {
		i := slices.IndexFunc(c.levels, func(l levels.Level) bool { return l.String() == level.String() })
		if i < 0 {
			c.levels = append(c.levels, level)
			continue
		}
		c.levels[i].Text += "\n" + level.Text
	}
	c.examples = append(c.examples, more.examples...)
	c.weight, c.points, c.threshold = cmp.Or(c.weight, more.weight), cmp.Or(c.points, more.points), cmp.Or(c.threshold, more.threshold)
	s.derived(more.place, "A row without a name was added to the criterion above it.")
}
