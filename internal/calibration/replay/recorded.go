package replay

import (
	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/render"
)

// recorded has the scores of one recording by item and criterion: one for each repeat or
// rater.
type recorded map[string]map[string][]float64

func answered(run *calibration.Run) recorded {
	r := recorded{}
	for _, a := range run.Answers {
		for name, score := range a.Scores {
			if r[a.Item] == nil {
				r[a.Item] = map[string][]float64{}
			}
			r[a.Item][name] = append(r[a.Item][name], score)
		}
	}
	return r
}

// labeled returns the labels, as if each rater were a repeat of a run.
func labeled(d *calibration.Dataset) recorded {
	run := &calibration.Run{}
	for _, rater := range d.Raters() {
		for _, item := range d.Items {
			run.Answers = append(run.Answers, calibration.Answer{Item: item.ID, Scores: item.Labels[rater]})
		}
	}
	return answered(run)
}

// meansOf returns the means of an item by criterion.
func (r recorded) meansOf(item string) map[string]float64 {
	means := map[string]float64{}
	for name, scores := range r[item] {
		means[name] = agreement.Mean(scores)
	}
	return means
}

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
func oldWords(run *calibration.Run, base, head *calibration.Subject) render.Optional {
	switch run.Digest {
	case head.Digest:
		return ""
	case base.Digest:
		return "the run read the wording before this change"
	}
	return "the run read a wording that neither side of this change has"
}

// staleLabels returns why labels are stale, or "" if they are not.
func staleLabels(d *calibration.Dataset, r recorded, head *calibration.Subject) render.Optional {
	stale := head.Names(func(name string) bool { return r.has(name) && !d.AreFresh(name, head.Criteria[name]) })
	if len(stale) == 0 {
		return ""
	}
	return optional("the labels of %s are for a different wording", schema.Or(stale, "and"))
}
