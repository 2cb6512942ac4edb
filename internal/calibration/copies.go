package calibration

import "maps"

// CountedRuns returns the runs that count, from oldest to newest. A run that was stopped does not count. Of
// the runs of one judge with the same answers, those that were imported count as one, because they can
// be copies.
func (j *Judge) CountedRuns() []Run {
	runs := j.Runs()
	originals := originalsOf(runs)
	var counted []Run
	for i := range runs {
		if originals[i] == i && !runs[i].WasStopped() {
			counted = append(counted, runs[i])
		}
	}
	return counted
}

// OriginalRun returns the run that counts for a run: another one that has the same answers, or the run itself.
func (j *Judge) OriginalRun(run *Run) *Run {
	runs := j.Runs()
	for i, original := range originalsOf(runs) {
		if runs[i].Name == run.Name && original != i {
			return &runs[original]
		}
	}
	return run
}

// originalsOf returns, for each of the runs of a judge, the one that counts for it: for an imported
// run, the first that was asked with the same answers or imported before, and else the run itself.
func originalsOf(runs []Run) []int {
	originals := make([]int, len(runs))
	for i := range runs {
		originals[i] = i
		for other := range runs {
			counts := other < i || !runs[other].Imported
			if runs[i].Imported && counts && other != i && runs[i].Identity() == runs[other].Identity() &&
				runs[i].repeats(&runs[other]) {
				originals[i] = other
				break
			}
		}
	}
	for i := range originals {
		for originals[i] != originals[originals[i]] { // a copy of a copy
			originals[i] = originals[originals[i]]
		}
	}
	return originals
}

// EqualAnswers counts the questions that two runs answered readably, and those with the same scores.
func (r *Run) EqualAnswers(other *Run) (same, common int) {
	theirs := other.Answers
	for i := range r.Answers {
		a := &r.Answers[i]
		for len(theirs) > 0 && theirs[0].compare(a) < 0 {
			theirs = theirs[1:]
		}
		if len(theirs) > 0 && theirs[0].compare(a) == 0 && len(a.Scores) > 0 && len(theirs[0].Scores) > 0 {
			common++
			if maps.Equal(a.Scores, theirs[0].Scores) {
				same++
			}
		}
	}
	return same, common
}

// repeats reports whether all readable answers of the run with fewer of them are those of the other.
func (r *Run) repeats(other *Run) bool {
	same, _ := r.EqualAnswers(other)
	return same > 0 && same == min(r.countReadable(), other.countReadable())
}

func (r *Run) countReadable() (n int) {
	for i := range r.Answers {
		if len(r.Answers[i].Scores) > 0 {
			n++
		}
	}
	return n
}
