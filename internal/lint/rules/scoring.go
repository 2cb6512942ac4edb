package rules

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

var scoringRules = map[string]lint.Rule{
	"scoring-absent":   {Document: scoringAbsent},
	"hidden-threshold": {Document: hiddenThreshold},
	"idle-essential-minimum": {Document: func(p *lint.DocumentPass) {
		r := p.Rubric()
		if r == nil || r.Scoring.EssentialMinimum == 0 || hasEssential(r) {
			return
		}
		p.ReportAt(lint.Key("scoring").Key("essential_minimum", ""), p.Root().Get("scoring").Get("essential_minimum"),
			"Make a criterion essential, or remove essential_minimum: no criterion here is essential, so it has no effect.")
	}},
}

func hasEssential(r *rubric.Rubric) bool {
	return slices.ContainsFunc(r.Criteria, func(c rubric.Criterion) bool { return c.Weight == rubric.Essential })
}

func scoringAbsent(p *lint.DocumentPass) {
	r := p.Rubric()
	if r == nil {
		return
	}
	at := p.Root().Get("scoring")
	path := lint.Key("scoring")
	if at == nil {
		at, path = p.Root().Get(document.Rubric.IDKey), nil
	}
	switch {
	case r.Scoring.PassThreshold == 0 && r.Scoring.EssentialMinimum == 0:
		p.ReportAt(path, at, "Add scoring with pass_threshold (such as 3.5) and essential_minimum (such as 3.0): without them, any overall score passes.")
	case r.Scoring.PassThreshold == 0:
		p.ReportAt(path, at, "Add pass_threshold (such as 3.5) to scoring: without it, any overall score passes.")
	case r.Scoring.EssentialMinimum == 0 && hasEssential(r):
		p.ReportAt(path, at, "Add essential_minimum (such as 3.0) to scoring: without it, the only minimum of an essential criterion is its own threshold.")
	}
}

func hiddenThreshold(p *lint.DocumentPass) {
	r := p.Rubric()
	if r == nil {
		return
	}
	items := p.Root().Get("criteria").Items
	for i := range r.Criteria {
		c := &r.Criteria[i]
		if c.Weight != rubric.Essential || c.Threshold >= r.Scoring.EssentialMinimum {
			continue
		}
		n := items[i].Get("threshold")
		at := lint.Key("criteria").Elem(i, c.Name, "criterion").Key("threshold", "")
		p.ReportAt(at, n, "Raise the threshold of %s to %v or lower essential_minimum: the criterion is essential, so it needs %v anyway, and %v has no effect.",
			schema.Quote(c.Name), r.Scoring.EssentialMinimum, r.Scoring.EssentialMinimum, c.Threshold)
	}
}
