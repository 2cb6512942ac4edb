package calibration

import (
	"cmp"
	"fmt"
	"slices"
)

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
	r := Tracked{Report: Compute(d, s, run, o), History: []Record{}}
	if run == nil {
		return r
	}
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

// Standing says in sentences since when the judge is not calibrated, and what the run
// can't be compared with. It is empty without recorded runs, and for demonstrations,
// which are never calibrated.
func (r *Tracked) Standing() []string {
	if r.Judge == nil || len(r.History) == 0 || r.Dataset.Demonstration() {
		return nil
	}
	var lines []string
	if line := r.since(); line != "" {
		lines = append(lines, line)
	}
	if r.before == nil {
		lines = append(lines, "No earlier run has the same words, judge, and prompt, so there is nothing to compare with.")
	}
	accepted := slices.ContainsFunc(r.History, func(one Record) bool { return one.Accepted != "" && one.Judge.Run == r.Judge.Run })
	switch {
	case accepted || r.reference != nil && r.reference.Name == r.Judge.Run:
		lines = append(lines, "This run is the reference run.")
	case r.reference == nil && !r.Calibrated:
		lines = append(lines, "There is no reference run: no run with these words, judge, and prompt was calibrated or accepted.")
	case r.reference != nil && r.before != nil && r.reference.Name == r.before.Name:
		lines = append(lines, "The previous run is also the reference run.")
	}
	return lines
}

// since says since when the judge is not calibrated, by the records up to this run.
func (r *Tracked) since() string {
	if r.Calibrated {
		return ""
	}
	records := slices.DeleteFunc(slices.Clone(r.History), func(one Record) bool { return one.Date > r.Judge.Date })
	slices.SortStableFunc(records, func(a, b Record) int { return cmp.Compare(a.Date, b.Date) })
	first, last := *r.Judge, (*JudgeReference)(nil)
	for i, one := range records {
		switch {
		case one.Calibrated:
			first, last = *r.Judge, &records[i].Judge
		case last == nil && i == 0, i > 0 && records[i-1].Calibrated:
			first = one.Judge
		}
	}
	switch {
	case len(records) == 0:
		return ""
	case last == nil:
		return fmt.Sprintf("Not calibrated in any recorded run; the first is %s.", first.dated())
	case last.Run == r.Judge.Run:
		return fmt.Sprintf("Not calibrated anymore: %s was calibrated when it was recorded.", last.dated())
	}
	return fmt.Sprintf("Not calibrated since %s; last calibrated in %s.", first.dated(), last.dated())
}

// dated names a run and its date, which is often its name.
func (j *JudgeReference) dated() string {
	if j.Run == j.Date {
		return "run " + j.Run
	}
	return "run " + j.Run + " of " + j.Date
}
