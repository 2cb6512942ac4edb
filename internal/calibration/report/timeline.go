package report

import (
	"cmp"
	"html/template"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/internal/calibration/decide"
)

// Past is how well a judge agreed with people in a recorded run, for the words that it read.
type Past struct {
	Judge calibration.Identity
	Start calibration.Start
	// Since is the first version of the rubric with these words.
	Since    string
	Target   float64
	Criteria []PastCriterion
}

// PastCriterion is the correlation on a criterion in a run.
type PastCriterion struct {
	Name     string
	Spearman agreement.Estimate
	// People is the mean correlation of each person with the others.
	People  agreement.Value
	Outcome decide.Outcome
}

// PastOf is what a decision says about its run.
func PastOf(r *decide.Decision, since string) Past {
	p := Past{Judge: r.Judge.Identity(), Start: r.Judge.Start(), Since: since, Target: r.Settings.Target}
	for i := range r.Criteria {
		c := &r.Criteria[i]
		p.Criteria = append(p.Criteria, PastCriterion{
			c.Name, c.Spearman, c.AgainstPeople.Correlation.People, r.Outcomes[i].Ranking,
		})
	}
	return p
}

// moment is a criterion in a run.
type moment struct {
	*Past
	Of *PastCriterion
}

// Timeline draws the correlations of recorded runs over time for each criterion and judge, and lists
// them, the newest run first. It is "" if no run has a correlation.
func Timeline(runs []Past) (template.HTML, error) {
	var all []moment
	var criteria []string // in the order of the runs
	for i := range runs {
		for j := range runs[i].Criteria {
			if of := &runs[i].Criteria[j]; of.Spearman.IsDefined() {
				all, criteria = append(all, moment{&runs[i], of}), append(criteria, of.Name)
			}
		}
	}
	if len(all) == 0 {
		return "", nil
	}
	slices.SortStableFunc(all, func(a, b moment) int {
		return cmp.Or(cmp.Compare(slices.Index(criteria, a.Of.Name), slices.Index(criteria, b.Of.Name)),
			cmp.Compare(a.Judge.Name, b.Judge.Name), b.Start.Compare(a.Start))
	})
	return filled("timeline", map[string]any{"Plots": plots(all), "Runs": all})
}
