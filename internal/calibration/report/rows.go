package report

import (
	"fmt"

	"github.com/rubric-library/rubric-library/internal/calibration/decide"
)

// CriteriaRows are a table of the criteria.
func (v *View) CriteriaRows() [][]string {
	rows := [][]string{{"CRITERION", "ITEMS", "CORRELATION", "JUDGE", "PEOPLE", "BIAS", "OUTCOME"}}
	for i := range v.Criteria {
		c := &v.Criteria[i]
		against := &c.AgainstPeople.Correlation
		outcome := outcomeWords[c.Outcomes.Outcome]
		if c.Outcomes.Outcome == decide.Undecided {
			outcome = "too few"
		}
		rows = append(rows, []string{
			c.Name, fmt.Sprint(c.Items), c.Spearman.Text(), against.Judge.Text(), against.People.Text(),
			c.Bias.Value.SignedText(), outcome,
		})
	}
	return rows
}

// PersonRows are a table of the raters.
func (v *View) PersonRows() [][]string {
	rows := [][]string{{"PERSON", "CRITERION", "ITEMS", "AGREES", "SEVERITY", "PASSES", "FAILS"}}
	for i := range v.Persons {
		p := &v.Persons[i]
		passes, fails := share(p.Verdict.Passes()), share(p.Verdict.Fails())
		name := p.Rater
		for _, c := range p.Criteria {
			rows = append(rows, []string{
				name, c.Criterion, fmt.Sprint(c.Items), c.Correlation.Text(), c.Severity.Value.SignedText(), passes, fails,
			})
			name, passes, fails = "", "", ""
		}
	}
	return rows
}
