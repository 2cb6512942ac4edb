package rules

import (
	"strconv"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

var scoringRules = map[string]lint.Rule{
	"scoring-absent":   {Document: scoringAbsent},
	"hidden-threshold": {Document: hiddenThreshold},
	"idle-essential-minimum": {Document: func(p *lint.DocumentPass) {
		if s := scoringOf(p); s == nil || s.minimum == 0 || len(s.essential) > 0 {
			return
		}
		p.ReportAt(lint.Key("scoring").Key("essential_minimum", ""), p.Root().Get("scoring").Get("essential_minimum"),
			"Make a criterion essential, or remove essential_minimum: no criterion here is essential, so it has no effect.")
	}},
}

// scoring is what decides whether an artifact passes. What is missing is 0.
type scoring struct {
	threshold, minimum float64
	essential          []*criterionOf
}

// scoringOf returns nil unless the document is a rubric and valid except for blank texts.
var scoringOf = lint.Once(func(p *lint.DocumentPass) *scoring {
	if !p.Is(&document.Rubric) || !p.Doc.Draft() {
		return nil
	}
	at := p.Root().Get("scoring")
	s := &scoring{threshold: number(at.Get("pass_threshold")), minimum: number(at.Get("essential_minimum"))}
	eachCriterion(p, func(c *criterionOf) {
		if c.Node.Get("weight").Text() == string(rubric.Essential) {
			s.essential = append(s.essential, c)
		}
	})
	return s
})

func number(n *yamltree.Node) float64 {
	f, _ := strconv.ParseFloat(n.Text(), 64)
	return f
}

func scoringAbsent(p *lint.DocumentPass) {
	s := scoringOf(p)
	if s == nil {
		return
	}
	at := p.Root().Get("scoring")
	path := lint.Key("scoring")
	if at == nil {
		at, path = p.Root().Get(document.Rubric.IDKey), nil
	}
	switch {
	case s.threshold == 0 && s.minimum == 0:
		p.ReportAt(path, at, "Add scoring with pass_threshold (such as 3.5) and essential_minimum (such as 3.0): without them, any overall score passes.")
	case s.threshold == 0:
		p.ReportAt(path, at, "Add pass_threshold (such as 3.5) to scoring: without it, any overall score passes.")
	case s.minimum == 0 && len(s.essential) > 0:
		p.ReportAt(path, at, "Add essential_minimum (such as 3.0) to scoring: without it, the only minimum of an essential criterion is its own threshold.")
	}
}

func hiddenThreshold(p *lint.DocumentPass) {
	s := scoringOf(p)
	if s == nil {
		return
	}
	for _, c := range s.essential {
		n := c.Node.Get("threshold")
		if own := number(n); own < s.minimum {
			p.ReportAt(c.At.Key("threshold", ""), n, "Raise the threshold of %s to %v or lower essential_minimum: the criterion is essential, so it needs %v anyway, and %v has no effect.",
				schema.Quote(c.Name), s.minimum, s.minimum, own)
		}
	}
}
