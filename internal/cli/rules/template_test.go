package rules

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/dev/documenttest"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/rulesets/normalize"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

const written = `rules:
  - id: "a.security.input"
    description: "<script> & \"quotes\""
    severity: fail
    weight: 0.0000005
    phase: A
    check: |-
      Line one
      line two
    checks:
      - type: "content"
        pattern: '^it''s \d+$'
        files:
          - 'docs/**'
        multiline: true
        min_count: 0
        max_count: 3

      - type: "content"
        literal: "TODO"
        ignore_case: true
        expect: absent

      - type: "executable"
        command:
          - "spectral"
          - "{artifact}"

  - id: "b.style.naming"
    description: "Ünïcode 🙂"
    severity: info
    weight: 0
    phase: B
    check: "- no: [list]"
`

func TestRulesAsYAML(t *testing.T) {
	zero, three := 0, 3
	rules := []ruleset.Rule{
		{
			ID: "a.security.input", Description: "<script> & \"quotes\"", Severity: "fail", Weight: 0.0000005, Phase: "A", Check: "Line one\nline two",
			Checks: []ruleset.Check{
				{Type: "content", Pattern: `^it's \d+$`, Multiline: true, Files: []string{"docs/**"}, MinCount: &zero, MaxCount: &three},
				{Type: "content", Literal: "TODO", IgnoreCase: true, Expect: "absent"},
				{Type: "executable", Command: []string{"spectral", "{artifact}"}},
			},
		},
		{ID: "b.style.naming", Description: "Ünïcode 🙂", Severity: "info", Phase: "B", Check: "- no: [list]"},
	}
	if diff := cmp.Diff(written, string(asYAML(rules))); diff != "" {
		t.Error(diff)
	}
}

func TestYAMLIsReadAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := documenttest.JSON(documenttest.Any(&document.RuleSet).Draw(t, "rule set"))
		rules := document.Parse(source.NewFile("x.json", data)).RuleSet().Rules
		odd := rapid.StringOf(rapid.Rune().Filter(func(r rune) bool { return r != '\ufffd' }))
		rules[0].Check = "x" + odd.Draw(t, "odd text")
		rows, problems := normalize.YAML(source.NewFile("x.yaml", asYAML(rules)))
		if len(problems) > 0 || len(rows) != len(rules) {
			t.Fatalf("%v in\n%s", problems, asYAML(rules))
		}
		got, _ := normalize.Rules(rows, nil)
		for _, r := range got { // those that have no contradictions
			for _, want := range rules {
				if diff := cmp.Diff(want, r); r.ID == want.ID && diff != "" {
					t.Fatalf("%s\n%s", diff, asYAML(rules))
				}
			}
		}
	})
}
