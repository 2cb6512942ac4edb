package decide

import (
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/measure"
)

// Decision is what follows from the runs of a judge up to one of them.
type Decision struct {
	*measure.Measurement
	// Facts are what could have been chosen after somebody saw answers.
	Facts measure.Facts
	Options
	// NewJudge says since when a judge of that name is another one, and what changed, or is "".
	NewJudge string
	// Criteria are the outcomes for the criteria of the measurement.
	Outcomes []Outcomes
	// Conditions are those that must be met, the one that matters most first.
	Conditions []Condition
	// Outcome is the worst of the conditions: that of this run alone.
	Outcome Outcome
	// Rank says whether the judge's order of works may stand for that of people, and Gate
	// whether its verdicts may.
	Rank, Gate Permission
	// ItemsNeeded is about how many labeled items would decide what is undecided; 0 where
	// nothing is, or more items would not help.
	ItemsNeeded int
	// Messages are sentences for people: what the outcome means, and what to do.
	Messages []string
	// Drift compares the run with the previous one; nil if there is no previous run.
	Drift *measure.Comparison
	// Reference compares it with the reference run, which a judge that changes a little
	// each week moves away from; nil where that is the run itself or the one before.
	Reference *measure.Comparison

	series *series
	// reference is the run that later ones are compared with, or nil.
	reference *calibration.Run
}

// Outcomes are those for the correlation and the bias on a criterion, and the worse of both.
type Outcomes struct {
	Ranking Outcome `json:"ranking"`
	Level   Outcome `json:"level"`
	Outcome Outcome `json:"outcome"`
}

// Of decides what a judge may be used for after a run, or what the labels alone say if run is
// nil. The dataset must join the rubric.
func Of(d *calibration.Dataset, s *calibration.Subject, run *calibration.Run, o Options) *Decision {
	if run == nil {
		r := decision(d, s, nil, o)
		r.Rank = Permission{NotMet, "No judge has answered."}
		r.Gate, r.Facts = r.Rank, measure.FactsOf(d, nil)
		return r
	}
	return seriesOf(d, s, run, o).certified()
}

// decision is that about a run by itself.
func decision(d *calibration.Dataset, s *calibration.Subject, run *calibration.Run, o Options) *Decision {
	r := &Decision{Measurement: measure.Of(d, s, run, o.measuring()), Options: o, Messages: []string{}}
	r.check()
	return r
}

// Calibrated means that the judge may gate, and that no limit is looser than the default.
func (r *Decision) Calibrated() bool { return r.Gate.Outcome == Met }

// All are the decisions on a rubric that the dataset joins: one on the newest run of each judge,
// sorted by the judge's name, or one on the labels alone if there are no runs.
func All(d *calibration.Dataset, s *calibration.Subject, o Options) []*Decision {
	var all []*Decision
	for i := range d.Judges {
		if run := d.Judges[i].Newest(s.Digest); run != nil {
			all = append(all, Of(d, s, run, o))
		}
	}
	if len(all) == 0 {
		all = append(all, Of(d, s, nil, o))
	}
	return all
}

// Measured reports whether the run says how well a judge agrees with people on the words of
// today. It also does if it has no correlation, as of a judge that always gives the same score.
func (r *Decision) Measured() bool {
	fresh := r.Judge != nil && r.Judge.Fresh && !r.Dataset.Demonstration()
	return fresh && !slices.ContainsFunc(r.Criteria, func(c measure.Criterion) bool { return !c.Fresh })
}

// Obstacle says why a judge is not calibrated, what matters most first, or is "".
func (r *Decision) Obstacle() string {
	if r.Calibrated() {
		return ""
	}
	reasons := strings.Join(slices.Concat(r.Reasons(NotMet), r.Reasons(Undecided)), " ")
	if strings.Contains(reasons, r.Gate.Reason) {
		return reasons
	}
	return strings.TrimSpace(reasons + " " + r.Gate.Reason)
}
