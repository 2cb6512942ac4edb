package diff

import (
	"github.com/rubric-library/rubric-library/internal/calibration/replay"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/document"
)

// Replay replays the rubrics that changed with the datasets of the head.
func (c *Comparison) Replay() (*replay.Replay, error) {
	return replay.Library(c.Head.Files, c.Head.Name, c.changedRubrics())
}

// changedRubrics are the rubrics that changed, and those that are added as a replacement
// of a deprecated rubric, which is how a major change is published.
func (c *Comparison) changedRubrics() []replay.Step {
	replaced := map[string]*document.Document{}
	for i := range c.Documents {
		if d := &c.Documents[i]; isRubric(&d.Base) && isRubric(&d.Head) {
			if deprecated := d.Head.Doc.Rubric().Deprecated; deprecated != nil {
				replaced[deprecated.ReplacedBy] = d.Base.Doc
			}
		}
	}
	var changes []replay.Step
	for i := range c.Documents {
		switch d := &c.Documents[i]; {
		case !isRubric(&d.Head):
		case d.Status == Added && replaced[d.ID] != nil:
			changes = append(changes, replay.Step{Base: replaced[d.ID], Head: d.Head.Doc})
		case isRubric(&d.Base) && len(d.Changes) > 0:
			changes = append(changes, replay.Step{Base: d.Base.Doc, Head: d.Head.Doc})
		}
	}
	return changes
}

func isRubric(e *holdings.Edition) bool { return e.IsValid() && e.Kind == &document.Rubric }
