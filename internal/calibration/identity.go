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

// ChangedSince says since when a judge of this name is another one than before, and what changed, or is
// "" if it is the first of its name. The runs of a judge that returns are one series.
func (j *Judge) ChangedSince(identity Identity) string {
	var since, before *Run // the first run after the last change, and the one before it
	known, again, last := false, false, Identity{}
	counted := j.CountedRuns()
	for i := range counted {
		run := &counted[i]
		if run.Identity() == identity && last != identity {
			since, before, again = run, nil, known
			if i > 0 {
				before = &counted[i-1]
			}
		}
		last = run.Identity()
		known = known || last == identity
	}
	if before == nil {
		return ""
	}
	changes := identity.changes(before.Identity())
	if again {
		return fmt.Sprintf("An earlier judge again since %s: %s. Its earlier runs count, too.", since.Date, changes)
	}
	return fmt.Sprintf("A new judge since %s: %s.", since.Date, changes)
}
