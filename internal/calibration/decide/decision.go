package decide

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/measure"
)

// Decision is what follows from the runs of a judge up to one of them.
type Decision struct {
	*measure.Measurement
	// Facts are what could have been chosen after answers were seen.
	Facts measure.Facts
	Options
	// NewJudge says since when a judge of that name is another one, and what changed, or is "".
	NewJudge string
	// Outcomes are those of the criteria of the measurement.
	Outcomes []Outcomes
	// RightPassesOutcome and RightFailsOutcome are those of the two rates of the verdict.
	RightPassesOutcome, RightFailsOutcome Outcome
	// Conditions are those that must be met, the one that matters most first.
	Conditions []Condition
	// Rank says whether the judge's order of works may stand for that of people, and Gate
	// whether its verdicts may.
	Rank, Gate Permission
	// ItemsNeeded is about how many labeled items would decide what is undecided; 0 where
	// nothing is, or more items would not help.
	ItemsNeeded int
	// Unfinished is the newest run of the judge if it was stopped, else nil.
	Unfinished *calibration.Run
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

// Decider decides about the judges on a dataset. What is measured once serves all decisions.
type Decider struct {
	dataset *calibration.Dataset
	subject *calibration.Subject
	meter   *measure.Meter
	Options
}

// On decides about the judges on a dataset, which must join the rubric.
func On(d *calibration.Dataset, s *calibration.Subject, o Options) *Decider {
	return &Decider{d, s, measure.NewMeter(d, s, o.measuring()), o}
}

// Decide decides what a judge may be used for after a run, or what the labels alone say if run
// is nil.
func (of *Decider) Decide(run *calibration.Run) *Decision {
	if run != nil {
		return of.series(run).certified()
	}
	r := decision(of.meter.Measure(nil), of.Options)
	r.compare()
	r.Rank, r.Gate = r.unjudged(toRank), r.unjudged(toGate)
	r.Facts = of.meter.Facts(nil)
	return r
}

// unjudged says what the labels alone allow: if nothing is wrong with them, only runs are missing.
func (r *Decision) unjudged(u use) Permission {
	outcome := Met
	for _, c := range r.Conditions {
		if u.needs(c.Name) && !slices.Equal(c.Causes, []Cause{NoJudge}) {
			outcome = worseOf(outcome, c.Outcome)
		}
	}
	return Permission{Answer: answers[outcome], Basis: Basis{Why: Nobody}, use: u}
}

// compare compares the judge with people on every criterion.
func (r *Decision) compare() {
	for i := range r.Criteria {
		r.Criteria[i].Compare()
	}
}

// decision is that about a run by itself.
func decision(m *measure.Measurement, o Options) *Decision {
	r := &Decision{Measurement: m, Options: o}
	r.check()
	return r
}

// All are the decisions on a rubric that the dataset joins: one on the newest run of each judge,
// sorted by the judge's name, or one on the labels alone if there are no runs.
func (of *Decider) All() []*Decision {
	var all []*Decision
	for i := range of.dataset.Judges {
		if run := of.dataset.Judges[i].Newest(of.subject.Digest); run != nil && !run.Stopped() {
			all = append(all, of.Decide(run))
		}
	}
	if len(all) == 0 {
		all = append(all, of.Decide(nil))
	}
	return all
}

// Measured reports whether the run says how well a judge agrees with people on the words of
// today. It also does if it has no correlation, as of a judge that always gives the same score.
func (r *Decision) Measured() bool {
	fresh := r.Judge != nil && r.Judge.Fresh && !r.Dataset.Demonstration()
	return fresh && !slices.ContainsFunc(r.Criteria, func(c measure.Criterion) bool { return !c.Fresh })
}
