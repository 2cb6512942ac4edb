package importing

import (
	"strings"

	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// settle sets what the title of a criterion says: its name, its ID, and how much it counts.
func (o *outliner) settle(c *criterion, title string) {
	title = o.counted(c, inLine(title))
	if m := ordinal().FindStringSubmatch(title); m != nil && len(m[0]) < len(title) {
		c.id, title = m[1], title[len(m[0]):]
	}
	c.key = title
}

// setting is a line of a description that sets something of its criterion.
var settingLine = lazy.Expr(`(?i)^(?:-\s+)?(weight(?:ing)?|points|max(?:imum)? (?:points|score)|threshold|pass(?:ing)? (?:score|threshold)|minimum score|required|critical|scale|description|definition|id)\s*[:=]\s*(\S.*)$`)

// settings reads the lines of a text that set something of a criterion, and returns the others.
func (o *outliner) settings(c *criterion, text string) string {
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
func (o *outliner) set(c *criterion, name, value string) bool {
	switch word, _, _ := strings.Cut(name, " "); word {
	case "weight", "weighting":
		c.weight = value
	case "points", "max", "maximum":
		c.points = value
	case "threshold", "pass", "passing", "minimum":
		c.threshold = value
	case "required", "critical":
		is := strings.EqualFold(value, "yes") || strings.EqualFold(value, "true")
		c.required = c.required || is
		return is || strings.EqualFold(value, "no") || strings.EqualFold(value, "false")
	case "scale":
		m := noteEnds().FindStringSubmatch(value)
		if m == nil {
			return false
		}
		c.scale = declared(m[1] + "-" + m[2])
	case "id":
		c.id = value
	}
	return true
}
