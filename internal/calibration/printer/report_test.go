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
		{"nothing changed", calibration.Comparison{Criteria: changed[1:]}, "No drift since the previous run a."},
		{"a criterion is worse", calibration.Comparison{Changed: true, Worse: true, Criteria: changed}, "Drift since the previous run a:|clarity: changed."},
		{"a criterion is better", calibration.Comparison{Changed: true, Criteria: changed}, "Better than in the previous run a:|clarity: changed."},
	} {
		c.d.Before = calibration.JudgeReference{Run: "a", Date: "a"}
		if got := strings.Join(sentences(&calibration.Tracked{Report: &calibration.Report{}, Drift: &c.d}), "|"); got != c.want {
			t.Errorf("%s: %q, want %q", c.reason, got, c.want)
		}
	}
}
