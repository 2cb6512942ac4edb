package rubric_test

import (
	"encoding/json"
	"fmt"
	"log"

	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// userStory is part of the rubric user_story_quality_v1 in canonical JSON.
const userStory = `{
	"rubric_id": "user_story_quality_v1",
	"name": "User Story Quality",
	"version": "1.0.0",
	"artifact_type": "jira_tickets",
	"criteria": [
		{
			"name": "clarity",
			"description": "The user story is clear and unambiguous",
			"weight": "essential",
			"threshold": 3,
			"anchors": {
				"1": "Vague language, unclear who/what/why",
				"2": "Partially clear but missing key context",
				"3": "Understandable but could be misinterpreted",
				"4": "Clear to most readers",
				"5": "Crystal clear, no ambiguity possible"
			},
			"examples": {
				"score_1": "Make the system better",
				"score_5": "As a registered user, I can login with email/password"
			}
		},
		{
			"name": "testability",
			"description": "QA can write test cases from acceptance criteria",
			"weight": "essential",
			"threshold": 3.5,
			"anchors": {
				"1": "No clear acceptance criteria",
				"2": "Criteria exist but not testable",
				"3": "Some criteria are testable",
				"4": "Most criteria map to test cases",
				"5": "All criteria directly map to test cases"
			},
			"examples": {
				"score_1": "System should work properly",
				"score_5": "GIVEN user is on login page WHEN entering valid credentials THEN ..."
			}
		}
	],
	"negative_criteria": [
		{"name": "no_assumptions", "fail_patterns": ["assume", "obvious"]},
		{"name": "no_vague_language", "fail_patterns": ["etc\\.", "various"]}
	],
	"scoring": {"pass_threshold": 3.5, "essential_minimum": 3}
}`

func load() *rubric.Rubric {
	var r rubric.Rubric
	if err := json.Unmarshal([]byte(userStory), &r); err != nil {
		log.Fatal(err)
	}
	return &r
}

func ExampleRubric_Verdict() {
	r := load()
	hits, err := r.NegativeHits("As an admin, I can edit various settings")
	if err != nil {
		log.Fatal(err)
	}
	v, err := r.Verdict(map[string]float64{"clarity": 4, "testability": 3}, rubric.HitNames(hits))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("passed:", v.Passed, "overall:", v.Overall)
	for _, reason := range v.Reasons {
		fmt.Println("-", reason)
	}
	// Output:
	// passed: false overall: 3.5
	// - the essential criterion testability must reach 3.5, got 3
	// - the negative criterion no_vague_language matches
}

// A missing score is an error, never a pass.
func ExampleInputError() {
	_, err := load().Verdict(map[string]float64{"clarity": 4}, nil)
	fmt.Println(err)
	// Output:
	// rubric "user_story_quality_v1" can't be applied: no score for "testability" (every criterion needs one)
}

func ExampleRubric_NegativeHits() {
	text := "Zoe\u0308 can edit names, colors etc. and various other settings"
	hits, err := load().NegativeHits(text)
	if err != nil {
		log.Fatal(err)
	}
	// Places count characters of the normalized text.
	characters := []rune(rubric.Normalize(text))
	for _, h := range hits {
		fmt.Printf("%s at %d to %d: %s\n", h.Name, h.Start, h.End, string(characters[h.Start:h.End]))
	}
	// Output:
	// no_vague_language at 27 to 31: etc.
	// no_vague_language at 36 to 43: various
}

// A Matcher compiles the patterns once and can be used by many goroutines.
func ExampleMatcher_Hits() {
	m, err := load().Matcher()
	if err != nil {
		log.Fatal(err)
	}
	for _, text := range []string{"We assume a browser", "I can login with email"} {
		hits, err := m.Hits(text)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(rubric.HitNames(hits))
	}
	// Output:
	// [no_assumptions]
	// []
}

func ExampleRubric_Minimum() {
	r := load()
	for i := range r.Criteria {
		fmt.Println(r.Criteria[i].Name, r.Minimum(&r.Criteria[i]))
	}
	// Output:
	// clarity 3
	// testability 3.5
}
