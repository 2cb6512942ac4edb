package bundle

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
		{"none", "a file without references is right", "name: x\n", 0, nil},
		{"unknown", "an ID that no document has", "rubric: stroy_v1\n", 1, []string{"1:9 reference-unknown"}},
		{"retired", "a document that is gone", "rubrics:\n  - gone_v1\n  - older_v1\n", 2, []string{"2:5 reference-retired", "3:5 reference-retired"}},
		{"deprecated", "a document that should no longer be used", "rubric: old_v1\n", 1, []string{"1:9 reference-deprecated warning"}},
		{"unsatisfied", "the constraint is shown, not the ID", "rubric_id: story_v1\nrubric_version: \"3\"\n", 1, []string{"2:17 reference-unsatisfied"}},
		{"withdrawn", "a version that must not be used", "rubric: story_v1@1.1.0\n", 1, []string{"1:9 reference-unsatisfied"}},
		{"other text", "the stored text is another one", "rubric: \"story_v1@1.0.0#" + strings.Replace(zeros, "0", "1", 1) + "\"\n", 1, []string{"1:9 reference-other-text"}},
		{"malformed", "no reference at all", "rubric: \nrubrics: Story\nrubric_id: story_v1\nrubric_version: new\n", 3, []string{"1:8 reference-malformed", "2:10 reference-malformed", "4:17 reference-malformed"}},
		{"embedded", "a rubric where a reference belongs", "rubric:\n  rubric_id: story_v1\n  criteria:\n    - name: x\n      anchors: {1: a}\n", 1, []string{"2:3 rubric-embedded"}},
		{"embedded elsewhere", "it does not matter under which key", "judge:\n  grading:\n    criteria: [{name: x, anchors: {1: a}}]\n", 1, []string{"3:5 rubric-embedded"}},
		{"other criteria", "criteria without anchors are no rubric", "criteria:\n  - name: x\n", 0, nil},
		{"JSON", "contracts are YAML or JSON", "{\n\t\"steps\": [\n\t\t{\"rubric\": \"stroy_v1\"}\n\t]\n}\n", 1, []string{"3:14 reference-unknown"}},
		{"broken", "a file that can't be read is no file without references", "rubric: [\n", 0, []string{"1:9 contract-unreadable"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := sample().Check("contract.yaml", []byte(test.text))
			var got []string
			for _, f := range c.Findings {
				line := fmt.Sprintf("%d:%d %s", f.At.Line, f.At.Column, f.Code)
				if f.Warning {
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

func FuzzCheckContract(f *testing.F) {
	f.Add([]byte("rubric: story_v1@~1.2\nrubrics: [a, {criteria: [{anchors: 1}]}]\nrubric_id: x\nrubric_version: 1.10\n"))
	f.Add([]byte(`{"rubric": {"rubric_id": []}, "rubrics": {}}`))
	l := sample()
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, finding := range l.Check("x", data).Findings {
			if finding.Message == "" || finding.At.Line < 1 {
				t.Errorf("a finding without place or message: %+v", finding)
			}
		}
	})
}
