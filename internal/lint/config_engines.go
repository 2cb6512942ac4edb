package lint

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/regex/portable"
)

// engineWords are the languages as the configuration names them.
var engineWords = []schema.Option{
	{Word: "go", Doc: "Go, package regexp. Required."},
	{Word: "python", Doc: "Python 3.11 or later, module re with re.ASCII."},
	{Word: "javascript", Doc: "JavaScript (ECMAScript) with the flag u."},
}

// readEngines reads the languages, which conform to their table, and returns other
// problems in them.
func (c *Config) readEngines(list *yamltree.Node) []source.Problem {
	if list == nil {
		return nil
	}
	words := map[string]portable.Engine{"go": portable.Go, "python": portable.Python, "javascript": portable.JavaScript}
	for _, n := range list.Items {
		c.engines = append(c.engines, words[n.Value])
	}
	if slices.Contains(c.engines, portable.Go) {
		return nil
	}
	return []source.Problem{{
		Code: schema.CodeInvalidValue, Span: list.Span, Path: "engines",
		Message: "Add go to the engines: the library itself uses it.",
	}}
}

// Counts reports whether patterns are checked for a language.
func (c *Config) Counts(e portable.Engine) bool {
	return c == nil || c.engines == nil || slices.Contains(c.engines, e)
}
