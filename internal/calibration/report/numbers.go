package report

import (
	"fmt"

	"github.com/rubric-library/rubric-library/internal/calibration/measure"
)

// NumbersChange is what the evidence of a dataset says before and after a change; nil where
// there is no dataset.
type NumbersChange struct {
	Dataset string           `json:"dataset"`
	Before  *measure.Numbers `json:"before"`
	After   *measure.Numbers `json:"after"`
}

// String says in a line what changed.
func (c *NumbersChange) String() string {
	return fmt.Sprintf("%s → %s", numbers(c.Before), numbers(c.After))
}

func numbers(n *measure.Numbers) string {
	if n == nil {
		return "no dataset"
	}
	text := fmt.Sprintf("items %d, raters %d", n.Items, n.Raters)
	if n.Removed > 0 {
		text += fmt.Sprintf(", removed items %d", n.Removed)
	}
	for _, j := range n.Judges {
		correlation := "unknown"
		if j.Correlation.IsDefined() {
			correlation = fmt.Sprintf("%.2f", j.Correlation.Number)
		}
		text += fmt.Sprintf(", correlation of %s (%s) %s (run %s)", j.Name, j.Model, correlation, j.Run)
	}
	return text
}
