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
	Past
}

// Past is how the run compares with earlier ones of the judge.
type Past struct {
	// Drift compares the run with the previous one; nil if there is no previous run.
	Drift *measure.Comparison
	// Reference compares it with the reference run, which a judge that changes a little
	// each week moves away from; nil where that is the run itself or the one before.
	Reference *measure.Comparison
	// First reports whether no earlier run is by the same judge and for the same words, and
	// HasReference whether there is a run that later ones are compared with.
	First, HasReference bool
}

// Outcomes are those for the correlation and the bias on a criterion, and the worse of both.
type Outcomes struct {
	Ranking Outcome `json:"ranking"`
	Level   Outcome `json:"level"`
	Outcome Outcome `json:"outcome"`
}

// IsMeasured reports whether the run says how well a judge agrees with people on the words of
// today. It also does if it has no correlation, as of a judge that always gives the same score.
func (r *Decision) IsMeasured() bool {
	fresh := r.Judge != nil && r.Judge.Fresh && !r.Dataset.Demonstration()
	return fresh && !slices.ContainsFunc(r.Criteria, func(c measure.Criterion) bool { return !c.Fresh })
}

// compare compares the judge with people on every criterion.
func (r *Decision) compare() {
	for i := range r.Criteria {
		r.Criteria[i].Compare()
	}
}

// conditionsWith are the names of the conditions of a use that have an outcome.
func (r *Decision) conditionsWith(outcome Outcome, u use) (names []ConditionName) {
	for _, c := range r.Conditions {
		if c.Outcome == outcome && u.needs(c.Name) {
			names = append(names, c.Name)
		}
	}
	return names
}

// worstOutcome returns the worst outcome of the conditions of a use: what this run alone says.
func (r *Decision) worstOutcome(u use) Outcome {
	worst := Met
	for _, c := range r.Conditions {
		if u.needs(c.Name) {
			worst = worseOf(worst, c.Outcome)
		}
	}
	return worst
}

// HasDrifted reports whether the judge became worse than in the run before, or than in the
// reference run, by more than chance and its own noise. An improvement is no drift.
func (r *Decision) HasDrifted() bool {
	return r.Drift != nil && r.Drift.Worse || r.Reference != nil && r.Reference.Worse
}

// NeedsAttention reports whether a weekly check has something that a person must look at:
// drift, a run without any readable answer, one that was stopped and that no other followed, or a
// rubric whose labels are by people and whose verdicts the judge may not give. Demonstrations decide
// nothing else.
func (r *Decision) NeedsAttention() bool {
	silent := r.Judge != nil && r.Coverage.Share == 0
	return r.HasDrifted() || silent || r.Unfinished != nil || !r.Gate.Answer.Given() && !r.Dataset.Demonstration()
}
