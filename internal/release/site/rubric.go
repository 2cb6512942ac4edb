package site

import (
	"html/template"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration/report"
	"github.com/rubric-library/rubric-library/internal/release/printer"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

type rubricPage struct {
	documentPage
	Rubric    *rubric.Rubric
	Data      *rubric.Rubric // the part that the scripts need
	Measures  []template.HTML
	Examples  examples
	Runs      template.HTML // the table of recorded runs, or ""
	Important bool          // whether the rubric has important criteria
}

// level is a score of the scale.
type level struct {
	Score           int
	Anchor, Example string // Example is "" if there is none
	Reached         bool   // whether the score reaches the minimum
}

// Levels returns the levels of a criterion with its minimum.
func (rubricPage) Levels(c *rubric.Criterion, minimum float64) (levels []level) {
	examples := map[int]string{1: c.Examples.Score1, 3: c.Examples.Score3, 5: c.Examples.Score5}
	for score := 1; score <= 5; score++ {
		levels = append(levels, level{
			score, c.Anchors.At(score), examples[score], float64(score) >= minimum-rubric.Tolerance,
		})
	}
	return levels
}

// Graded returns a labeled text with the criteria in their order.
func (p rubricPage) Graded(x exampleItem) any {
	return struct {
		Criteria []rubric.Criterion
		Item     *exampleItem
	}{p.Rubric.Criteria, &x}
}

func (b *builder) rubricPage(e *entry, i int, s *report.Statistics) error {
	r := e.Versions[i].Rubric
	base, err := b.documentPage(e, i, scriptName, levelsName, benchName)
	if err != nil {
		return err
	}
	p := &rubricPage{documentPage: base, Rubric: r, Data: dataOf(r)}
	p.Name, p.Description, p.Language = r.Name, r.Description, r.Language
	p.Labels, p.Metadata = r.CalibrationDataset, r.Metadata
	p.Important = slices.ContainsFunc(r.Criteria, func(c rubric.Criterion) bool { return c.Weight == rubric.Important })
	p.Passes = printer.WhenRubricPasses(r)
	if p.Latest {
		if err := b.evidence(p, s); err != nil {
			return err
		}
	}
	return b.putDocument("rubric.html", p, &p.documentPage)
}

// evidence adds what only the page of the latest version has: labeled texts, and how well judges
// agree with people.
func (b *builder) evidence(p *rubricPage, s *report.Statistics) (err error) {
	e := p.Entry
	e.Criteria = len(p.Rubric.Criteria)
	if b.options.Runs != nil {
		runs, err := b.options.Runs(e.ID)
		if err != nil {
			return err
		}
		if p.Runs, err = report.Timeline(runs); err != nil {
			return err
		}
	}
	if p.Examples, err = b.readExamples(e, p.Rubric, s); err != nil {
		return err
	}
	e.Labeled, e.Shown = p.Examples.Count, len(p.Examples.Items) > 0
	e.examples = map[string]*exampleItem{}
	for i := range p.Examples.Items {
		e.examples[p.Examples.Items[i].ID] = &p.Examples.Items[i]
	}
	for j := range s.Reports {
		if s.Reports[j].Judge == nil {
			continue // nothing was measured, and the index says why
		}
		section, err := report.Section(&s.Reports[j])
		if err != nil {
			return err
		}
		p.Measures = append(p.Measures, section)
	}
	return nil
}

// dataOf returns the part of a rubric that the scripts need to compute verdicts and hits.
func dataOf(r *rubric.Rubric) *rubric.Rubric {
	d := &rubric.Rubric{ID: r.ID, Scoring: r.Scoring}
	for _, c := range r.Criteria {
		d.Criteria = append(d.Criteria, rubric.Criterion{
			Name: c.Name, Weight: c.Weight, RelativeWeight: c.RelativeWeight, Threshold: c.Threshold,
		})
	}
	for _, n := range r.NegativeCriteria {
		d.NegativeCriteria = append(d.NegativeCriteria, rubric.NegativeCriterion{
			Name: n.Name, FailPatterns: n.FailPatterns, IgnoreCase: n.IgnoreCase, Effect: n.Effect,
		})
	}
	return d
}
