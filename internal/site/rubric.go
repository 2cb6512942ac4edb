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

// maxTry is the maximum length, in UTF-16 code units, of a text to try patterns on. A
// browser can't interrupt a search that takes very long.
const maxTry = 2000

type rubricPage struct {
	documentPage
	Rubric   *rubric.Rubric
	Criteria []criterionPart
	Negative []negativePart
	Rule     scoringRule
	Data     rubricData
	MaxTry   int
	Measures []template.HTML
}

type criterionPart struct {
	*rubric.Criterion
	Minimum float64
	// Raised reports whether the rubric's minimum exceeds the criterion's threshold.
	Raised bool
	Scale  template.HTML
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

// rubricPage writes the page of a version.
func (b *builder) rubricPage(e *entry, versions []version, i int, reports []*calibration.Report) error {
	var r rubric.Rubric
	if err := json.Unmarshal(versions[i].data, &r); err != nil {
		return fmt.Errorf("version %s: %w", versions[i].Version, err)
	}
	base, err := b.documentPage(e, &document.Rubric, versions, i, r.Name, clientName, scriptName, rubricName)
	if err != nil {
		return err
	}
	p := &rubricPage{documentPage: base, Rubric: &r, Rule: newScoringRule(&r), Data: dataOf(&r), MaxTry: maxTry}
	for j := range r.Criteria {
		p.Criteria = append(p.Criteria, newCriterionPart(fmt.Sprintf("scale-%d", j+1), &r, &r.Criteria[j]))
	}
	for _, n := range r.NegativeCriteria {
		p.Negative = append(p.Negative, negativePart{n, n.Effect != rubric.EffectReport})
	}
	if p.Latest {
		e.Count = len(r.Criteria)
		for j, report := range reports {
			section, err := printer.Section(fmt.Sprintf("calibration-%d", j+1), report)
			if err != nil {
				return err
			}
			p.Measures = append(p.Measures, section)
		}
	}
	return b.putDocument("rubric.html", p, &p.documentPage)
}

func newCriterionPart(id string, r *rubric.Rubric, c *rubric.Criterion) criterionPart {
	minimum := r.Minimum(c)
	part := criterionPart{Criterion: c, Minimum: minimum, Raised: minimum > c.Threshold, Scale: render.ScoreScale(id, minimum)}
	examples := map[int]string{1: c.Examples.Score1, 3: c.Examples.Score3, 5: c.Examples.Score5}
	for score := 1; score <= 5; score++ {
		part.Levels = append(part.Levels, level{score, c.Anchors.At(score), examples[score], float64(score) >= minimum-rubric.Tolerance})
	}
	return part
}

// scoringRule describes in sentences when an artifact passes.
type scoringRule struct {
	Conditions []string // all are required; there is at least one
	Remarks    []string // what is only reported
}

func newScoringRule(r *rubric.Rubric) scoringRule {
	var rule scoringRule
	if names := minimums(r, rubric.Essential); names != "" {
		rule.Conditions = append(rule.Conditions, "Every essential criterion reaches its minimum: "+names+".")
	}
	if m := r.Scoring.PassThreshold; m > 0 {
		rule.Conditions = append(rule.Conditions, "The mean of all scores is at least "+render.Number(m)+".")
	}
	if names := negativeNames(r, true); names != "" {
		rule.Conditions = append(rule.Conditions, "No pattern of "+names+" matches.")
	}
	if len(rule.Conditions) == 0 {
		rule.Conditions = []string{"Each criterion has a score, with any value."}
	}
	if names := minimums(r, rubric.Important); names != "" {
		rule.Remarks = append(rule.Remarks, "Important criteria count toward the mean. If they are below their minimum, they are reported but do not fail the rubric: "+names+".")
	}
	if names := negativeNames(r, false); names != "" {
		rule.Remarks = append(rule.Remarks, "Matches of "+names+" are reported but do not change the verdict.")
	}
	return rule
}

func minimums(r *rubric.Rubric, weight rubric.Weight) string {
	var names []string
	for i := range r.Criteria {
		if c := &r.Criteria[i]; c.Weight == weight {
			names = append(names, fmt.Sprintf("%s (%s)", c.Name, render.Number(r.Minimum(c))))
		}
	}
	return strings.Join(names, ", ")
}

// negativeNames returns the negative criteria that fail the rubric, or those that only
// report.
func negativeNames(r *rubric.Rubric, fail bool) string {
	var names []string
	for _, n := range r.NegativeCriteria {
		if (n.Effect != rubric.EffectReport) == fail {
			names = append(names, n.Name)
		}
	}
	return strings.Join(names, ", ")
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
