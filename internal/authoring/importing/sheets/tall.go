package sheets

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/intake"
	"github.com/rubric-library/rubric-library/internal/authoring/importing/levels"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/table"
)

// isTransposed reports whether the first column has the levels, and each other column has a
// criterion.
func (s *sheet) isTransposed() bool {
	if len(s.levelColumns()) > 0 || len(s.columns) < 2 || len(s.table.Rows) < 2 || s.columns[0].field == idField {
		return false
	}
	i := s.columnOf(criterionField)
	if i > 0 && slices.Contains(fields[1].headings[:strongHeadings], intake.Fold(s.columns[i].heading)) {
		return false
	}
	labels := map[string]bool{}
	unknown := 0
	for _, row := range s.table.Rows {
		text := strings.TrimSpace(row.Cell(0).Text)
		level, ok := levels.ReadLabel(text)
		switch {
		case ok && labels[level.String()]:
			return false
		case ok:
			labels[level.String()] = true
		case text != "" && s.rowField(text) == "":
			unknown++
		}
	}
	return len(labels) > 1 && (unknown == 0 || unknown <= len(labels) && s.isLevelHeading())
}

// isLevelHeading reports whether the heading of the first column is one of levels, or blank.
func (s *sheet) isLevelHeading() bool {
	first := s.columns[0]
	plurals := intake.Names("levels scores grades ratings bands scale marks points")
	return first.heading == "" || first.field == levelField || slices.Contains(plurals, intake.Fold(first.heading))
}

// rowLevel reads the level of a row of a transposed sheet.
func (s *sheet) rowLevel(row table.Row) (levels.Level, bool) {
	text := s.text(row, 0)
	return levels.Label(text), text != "" && s.rowField(text) == ""
}

// strongHeadings is how many headings of criteria mean nothing else.
const strongHeadings = 23

// ofCriterion are the fields that a row of a transposed sheet can have.
var ofCriterion = []string{
	idField, weightField, relativeField, pointsField, thresholdField, requiredField, descriptionField, groupField,
}

// rowField is the field that a row of a transposed sheet has, or "".
func (s *sheet) rowField(text string) string {
	heading := intake.Fold(inBrackets().ReplaceAllString(text, ""))
	for _, f := range fields {
		if slices.Contains(ofCriterion, f.name) && slices.Contains(f.headings, heading) {
			return f.name
		}
	}
	return ""
}

// readTransposed reads a column for each criterion.
func (s *sheet) readTransposed(d *intake.Draft) {
	label := s.labelColumn()
	for i := range s.columns {
		if i == 0 || i == label {
			continue
		}
		c := intake.Criterion{Key: s.columns[i].heading, Place: "column " + schema.Quote(s.columns[i].heading)}
		if s.isHolistic(label) {
			c.Key, c.ID, c.Place = "", s.wholeName(d), ""
		}
		for _, row := range s.table.Rows {
			text := s.text(row, i)
			level, isLevel := s.rowLevel(row)
			if name := s.text(row, label); name != "" {
				level.Name = name
			}
			switch {
			case isLevel && text != "":
				level.Text = text
				c.Levels = append(c.Levels, level)
			case !isLevel:
				s.set(&c, s.rowField(s.text(row, 0)), text)
			}
		}
		if len(c.Levels) > 0 || c.Description != "" {
			s.add(d, c)
		}
	}
	for _, row := range s.table.Rows {
		if level, ok := s.rowLevel(row); ok {
			d.Scale.Columns = append(d.Scale.Columns, level)
		}
	}
}

// labelColumn is the column with the names of the levels next to their scores, or -1.
func (s *sheet) labelColumn() int {
	if i := s.columnOf(labelField); i > 0 {
		return i
	}
	for i, c := range s.columns {
		isLabel := slices.Contains(intake.Names("level rating name grade band title"), intake.Fold(c.heading))
		if isLabel && i > 0 && len(s.columns) > 2 {
			return i
		}
	}
	return -1
}

// isHolistic reports whether a transposed sheet has one criterion, for all of the work.
func (s *sheet) isHolistic(label int) bool {
	count, at := 0, 0
	for i, c := range s.columns {
		if i > 0 && i != label && c.heading != "" {
			count, at = count+1, i
		}
	}
	return count == 1 &&
		(s.columns[at].field == textField || s.columns[at].field == descriptionField || s.columns[at].field == criterionField)
}

// wholeName is the name of the only criterion of a document.
func (s *sheet) wholeName(d *intake.Draft) string {
	base := filepath.Base(s.File.Path)
	return cmp.Or(d.Name, d.ID, intake.Words(strings.TrimSuffix(base, filepath.Ext(base))))
}

// set sets a field of a criterion from a text.
func (s *sheet) set(c *intake.Criterion, field, text string) {
	word := decimalComma().ReplaceAllString(outOf().ReplaceAllString(strings.ToLower(text), ""), "$1.$2")
	switch field {
	case idField:
		c.ID = text
	case descriptionField:
		c.Description = text
	case groupField:
		c.Groups = []intake.Group{{Name: text, Number: s.groupNumber(text)}}
	case weightField:
		c.Weight = word
	case relativeField:
		c.RelativeWeight = word
	case pointsField:
		c.Points = word
	case thresholdField:
		c.Threshold = word
	case requiredField:
		s.mark(c, word)
	}
}

// isLong reports whether there is a row for each level of each criterion.
func (s *sheet) isLong() bool {
	at := s.levelOf()
	if at < 0 || len(s.levelColumns()) > 0 || !s.has(criterionField) {
		return false
	}
	repeated, criterion := false, ""
	seen := map[string]bool{}
	for _, row := range s.table.Rows {
		name, label := strings.TrimSpace(row.Cell(s.columnOf(criterionField)).Text), strings.TrimSpace(row.Cell(at).Text)
		repeated = repeated || criterion != "" && (name == "" || name == criterion)
		criterion = cmp.Or(name, criterion)
		if _, ok := levels.ReadLabel(label); label != "" && !ok && s.columns[at].field != labelField {
			return false
		}
		seen[label] = true
	}
	return repeated && len(seen) > 1
}

// levelOf is the column that says which level a row has, or -1.
func (s *sheet) levelOf() int {
	for _, field := range []string{levelField, labelField, pointsField} {
		if i := s.columnOf(field); i >= 0 {
			return i
		}
	}
	return -1
}

// readLong reads a row for each level of each criterion.
func (s *sheet) readLong(d *intake.Draft) {
	at := s.levelOf()
	var all []*intake.Criterion
	byKey := map[string]*intake.Criterion{}
	texts := s.ownTexts()
	isPoints := at == s.columnOf(pointsField)
	scored := !isPoints && s.differs(s.columnOf(pointsField))
	for _, row := range s.table.Rows {
		read := s.criterion(row)
		if read.Key == "" && len(all) > 0 {
			read.Key, read.Groups = all[len(all)-1].Key, all[len(all)-1].Groups
		}
		c := byKey[wholeKey(&read)]
		if c == nil {
			c = &read
			all, byKey[wholeKey(c)] = append(all, c), c
			if texts == s.columnOf(descriptionField) {
				read.Description = ""
			}
			if scored || isPoints {
				read.Points = ""
			}
		}
		c.Weight = cmp.Or(c.Weight, read.Weight)
		c.Threshold = cmp.Or(c.Threshold, read.Threshold)
		c.Required = c.Required || read.Required
		c.Pointed = c.Pointed || scored || isPoints
		level := s.levelIn(row, at, scored)
		level.Text = s.text(row, texts)
		if level.Text+level.Name != "" && s.text(row, at) != "" {
			c.Levels = append(c.Levels, level)
		}
		c.Examples = append(c.Examples, s.samplesOf(row, level)...)
	}
	for _, c := range all {
		setPoints(c, c.Pointed)
		s.add(d, *c)
	}
}

// wholeKey is the key of a criterion with the groups around it.
func wholeKey(c *intake.Criterion) string {
	name := c.Key
	for _, g := range c.Groups {
		name = g.Name + "/" + name
	}
	return name
}

// levelIn is the level of a row, without its text. Its score can be in the column with points.
func (s *sheet) levelIn(row table.Row, at int, scored bool) levels.Level {
	level := levels.Label(s.text(row, at))
	if score, ok := intake.Quantity(s.field(row, pointsField)); ok && scored {
		level.Low, level.High, level.Name = score, score, cmp.Or(level.Name, s.text(row, at))
	}
	if name := s.text(row, s.columnOf(labelField)); at != s.columnOf(labelField) && name != "" {
		level.Name = name
	}
	return level
}

// ownTexts is the column with the texts of levels.
func (s *sheet) ownTexts() int {
	if i := s.columnOf(textField); i >= 0 {
		return i
	}
	return s.columnOf(descriptionField)
}

// differs reports whether the rows of one criterion have different texts in a column.
func (s *sheet) differs(at int) bool {
	if at < 0 {
		return false
	}
	first, criterion := map[string]string{}, ""
	for _, row := range s.table.Rows {
		criterion = cmp.Or(strings.TrimSpace(row.Cell(s.columnOf(criterionField)).Text), criterion)
		text := strings.TrimSpace(row.Cell(at).Text)
		if first[criterion] != "" && text != "" && text != first[criterion] {
			return true
		}
		first[criterion] = cmp.Or(first[criterion], text)
	}
	return false
}

// samplesOf are the examples of a row that has one level.
func (s *sheet) samplesOf(row table.Row, level levels.Level) []intake.Example {
	for i, c := range s.columns {
		if !c.isKnown() && slices.Contains(intake.LevelSamples, intake.Fold(c.heading)) {
			if text := s.text(row, i); text != "" {
				return []intake.Example{{Text: text, Level: level.String()}}
			}
		}
	}
	return nil
}
