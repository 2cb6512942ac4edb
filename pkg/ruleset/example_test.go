package ruleset_test

import (
	"encoding/json"
	"fmt"
	"log"

	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// restAPI is part of the rule set rest_api_design_v1 in canonical JSON.
const restAPI = `{
	"ruleset_id": "rest_api_design_v1",
	"name": "REST API design",
	"version": "1.0.0",
	"artifact_type": "api_design",
	"scoring": {"pass_threshold": 0.8},
	"rules": [
		{
			"id": "a.correctness.endpoints",
			"description": "All core CRUD endpoints are present with correct HTTP methods",
			"severity": "fail",
			"weight": 2,
			"phase": "A",
			"check": "Verify each endpoint from the task prompt exists in the artifact"
		},
		{
			"id": "a.completeness.examples",
			"description": "JSON examples are included",
			"severity": "warn",
			"weight": 1,
			"phase": "A",
			"check": "Find a JSON example for each endpoint"
		},
		{
			"id": "b.style.naming",
			"description": "Naming conventions are consistent",
			"severity": "warn",
			"weight": 1,
			"phase": "B",
			"check": "Compare the names of all resources"
		}
	]
}`

func load() *ruleset.RuleSet {
	var s ruleset.RuleSet
	if err := json.Unmarshal([]byte(restAPI), &s); err != nil {
		log.Fatal(err)
	}
	return &s
}

func ExampleRuleSet_Score() {
	score, err := load().Score(ruleset.PhaseB, map[string]ruleset.Result{
		"a.correctness.endpoints": {Verdict: ruleset.VerdictFail, Reason: "DELETE /orders/{id} is missing"},
		"a.completeness.examples": {Verdict: ruleset.VerdictPass},
		"b.style.naming":          {Verdict: ruleset.VerdictPass},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("passed:", score.Passed, "score:", score.Score)
	for _, reason := range score.Reasons {
		fmt.Println("-", reason)
	}
	// Output:
	// passed: false score: 0.5
	// - the rule a.correctness.endpoints must pass but failed: DELETE /orders/{id} is missing
	// - the score must reach 0.8, got 0.5
}

// A missing result is an error, never a pass.
func ExampleInputError() {
	_, err := load().Score(ruleset.PhaseA, map[string]ruleset.Result{
		"a.correctness.endpoints": {Verdict: ruleset.VerdictPass},
	})
	fmt.Println(err)
	// Output:
	// rule set "rest_api_design_v1" can't be applied: no result for "a.completeness.examples" (every rule active in phase A needs one)
}

func ExampleRuleSet_Active() {
	for _, rule := range load().Active(ruleset.PhaseA) {
		fmt.Println(rule.ID)
	}
	// Output:
	// a.correctness.endpoints
	// a.completeness.examples
}
