package rulesets

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/linttest"
	"github.com/rubric-library/rubric-library/internal/lint/rules/scoring"
)

// ruleSetOf is a rule set of the given rules, each "ID SEVERITY WEIGHT"; a weight
// of "-" is left out.
func ruleSetOf(threshold string, rules ...string) string {
	text := "ruleset_id: api_v1\nname: API\nversion: \"1.0.0\"\nartifact_type: api\nscoring:\n  pass_threshold: " + threshold + "\nrules:\n"
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
var twoRules = ruleSetOf("0.8", "a.correctness.one fail -", "b.style.two warn -")

func TestRuleSetRules(t *testing.T) {
	const fail, warn, later = "a.correctness.one fail -", "a.style.two warn -", "b.completeness.more fail -"
	tests := []struct {
		reason, threshold string
		rules             []string
		want              []string // rules by line
	}{
		{"nothing is wrong", "0.8", []string{fail, warn, later}, nil},
		{"the standard weights may be written", "0.8", []string{"a.correctness.one fail 2", "a.style.two warn 1.0", "a.style.three info 0", later}, nil},
		{"a weight of 0 is not scored", "0.8", []string{fail, warn, "a.style.three warn 0", later}, []string{"20 rule-weight"}},
		{"one letter less than a common category", "0.8", []string{"a.corectness.one fail -", warn, later}, []string{"8 rule-category"}},
		{"two letters of a common category swapped", "0.8", []string{"a.sytle.one fail -", warn, later}, []string{"8 rule-category"}},
		{"a word of its own that is near a common category", "0.8", []string{"a.conformance.one fail -", "a.directness.two warn -", later}, nil},
		{"a category that is near none", "0.8", []string{"a.accessibility.one fail -", warn, later}, nil},
		{"the fail rules alone reach the threshold", "0.66", []string{fail, warn, later}, []string{"6 idle-pass-threshold"}},
		{"the fail rules alone do not reach the threshold", "0.67", []string{fail, warn, later}, nil},
		{"a threshold of 0 decides nothing", "0", []string{warn, later}, []string{"6 idle-pass-threshold"}},
		{"without warn rules there is nothing to decide", "0.5", []string{fail, later}, nil},
		{"it decides in phase B only", "0.6", []string{fail, warn, "b.style.three warn -"}, nil},
		{"it decides in no phase", "0.4", []string{fail, warn, "b.style.three warn -"}, []string{"6 idle-pass-threshold"}},
		{"most rule sets have no phase B", "0.8", []string{fail, warn}, nil},
		{"phase B has info rules only", "0.8", []string{fail, warn, "b.style.three info -"}, []string{"7 idle-phase"}},
		{"everything is checked after the artifact is written", "0.8", []string{later, "b.style.three warn -"}, nil},
		{"phase A has info rules only", "0.8", []string{"a.style.three info -", later}, []string{"7 idle-phase"}},
		{"a rule whose weight is wrong decides all the same", "0.8", []string{"a.correctness.one fail 0", later}, []string{"12 rule-weight"}},
		{"nothing is scored, which is told once", "0.8", []string{"a.style.two info -", "b.style.three info -"}, []string{"7 idle-phase"}},
	}
	rules := append(linttest.Only(Rules, "rule-phase", "rule-weight", "rule-category", "idle-phase"), linttest.Only(scoring.Rules, "idle-pass-threshold")...)
	for _, tt := range tests {
		const path = lint.Root + "/api/api_v1.yaml"
		want := []string{}
		for _, w := range tt.want {
			want = append(want, path+":"+w)
		}
		fsys := linttest.Library(map[string]string{path: ruleSetOf(tt.threshold, tt.rules...)})
		if diff := cmp.Diff(want, linttest.Brief(linttest.Run(t, fsys, rules, lint.Options{}).Findings)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

func TestDescriptionsAreComparedAsRead(t *testing.T) {
	const path = lint.Root + "/api/api_v1.yaml"
	text := strings.Replace(twoRules, "Fact 1 is named.", "fact 0\n      is  named", 1)
	want := []string{path + ":13 duplicate-description"}
	if diff := cmp.Diff(want, linttest.Brief(linttest.Run(t, linttest.Library(map[string]string{path: text}), linttest.Only(Rules, "duplicate-description"), lint.Options{}).Findings)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

func TestRepeatedChecksAreReportedOnce(t *testing.T) {
	const path = lint.Root + "/api/api_v1.yaml"
	all := strings.NewReplacer("Look for fact 0.", "fact 0  is NAMED", "Look for fact 1.", "Fact 1 is named!")
	for text, want := range map[string][]string{
		twoRules: {},
		strings.Replace(twoRules, "Look for fact 1.", "Fact 1 is named.", 1): {path + ":15 check-repeats"},
		all.Replace(twoRules): {path + ":11 check-repeats"},
	} {
		got := linttest.Brief(linttest.Run(t, linttest.Library(map[string]string{path: text}), linttest.Only(Rules, "check-repeats"), lint.Options{}).Findings)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s\nfindings (-want +got):\n%s", text, diff)
		}
	}
}
