package report

import (
	"fmt"

	"github.com/rubric-library/rubric-library/internal/calibration/decide"
)

// Plan says how many labeled items a decision takes, or is "" if there are enough.
func Plan(p *decide.Plan) string {
	switch {
	case p == nil:
		return ""
	case p.Undecided != nil:
		return fmt.Sprintf("Run %s of %s is undecided. %s", p.Undecided.Judge.Run, p.Undecided.Judge.Name,
			words{p.Undecided}.neededItems())
	}
	return fmt.Sprintf("A decision takes at least %d labeled items; there are %d. With so many, a judge with a correlation of %s on each criterion (%d) usually reaches the target of %s. "+
		"Its verdict can take several times as many, most of all with one criterion: docs/development/calibration-power.md",
		p.Needed, p.Has, two(p.Good), p.Criteria, two(p.Target))
}

// neededItems says how many items would decide.
func (w words) neededItems() string {
	if n := w.ItemsNeeded; n < decide.TooMany {
		return fmt.Sprintf("If the values stay as they are, about %d labeled items would decide; there are %d.", n, w.LabeledItems())
	}
	return fmt.Sprintf("The values are so near to what is required that more than the %d labeled items would hardly decide.", w.LabeledItems())
}
