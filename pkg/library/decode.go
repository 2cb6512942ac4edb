package library

import (
	"encoding/json"

	"github.com/rubric-library/rubric-library/pkg/rubric"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

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
