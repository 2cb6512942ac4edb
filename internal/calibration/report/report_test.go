package report

import (
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/calibration/measure"
)

// TestDriftIsForTheWorse: an improvement is a change, and not called drift.
func TestDriftIsForTheWorse(t *testing.T) {
	changed := []measure.ComparedCriterion{{Name: "clarity", Changed: true, Reason: "clarity: changed."}, {Name: "scope", Reason: "scope: no difference."}}
	for _, c := range []struct {
		reason string
		d      measure.Comparison
		want   string
	}{
		{"nothing changed", measure.Comparison{Criteria: changed[1:]}, "No drift since the previous run a."},
		{"a criterion is worse", measure.Comparison{Changed: true, Worse: true, Criteria: changed}, "Drift since the previous run a:|clarity: changed."},
		{"a criterion is better", measure.Comparison{Changed: true, Criteria: changed}, "Better than in the previous run a:|clarity: changed."},
	} {
		c.d.Before = measure.Judge{Run: "a", Date: "a"}
		if got := strings.Join(sentences(&Tracked{View: &View{}, Drift: &c.d}), "|"); got != c.want {
			t.Errorf("%s: %q, want %q", c.reason, got, c.want)
		}
	}
}
