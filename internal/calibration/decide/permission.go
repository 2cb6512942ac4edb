package decide

import (
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

// Value is an estimate that has a limit.
type Value struct {
	Kind      UseKind
	Criterion string // "" for rates
}

// UseKind is what an estimate is of.
type UseKind string

// The estimates that have a limit.
const (
	Correlation UseKind = "correlation"
	Bias        UseKind = "bias"
	RightPasses UseKind = "right_passes"
	RightFails  UseKind = "right_fails"
)

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

// DaysApart is how many days there must be between the runs that give a permission.
const DaysApart = 6
