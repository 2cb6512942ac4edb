package release

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCheckContract(t *testing.T) {
	tests := []struct {
		name, reason, text string
		references         int
		want               []string // "line:column code"
	}{
		{"right", "every form of a reference", "rubric: story_v1\nsteps:\n  - rubric: story_v1@~1.2\n  - rubrics: [story_v1, \"story_v1@^1\"]\n  - rubric_id: story_v1\n    rubric_version: \"1.0.0\"\n", 5, nil},
		{"rule set", "every form of a reference", "ruleset: api_v1\nsteps:\n  - rulesets: [api_v1, \"api_v1@^1\"]\n  - ruleset_id: api_v1\n    ruleset_version: \"1.0.0\"\n", 4, nil},
		{"one key for one and many", "what is in a list does not depend on the key", "rubric: [story_v1]\nrulesets: api_v1\n", 2, nil},
		{"none", "a file that refers to nothing may have lost its reference", "name: x\n", 0, []string{"1:1 no-reference"}},
		{"no content", "nothing refers to nothing", "# c\n", 0, []string{"1:1 no-reference"}},
		{"rule set unknown", "an ID that no document has", "ruleset: nope_v1\nrulesets: [nope_v1]\nruleset_id: nope_v1\n", 3, []string{"1:10 reference-unknown", "2:12 reference-unknown", "3:13 reference-unknown"}},
		{"wrong kind", "a rule set under the key of a rubric, and back", "rubric: api_v1\nrulesets: [story_v1@~1]\nrubric_id: api_v1\nrubric_version: ~1.0\n", 3, []string{"1:9 reference-kind", "2:12 reference-kind", "4:17 reference-kind"}},
		{"misspelled", "case, separators, one letter", "rule_set: story_v1\nRubric: x\nrubic: x\nrulesetId: x\nrubric-version: x\nrubrics_id: x\n", 0, []string{"1:1 unknown-reference-key warning", "1:1 no-reference", "2:1 unknown-reference-key warning", "3:1 unknown-reference-key warning", "4:1 unknown-reference-key warning", "5:1 unknown-reference-key warning", "6:1 unknown-reference-key warning"}},
		{"other words", "keys that are near but mean something else", "rubric: story_v1\npublic: 1\nmetric_id: 1\nfabric: 1\nrules: 1\nrule_id: 1\nrubric_name: 1\nruleset_url: 1\nversion: 1\n", 1, nil},
		{"version alone", "a constraint that applies to nothing", "rubric: story_v1\nrubric_version: 9\n", 1, []string{"2:1 unknown-reference-key warning"}},
		{"mapping", "a mapping without a reference where one is expected", "rubric: {id: story_v1}\nrubrics: {a: story_v1}\nruleset: {ruleset_id: api_v1}\n", 1, []string{"1:9 reference-malformed", "2:10 reference-malformed"}},
		{"anchors", "an alias is checked where it is used", "x: &id stroy_v1\nl: &list [story_v1, stroy_v1]\nrubric: *id\nrubrics: *list\nrulesets: *list\n", 5, []string{"2:11 reference-kind", "2:21 reference-unknown", "3:9 reference-unknown"}},
		{"merge key", "the ID comes from another mapping", "base: &b {rubric_id: story_v1}\njob:\n  <<: *b\n  rubric_version: \"9\"\n", 2, []string{"4:19 reference-unsatisfied"}},
		{"several documents", "each is checked", "rubric: story_v1\n---\nrubric: stroy_v1\n", 2, []string{"3:9 reference-unknown"}},
		{"alias in itself", "a file without a meaning", "a: &a [*a]\nrubric: story_v1\n", 1, []string{"1:8 contract-unreadable"}},
		{"embedded rule set", "a rule set where a reference belongs", "ruleset:\n  ruleset_id: api_v1\n  rules: [{id: a.b.c, severity: warn, check: x}]\n", 1, []string{"2:3 ruleset-embedded"}},
		{"other rules", "rules of another kind", "rubric: story_v1\nrules: [{severity: warn, pattern: x}]\n", 1, nil},
		{"unknown", "an ID that no document has", "rubric: stroy_v1\n", 1, []string{"1:9 reference-unknown"}},
		{"retired", "a document that is gone", "rubrics:\n  - gone_v1\n  - older_v1\n", 2, []string{"2:5 reference-retired", "3:5 reference-retired"}},
		{"deprecated", "a document that should no longer be used", "rubric: old_v1\n", 1, []string{"1:9 reference-deprecated warning"}},
		{"unsatisfied", "the constraint is shown, not the ID", "rubric_id: story_v1\nrubric_version: \"3\"\n", 1, []string{"2:17 reference-unsatisfied"}},
		{"withdrawn", "a version that must not be used", "rubric: story_v1@1.1.0\n", 1, []string{"1:9 reference-unsatisfied"}},
		{"other text", "the stored text is another one", "rubric: \"story_v1@1.0.0#" + strings.Replace(zeros, "0", "1", 1) + "\"\n", 1, []string{"1:9 reference-other-text"}},
		{"malformed", "no reference at all", "rubric: \nrubrics: Story\nrubric_id: story_v1\nrubric_version: new\n", 3, []string{"1:8 reference-malformed", "2:10 reference-malformed", "4:17 reference-malformed"}},
		{"embedded", "a rubric where a reference belongs", "rubric:\n  rubric_id: story_v1\n  criteria:\n    - name: x\n      anchors: {1: a}\n", 1, []string{"2:3 rubric-embedded"}},
		{"embedded elsewhere", "it does not matter under which key", "judge:\n  grading:\n    criteria: [{name: x, anchors: {1: a}}]\n", 1, []string{"3:5 rubric-embedded"}},
		{"other criteria", "criteria without anchors are no rubric", "rubric: story_v1\ncriteria:\n  - name: x\n", 1, nil},
		{"JSON", "contracts are YAML or JSON", "{\n\t\"steps\": [\n\t\t{\"rubric\": \"stroy_v1\"}\n\t]\n}\n", 1, []string{"3:14 reference-unknown"}},
		{"broken", "an unreadable file is not a file without references", "rubric: [\n", 0, []string{"1:9 contract-unreadable"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := Check(sample(t), "contract.yaml", []byte(test.text))
			var got []string
			for _, f := range c.Findings {
				line := fmt.Sprintf("%d:%d %s", f.Line, f.Column, f.Code)
				if f.Severity == Warning {
					line += " warning"
				}
				got = append(got, line)
			}
			if d := cmp.Diff(test.want, got); d != "" {
				t.Errorf("%s: (-want +got)\n%s%v", test.reason, d, c.Findings)
			}
			if c.References != test.references {
				t.Errorf("found %d references, want %d", c.References, test.references)
			}
		})
	}
}

// TestCheckContractIsBounded holds that aliases multiply nothing.
func TestCheckContractIsBounded(t *testing.T) {
	bomb := "a0: &a0 [story_v1, stroy_v1]\n"
	for i := 1; i < 60; i++ {
		bomb += fmt.Sprintf("a%d: &a%d [*a%d, *a%d]\n", i, i, i-1, i-1)
	}
	c := Check(sample(t), "bomb", []byte(bomb+"rubrics: *a59\nrulesets: *a59\n"))
	if c.References != 4 || len(c.Findings) != 2 {
		t.Errorf("%d references and %d findings", c.References, len(c.Findings))
	}
}

func FuzzCheckContract(f *testing.F) {
	f.Add([]byte("rubric: story_v1@~1.2\nrubrics: [a, {criteria: [{anchors: 1}]}]\nrubric_id: x\nrubric_version: 1.10\n"))
	f.Add([]byte("x: &x {ruleset_id: api_v1}\nruleset: *x\ny: {<<: *x, Ruleset_version: 1}\n---\n? [rulesets]\n: *x\n"))
	f.Add([]byte(`{"rubric": {"rubric_id": []}, "rubrics": {}}`))
	l := sample(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, finding := range Check(l, "x", data).Findings {
			if finding.Message == "" || finding.Position.Line < 1 {
				t.Errorf("a finding without place or message: %+v", finding)
			}
		}
	})
}
