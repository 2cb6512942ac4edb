package calibration

// Tracked is a report with the earlier records.
type Tracked struct {
	*Report
	// Slices are the tags of the items with the agreement on each, the lowest first; nil
	// if no item has a tag.
	Slices []Slice `json:"slices,omitempty"`
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
	r := Tracked{Report: Compute(d, s, run, o), History: []Record{}}
	if run == nil {
		return r
	}
	r.Slices = r.slice(d.test(), o)
	r.lengths(o)
	r.History = append(r.History, d.Records(s.Rubric.ID, run.Judge)...)
	before := d.before(run)
	reference := d.reference(run, r.History)
	r.before, r.reference = before, reference
	if reference != nil && (reference.Name == run.Name || before != nil && reference.Name == before.Name) {
		reference = nil
	}
	if before != nil {
		r.Drift = Compare(d.test(), before, run, o)
	}
	if reference != nil {
		r.Reference = Compare(d.test(), reference, run, o)
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
		if runs[i].sameAs(run) {
			before = &runs[i]
		}
	}
	return nil
}

// sameAs reports whether two runs are by the same judge, prompt, and words.
func (r *Run) sameAs(other *Run) bool {
	return r.Judge == other.Judge && r.Digest == other.Digest && r.Prompt == other.Prompt
}

// reference is the run that a later one is compared with, or nil: the last that was
// accepted, else the first that was calibrated, since the rubric's words, the judge, or
// its prompt changed.
func (d *Dataset) reference(run *Run, records []Record) *Run {
	name := ""
	for _, r := range records {
		if r.Accepted != "" || name == "" && r.Calibrated {
			if found := d.Judge(run.Judge).Run(r.Judge.Run); found != nil && found.sameAs(run) {
				name = found.Name
			}
		}
	}
	return d.Judge(run.Judge).Run(name)
}

// Drifted reports whether the judge became worse than in the run before, or than in the
// reference run, by more than chance and its own noise. An improvement is no drift.
func (r *Tracked) Drifted() bool {
	return r.Drift != nil && r.Drift.Worse || r.Reference != nil && r.Reference.Worse
}

// NeedsAttention reports whether a weekly check has something that a person must look at:
// drift, a run without any readable answer, or a rubric whose labels are by people and
// that is not calibrated. Demonstrations decide nothing else.
func (r *Tracked) NeedsAttention() bool {
	silent := r.Judge != nil && r.Coverage.Share == 0
	return r.Drifted() || silent || !r.Calibrated && !r.Dataset.Demonstration()
}
