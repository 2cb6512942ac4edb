package calibration

// Tracked is a report with the earlier records.
type Tracked struct {
	*Report
	// History is the records of the same rubric and judge, oldest first.
	History []Record `json:"history"`
	// Drift compares the run with the previous one; nil if there is no previous run.
	Drift *Comparison `json:"drift"`
}

// Track computes the report on a run, or on the labels alone if run is nil.
func Track(d *Dataset, s *Subject, run *Run, o Options) Tracked {
	r := Tracked{Report: Compute(d, s, run, o), History: []Record{}}
	if run == nil {
		return r
	}
	r.History = append(r.History, d.Records(s.Rubric.ID, run.Judge)...)
	if before := d.before(run); before != nil {
		r.Drift = Compare(d, before, run, o)
	}
	return r
}

// before returns the previous run of the same judge for the same wording, or nil.
func (d *Dataset) before(run *Run) *Run {
	var before *Run
	runs := d.Judge(run.Judge).Runs()
	for i := range runs {
		if runs[i].Name == run.Name {
			return before
		}
		if runs[i].Digest == run.Digest {
			before = &runs[i]
		}
	}
	return nil
}

// BecameWorse reports whether a report has a new problem: drift, stale answers or
// labels, or a judge that is no longer calibrated.
func (r *Tracked) BecameWorse() bool {
	if r.Judge == nil {
		return false
	}
	if !r.Judge.Fresh || r.Drift != nil && r.Drift.Changed {
		return true
	}
	for _, c := range r.Criteria {
		if c.Labelled > 0 && !c.Fresh {
			return true
		}
	}
	return len(r.History) > 0 && r.History[len(r.History)-1].Calibrated && !r.Calibrated
}
