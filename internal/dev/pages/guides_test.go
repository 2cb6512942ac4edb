package pages_test

import (
	"fmt"
	"path/filepath"
	"testing"
)

// TestPageOfCalibrationRuns runs the page in a copy of what it uses of the repository:
// one shipped rubric, its dataset, and the examples.
func TestPageOfCalibrationRuns(t *testing.T) {
	repository, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	setup := fmt.Sprintf(`[!exec:python3] skip 'python3 is not installed'
[!symlink] skip 'links can not be made'
symlink examples -> '%[1]s/examples'
mkdir rubrics/jira_tickets calibration/user_story_quality
cp '%[1]s/rubrics/jira_tickets/user_story_quality_v1.yaml' rubrics/jira_tickets
cp '%[1]s/calibration/user_story_quality/dataset.yaml' calibration/user_story_quality
cp '%[1]s/calibration/user_story_quality/items.jsonl' calibration/user_story_quality
`, repository)
	runPage(t, "docs/calibration.md", setup, nil)
}

// TestPageOfHumanLabelsRuns also checks that the example has no lint warnings.
func TestPageOfHumanLabelsRuns(t *testing.T) {
	repository, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	setup := fmt.Sprintf("cd '%s/examples/topical_chat'\nexits 0 rubric lint --base none --fail-level warning\n", repository)
	runPage(t, "docs/human-labels.md", setup, nil)
}

// TestPageOfRuleSetsRuns runs it beside a clone of the repository, which is the
// repository itself.
func TestPageOfRuleSetsRuns(t *testing.T) {
	repository, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	setup := fmt.Sprintf("[!exec:grep] skip 'grep is not installed'\n[!symlink] skip 'links can not be made'\nsymlink rubric-library -> '%s'\n", repository)
	runPage(t, "docs/rule-sets.md", setup, nil)
}
