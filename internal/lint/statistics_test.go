package lint

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

// TestCountRules: a rule whose severity differs has a line for each, notes count, and so do findings
// for which the output has no room.
func TestCountRules(t *testing.T) {
	many, few, mixed := &Rule{ID: "many"}, &Rule{ID: "few"}, &Rule{ID: "a-mixed"}
	r := &Report{Findings: []Finding{
		{Rule: mixed, Severity: Warning}, {Rule: mixed, Severity: Error, Fix: &source.Fix{}}, {Rule: few, Severity: Error},
	}}
	for i := range 5000 {
		r.Findings = append(r.Findings, Finding{Rule: many, Severity: Note, Message: fmt.Sprint(i)})
	}
	r.Statistics = CountRules(r.Findings)
	want := []RuleCount{{"many", Note, 5000, 0}, {"a-mixed", Error, 1, 1}, {"few", Error, 1, 0}, {"a-mixed", Warning, 1, 0}}
	short := r.Shorten()
	if diff := cmp.Diff(want, short.Statistics); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if short.Summary.Unlisted == 0 {
		t.Error("there is room for all findings")
	}
	if none := CountRules(nil); none == nil || len(none) > 0 {
		t.Errorf("no findings give %v, want an empty list", none)
	}
}
