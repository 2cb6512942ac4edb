package intake

import (
	"cmp"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// AddCriterion adds a criterion, or a rule if the author asks for them.
func (r *Reader) AddCriterion(d *Draft, c Criterion, o *Object) {
	if c.Weight+c.Points+c.RelativeWeight == "" {
		c.Key = r.ReadNotes(&c, c.Key)
	}
	if c.Description == "" {
		if c.Description = Words(cmp.Or(c.Key, c.ID)); isNumber(&yamltree.Node{Kind: yamltree.Scalar, Value: c.Description}) {
			c.Description = ""
		}
	} else if isCut(c.Key) && !isPartName(c.Key) && !strings.Contains(Fold(c.Description), Fold(c.Key)) {
		c.Description = c.Key + ": " + c.Description
		r.AddDerived(o.place(), "A name that is too long for a criterion begins its description.")
	}
	if c.Description == "" && len(c.Levels) == 0 {
		r.AddDropped(o.place(), "A criterion is dropped: it has no name, description, or levels.")
		return
	}
	if r.Kind == &document.RuleSet {
		r.AsRule(d, c, o)
		return
	}
	d.Criteria = append(d.Criteria, c)
}
