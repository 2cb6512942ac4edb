package rules

import (
	"math"
	"strconv"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/pkg/rubric"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

var scoringRules = map[string]lint.Rule{
	"scoring-absent":         {Severity: lint.Note, Check: lint.OfDocument(scoringAbsent)},
	"hidden-threshold":       {Severity: lint.Warning, Check: lint.OfDocument(hiddenThreshold)},
	"guaranteed-threshold":   {Severity: lint.Warning, Check: lint.OfDocument(guaranteedThreshold)},
	"idle-essential-minimum": {Severity: lint.Warning, Check: lint.OfDocument(idleEssentialMinimum)},
}

func idleEssentialMinimum(p *lint.DocumentPass) {
	if s := scoringOf(p); s == nil || s.minimum == 0 || len(s.essential) > 0 {
		return
	}
	p.ReportAt(lint.Key("scoring").Key("essential_minimum", ""), p.Root().Get("scoring").Get("essential_minimum"),
		"Make a criterion essential, or remove essential_minimum: no criterion here is essential, so it has no effect.")
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

// guaranteedThreshold reports a threshold below what the worst artifact reaches of those that the
// other minimums let pass. The same number, as of a rubric with one criterion, is repeated on
// purpose.
func guaranteedThreshold(p *lint.DocumentPass) {
	at := p.Root().Get("scoring").Get("pass_threshold")
	if at == nil || !p.Doc.Valid() {
		return
	}
	path := lint.Key("scoring").Key("pass_threshold", "")
	switch {
	case p.Is(&document.Rubric) && number(at) <= lowestScore:
		p.ReportAt(path, at, "Raise pass_threshold, such as to 3.5, or remove it: no overall score is below %d, so no artifact fails by it.", lowestScore)
	case p.Is(&document.Rubric):
		if overall, passes := worstRubric(p.Doc.Rubric()); passes && overall > number(at)+rubric.Tolerance {
			p.ReportAt(path, at, "Raise pass_threshold above %v, or remove it: artifacts that reach the minimums of the essential criteria reach it, too, so no artifact fails by it.",
				hundredthsAbove(overall))
		}
	case p.RuleSet() != nil:
		if score, passes := worstRuleSet(p.RuleSet()); passes {
			p.ReportAt(path, at, "Raise pass_threshold above %v, or make the warn rules info: artifacts that pass the fail rules and no warn rule reach it, too, so no artifact fails by it.",
				hundredthsAbove(score))
		}
	}
}

// hundredthsAbove rounds up to two decimals.
func hundredthsAbove(score float64) float64 { return math.Ceil(score*100-rubric.Tolerance) / 100 }

// worstRubric returns the overall score of the worst artifact that has the minimums of the
// essential criteria, and whether it passes.
func worstRubric(r *rubric.Rubric) (overall float64, passes bool) {
	scores := map[string]float64{}
	for i := range r.Criteria {
		c := &r.Criteria[i]
		scores[c.Name] = lowestScore
		if c.Weight == rubric.Essential {
			scores[c.Name] = r.Minimum(c)
		}
	}
	v, err := r.Verdict(scores, nil)
	return v.Overall, err == nil && v.Passed
}

// worstRuleSet returns the lowest score of an artifact that fails all warn rules, and whether it
// passes in each phase.
func worstRuleSet(s *ruleset.RuleSet) (score float64, passes bool) {
	score = 1
	warned := false
	for _, phase := range []ruleset.Phase{ruleset.PhaseA, ruleset.PhaseB} {
		results := map[string]ruleset.Result{}
		for _, rule := range s.Active(phase) {
			results[rule.ID] = ruleset.Result{Verdict: ruleset.VerdictPass}
			if rule.Severity == ruleset.SeverityWarn {
				results[rule.ID], warned = ruleset.Result{Verdict: ruleset.VerdictFail}, true
			}
		}
		worst, err := s.Score(phase, results)
		if err != nil || !worst.Passed {
			return 0, false
		}
		score = min(score, worst.Score)
	}
	return score, warned
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
