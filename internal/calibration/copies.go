package calibration

import "maps"

// Counted returns the runs that count, from oldest to newest. A run that was stopped does not count. Of
// the runs of one judge with the same answers, those that were imported count as one, because they can
// be copies.
func (j *Judge) Counted() []Run {
	runs := j.Runs()
	originals := originalsOf(runs)
	var counted []Run
	for i := range runs {
		if originals[i] == i && !runs[i].Stopped() {
			counted = append(counted, runs[i])
		}
	}
	return counted
}

// Original is the run that counts for a run: another one that has the same answers, or the run itself.
func (j *Judge) Original(run *Run) *Run {
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
	scores := make([]map[answerKey]map[string]float64, len(runs))
	of := func(i int) map[answerKey]map[string]float64 {
		if scores[i] == nil {
			scores[i] = runs[i].scores()
		}
		return scores[i]
	}
	for i := range runs {
		originals[i] = i
		for other := range runs {
			counts := other < i || !runs[other].Imported
			if runs[i].Imported && counts && other != i && runs[i].Identity() == runs[other].Identity() && sameScores(of(i), of(other)) {
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
	theirs := other.scores()
	for key, scores := range r.scores() {
		if of, both := theirs[key]; both {
			common++
			if maps.Equal(scores, of) {
				same++
			}
		}
	}
	return same, common
}

// scores are the readable answers.
func (r *Run) scores() map[answerKey]map[string]float64 {
	scores := map[answerKey]map[string]float64{}
	for _, a := range r.Answers {
		if len(a.Scores) > 0 {
			scores[answerKey{item: a.Item, repeat: a.Repeat}] = a.Scores
		}
	}
	return scores
}

func sameScores(a, b map[answerKey]map[string]float64) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	for key, scores := range a {
		if !maps.Equal(scores, b[key]) {
			return false
		}
	}
	return len(a) > 0
}
