package runfile

import "github.com/rubric-library/rubric-library/pkg/ruleset"

// Prepare materializes the rules that are active in a phase: the supplied checks
// of a rule, by ID, or else its own. A rule with neither needs a verdict from
// outside. What is supplied for rules that are not active is left alone.
func Prepare(s *ruleset.RuleSet, phase ruleset.Phase, supplied map[string][]ruleset.Check) *Prepared {
	p := &Prepared{Phase: phase, Rules: []RuleChecks{}, Outside: []string{}}
	for _, rule := range s.Active(phase) {
		checks, given := supplied[rule.ID]
		if !given {
			checks = rule.Checks
		}
		if len(checks) == 0 {
			p.Outside = append(p.Outside, rule.ID)
		} else {
			p.Rules = append(p.Rules, RuleChecks{rule.ID, checks})
		}
	}
	return p
}

// Stale are the IDs of the rules that are active in a phase and were not
// prepared: the phase is another one, or the rules changed since.
func (r *Run) Stale(phase ruleset.Phase) []string {
	known := map[string]bool{}
	if r.Prepared != nil {
		for _, rule := range r.Prepared.Rules {
			known[rule.Rule] = true
		}
		for _, id := range r.Prepared.Outside {
			known[id] = true
		}
	}
	var stale []string
	for _, rule := range r.RuleSet().Active(phase) {
		if !known[rule.ID] {
			stale = append(stale, rule.ID)
		}
	}
	return stale
}

// Checks are the prepared checks by the ID of their rule.
func (p *Prepared) Checks() map[string][]ruleset.Check {
	checks := make(map[string][]ruleset.Check, len(p.Rules))
	for _, rule := range p.Rules {
		checks[rule.Rule] = rule.Checks
	}
	return checks
}
