package importing

import (
	"cmp"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// addCriterion adds a criterion, or a rule if the author asks for them.
func (r *reader) addCriterion(d *draft, c criterion, o *object) {
	if c.weight+c.points+c.relativeWeight == "" {
		c.key = r.counted(&c, c.key)
	}
	if c.description == "" {
		if c.description = words(cmp.Or(c.key, c.id)); isNumber(&yamltree.Node{Kind: yamltree.Scalar, Value: c.description}) {
			c.description = ""
		}
	} else if name := document.Slug(c.key, nameWords); !isPartName(c.key) && fold(name) != fold(c.key) && !strings.Contains(fold(c.description), fold(c.key)) {
		c.description = c.key + ": " + c.description
		r.derived(o.place(), "A name that is too long for a criterion begins its description.")
	}
	if c.description == "" && len(c.levels) == 0 {
		r.dropped(o.place(), "A criterion is dropped: it has no name, description, or levels.")
		return
	}
	if r.Kind == &document.RuleSet {
		r.asRule(d, c, o)
		return
	}
	d.criteria = append(d.criteria, c)
}
