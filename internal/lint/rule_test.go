package lint_test

import (
	"testing"

	"github.com/rubric-library/rubric-library/internal/lint"
)

func TestSeveritiesHaveTheWordsOfTheConfiguration(t *testing.T) {
	for severity, want := range map[lint.Severity]string{0: "off", lint.Note: "note", lint.Warning: "warning", lint.Error: "error"} {
		if got := severity.String(); got != want {
			t.Errorf("severity %d is %q, want %q", severity, got, want)
		}
	}
}
