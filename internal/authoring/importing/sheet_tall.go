package importing

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

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
	if i := s.of(criterionField); i > 0 && slices.Contains(fields[1].headings[:strongHeadings], fold(s.columns[i].heading)) {
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
	return s.columns[0].heading == "" || s.columns[0].field == levelField || slices.Contains(names("levels scores grades ratings bands scale marks points"), fold(s.columns[0].heading))
}

// rowLevel reads the level of a row of a transposed sheet.
func (s *sheet) rowLevel(row table.Row) (levels.Level, bool) {
	text := s.text(row, 0)
	return levels.Label(text), text != "" && s.rowField(text) == ""
}

// strongHeadings is how many headings of criteria mean nothing else.
const strongHeadings = 23

// rowField is the field that a row of a transposed sheet has, or "".
func (s *sheet) rowField(text string) string {
	for _, f := range fields {
		known := slices.Contains([]string{idField, weightField, relativeField, pointsField, thresholdField, requiredField, descriptionField, groupField}, f.name)
		if known && slices.Contains(f.headings, fold(inBrackets().ReplaceAllString(text, ""))) {
			return f.name
		}
	}
	return ""
}

// readTransposed reads a column for each criterion.
func (s *sheet) readTransposed(d *draft) {
	label := s.labelColumn()
	for i := range s.columns {
		if i == 0 || i == label {
			continue
		}
		c := criterion{key: s.columns[i].heading, place: "column " + schema.Quote(s.columns[i].heading)}
		if s.isHolistic(label) {
			c.key, c.id, c.place = "", s.wholeName(d), ""
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
				c.levels = append(c.levels, level)
			case !isLevel:
				s.set(&c, s.rowField(s.text(row, 0)), text)
			}
		}
		if len(c.levels) > 0 || c.description != "" {
			s.add(d, c)
		}
	}
	for _, row := range s.table.Rows {
		if level, ok := s.rowLevel(row); ok {
			d.scale.Columns = append(d.scale.Columns, level)
		}
	}
}

// labelColumn is the column with the names of the levels next to their scores, or -1.
func (s *sheet) labelColumn() int {
	if i := s.of(labelField); i > 0 {
		return i
	}
	for i, c := range s.columns {
		if i > 0 && len(s.columns) > 2 && slices.Contains(names("level rating name grade band title"), fold(c.heading)) {
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
	return count == 1 && (s.columns[at].field == textField || s.columns[at].field == descriptionField || s.columns[at].field == criterionField)
}

// wholeName is the name of the only criterion of a document.
func (s *sheet) wholeName(d *draft) string {
	base := filepath.Base(s.file.Path)
	return cmp.Or(d.name, d.id, words(strings.TrimSuffix(base, filepath.Ext(base))))
}

// set sets a field of a criterion from a text.
func (s *sheet) set(c *criterion, field, text string) {
	word := decimalComma().ReplaceAllString(outOf().ReplaceAllString(strings.ToLower(text), ""), "$1.$2")
	switch field {
	case idField:
		c.id = text
	case descriptionField:
		c.description = text
	case groupField:
		c.groups = []group{{name: text, number: s.groupNumber(text)}}
	case weightField:
		c.weight = word
	case relativeField:
		c.relativeWeight = word
	case pointsField:
		c.points = word
	case thresholdField:
		c.threshold = word
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
		name, label := strings.TrimSpace(row.Cell(s.of(criterionField)).Text), strings.TrimSpace(row.Cell(at).Text)
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
		if i := s.of(field); i >= 0 {
			return i
		}
	}
	return -1
}

// readLong reads a row for each level of each criterion.
func (s *sheet) readLong(d *draft) {
	at := s.levelOf()
	var all []*criterion
	byKey := map[string]*criterion{}
	key := func(c *criterion) string {
		name := c.key
		for _, g := range c.groups {
			name = g.name + "/" + name
		}
		return name
	}
	texts := s.ownTexts()
	scored := at != s.of(pointsField) && s.differs(s.of(pointsField))
	for _, row := range s.table.Rows {
		read := s.criterion(row)
		if read.key == "" && len(all) > 0 {
			read.key, read.groups = all[len(all)-1].key, all[len(all)-1].groups
		}
		c := byKey[key(&read)]
		if c == nil {
			c = &read
			all, byKey[key(c)] = append(all, c), c
			if texts == s.of(descriptionField) {
				read.description = ""
			}
			if scored || at == s.of(pointsField) {
				read.points = ""
			}
		}
		c.weight, c.threshold, c.required = cmp.Or(c.weight, read.weight), cmp.Or(c.threshold, read.threshold), c.required || read.required
		level, name := levels.Label(s.text(row, at)), s.text(row, s.of(labelField))
		if score, ok := quantity(s.field(row, pointsField)); ok && scored {
			level.Low, level.High, level.Name = score, score, cmp.Or(level.Name, s.text(row, at))
		}
		if at != s.of(labelField) && name != "" {
			level.Name = name
		}
		level.Text = s.text(row, texts)
		c.pointed = c.pointed || scored || at == s.of(pointsField)
		if level.Text+level.Name != "" && s.text(row, at) != "" {
			c.levels = append(c.levels, level)
		}
		c.examples = append(c.examples, s.samplesOf(row, level)...)
	}
	for _, c := range all {
		setPoints(c, c.pointed)
		s.add(d, *c)
	}
}

// ownTexts is the column with the texts of levels.
func (s *sheet) ownTexts() int {
	if i := s.of(textField); i >= 0 {
		return i
	}
	return s.of(descriptionField)
}

// differs reports whether the rows of one criterion have different texts in a column.
func (s *sheet) differs(at int) bool {
	if at < 0 {
		return false
	}
	first, criterion := map[string]string{}, ""
	for _, row := range s.table.Rows {
		criterion = cmp.Or(strings.TrimSpace(row.Cell(s.of(criterionField)).Text), criterion)
		text := strings.TrimSpace(row.Cell(at).Text)
		if first[criterion] != "" && text != "" && text != first[criterion] {
			return true
		}
		first[criterion] = cmp.Or(first[criterion], text)
	}
	return false
}

// samplesOf are the examples of a row that has one level.
func (s *sheet) samplesOf(row table.Row, level levels.Level) []example {
	for i, c := range s.columns {
		if !c.isKnown() && slices.Contains(levelSamples, fold(c.heading)) {
			if text := s.text(row, i); text != "" {
				return []example{{text: text, level: level.String()}}
			}
		}
	}
	return nil
}
