package document

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

// TestOutlineShowsAll checks that the outline has every text of a document's groups,
// in the order of the table and indented by depth.
func TestOutlineShowsAll(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"a rubric": {
			"rubric_id: x_v1\nname: X\nversion: 1.0.0\nartifact_type: prd\ncriteria:\n" +
				"  - {name: clarity, description: Who acts, weight: essential, threshold: 3.5, anchors: {1: a, 2: b, 3: c, 4: d, 5: e}, examples: {score_1: \"one\\ntwo\", score_5: five}}\n" +
				"negative_criteria:\n  - {name: filler, fail_patterns: ['\\betc\\b'], ignore_case: true}\n",
			`
clarity (criterion)
  Description: Who acts
  Weight: essential
  Threshold: 3.5
  Anchors:
    1: a
    2: b
    3: c
    4: d
    5: e
  Examples:
    Score 1:
      one
      two
    Score 5: five

filler (negative criterion)
  Fail patterns:
    - \betc\b
  Ignore case: true
`,
		},
		"a rule set": {
			"ruleset_id: x_v1\nname: X\nversion: 1.0.0\nartifact_type: prd\nscoring: {pass_threshold: 0.8}\nrules:\n" +
				"  - {id: a.b.c, description: D, severity: fail, check: C, checks: [{type: content, literal: x}, {type: executable, command: [lint, artifact.md]}]}\n",
			`
a.b.c (rule)
  Description: D
  Severity: fail
  Weight: 2
  Phase: A
  Check: C
  Checks:
    - Type: content
      Literal: x
    - Type: executable
      Command:
        - lint
        - artifact.md
`,
		},
	} {
		d := Parse(source.NewFile("x.yaml", []byte(tt.text)))
		canonical, err := d.Canonical()
		if err != nil {
			t.Fatalf("%s: %v", name, d.Problems)
		}
		lines, err := Outline(d.Kind, canonical)
		if diff := cmp.Diff(tt.want, strings.Join(lines, "\n")+"\n"); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
}
