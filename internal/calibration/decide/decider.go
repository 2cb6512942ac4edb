package decide

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/measure"
)

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
		return of.decideSeries(of.series(run))
	}
	r := decision(of.meter.Measure(nil), of.Options)
	r.compare()
	r.Rank, r.Gate = r.permissionOfLabels(toRank), r.permissionOfLabels(toGate)
	r.Facts = of.meter.Facts(nil)
	return r
}

// permissionOfLabels says what the labels alone allow: if nothing is wrong with them, only runs are missing.
func (r *Decision) permissionOfLabels(u use) Permission {
	outcome := Met
	for _, c := range r.Conditions {
		if u.needs(c.Name) && !slices.Equal(c.Causes, []Cause{NoJudge}) {
			outcome = worseOf(outcome, c.Outcome)
		}
	}
	return Permission{Answer: answers[outcome], Basis: Basis{Why: Nobody}, use: u}
}

// Track decides about a run, and compares it with earlier ones.
func (of *Decider) Track(run *calibration.Run) *Decision {
	if run == nil {
		return of.Decide(nil)
	}
	s := of.series(run)
	r := of.decideSeries(s)
	run = s.lastRun() // the original of a copy
	before, reference := s.previousRun(), s.reference()
	if before != nil {
		r.Drift = of.meter.Compare(before, run)
	}
	if reference != nil && reference != run && reference != before {
		r.Reference = of.meter.Compare(reference, run)
	}
	r.HasReference = reference != nil
	return r
}

// series has the runs up to one.
func (of *Decider) series(run *calibration.Run) *series {
	all := &series{dataset: of.dataset, meter: of.meter, Options: of.Options}
	if judge := of.dataset.Judge(run.Judge); judge != nil {
		run = judge.OriginalRun(run)
		for _, one := range judge.CountedRuns() {
			if one.Name == run.Name {
				break
			}
			if one.Digest == run.Digest && one.Identity() == run.Identity() {
				all.runs = append(all.runs, &one)
			}
		}
	}
	all.runs = append(all.runs, run)
	all.decisions = make([]*Decision, len(all.runs))
	return all
}

// decideSeries returns the decision about the last run of a series, with what the judge may be used for.
func (of *Decider) decideSeries(s *series) *Decision {
	r := s.decision(len(s.runs) - 1)
	r.compare()
	r.Facts = of.meter.Facts(s.lastRun())
	r.First, r.Rank, r.Gate = s.previousRun() == nil, s.permission(toRank), s.permission(toGate)
	if judge := of.dataset.Judge(r.Judge.Name); judge != nil {
		r.NewJudge, r.Unfinished = judge.ChangedSince(r.Judge.Identity()), judge.UnfinishedRun()
	}
	return r
}

// All are the decisions on a rubric that the dataset joins: one on the newest run of each judge,
// sorted by the judge's name, or one on the labels alone if there are no runs.
func (of *Decider) All() []*Decision {
	var all []*Decision
	for i := range of.dataset.Judges {
		if run := of.dataset.Judges[i].NewestRun(of.subject.Digest); run != nil && !run.WasStopped() {
			all = append(all, of.Decide(run))
		}
	}
	if len(all) == 0 {
		all = append(all, of.Decide(nil))
	}
	return all
}
