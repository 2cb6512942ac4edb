package printer

import (
	"regexp"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/change/compat"
	"github.com/rubric-library/rubric-library/internal/change/diff"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

var elementPath = regexp.MustCompile(`^([a-z_]+)\[([^\]]+)\](.*)$`)

// elementOf returns the lines of an element that was added or removed, such as a rule, or of the
// rule to which a check was added. It is nil for any other change.
func elementOf(d *diff.DocumentDiff, c *compat.MeaningChange) []string {
	side, value := d.Head.Doc, c.Head
	if value == nil {
		side, value = d.Base.Doc, c.Base
	}
	at := elementPath.FindStringSubmatch(c.Path)
	if (c.Base == nil) == (c.Head == nil) || side == nil || at == nil {
		return nil
	}
	if at[3] != "" && !strings.HasPrefix(value.Text, "{") {
		return nil
	}
	list := slices.IndexFunc(side.Kind.Table.Fields, func(f schema.Field) bool { return f.Key == at[1] })
	data, err := side.Canonical()
	if err != nil || list < 0 {
		return nil
	}
	lines, _ := document.Outline(side.Kind, data)
	heading := slices.Index(lines, at[2]+" ("+side.Kind.Table.Fields[list].Value.Elem.Noun+")")
	if heading < 0 {
		return nil
	}
	lines = lines[heading+1:]
	if end := slices.Index(lines, ""); end >= 0 {
		lines = lines[:end]
	}
	return lines
}
