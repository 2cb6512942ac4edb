package calibration

import "slices"

// Tracked is a report with the earlier records.
type Tracked struct {
	*Report
	// History is the records of the same rubric and judge, oldest first.
	History []Record `json:"history"`
	// Drift compares the run with the previous one; nil if there is no previous run.
	Drift *Comparison `json:"drift"`
	// Reference compares it with the reference run, which a judge that changes a little
	// each week moves away from; nil where that is the run itself or the one before.
	Reference *Comparison `json:"reference"`

	// before and reference are the runs that this one is compared with, or nil.
	before, reference *Run
}

// Track computes the report on a run, or on the labels alone if run is nil.
func Track(d *Dataset, s *Subject, run *Run, o Options) Tracked {
	if run == nil {
		return Tracked{Report: Compute(d, s, nil, o), History: []Record{}}
	}
	all := d.series(s, run, o)
	r := Tracked{Report: all.certified(), History: append([]Record{}, d.Records(s.Rubric.ID, run.Judge)...)}
	if last := len(all.runs) - 1; last > 0 {
		r.before = all.runs[last-1]
		r.Drift = Compare(d.asOf(run).test(), r.before, run, o)
	}
	r.reference = all.reference(r.History)
	if r.reference != nil && r.reference != run && r.reference != r.before {
		r.Reference = Compare(d.asOf(run).test(), r.reference, run, o)
	}
	return r
}

// reference is the run that a later one is compared with, or nil: the last that a person
// accepted, else the first that met every condition.
func (s *series) reference(records []Record) *Run {
	for _, r := range slices.Backward(records) {
		at := slices.IndexFunc(s.runs, func(run *Run) bool { return run.Name == r.Judge.Run })
		if r.Accepted != "" && at >= 0 {
			return s.runs[at]
		}
	}
	for i, run := range s.runs {
		if s.report(i).Outcome == Met {
			return run
		}
	}
	return nil
}

// Drifted reports whether the judge became worse than in the run before, or than in the
// reference run, by more than chance and its own noise. An improvement is no drift.
func (r *Tracked) Drifted() bool {
	return r.Drift != nil && r.Drift.Worse || r.Reference != nil && r.Reference.Worse
}

// NeedsAttention reports whether a weekly check has something that a person must look at:
// drift, a run without any readable answer, or a rubric whose labels are by people and
// whose verdicts the judge may not give. Demonstrations decide nothing else.
func (r *Tracked) NeedsAttention() bool {
	silent := r.Judge != nil && r.Coverage.Share == 0
	return r.Drifted() || silent || !r.Gate.Given() && !r.Dataset.Demonstration()
}

// Standing says in sentences what the run can't be compared with. It is empty without
// recorded runs, and for demonstrations, which are never calibrated.
func (r *Tracked) Standing() []string {
	if r.Judge == nil || len(r.History) == 0 || r.Dataset.Demonstration() {
		return nil
	}
	var lines []string
	if r.before == nil {
		lines = append(lines, "No earlier run has the same words, judge, and prompt: what other runs gave does not hold, and there is nothing to compare with.")
	}
	accepted := slices.ContainsFunc(r.History, func(one Record) bool { return one.Accepted != "" && one.Judge.Run == r.Judge.Run })
	switch {
	case accepted || r.reference != nil && r.reference.Name == r.Judge.Run:
		lines = append(lines, "This run is the reference run.")
	case r.reference == nil:
		lines = append(lines, "There is no reference run: no run with these words, judge, and prompt met every condition or was accepted.")
	case r.before != nil && r.reference.Name == r.before.Name:
		lines = append(lines, "The previous run is also the reference run.")
	}
	return lines
}
