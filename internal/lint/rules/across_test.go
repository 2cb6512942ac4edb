package rules

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/linttest"
	"github.com/rubric-library/rubric-library/internal/lint"
)

// withPattern is a rubric whose one pattern misses its own examples.
func withPattern(t *testing.T, id, pattern string) string {
	t.Helper()
	text := linttest.Changed(t, `\bTBD\b`, pattern, "Added the export", "New: the export")
	return linttest.Renamed(text, id)
}

// TestAPatternIsReportedOnce: a pattern that two rubrics have, and that hits the
// examples of two others, is one finding.
func TestAPatternIsReportedOnce(t *testing.T) {
	files := map[string]string{}
	for _, id := range []string{"a_v1", "b_v1"} {
		files["rubrics/corpus/"+id+".yaml"] = withPattern(t, id, `\bAdded the`)
	}
	for _, id := range []string{"c_v1", "d_v1"} {
		files["rubrics/corpus/"+id+".yaml"] = linttest.Other(id)
	}
	got := linttest.Brief(linttest.Run(t, linttest.Library(files), linttest.Only(All(), "pattern-hits-other"), lint.Options{}).Findings)
	if diff := cmp.Diff([]string{"rubrics/corpus/a_v1.yaml:26 pattern-hits-other"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
