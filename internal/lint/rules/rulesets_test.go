package rules

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/linttest"
	"github.com/rubric-library/rubric-library/internal/lint"
)

// ruleSetOf is a rule set of the given rules, each "ID SEVERITY WEIGHT"; a weight
// of "-" is left out.
func ruleSetOf(rules ...string) string {
	text := "ruleset_id: api_v1\nname: API\nversion: \"1.0.0\"\nartifact_type: api\nscoring:\n  pass_threshold: 0.8\nrules:\n"
	for i, rule := range rules {
		part := strings.Fields(rule)
		text += fmt.Sprintf("  - id: %s\n    description: Fact %d is named.\n    severity: %s\n    check: Look for fact %[2]d.\n", part[0], i, part[1])
		if part[2] != "-" {
			text += "    weight: " + part[2] + "\n"
		}
	}
	return text
}

// twoRules is a rule set in which nothing is wrong.
var twoRules = ruleSetOf("a.correctness.one fail -", "b.style.two warn -")

func TestWeightsOfRules(t *testing.T) {
	const path = lint.Root + "/api/api_v1.yaml"
	const fail, warn, later = "a.correctness.one fail -", "a.style.two warn -", "b.completeness.more fail -"
	tests := []struct {
		reason string
		rules  []string
		want   []string // rules by line
	}{
		{"no weight is written", []string{fail, warn, later}, []string{}},
		{"the default weights may be written", []string{"a.correctness.one fail 2", "a.style.two warn 1.0", "a.style.three info 0", later}, []string{}},
		{"a weight of 0 is not scored", []string{fail, warn, "a.style.three warn 0", later}, []string{path + ":20 rule-weight"}},
		{"nor that of a fail rule", []string{"a.correctness.one fail 0", later}, []string{path + ":12 rule-weight"}},
	}
	for _, tt := range tests {
		fsys := linttest.Library(map[string]string{path: ruleSetOf(tt.rules...)})
		if diff := cmp.Diff(tt.want, linttest.Brief(linttest.Run(t, fsys, linttest.Only(All(), "rule-weight"), lint.Options{}).Findings)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

func TestDescriptionsAreComparedAsRead(t *testing.T) {
	const path = lint.Root + "/api/api_v1.yaml"
	text := strings.Replace(twoRules, "Fact 1 is named.", "fact 0\n      is  named", 1)
	want := []string{path + ":13 duplicate-description"}
	if diff := cmp.Diff(want, linttest.Brief(linttest.Run(t, linttest.Library(map[string]string{path: text}), linttest.Only(All(), "duplicate-description"), lint.Options{}).Findings)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

func TestALineUnderTwoHeadingsIsNoCopy(t *testing.T) {
	const path = lint.Root + "/api/api_v1.yaml"
	for _, tt := range []struct {
		reason, first, second string
		want                  []string
	}{
		{"the same requirement on two things", "a.create.name", "a.update.name", []string{}},
		{"two names for one requirement", "a.create.name", "a.update.title", []string{path + ":13 duplicate-description"}},
		{"the same name in two phases", "a.create.name", "b.create.name", []string{path + ":13 duplicate-description"}},
	} {
		text := strings.Replace(ruleSetOf(tt.first+" fail -", tt.second+" warn -"), "Fact 1", "Fact 0", 1)
		report := linttest.Run(t, linttest.Library(map[string]string{path: text}), linttest.Only(All(), "duplicate-description"), lint.Options{})
		if diff := cmp.Diff(tt.want, linttest.Brief(report.Findings)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}
