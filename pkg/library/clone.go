package library

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/rubric-library/rubric-library/pkg/rubric"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// clone returns a deep copy. A test checks that it covers all fields.
func (d *decoded) clone() decoded {
	if d.ruleSet != nil {
		return decoded{ruleSet: cloneRuleSet(d.ruleSet)}
	}
	return decoded{rubric: cloneRubric(d.rubric)}
}

func cloneRubric(r *rubric.Rubric) *rubric.Rubric {
	c := *r
	c.Criteria = slices.Clone(r.Criteria)
	c.NegativeCriteria = slices.Clone(r.NegativeCriteria)
	for i := range c.NegativeCriteria {
		n := &c.NegativeCriteria[i]
		n.FailPatterns = slices.Clone(n.FailPatterns)
		n.FailExamples = slices.Clone(n.FailExamples)
		n.PassExamples = slices.Clone(n.PassExamples)
	}
	c.Deprecated = copied(r.Deprecated)
	c.Metadata = maps.Clone(r.Metadata)
	return &c
}

func cloneRuleSet(s *ruleset.RuleSet) *ruleset.RuleSet {
	c := *s
	c.Rules = slices.Clone(s.Rules)
	for i := range c.Rules {
		r := &c.Rules[i]
		r.Checks = slices.Clone(r.Checks)
		for j := range r.Checks {
			check := &r.Checks[j]
			check.MinCount, check.MaxCount = copied(check.MinCount), copied(check.MaxCount)
			check.Command = slices.Clone(check.Command)
		}
	}
	c.Deprecated = copied(s.Deprecated)
	c.Metadata = maps.Clone(s.Metadata)
	return &c
}

// copied returns a pointer to a copy of the value, or nil for nil.
func copied[T any](p *T) *T {
	if p == nil {
		return nil
	}
	return new(*p)
}

// decoded is a version of a document: a rubric or a rule set.
type decoded struct {
	rubric  *rubric.Rubric
	ruleSet *ruleset.RuleSet
}

// decode decodes the canonical form of a checked document.
func decode(kind Kind, data []byte) (*decoded, error) {
	d := &decoded{}
	if kind == KindRuleSet {
		d.ruleSet = &ruleset.RuleSet{}
		return d, json.Unmarshal(data, d.ruleSet)
	}
	d.rubric = &rubric.Rubric{}
	return d, json.Unmarshal(data, d.rubric)
}
