package decide

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
)

// Track decides about a run, and compares it with earlier ones.
func (of *Decider) Track(run *calibration.Run) *Decision {
	r := of.Decide(run)
	if run == nil {
		return r
	}
	run = r.series.runs[len(r.series.runs)-1] // the original of a copy
	before := r.series.before()
	if before != nil {
		r.Drift = of.meter.Compare(before, run)
	}
	r.reference = r.series.reference()
	if r.reference != nil && r.reference != run && r.reference != before {
		r.Reference = of.meter.Compare(r.reference, run)
	}
	return r
}

// before is the run before the last, or nil.
func (s *series) before() *calibration.Run {
	if len(s.runs) < 2 {
		return nil
	}
	return s.runs[len(s.runs)-2]
}

// reference is the run that a later one is compared with, or nil: the last that an owner
// accepted, else the first that met every condition.
func (s *series) reference() *calibration.Run {
	accepted := s.dataset.AcceptedRun(s.runs[0].Identity())
	if at := slices.IndexFunc(s.runs, func(run *calibration.Run) bool { return run.Name == accepted }); at >= 0 {
		return s.runs[at]
	}
	for i, run := range s.runs {
		if s.decision(i).worst(toGate) == Met {
			return run
		}
	}
	return nil
}

// Drifted reports whether the judge became worse than in the run before, or than in the
// reference run, by more than chance and its own noise. An improvement is no drift.
func (r *Decision) Drifted() bool {
	return r.Drift != nil && r.Drift.Worse || r.Reference != nil && r.Reference.Worse
}

// NeedsAttention reports whether a weekly check has something that a person must look at:
// drift, a run without any readable answer, one that was stopped and that no other followed, or a
// rubric whose labels are by people and whose verdicts the judge may not give. Demonstrations decide
// nothing else.
func (r *Decision) NeedsAttention() bool {
	silent := r.Judge != nil && r.Coverage.Share == 0
	return r.Drifted() || silent || r.Unfinished != nil || !r.Gate.Answer.Given() && !r.Dataset.Demonstration()
}

// First reports whether no earlier run is by the same judge and for the same words.
func (r *Decision) First() bool { return r.series != nil && r.series.before() == nil }

// HasReference reports whether there is a run that later ones are compared with.
func (r *Decision) HasReference() bool { return r.reference != nil }
