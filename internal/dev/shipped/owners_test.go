package shipped_test

import (
	"os"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/hosts"
	"github.com/rubric-library/rubric-library/internal/lint/codeowners"
)

// TestWhatDecidesIsOwned checks that no change can approve itself: all files that
// decide, or are decided about, have an owner, even if they do not exist yet.
func TestWhatDecidesIsOwned(t *testing.T) {
	const name = "CODEOWNERS"
	if _, err := os.Stat(hosts.GitHub().Owners[0]); err == nil {
		t.Errorf("there is a %s, which GitHub reads instead of %s", hosts.GitHub().Owners[0], name)
	}
	data := must.Get(os.ReadFile(name))(t)
	file := codeowners.Parse(source.NewFile(name, data), hosts.OneOwner)
	for _, p := range file.Problems {
		t.Errorf("%s: %s", name, p.Message)
	}
	for path, what := range map[string]string{
		"rubrics/a_new_type/a_new_v1.yaml":   "documents",
		"rubrics/retired.yaml":               "the ledger",
		"rubrics/exceptions.yaml":            "the exceptions",
		"calibration/a_new_one/dataset.yaml": "calibration",
		".rubric-lint.yaml":                  "the configuration",
		".rubric-lint-baseline.json":         "the baseline",
		".github/workflows/a_new_one.yml":    "workflows",
		"action.yml":                         "the action",
		".github/action/a_new_one.sh":        "the scripts of the action",
		".ci/run":                            "what has to be green",
		"go.mod":                             "the modules that the linter is built from",
		"internal/lint/engine.go":            "the linter",
		name:                                 "who owns what",
	} {
		if len(file.Owners(path)) == 0 {
			t.Errorf("nobody owns %s: %s", path, what)
		}
	}
}
