package lint

import (
	"slices"
	"strings"
	"testing"
)

func TestRulesAreWellFormed(t *testing.T) {
	if err := Validate(Rules()); err != nil {
		t.Fatal(err)
	}
	for _, r := range Rules() {
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
		if FindRule(r.ID) == nil {
			t.Errorf("%s is not found by its ID", r.ID)
		}
	}
}

func TestFindRuleKnowsNoOther(t *testing.T) {
	for _, id := range []string{"", "no-such-rule", "Duplicate-ID"} {
		if r := FindRule(id); r != nil {
			t.Errorf("FindRule(%q) = %s, want none", id, r.ID)
		}
	}
}

// toyRule is a proper lint rule for tests of the engine.
func toyRule(id string, document func(*DocumentPass)) *Rule {
	return &Rule{
		ID: id, Family: FamilySchema, Severity: Warning, Summary: "what the test wants", Why: "It is a test.", Source: "the test",
		Bad: "bad", Good: "good", Document: document,
	}
}

func TestValidateRefuses(t *testing.T) {
	nothing := func(*DocumentPass) {}
	tests := []struct {
		reason string
		change func(*Rule)
		want   string // in the error
	}{
		{"an ID with capitals can't be typed safely", func(r *Rule) { r.ID = "Toy" }, "kebab-case"},
		{"an ID with underscores is not like the others", func(r *Rule) { r.ID = "toy_rule" }, "kebab-case"},
		{"an ID of nothing can't be named", func(r *Rule) { r.ID = "" }, "kebab-case"},
		{"an ID stands for one rule", func(r *Rule) { r.ID = "first" }, "stands twice"},
		{"lists show the summary", func(r *Rule) { r.Summary = "" }, "lacks"},
		{"--explain shows the reason", func(r *Rule) { r.Why = "" }, "lacks"},
		{"--explain shows a bad example", func(r *Rule) { r.Bad = "" }, "lacks"},
		{"--explain shows a good example", func(r *Rule) { r.Good = "" }, "lacks"},
		{"--explain shows where a rule comes from", func(r *Rule) { r.Source = "" }, "lacks its source"},
		{"a requirement is a source", func(r *Rule) { r.Source, r.Spec, r.Good = "", "RL-01", "" }, "or examples"},
		{"lists are grouped by family", func(r *Rule) { r.Family = "" }, "lacks"},
		{"a finding needs a severity", func(r *Rule) { r.Severity = 0 }, "no severity"},
		{"there are three severities", func(r *Rule) { r.Severity = Error + 1 }, "no severity"},
		{"a rule without function finds nothing", func(r *Rule) { r.Document = nil }, "0 functions"},
		{"a rule has one function", func(r *Rule) { r.Library = func(*LibraryPass) {} }, "2 functions"},
		{"the third function counts, too", func(r *Rule) { r.Ignores = func(*IgnorePass) {} }, "2 functions"},
	}
	for _, tt := range tests {
		changed := toyRule("second", nothing)
		tt.change(changed)
		err := Validate([]*Rule{toyRule("first", nothing), changed})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: the error is %v, want one with %q", tt.reason, err, tt.want)
		}
	}
	if err := Validate([]*Rule{toyRule("first", nothing), toyRule("second", nothing)}); err != nil {
		t.Errorf("two proper rules are refused: %v", err)
	}
}

func TestSeveritiesHaveTheWordsOfTheConfiguration(t *testing.T) {
	for severity, want := range map[Severity]string{0: "off", Note: "note", Warning: "warning", Error: "error"} {
		if got := severity.String(); got != want {
			t.Errorf("severity %d is %q, want %q", severity, got, want)
		}
	}
}

// TestFamiliesStandTogether: lists of the rules show each family once.
func TestFamiliesStandTogether(t *testing.T) {
	var families []Family
	for _, r := range Rules() {
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
