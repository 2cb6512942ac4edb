package printer

import (
	"html/template"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/render"
)

// Pictures are what a page shows of a report besides words. They need
// nothing about single items, so that a report out of a bundle has them all.
type Pictures struct {
	// Name is that of the judge's run, Conclusion whether the rubric is calibrated.
	Name, Conclusion string
	// Outcome is the class of the outcome, Words the same in words with its mark.
	Outcome, Words string
	// Sentences say what the outcome means.
	Sentences []string
	// Agreement and Bias hold the criteria against the target and against people,
	// Numbers is the same as a table.
	Agreement, Bias, Numbers template.HTML
	// Criteria have the counts of each pair of levels.
	Criteria []CriterionPicture
}

// CriterionPicture counts which levels people and the judge gave.
type CriterionPicture struct {
	Name                  string
	Confusion, Statistics template.HTML // Confusion is "" where no item has both
}

// NewPictures draws a report. id begins every id in it.
func NewPictures(id string, r *calibration.Report) (*Pictures, error) {
	shown := &calibration.Tracked{Report: r}
	outcome := outcomeOf(r.Outcome)
	p := &Pictures{
		Name: reportName(r), Conclusion: strings.TrimSuffix(conclusion(r), ":"), Outcome: outcome.Class, Words: outcome.Mark + " " + outcome.Words,
		Sentences: sentences(shown),
		Agreement: agreementChart(id+"-agreement", r).draw(), Bias: biasChart(id+"-bias", r).draw(),
	}
	var err error
	if p.Numbers, err = tableHTML(statisticsTable(r)); err != nil {
		return nil, err
	}
	for i := range r.Criteria {
		c := &r.Criteria[i]
		one := CriterionPicture{Name: c.Name}
		if c.Items > 0 && isSquare(c.Confusion) {
			one.Confusion = confusionPicture(id+"-counts-"+render.Coordinate(float64(i+1)), c)
		}
		if one.Statistics, err = tableHTML(everyStatistic(c)); err != nil {
			return nil, err
		}
		p.Criteria = append(p.Criteria, one)
	}
	return p, nil
}

// isSquare tells whether there is a count for each pair of levels: a bundle that
// somebody else made can hold anything.
func isSquare(counts [][]int) bool {
	for _, row := range counts {
		if len(row) != squareLevels {
			return false
		}
	}
	return len(counts) == squareLevels
}

// tableHTML is a table as the page of a calibration has it.
func tableHTML(t *htmlTable) (template.HTML, error) {
	var b strings.Builder
	err := calibrationTemplate.ExecuteTemplate(&b, "table", t)
	return template.HTML(b.String()), err // html/template escaped what is in it
}
