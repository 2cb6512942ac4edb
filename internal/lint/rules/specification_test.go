package rules

import (
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/linttest"
	"github.com/rubric-library/rubric-library/internal/lint"
)

// specificationExample is the example rubric of the specification, word for
// word.
const specificationExample = `rubric_id: "user_story_quality_v1"
name: "User Story Quality"
version: "1.0.0"
artifact_type: "jira_tickets"
description: "Evaluates quality of Jira user stories"

criteria:
  - name: "clarity"
    description: "The user story is clear and unambiguous"
    weight: "essential"
    threshold: 3.0
    anchors:
      1: "Vague language, unclear who/what/why"
      2: "Partially clear but missing key context"
      3: "Understandable but could be misinterpreted"
      4: "Clear to most readers"
      5: "Crystal clear, no ambiguity possible"
    examples:
      score_1: "Make the system better"
      score_3: "User can login to the system"
      score_5: "As a registered user, I can login with email/password so that I can access my account dashboard"

  - name: "testability"
    description: "QA can write test cases from acceptance criteria"
    weight: "essential"
    threshold: 3.5
    anchors:
      1: "No clear acceptance criteria"
      2: "Criteria exist but not testable"
      3: "Some criteria are testable"
      4: "Most criteria map to test cases"
      5: "All criteria directly map to test cases"
    examples:
      score_1: "System should work properly"
      score_5: "GIVEN user is on login page WHEN entering valid credentials THEN redirected to dashboard within 2 seconds"

negative_criteria:
  - name: "no_assumptions"
    description: "Story does not rely on unstated assumptions"
    fail_patterns: ["assume", "obvious", "standard approach"]
  - name: "no_vague_language"
    fail_patterns: ["etc.", "and so on", "various", "appropriate"]

scoring:
  pass_threshold: 3.5
  essential_minimum: 3.0
`

func TestSpecificationExample(t *testing.T) {
	fsys := linttest.Library(map[string]string{lint.Root + "/jira_tickets/user_story_quality_v1.yaml": specificationExample})
	report := linttest.Run(t, fsys, All(), lint.Options{})
	if report.Summary.Errors > 0 {
		t.Errorf("the example of the specification has errors:\n%s", goldenOf(fsys, report.Findings, true))
	}
}
