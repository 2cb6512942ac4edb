package diff

import (
	"github.com/rubric-library/rubric-library/internal/calibration/replay"
	"github.com/rubric-library/rubric-library/internal/document"
)

// Replay replays the rubrics that changed with the datasets of the head.
func (c *Comparison) Replay() (*replay.Replay, error) {
	return replay.Library(c.Head.Files, c.Head.Name, c.changedRubrics())
}

// changedRubrics are the rubrics that changed, and those that are added as a replacement
// of a deprecated rubric, which is how a major change is published.
func (c *Comparison) changedRubrics() []replay.Change {
	replaced := map[string]*document.Document{}
	for i := range c.Documents {
		if d := &c.Documents[i]; isRubric(d.Base) && isRubric(d.Head) {
			if deprecated := d.Head.Rubric().Deprecated; deprecated != nil {
				replaced[deprecated.ReplacedBy] = d.Base
			}
		}
	}
	var changes []replay.Change
	for i := range c.Documents {
		d := &c.Documents[i]
		base := d.Base
		if d.Status == Added {
			base = replaced[d.ID]
		}
		if isRubric(base) && isRubric(d.Head) && (d.Status == Added || len(d.Changes) > 0) {
			changes = append(changes, replay.Change{Base: base, Head: d.Head})
		}
	}
	return changes
}

func isRubric(d *document.Document) bool { return d != nil && d.Kind == &document.Rubric }
