package outlines

import (
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/intake"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// settle sets what the title of a criterion says: its name, its ID, and how much it counts.
func (o *outliner) settle(c *intake.Criterion, title string) {
	title = o.ReadNotes(c, inLine(title))
	if m := intake.Ordinal().FindStringSubmatch(title); m != nil && len(m[0]) < len(title) {
		c.ID, title = m[1], title[len(m[0]):]
	}
	c.Key = title
}

// setting is a line of a description that sets something of its criterion.
var settingLine = lazy.Expr(`(?i)^(?:-\s+)?(weight(?:ing)?|points|max(?:imum)? (?:points|score)|threshold|pass(?:ing)? (?:score|threshold)|minimum score|required|critical|scale|description|definition|id)\s*[:=]\s*(\S.*)$`)

// settings reads the lines of a text that set something of a criterion, and returns the others.
func (o *outliner) settings(c *intake.Criterion, text string) string {
	var others []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		m := settingLine().FindStringSubmatch(line)
		if m == nil || !o.set(c, strings.ToLower(m[1]), strings.TrimSpace(m[2])) {
			others = append(others, line)
			continue
		}
		if name := strings.ToLower(m[1]); name == "description" || name == "definition" {
			others = append(others, m[2])
		}
	}
	return strings.TrimSpace(strings.Join(others, "\n"))
}

// set sets something of a criterion, or reports that the value is not one.
func (o *outliner) set(c *intake.Criterion, name, value string) bool {
	switch word, _, _ := strings.Cut(name, " "); word {
	case "weight", "weighting":
		c.Weight = value
	case "points", "max", "maximum":
		c.Points = value
	case "threshold", "pass", "passing", "minimum":
		c.Threshold = value
	case "required", "critical":
		is := strings.EqualFold(value, "yes") || strings.EqualFold(value, "true")
		c.Required = c.Required || is
		return is || strings.EqualFold(value, "no") || strings.EqualFold(value, "false")
	case "scale":
		m := intake.NoteEnds().FindStringSubmatch(value)
		if m == nil {
			return false
		}
		c.Scale = intake.Declared(m[1] + "-" + m[2])
	case "id":
		c.ID = value
	}
	return true
}
