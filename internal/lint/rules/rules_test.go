package rules

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/lint"
)

var ruleID = regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)

func TestRulesAreWellFormed(t *testing.T) {
	ids := map[string]bool{}
	for _, r := range All() {
		functions := 0
		for _, there := range []bool{r.Document != nil, r.Library != nil, r.Calibration != nil, r.History != nil, r.Repository != nil, r.Ignores != nil} {
			if there {
				functions++
			}
		}
		switch {
		case !ruleID.MatchString(r.ID):
			t.Errorf("%q: the ID is not kebab-case", r.ID)
		case ids[r.ID]:
			t.Errorf("%s is the ID of two rules", r.ID)
		case r.Summary == "" || r.Why == "" || r.Bad == "" || r.Good == "" || r.Family == "":
			t.Errorf("%s lacks its family, summary, reason, or examples", r.ID)
		case r.Spec == "" && r.Source == "":
			t.Errorf("%s lacks its source: name a requirement (Spec), a standard, a paper, or a page", r.ID)
		case r.Severity < lint.Note || r.Severity > lint.Error:
			t.Errorf("%s has no severity", r.ID)
		case r.Keep != nil && r.Library == nil && r.Calibration == nil:
			t.Errorf("%s keeps something that no function of it can use", r.ID)
		case functions != 1:
			t.Errorf("%s has %d functions, and exactly one is needed", r.ID, functions)
		}
		ids[r.ID] = true
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

// TestFamiliesAreTogether: lists of the rules show each family once.
func TestFamiliesAreTogether(t *testing.T) {
	var families []lint.Family
	for _, r := range All() {
		if n := len(families); n == 0 || families[n-1] != r.Family {
			families = append(families, r.Family)
		}
	}
	for i, f := range families {
		if slices.Contains(families[:i], f) {
			t.Errorf("the rules of the family %s are not together", f)
		}
	}
}

// TestIDsAreNotReused: what names a removed rule would otherwise be about another one.
func TestIDsAreNotReused(t *testing.T) {
	if !slices.IsSorted(lint.Removed) {
		t.Error("the removed rules are not sorted by ID")
	}
	for _, id := range lint.Removed {
		if Find(id) != nil {
			t.Errorf("%s is the ID of a rule that was removed. Choose another ID", id)
		}
	}
}

// family is the lint rules of one family.
func family(name lint.Family) []*lint.Rule {
	return slices.DeleteFunc(All(), func(r *lint.Rule) bool { return r.Family != name })
}
