package decide

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/measure"
)

// series are the runs of one judge, by its identity, for the same words, oldest first.
// Those that were stopped are left out. The last one is the one that is decided about.
type series struct {
	dataset *calibration.Dataset
	meter   *measure.Meter
	Options
	runs      []*calibration.Run
	decisions []*Decision // those that were needed
}

// decision is that about a run alone: for the last one as of the date of the report, and for those
// before as of their own.
func (s *series) decision(i int) *Decision {
	if s.decisions[i] == nil {
		o := s.Options
		if i < len(s.runs)-1 {
			o.AsOf = s.runs[i].Date
		}
		s.decisions[i] = decision(s.meter.Measure(s.runs[i]), o)
	}
	return s.decisions[i]
}

func (s *series) lastRun() *calibration.Run { return s.runs[len(s.runs)-1] }

// previousRun is the run before the last, or nil.
func (s *series) previousRun() *calibration.Run {
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
		if s.decision(i).worstOutcome(toGate) == Met {
			return run
		}
	}
	return nil
}

// decideAfter goes back from a run to the one that decides what holds after it, and says what it is.
// There is none if the runs are too few.
func (s *series) decideAfter(last int, u use) (holds bool, basis Basis) {
	for i := last; i >= 0; i-- {
		name := s.runs[i].Name
		if refuted := s.decision(i).conditionsWith(NotMet, u); len(refuted) > 0 {
			return false, Basis{Why: Refuted, Runs: []string{name}, Conditions: refuted}
		}
		if wrong := s.wrongValues(i, u); len(wrong) > 0 {
			return false, Basis{Why: Thrice, Runs: []string{s.runs[i-2].Name, s.runs[i-1].Name, name}, Values: wrong}
		}
		if from, found := s.findMet(i, u); found {
			return true, Basis{Why: TwoRuns, Runs: []string{s.runs[from].Name, name}}
		}
		if i > 0 && days(s.runs[i-1].Date, s.runs[i].Date) > s.MaximumAge {
			return false, Basis{Why: Gap, Runs: []string{s.runs[i-1].Name, name}}
		}
	}
	return false, Basis{}
}

// wrongValues returns the estimates that are on the wrong side in a run and in the two before.
func (s *series) wrongValues(i int, u use) []Value {
	wrong := s.decision(i).wrongValues(u)
	for before := 1; before <= 2 && len(wrong) > 0; before++ {
		if i < before {
			return nil
		}
		also := s.decision(i - before).wrongValues(u)
		wrong = slices.DeleteFunc(wrong, func(v Value) bool { return !slices.Contains(also, v) })
	}
	return wrong
}

// findMet finds the last run, enough days before run i, from which on all runs up to run i meet every
// condition.
func (s *series) findMet(i int, u use) (from int, found bool) {
	for j := i; j >= 0 && s.decision(j).worstOutcome(u) == Met; j-- {
		apart := days(s.runs[j].Date, s.runs[i].Date)
		if apart > s.MaximumAge {
			break
		}
		if apart >= DaysApart {
			return j, true
		}
	}
	return 0, false
}

// permission says what holds after the last run, and whether it held before.
func (s *series) permission(u use) Permission {
	last := len(s.runs) - 1
	p := Permission{Looser: s.isLooser(u), use: u}
	if s.runs[last].WasStopped() {
		p.Answer, p.Basis = NotYet, Basis{Why: Stopped, Runs: []string{s.runs[last].Name}}
		return p
	}
	p.Holds, p.Basis = s.decideAfter(last, u)
	p.Held, _ = s.decideAfter(last-1, u)
	outcome := s.decision(last).worstOutcome(u)
	if !p.Holds {
		p.Ended, p.Expired = s.endingRun(u), s.hasExpired(u)
	}
	refuted := outcome == NotMet || p.Ended != nil && len(s.wrongValues(last, u)) > 0
	switch {
	case p.Holds && p.Looser:
		p.Answer = LibraryLimits
	case p.Holds:
		p.Answer = Yes
	case refuted:
		p.Answer = No
	default:
		p.Answer = answers[outcome]
	}
	if p.Holds || p.Held || refuted { // the basis says what is wrong
		return p
	}
	p.Basis = Basis{Why: OneRun, Runs: []string{s.runs[last].Name}}
	if outcome != Met {
		p.Basis.Why = map[Outcome]Why{Undecided: TooFew, CannotTell: LabelsAre}[outcome]
		p.Basis.Conditions = s.decision(last).conditionsWith(outcome, u)
	}
	return p
}

// endingRun is the run with which a permission that does not hold after the last one ended, or nil.
func (s *series) endingRun(u use) *calibration.Run {
	for i := len(s.runs) - 2; i >= 0; i-- {
		if holds, _ := s.decideAfter(i, u); holds {
			return s.runs[i+1]
		}
	}
	return nil
}

// hasExpired reports whether a permission would hold if the last run were of today.
func (s *series) hasExpired(u use) bool {
	last := len(s.runs) - 1
	if refuted := s.decision(last).conditionsWith(NotMet, u); len(refuted) != 1 || refuted[0] != ConditionAge {
		return false
	}
	then := *s
	then.decisions = slices.Clone(s.decisions)
	o := s.Options
	o.AsOf = s.runs[last].Date
	then.decisions[last] = decision(s.decision(last).Measurement, o)
	holds, _ := then.decideAfter(last, u)
	return holds
}
