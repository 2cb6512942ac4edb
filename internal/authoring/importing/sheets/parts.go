package sheets

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/intake"
	"github.com/rubric-library/rubric-library/internal/authoring/importing/levels"
	"github.com/rubric-library/rubric-library/internal/document/table"
)

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

// numberedParts finds the columns of levels that have a text and points by number.
func numberedParts(all []column) {
	parts := map[string]string{"rating": "text", "level": "text", "option": "text", "band": "text"}
	found := map[string]map[string]int{"text": {}, "score": {}}
	for i := range all {
		if m := numberedPart().FindStringSubmatch(all[i].heading); m != nil && !all[i].isKnown() {
			found[cmp.Or(parts[strings.ToLower(m[1])], "score")][m[2]] = i + 1
		}
	}
	if len(found["score"]) < 2 || len(found["text"]) < len(found["score"]) {
		return
	}
	for part, columns := range found {
		for number, at := range columns {
			all[at-1].part = part
			all[at-1].number, _ = strconv.Atoi(number) // the expression is that of a number
		}
	}
}

// numberedNames reads headings such as "4 Exceeds" and "A - Excellent", if there are several.
func numberedNames(all []column) {
	found := map[int]levels.Level{}
	for i, c := range all {
		if m := scoreAndName().FindStringSubmatch(c.heading); m != nil && !c.isKnown() {
			level := levels.Label(m[1])
			level.Name = m[2]
			found[i] = level
		} else if m := letterAndName().FindStringSubmatch(c.heading); m != nil && !c.isKnown() {
			found[i] = levels.Named(m[1], "")
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
	isOther := func(c table.Cell) bool { return !levelPart().MatchString(strings.TrimSpace(c.Text)) }
	if first < 0 || slices.ContainsFunc(cells[first:], isOther) {
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
	"name": "name", "title": "name", "label": "name", "description": "text", "desc": "text", "text": "text",
	"definition": "text", "descriptor": "text",
	"point": "score", "pt": "score", "score": "score", "value": "score", "mark": "score",
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
		c := &all[i]
		isAside := slices.Contains(asides, intake.Fold(c.heading))
		if !c.isKnown() && c.heading != "" && !c.isOf(fields) && !isAside {
			level := levels.Named(c.heading, "")
			c.level = &level
		}
	}
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
