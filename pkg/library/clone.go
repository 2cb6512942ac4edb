package library

import (
	"maps"
	"slices"

	"github.com/rubric-library/rubric-library/pkg/rubric"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// clone returns a deep copy. A test checks that it covers all fields.
func (d *Document) clone() Document {
	if d.RuleSet != nil {
		return Document{Reference: d.Reference, RuleSet: cloneRuleSet(d.RuleSet), canonical: d.canonical}
	}
	return Document{Reference: d.Reference, Rubric: cloneRubric(d.Rubric), canonical: d.canonical}
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
			check.Command, check.Files = slices.Clone(check.Command), slices.Clone(check.Files)
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
