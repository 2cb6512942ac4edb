package rules

import (
	"slices"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/lint"
)

func TestRulesAreWellFormed(t *testing.T) {
	if err := lint.Validate(All()); err != nil {
		t.Fatal(err)
	}
	for _, r := range All() {
		if r.Bad == r.Good {
			t.Errorf("%s: the bad example is the good one", r.ID)
		}
		if strings.HasSuffix(r.Summary, ".") {
			t.Errorf(`%s: the summary has to complete "finds …" and is %q`, r.ID, r.Summary)
		}
		if !strings.HasSuffix(r.Why, ".") {
			t.Errorf("%s: the reason has to be sentences and is %q", r.ID, r.Why)
		}
		if strings.HasSuffix(r.Source, ".") || strings.Contains(r.Source, "..") {
			t.Errorf("%s: the source has to complete a sentence and is %q", r.ID, r.Source)
		}
		if Find(r.ID) == nil {
			t.Errorf("%s is not found by its ID", r.ID)
		}
	}
}

func TestFindRuleKnowsNoOther(t *testing.T) {
	for _, id := range []string{"", "no-such-rule", "Duplicate-ID"} {
		if r := Find(id); r != nil {
			t.Errorf("FindRule(%q) = %s, want none", id, r.ID)
		}
	}
}

// TestFamiliesStandTogether: lists of the rules show each family once.
func TestFamiliesStandTogether(t *testing.T) {
	var families []lint.Family
	for _, r := range All() {
		if n := len(families); n == 0 || families[n-1] != r.Family {
			families = append(families, r.Family)
		}
	}
	for i, f := range families {
		if slices.Contains(families[:i], f) {
			t.Errorf("the rules of the family %s do not stand together", f)
		}
	}
}
