package cli

import (
	"github.com/rubric-library/rubric-library/internal/diff"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/replay"
)

// replayed replays the rubrics that changed with the datasets of the head.
func replayed(c *diff.Comparison) (*replay.Replay, error) {
	files, err := c.Head.Files()
	if err != nil {
		return nil, err
	}
	var changes []replay.Change
	for i := range c.Documents {
		d := &c.Documents[i]
		if len(d.Changes) > 0 && isRubric(d.Base) && isRubric(d.Head) {
			changes = append(changes, replay.Change{Base: d.Base, Head: d.Head})
		}
	}
	return replay.Library(files, c.Head.Name, changes)
}

func isRubric(d *document.Document) bool { return d != nil && d.Kind == &document.Rubric }
