package sheets

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/intake"
	"github.com/rubric-library/rubric-library/internal/authoring/importing/levels"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/table"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// readWide reads a row for each criterion.
func (s *sheet) readWide(d *intake.Draft) {
	s.moveColumn(levelField, pointsField)
	s.moveColumn(textField, descriptionField)
	s.ranges()
	rows := s.about(s.table.Rows)
	pointed := s.haveScores(rows)
	d.Scale = s.scale()
	section, sections := "", s.sections(rows)
	for i, row := range rows {
		c := s.criterion(row)
		if all, isPointed := s.levels(row, pointed); len(all) > 0 {
			c.Levels = all
			setPoints(&c, isPointed)
		}
		c.Examples = s.samples(row)
		switch {
		case s.isSum(c):
			s.AddDropped(c.Place, fmt.Sprintf("The row %s is dropped: a sum follows from the points of the criteria.",
				schema.Quote(c.Key)))
			continue
		case sections[i]:
			section = c.Key
			s.AddDerived(c.Place, "A row with only a name became the group of the rows below it.")
			continue
		case c.Key+c.Description+c.ID == "" && len(d.Criteria) > 0 && s.has(criterionField):
			s.continueCriterion(&d.Criteria[len(d.Criteria)-1], c)
			continue
		}
		if section != "" {
			c.Groups = append([]intake.Group{{Name: section, Number: s.groupNumber(section)}}, c.Groups...)
		}
		s.add(d, c)
	}
	if len(d.Scale.Columns) == 0 &&
		!slices.ContainsFunc(d.Criteria, func(c intake.Criterion) bool { return len(c.Levels) > 0 }) {
		d.Scale = levels.Declared{Low: 1, High: 5, IsKnown: true} // of thresholds
	}
}

// ranges reads whether ratings are ranges.
func (s *sheet) ranges() {
	for _, row := range s.table.Rows {
		if s.word(row, rangeField) == "true" {
			s.AddDropped(s.place(row), fmt.Sprintf("The column %s is dropped: each anchor of a rubric has one score.",
				schema.Quote(s.columns[s.columnOf(rangeField)].heading)))
		}
	}
}

// moveColumn gives the column of a field to another one that has none.
func (s *sheet) moveColumn(name, other string) {
	if i := s.columnOf(name); i >= 0 && !s.has(other) {
		s.columns[i].field = other
	}
}

// add adds a criterion to a document.
func (s *sheet) add(d *intake.Draft, c intake.Criterion) {
	if c.Key+c.Description+c.ID == "" && len(c.Levels) == 0 {
		return
	}
	if len(c.Levels) == 0 {
		c.Description, c.Levels = levels.In(c.Description)
	}
	s.AddCriterion(d, c, &intake.Object{Node: &yamltree.Node{}, Reader: s.Reader, Path: c.Place})
}

// criterion reads what a row says of a criterion, except for its levels.
func (s *sheet) criterion(row table.Row) intake.Criterion {
	c := intake.Criterion{
		Key: s.field(row, criterionField), ID: s.field(row, idField), Description: s.field(row, descriptionField),
		Amounts: intake.Amounts{
			Weight: s.word(row, weightField), RelativeWeight: s.word(row, relativeField),
			Points: s.word(row, pointsField), Threshold: s.word(row, thresholdField),
		},
		Place: s.place(row),
	}
	if name := s.field(row, groupField); name != "" {
		c.Groups = []intake.Group{{Name: name, Number: s.groupNumber(name)}}
	}
	s.mark(&c, s.word(row, requiredField))
	s.ladder(&c)
	s.describe(&c, row)
	if _, isNumber := intake.Quantity(c.ID); c.ID != "" && c.Key+c.Description != "" && !isNumber {
		s.AddDropped(c.Place, fmt.Sprintf("The column %s is dropped: a criterion is identified by its name.",
			schema.Quote(s.columns[s.columnOf(idField)].heading)))
	}
	return c
}

// ladder takes the levels out of the text of a criterion, such as a prompt, before other columns
// add to the text, unless columns have the levels.
func (s *sheet) ladder(c *intake.Criterion) {
	if s.hasLevels() {
		return
	}
	if c.Description != "" {
		c.Description, c.Levels = levels.In(c.Description)
	} else if rest, all := levels.In(c.Key); len(all) > 0 {
		c.Key, c.Description, c.Levels = "", rest, all
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
func (s *sheet) mark(c *intake.Criterion, word string) {
	required := intake.Names("true yes y x 1 hard required always must mandatory critical essential ✓ ✔ ☑ ✅")
	optional := intake.Names("false no n 0 - optional never ☐ ❌ ✗ ✘")
	switch {
	case slices.Contains(required, word):
		c.Required = true
	case slices.Contains(optional, word) || word == "":
	default:
		s.AddDropped(c.Place, fmt.Sprintf("%s is dropped: its value is not yes or no. Write essential or important as weight.",
			schema.Quote(word)))
	}
	if slices.Contains(intake.Names("required critical must mandatory"), c.Weight) {
		c.Required, c.Weight = true, ""
	}
}

// describe adds the texts that a judge needs next to the description.
func (s *sheet) describe(c *intake.Criterion, row table.Row) {
	for i, column := range s.columns {
		if column.isKnown() || column.sample != "" {
			continue
		}
		rest, all := intake.LadderIn(strings.TrimSpace(row.Cell(i).Text))
		isLadder := len(all) > 0 && len(s.levelColumns()) == 0 && slices.Contains(intake.Ladders, intake.Fold(column.heading))
		if !isLadder &&
			!slices.Contains(slices.Concat(intake.Added, intake.Descriptions, intake.LadderTexts), intake.Fold(column.heading)) {
			continue
		}
		text := s.text(row, i)
		if len(all) > 0 && len(s.levelColumns()) == 0 {
			text, c.Levels = rest, all
		}
		switch {
		case text == "":
		case c.Description == "" && c.Key == "":
			c.Description = text
		default:
			c.Description = strings.TrimSpace(cmp.Or(c.Description, c.Key) + "\n" + column.heading + ": " + text)
			s.AddDerived(c.Place,
				fmt.Sprintf("The text under %s became a part of the description.", schema.Quote(column.heading)))
		}
	}
}

// isSum reports whether a row has the sum of the points.
func (s *sheet) isSum(c intake.Criterion) bool {
	key := strings.TrimRight(intake.Fold(c.Key), "0123456789")
	hasText := func(l levels.Level) bool { _, isNumber := intake.Quantity(l.Text); return !isNumber }
	return !slices.ContainsFunc(c.Levels, hasText) && slices.Contains(sums, key)
}

// sums are names of rows with the sum of the points.
var sums = intake.Names(`total totals sum totalpoints totalscore overall overallscore maximum grandtotal
	finalscore score grade points`)

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
		alone := counts[i] == 1 && strings.TrimSpace(row.Cell(s.columnOf(criterionField)).Text) != ""
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

// continueCriterion adds a row without a name to the criterion above it.
func (s *sheet) continueCriterion(c *intake.Criterion, more intake.Criterion) {
	for _, level := range more.Levels {
		i := slices.IndexFunc(c.Levels, func(l levels.Level) bool { return l.String() == level.String() })
		if i < 0 {
			c.Levels = append(c.Levels, level)
			continue
		}
		c.Levels[i].Text += "\n" + level.Text
	}
	c.Examples = append(c.Examples, more.Examples...)
	c.Weight = cmp.Or(c.Weight, more.Weight)
	c.Points = cmp.Or(c.Points, more.Points)
	c.Threshold = cmp.Or(c.Threshold, more.Threshold)
	s.AddDerived(more.Place, "A row without a name was added to the criterion above it.")
}
