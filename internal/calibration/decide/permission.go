package decide

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
)

// Permission says whether a judge may be used for something. It follows from the recorded
// answers of all its runs for the same words.
type Permission struct {
	Answer Answer
	// Held and Holds report whether it held before the last run, and after it.
	Held, Holds bool
	Basis
	// Ended is the run with which it ended, nil if it holds, or never held.
	Ended *calibration.Run
	// Expired reports whether it holds but for the age of the last run.
	Expired bool
	// Looser reports whether a limit is looser than the default.
	Looser bool
	use    use
}

// Needs reports whether a condition must be met for it.
func (p *Permission) Needs(name ConditionName) bool { return p.use.needs(name) }

// Basis is what decides a permission.
type Basis struct {
	Why Why
	// Runs are those that decide, oldest first.
	Runs []string
	// Conditions are those that the run does not meet, or for which there are too few items.
	Conditions []ConditionName
	// Values are those on the wrong side of a limit in three successive runs.
	Values []Value
}

// Why is a way in which runs decide a permission.
type Why string

// The ways. The first two give a permission or keep it.
const (
	TwoRuns   Why = "two_runs" // two runs, days apart, and all between them, meet every condition
	Refuted   Why = "refuted"  // a run does not meet a condition
	Thrice    Why = "thrice"   // estimates are on the wrong side in three successive runs
	Gap       Why = "gap"      // a run was too old when the next began
	OneRun    Why = "one_run"  // the run meets every condition, and another one must
	TooFew    Why = "too_few"  // items to tell about conditions
	LabelsAre Why = "labels"   // the labels can't tell about conditions
	Stopped   Why = "stopped"  // the run was stopped, so that it does not count
	Nobody    Why = "nobody"   // no judge has answered
)

// use is what a judge is used for.
type use string

const (
	toRank use = "rank" // its order of works stands for that of people
	toGate use = "gate" // its verdicts do
)

func (u use) needs(name ConditionName) bool {
	return u == toGate || name != ConditionLevel && name != ConditionVerdict
}

// DaysApart is how many days there must be between the runs that give a permission.
const DaysApart = 6

// after goes back from a run to the one that decides what holds after it, and says what it is.
// There is none if the runs are too few.
func (s *series) after(last int, u use) (holds bool, basis Basis) {
	for i := last; i >= 0; i-- {
		name := s.runs[i].Name
		if refuted := s.decision(i).with(NotMet, u); len(refuted) > 0 {
			return false, Basis{Why: Refuted, Runs: []string{name}, Conditions: refuted}
		}
		if wrong := s.wrong(i, u); len(wrong) > 0 {
			return false, Basis{Why: Thrice, Runs: []string{s.runs[i-2].Name, s.runs[i-1].Name, name}, Values: wrong}
		}
		if from := s.met(i, u); from < i {
			return true, Basis{Why: TwoRuns, Runs: []string{s.runs[from].Name, name}}
		}
		if i > 0 && days(s.runs[i-1].Date, s.runs[i].Date) > s.MaximumAge {
			return false, Basis{Why: Gap, Runs: []string{s.runs[i-1].Name, name}}
		}
	}
	return false, Basis{}
}

// wrong are the estimates that are on the wrong side in a run and in the two before.
func (s *series) wrong(i int, u use) []Value {
	wrong := s.decision(i).wrong(u)
	for before := 1; before <= 2 && len(wrong) > 0; before++ {
		if i < before {
			return nil
		}
		also := s.decision(i - before).wrong(u)
		wrong = slices.DeleteFunc(wrong, func(v Value) bool { return !slices.Contains(also, v) })
	}
	return wrong
}

// met is the last run, enough days before another one, since which all runs meet every
// condition, or that other run if there is none.
func (s *series) met(i int, u use) int {
	for j := i; j >= 0 && s.decision(j).worst(u) == Met; j-- {
		if apart := days(s.runs[j].Date, s.runs[i].Date); apart > s.MaximumAge {
			break
		} else if apart >= DaysApart {
			return j
		}
	}
	return i
}

// permission says what holds after the last run, and whether it held before.
func (s *series) permission(u use) Permission {
	last := len(s.runs) - 1
	p := Permission{Looser: s.looser(u), use: u}
	if s.runs[last].Stopped() {
		p.Answer, p.Basis = NotYet, Basis{Why: Stopped, Runs: []string{s.runs[last].Name}}
		return p
	}
	p.Holds, p.Basis = s.after(last, u)
	p.Held, _ = s.after(last-1, u)
	outcome := s.decision(last).worst(u)
	switch {
	case p.Holds && p.Looser:
		p.Answer = LibraryLimits
	case p.Holds:
		p.Answer = Yes
	default:
		p.Answer = answers[outcome]
		p.Ended, p.Expired = s.ended(u), s.expired(u)
	}
	if p.Holds || p.Held || outcome == NotMet { // the basis says what is wrong
		return p
	}
	p.Basis = Basis{Why: OneRun, Runs: []string{s.runs[last].Name}}
	if outcome != Met {
		p.Basis.Why, p.Basis.Conditions = map[Outcome]Why{Undecided: TooFew, CannotTell: LabelsAre}[outcome], s.decision(last).with(outcome, u)
	}
	return p
}

// ended is the run with which a permission that does not hold after the last one ended, or nil.
func (s *series) ended(u use) *calibration.Run {
	for i := len(s.runs) - 2; i >= 0; i-- {
		if holds, _ := s.after(i, u); holds {
			return s.runs[i+1]
		}
	}
	return nil
}

// expired reports whether a permission would hold if the last run were of today.
func (s *series) expired(u use) bool {
	last := len(s.runs) - 1
	if refuted := s.decision(last).with(NotMet, u); len(refuted) != 1 || refuted[0] != ConditionAge {
		return false
	}
	then := *s
	then.decisions = slices.Clone(s.decisions)
	o := s.Options
	o.AsOf = s.runs[last].Date
	then.decisions[last] = decision(s.decision(last).Measurement, o)
	holds, _ := then.after(last, u)
	return holds
}
