package replay

import (
	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// recorded has the scores of one recording by item and criterion.
type recorded map[string]map[string]float64

// answered returns the scores of a run, as means over the repeats.
func answered(run *calibration.Run) recorded {
	all := means{}
	for _, a := range run.Answers {
		for name, score := range a.Scores {
			all.add(a.Item, name, score)
		}
	}
	return all.recorded()
}

// labeled returns the labels as means over the raters.
func labeled(d *calibration.Dataset) recorded {
	all := means{}
	raters := d.Raters()
	for i := range d.Items {
		for _, rater := range raters {
			for name, label := range d.Items[i].Labels[rater] {
				all.add(d.Items[i].ID, name, label)
			}
		}
	}
	return all.recorded()
}

// means collects scores by item and criterion.
type means map[string]map[string][]float64

func (m means) add(item, criterion string, score float64) {
	if m[item] == nil {
		m[item] = map[string][]float64{}
	}
	m[item][criterion] = append(m[item][criterion], score)
}

func (m means) recorded() recorded {
	r := recorded{}
	for item, criteria := range m {
		r[item] = map[string]float64{}
		for name, scores := range criteria {
			r[item][name] = agreement.Mean(scores)
		}
	}
	return r
}

// has reports whether any item has a score for a criterion.
func (r recorded) has(criterion string) bool {
	for _, scores := range r {
		if _, ok := scores[criterion]; ok {
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
	var stale []string
	for _, c := range head.Rubric.Criteria {
		if r.has(c.Name) && !d.Fresh(c.Name, head.Criteria[c.Name]) {
			stale = append(stale, c.Name)
		}
	}
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
	var names []string
	for _, c := range head.Rubric.Criteria {
		if before, ok := base.Criteria[c.Name]; ok && before != head.Criteria[c.Name] {
			names = append(names, c.Name)
		}
	}
	return names
}

// without returns the criteria of one side that the other does not have.
func without(s, other *calibration.Subject) []string {
	var names []string
	for _, c := range s.Rubric.Criteria {
		if _, ok := other.Criteria[c.Name]; !ok {
			names = append(names, c.Name)
		}
	}
	return names
}
