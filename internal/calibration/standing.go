package calibration

import (
	"cmp"
	"fmt"
	"slices"
)

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
