package sheets

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/intake"
	"github.com/rubric-library/rubric-library/internal/authoring/importing/levels"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/table"
)

// setPoints sets that the scores of the levels are points: the criterion has those of the best one.
func setPoints(c *intake.Criterion, pointed bool) {
	best := math.Inf(-1)
	for _, l := range c.Levels {
		if !l.IsNamed() {
			best = max(best, l.High)
		}
	}
	if c.Pointed = pointed && !math.IsInf(best, 0); c.Pointed && c.Points == "" {
		c.Points = schema.Plain(best)
	}
}

// scale is what the columns say of the scale.
func (s *sheet) scale() levels.Declared {
	var d levels.Declared
	for _, i := range s.levelColumns() {
		// A column with a name in which nothing is written is for notes.
		level := *s.columns[i].level
		hasText := func(row table.Row) bool { return s.text(row, i) != "" }
		if !level.IsNamed() || slices.ContainsFunc(s.table.Rows, hasText) {
			d.Columns = append(d.Columns, level)
		}
	}
	isAnchor := func(l levels.Level) bool {
		return l.Low == l.High && slices.Contains([]float64{1, 2, 3, 4, 5}, l.Low)
	}
	ends := func(score float64) bool {
		return slices.ContainsFunc(d.Columns, func(l levels.Level) bool { return l.Low == score })
	}
	whole := !slices.ContainsFunc(d.Columns, func(l levels.Level) bool { return !isAnchor(l) })
	if whole && (ends(1) && ends(5) || len(s.Columns) > 0 && len(d.Columns) > 0) {
		d.Low, d.High, d.IsKnown = 1, 5, true
	}
	return d
}

// levels are those of a row, in the order of the file.
func (s *sheet) levels(row table.Row, pointed bool) (all []levels.Level, isPointed bool) {
	for _, i := range s.levelColumns() {
		level := *s.columns[i].level
		level.Text = s.text(row, i)
		score, _ := intake.Quantity(level.Text)
		if pointed && level.Text != "" {
			level.Low, level.High, level.Text = score, score, ""
			all = append(all, level)
			continue
		}
		if level.Text != "" {
			all = append(all, level)
		}
	}
	if ratings := s.ratings(row); len(ratings) > 0 {
		return ratings, slices.ContainsFunc(s.columns, func(c column) bool { return c.part == "score" })
	}
	return all, pointed
}

// ratings are the levels of a row of which each has several columns.
func (s *sheet) ratings(row table.Row) []levels.Level {
	found := map[int]*levels.Level{}
	var order []int
	for i, c := range s.columns {
		if c.part == "" || s.text(row, i) == "" {
			continue
		}
		text, level := s.text(row, i), found[c.number]
		if level == nil {
			blank := levels.Named("", "")
			level = &blank
			found[c.number], order = level, append(order, c.number)
		}
		switch c.part {
		case "name":
			level.Name = text
		case "text":
			level.Text = text
		default:
			level.Low, level.High = pointsIn(text)
		}
	}
	var all []levels.Level
	for _, n := range order {
		level := *found[n]
		if label := levels.Label(level.Name); level.IsNamed() && !label.IsNamed() && level.Name != "" {
			level.Low, level.High, level.Name = label.Low, label.High, label.Name
		}
		if level.IsNamed() && level.Name == "" {
			level.Low, level.High = float64(n), float64(n)
		}
		if level.Text+level.Name != "" {
			all = append(all, level)
		}
	}
	return all
}

// pointsIn reads points, or the lowest and the highest of a range of them.
func pointsIn(text string) (low, high float64) {
	text = decimalComma().ReplaceAllString(text, "$1.$2")
	if value, ok := intake.Quantity(text); ok {
		return value, value
	}
	ends := intake.AnyNumber().FindAllString(text, 3)
	if len(ends) != 2 {
		return math.NaN(), math.NaN()
	}
	low, _ = intake.Quantity(ends[0])
	high, _ = intake.Quantity(ends[1])
	return min(low, high), max(low, high)
}

// samples are the examples in a row.
func (s *sheet) samples(row table.Row) (all []intake.Example) {
	for i, c := range s.columns {
		if c.anchor == 0 && c.sample == "" {
			continue
		}
		if text := s.text(row, i); text != "" {
			all = append(all, intake.Example{Text: text, Level: c.sample, Anchor: c.anchor})
		}
	}
	return all
}

// haveScores reports whether the cells of levels with names are their scores, such as 4 below
// "Excellent".
func (s *sheet) haveScores(rows []table.Row) bool {
	count := 0
	for _, i := range s.levelColumns() {
		for _, row := range rows {
			text := strings.TrimSpace(row.Cell(i).Text)
			if _, isNumber := intake.Quantity(text); text != "" && (!isNumber || !s.columns[i].level.IsNamed()) {
				return false
			}
			if text != "" {
				count++
			}
		}
	}
	return count > 0
}

// about reads the first rows if they say more of the levels in the headings: their scores or their
// names. It returns the other rows.
func (s *sheet) about(rows []table.Row) []table.Row {
	for len(rows) > 1 && len(s.levelColumns()) > 1 {
		key := intake.Fold(rows[0].Cell(s.columnOf(criterionField)).Text)
		isAbout := key == "" && rows[0].Cell(s.columnOf(descriptionField)).Text == "" ||
			slices.Contains(intake.Names("rating ratings level levels score scores grade points pointvalue range"), key)
		if !isAbout || !s.label(rows[0]) {
			return rows
		}
		rows = rows[1:]
	}
	return rows
}

// label adds a row of scores or names to the levels above it. It reports whether the row is one.
func (s *sheet) label(row table.Row) bool {
	found := map[int]levels.Level{}
	var ranges []string
	for _, i := range s.levelColumns() {
		text := strings.TrimSpace(row.Cell(i).Text)
		level := *s.columns[i].level
		low, high := pointsIn(text)
		switch {
		case text == "" || len(text) > mostName/2:
			return false
		case low == high && level.IsNamed():
			level.Low, level.High = low, high
		case math.IsNaN(low) && !level.IsNamed() && level.Name == "":
			level.Name = text
		case low < high && level.IsNamed():
			ranges = append(ranges, text)
		default:
			return false
		}
		found[i] = level
	}
	for i, level := range found {
		s.columns[i].level = &level
	}
	if len(ranges) > 0 {
		s.AddDropped(s.place(row), fmt.Sprintf("The ranges %s are dropped: each anchor of a rubric has one score.",
			schema.Or(ranges, "and")))
	}
	return true
}
