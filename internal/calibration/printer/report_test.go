package printer

import (
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/calibration"
)

// TestDriftIsForTheWorse: an improvement is a change, and not called drift.
func TestDriftIsForTheWorse(t *testing.T) {
	changed := []calibration.ComparedCriterion{{Name: "clarity", Changed: true, Reason: "clarity: changed."}, {Name: "scope", Reason: "scope: no difference."}}
	for _, c := range []struct {
		reason string
		d      calibration.Comparison
		want   string
	}{
		{"nothing changed", calibration.Comparison{Criteria: changed[1:]}, "No drift since run a."},
		{"a criterion is worse", calibration.Comparison{Changed: true, Worse: true, Criteria: changed}, "Drift since run a:|clarity: changed."},
		{"a criterion is better", calibration.Comparison{Changed: true, Criteria: changed}, "Better than in run a:|clarity: changed."},
	} {
		if got := strings.Join(driftLines(&c.d, "run a"), "|"); got != c.want {
			t.Errorf("%s: %q, want %q", c.reason, got, c.want)
		}
	}
}
