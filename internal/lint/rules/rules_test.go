package rules

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/lint"
)

var ruleID = regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)

// TestRulesAreWellFormed: what describe does not check, because it depends on no other part of the program.
func TestRulesAreWellFormed(t *testing.T) {
	for _, r := range All() {
		if !ruleID.MatchString(r.ID) {
			t.Errorf("%q: the ID is not kebab-case", r.ID)
		}
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
