package printer

import (
	"html/template"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/render"
)

// Pictures are the text and pictures that a page shows for a report. They need no data
// about single items, so they can be drawn from the statistics in a bundle.
type Pictures struct {
	// Name names the rubric and the judge; Conclusion says whether the judge is calibrated.
	Name, Conclusion string
	// Outcome is the CSS class of the outcome, Words its mark and words.
	Outcome, Words string
	// Sentences explain the outcome.
	Sentences []string
	// Agreement compares each criterion with the target, Bias with people; Numbers is
	// the same data as a table.
	Agreement, Bias, Numbers template.HTML
	// Criteria have the counts of each pair of levels.
	Criteria []CriterionPicture
}

// CriterionPicture counts which levels people and the judge gave.
type CriterionPicture struct {
	Name                  string
	Confusion, Statistics template.HTML // Confusion is "" if no item has a label and a score
}

// NewPictures draws a report. id is the prefix of every HTML id in it.
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

// isSquare reports whether there is a count for each pair of levels, which a bundle
// made by another program does not guarantee.
func isSquare(counts [][]int) bool {
	for _, row := range counts {
		if len(row) != squareLevels {
			return false
		}
	}
	return len(counts) == squareLevels
}

// tableHTML renders a table as on the page of a calibration.
func tableHTML(t *htmlTable) (template.HTML, error) {
	var b strings.Builder
	err := calibrationTemplate.ExecuteTemplate(&b, "table", t)
	return template.HTML(b.String()), err // html/template escaped its text
}
