package calibration

import (
	"cmp"
	"fmt"

	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// Identity says which judge gave answers. If one of these changes, it is another judge: what
// runs of the one say does not hold for the other.
type Identity struct {
	Name, Model string
	// Prompt is the digest of the judge's prompt, "" if it is unknown.
	Prompt string
	// Repeats is how many answers to an item are averaged.
	Repeats int
}

// Identity is the judge that gave the answers of a run.
func (r *Run) Identity() Identity { return Identity{r.Judge, r.Model, r.Prompt, max(r.Repeats, 1)} }

// Answers says what is measured, such as "answers of m-1, averaged over 3 repeats, prompt unknown".
func (i Identity) Answers() string {
	text := "answers of " + i.Model
	if i.Repeats > 1 {
		text += fmt.Sprintf(", averaged over %d repeats", i.Repeats)
	}
	return text + ", prompt " + cmp.Or(i.Prompt, "unknown")
}

// changes says what makes this another judge than one before with the same name.
func (i Identity) changes(before Identity) string {
	var changed []string
	add := func(what, from, to string) {
		if from != to {
			changed = append(changed, fmt.Sprintf("the %s changed from %s to %s", what, from, to))
		}
	}
	add("model", before.Model, i.Model)
	add("prompt", cmp.Or(before.Prompt, "unknown"), cmp.Or(i.Prompt, "unknown"))
	add("number of repeats", fmt.Sprint(before.Repeats), fmt.Sprint(i.Repeats))
	return schema.Or(changed, "and")
}

// Since says since when a judge of this name is another one than before, and what changed, or is
// "" if it is the first of its name.
func (j *Judge) Since(identity Identity) string {
	var before *Run
	for _, run := range j.Counted() {
		if run.Identity() != identity {
			before = &run
			continue
		}
		if before == nil {
			return ""
		}
		return fmt.Sprintf("A new judge since %s: %s.", run.Date, identity.changes(before.Identity()))
	}
	return ""
}
