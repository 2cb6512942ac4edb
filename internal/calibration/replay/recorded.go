package replay

import (
	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// recorded has the scores of one recording by item and criterion: one for each repeat or
// rater.
type recorded map[string]map[string][]float64

// answered returns the scores of a run.
func answered(run *calibration.Run) recorded {
	r := recorded{}
	for _, a := range run.Answers {
		r.add(a.Item, a.Scores)
	}
	return r
}

// labeled returns the labels.
func labeled(d *calibration.Dataset) recorded {
	r := recorded{}
	for _, rater := range d.Raters() {
		for i := range d.Items {
			r.add(d.Items[i].ID, d.Items[i].Labels[rater])
		}
	}
	return r
}

func (r recorded) add(item string, scores map[string]float64) {
	for name, score := range scores {
		if r[item] == nil {
			r[item] = map[string][]float64{}
		}
		r[item][name] = append(r[item][name], score)
	}
}

// of returns the means of an item by criterion.
func (r recorded) of(item string) map[string]float64 {
	means := map[string]float64{}
	for name, scores := range r[item] {
		means[name] = agreement.Mean(scores)
	}
	return means
}

// has reports whether any item has a score for a criterion.
func (r recorded) has(criterion string) bool {
	for _, scores := range r {
		if scores[criterion] != nil {
			return true
		}
	}
	return false
}

// oldWords returns why the scores of a run are for a different wording than the head's,
// or "" if they are not.
func oldWords(run *calibration.Run, base, head *calibration.Subject) string {
	switch run.Digest {
	case head.Digest:
		return ""
	case base.Digest:
		return "the run read the wording before this change, which " + wordsChange(base, head)
	}
	return "the run read a wording that neither side of this change has"
}

// staleLabels returns why labels are stale, or "" if they are not.
func staleLabels(d *calibration.Dataset, r recorded, head *calibration.Subject) string {
	stale := those(head.Rubric, func(name string) bool { return r.has(name) && !d.Fresh(name, head.Criteria[name]) })
	if len(stale) == 0 {
		return ""
	}
	return "the labels of " + schema.Or(stale, "and") + " are for a different wording"
}

// wordsChange describes the change of the wording that a judge reads.
func wordsChange(base, head *calibration.Subject) string {
	var parts []string
	for _, part := range []struct {
		verb  string
		names []string
	}{
		{"rewords", reworded(base, head)}, {"adds", without(head, base)}, {"removes", without(base, head)},
	} {
		if len(part.names) > 0 {
			parts = append(parts, part.verb+" "+schema.Or(part.names, "and"))
		}
	}
	if len(parts) == 0 {
		return "reorders the criteria"
	}
	return schema.Or(parts, "and")
}

// reworded returns the criteria that both sides have with different wordings.
func reworded(base, head *calibration.Subject) []string {
	return those(head.Rubric, func(name string) bool {
		before, both := base.Criteria[name]
		return both && before != head.Criteria[name]
	})
}

// without returns the criteria of one side that the other does not have.
func without(s, other *calibration.Subject) []string {
	return those(s.Rubric, func(name string) bool { return other.Criteria[name] == "" })
}

// those returns the names of some criteria of a rubric, in its order.
func those(r *rubric.Rubric, are func(name string) bool) []string {
	var names []string
	for i := range r.Criteria {
		if name := r.Criteria[i].Name; are(name) {
			names = append(names, name)
		}
	}
	return names
}
