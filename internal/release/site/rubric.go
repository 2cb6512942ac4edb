package site

import (
	"encoding/json"
	"fmt"
	"html/template"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/printer"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

type rubricPage struct {
	documentPage
	Rubric    *rubric.Rubric
	Criteria  []criterionPart
	Negative  []negativePart
	Data      rubricData
	Measures  []template.HTML
	Examples  examples
	Runs      template.HTML // the picture of recorded runs, or ""
	Important bool          // whether the rubric has important criteria
}

type criterionPart struct {
	*rubric.Criterion
	Minimum float64
	// Raised reports whether the rubric's minimum exceeds the criterion's threshold.
	Raised bool
	Levels []level
}

// level is a score of the scale.
type level struct {
	Score           int
	Anchor, Example string // Example is "" if there is none
	Reached         bool   // whether the score reaches the minimum
}

type negativePart struct {
	rubric.NegativeCriterion
	Fails bool // whether a match fails the rubric
}

// rubricData is the part of a rubric that the scripts need to compute verdicts and hits.
type rubricData struct {
	ID       string                     `json:"rubric_id"`
	Criteria []criterionData            `json:"criteria"`
	Negative []rubric.NegativeCriterion `json:"negative_criteria"`
	Scoring  rubric.Scoring             `json:"scoring"`
}

type criterionData struct {
	Name      string        `json:"name"`
	Weight    rubric.Weight `json:"weight"`
	Threshold float64       `json:"threshold"`
}

func (b *builder) rubricPage(e *entry, versions []version, i int, s *calibration.Statistics) error {
	var r rubric.Rubric
	if err := json.Unmarshal(versions[i].data, &r); err != nil {
		return fmt.Errorf("version %s: %w", versions[i].Version, err)
	}
	base, err := b.documentPage(e, &document.Rubric, versions, i, r.Name, scriptName, levelsName, benchName)
	if err != nil {
		return err
	}
	p := &rubricPage{documentPage: base, Rubric: &r, Data: dataOf(&r)}
	p.Name, p.Description, p.Language, p.Labels, p.Metadata = r.Name, r.Description, r.Language, r.CalibrationDataset, r.Metadata
	essential, failing := 0, 0
	for j := range r.Criteria {
		p.Criteria = append(p.Criteria, newCriterionPart(&r, &r.Criteria[j]))
		if r.Criteria[j].Weight == rubric.Essential {
			essential++
		}
	}
	for _, n := range r.NegativeCriteria {
		p.Negative = append(p.Negative, negativePart{n, n.Effect != rubric.EffectReport})
		if n.Effect != rubric.EffectReport {
			failing++
		}
	}
	p.Important = essential < len(r.Criteria)
	p.Passes = passes(essential, r.Scoring.PassThreshold, failing)
	if p.Latest {
		e.Criteria = len(r.Criteria)
		if b.options.Runs != nil {
			var err error
			if p.Runs, err = printer.Timeline("runs", b.options.Runs(e.ID)); err != nil {
				return err
			}
		}
		if p.Examples, err = b.readExamples(e, &r, s); err != nil {
			return err
		}
		e.Labeled, e.Shown = p.Examples.Count, len(p.Examples.Items) > 0
		for j := range s.Reports {
			if s.Reports[j].Judge == nil {
				continue // nothing was measured, and the index says why
			}
			section, err := printer.Section(fmt.Sprintf("evidence-%d", j+1), &s.Reports[j])
			if err != nil {
				return err
			}
			p.Measures = append(p.Measures, section)
		}
	}
	return b.putDocument("rubric.html", p, &p.documentPage)
}

func newCriterionPart(r *rubric.Rubric, c *rubric.Criterion) criterionPart {
	minimum := r.Minimum(c)
	part := criterionPart{Criterion: c, Minimum: minimum, Raised: minimum > c.Threshold}
	examples := map[int]string{1: c.Examples.Score1, 3: c.Examples.Score3, 5: c.Examples.Score5}
	for score := 1; score <= 5; score++ {
		part.Levels = append(part.Levels, level{score, c.Anchors.At(score), examples[score], float64(score) >= minimum-rubric.Tolerance})
	}
	return part
}

// passes says when work passes a rubric: the end of a sentence after "if". mean is 0 if there
// is no minimum for it.
func passes(essential int, mean float64, failing int) string {
	var conditions []string
	switch essential {
	case 0:
	case 1:
		conditions = append(conditions, "the essential criterion reaches its minimum")
	default:
		conditions = append(conditions, fmt.Sprintf("all %d essential criteria reach their minimums", essential))
	}
	if mean > 0 {
		conditions = append(conditions, "the mean of all scores is at least "+render.Number(mean))
	}
	if failing > 0 {
		conditions = append(conditions, "no pattern of "+count(failing, "negative criterion", "negative criteria")+" is found")
	}
	switch last := len(conditions) - 1; last {
	case -1:
		return "each criterion has a score, with any value"
	case 0, 1:
		return strings.Join(conditions, " and ")
	default:
		return strings.Join(conditions[:last], ", ") + ", and " + conditions[last]
	}
}

func dataOf(r *rubric.Rubric) rubricData {
	d := rubricData{ID: r.ID, Criteria: []criterionData{}, Negative: []rubric.NegativeCriterion{}, Scoring: r.Scoring}
	for _, c := range r.Criteria {
		d.Criteria = append(d.Criteria, criterionData{c.Name, c.Weight, c.Threshold})
	}
	for _, n := range r.NegativeCriteria {
		d.Negative = append(d.Negative, rubric.NegativeCriterion{Name: n.Name, FailPatterns: n.FailPatterns, IgnoreCase: n.IgnoreCase, Effect: n.Effect})
	}
	return d
}
