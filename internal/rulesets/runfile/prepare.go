package runfile

import "github.com/rubric-library/rubric-library/pkg/ruleset"

// Prepare selects the checks of the rules that are active in a phase: the supplied checks
// by rule ID, or else the rule's own. A rule with neither needs an external verdict.
// Checks for inactive rules are ignored.
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

// Stale returns the IDs of the rules that are active in a phase but not prepared, because
// another phase was prepared or the rules changed since.
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

// Checks returns the prepared checks by rule ID.
func (p *Prepared) Checks() map[string][]ruleset.Check {
	checks := make(map[string][]ruleset.Check, len(p.Rules))
	for _, rule := range p.Rules {
		checks[rule.Rule] = rule.Checks
	}
	return checks
}
