package report

import (
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/calibration/measure"
)

// TestDriftIsForTheWorse: an improvement is a change, and not called drift.
func TestDriftIsForTheWorse(t *testing.T) {
	changed := []measure.ChangedCriterion{{Name: "clarity", Changed: measure.Correlation}, {Name: "scope", Changed: measure.Nothing}}
	for _, c := range []struct {
		reason string
		d      measure.Comparison
		want   string
	}{
		{"nothing changed", measure.Comparison{Criteria: changed[1:]}, "No drift since the previous run a."},
		{"a criterion is worse", measure.Comparison{Changed: true, Worse: true, Criteria: changed}, "Drift since the previous run a:|clarity: agreement with people 0.00, then 0.00"},
		{"a criterion is better", measure.Comparison{Changed: true, Criteria: changed}, "Better than in the previous run a:|clarity: agreement with people 0.00, then 0.00"},
	} {
		c.d.Before = measure.Judge{Run: "a", Date: "a"}
		if got := strings.Join(compared(&c.d, "previous"), "|"); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %q, want %q", c.reason, got, c.want)
		}
	}
}
