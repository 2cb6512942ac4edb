package importing

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/intake"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// outline has a line for each part of the drafts that an assertion can become, and one for each
// remark.
func outline(imported *intake.Imported) string {
	var b strings.Builder
	for _, d := range imported.Drafts {
		fmt.Fprintf(&b, "%s %q", d.Kind.Noun, d.Name)
		if text := d.Content.Get("scoring").Get("pass_threshold").Text(); text != "" {
			fmt.Fprintf(&b, ", passes from %s", text)
		}
		b.WriteString("\n")
		for _, c := range d.Content.Get("criteria").List() {
			fmt.Fprintf(&b, "  criterion %s: %s\n", c.Get("name").Text(), c.Get("description").Text())
		}
		for _, n := range d.Content.Get("negative_criteria").List() {
			fmt.Fprintf(&b, "  never %s %s\n", n.Get("fail_patterns").Items[0].Text(), n.Get("ignore_case").Text())
		}
		for _, rule := range d.Content.Get("rules").List() {
			fmt.Fprintf(&b, "  rule %s, %s, weight %q\n", rule.Get("description").Text(), rule.Get("severity").Text(), rule.Get("weight").Text())
			for _, c := range rule.Get("checks").List() {
				fmt.Fprintf(&b, "    check %s%s %s %s\n", c.Get("literal").Text(), c.Get("pattern").Text(), c.Get("ignore_case").Text(), c.Get("expect").Text())
			}
			for _, note := range d.Notes[rule.Get("id").Text()] {
				fmt.Fprintf(&b, "    # %s\n", note)
			}
		}
	}
	for _, remark := range imported.Dropped {
		fmt.Fprintf(&b, "- %s\n", remark.Text)
	}
	return b.String()
}

// TestPromptfoo imports configurations as people write them.
func TestPromptfoo(t *testing.T) {
	const mixed = `
prompts: ["{{q}}"]
description: Answers of the desk
defaultTest: {assert: [{type: not-icontains, value: as your attorney}]}
tests:
  - description: intro
    assert:
      - {type: icontains, value: port 443}
      - {type: not-icontains, value: as always}
      - {type: llm-rubric, value: Answers politely, weight: 3}
`
	for _, test := range []struct {
		name, text string
		kind       *document.Kind
		want       string
	}{
		{"required and forbidden texts, and weights, become rules", mixed, &document.RuleSet, `
rule set "intro", passes from 1
  rule The text contains none of this: "as your attorney", fail, weight ""
    check as your attorney true absent
  rule The text contains "port 443", fail, weight ""
    check port 443 true 
  rule The text contains none of this: "as always", fail, weight ""
    check as always true absent
  rule Answers politely, fail, weight "3"
- "prompts" is dropped: a rule set has no place for it.
- "description" is dropped: a rule set has no place for it.
`},
		{"patterns of the default test are in each rubric", mixed, nil, `
rubric "intro"
  criterion answers_politely: Answers politely
  never as your attorney true
  never as always true
- A text that the output must contain is dropped: a rubric has no place for it. With --as ruleset, it becomes a check.
- "prompts" is dropped: a rubric has no place for it.
- "description" is dropped: a rubric has no place for it.
`},
		{"a reference is replaced, with the keys next to it", `
assertionTemplates:
  polite: {type: llm-rubric, value: Answers politely}
tests:
  - assert:
      - $ref: '#/assertionTemplates/polite'
      - {type: llm-rubric, value: Names the port}
  - assert:
      - {$ref: '#/assertionTemplates/polite', value: Answers kindly}
`, nil, `
rubric "Answers politely"
  criterion answers_politely: Answers politely
  criterion names_the_port: Names the port
rubric "Answers kindly"
  criterion answers_kindly: Answers kindly
`},
		{"a threshold of a test is that of the rule set", `
- threshold: 0.9
  description: Port
  assert:
    - {type: contains-all, value: [port, "443"], weight: 2}
    - {type: icontains-any, value: "yes, sure"}
    - {type: regex, value: '\d+ ports?', weight: 0}
    - {type: starts-with, value: "Dear"}
`, &document.RuleSet, `
rule set "Port", passes from 0.9
  rule The text contains "port" and "443", warn, weight "2"
    check port  
    check 443  
  rule The text matches "yes, sure", warn, weight ""
    check yes|sure true 
  rule The text matches "\\d+ ports?", info, weight "0"
    check \d+ ports?  
  rule The text matches "Dear", warn, weight ""
    check ^Dear  
`},
		{"checks of the default test alone are one rule set", `
description: Ports
defaultTest: {assert: [{type: contains, value: a port}]}
tests: [{vars: {q: x}}]
`, &document.RuleSet, `
rule set "Ports", passes from 1
  rule The text contains "a port", fail, weight ""
    check a port  
- "tests" is dropped: a rule set has no place for it.
`},
		{"a set counts as one", `
- description: Set
  assert:
    - {type: llm-rubric, value: Is kind}
    - {type: assert-set, weight: 3, assert: [{type: llm-rubric, value: Is short}, {type: llm-rubric, value: Is right, weight: 2}]}
`, &document.RuleSet, `
rule set "Set", passes from 1
  rule Is kind, fail, weight ""
  rule Is short, fail, weight ""
  rule Is right, fail, weight "2"
`},
		{"a negated text asks for the fault", `
- assert: [{type: not-llm-rubric, value: Blames the guest}]
`, &document.RuleSet, `
rule set "Blames the guest", passes from 1
  rule Blames the guest, fail, weight ""
    # Rewrite: promptfoo passes the output if this is not so. Say what good work does instead.
`},
		{"objects in a list are parts of their own", `
- description: Parts
  assert:
    - type: g-eval
      value:
        - {id: r1, outcome: Names the port, weight: 2, required: true}
        - {id: r2, outcome: Is polite}
`, &document.RuleSet, `
rule set "Parts", passes from 1
  rule Names the port, fail, weight "2"
  rule Is polite, fail, weight ""
- "id" is dropped: the ID of a rule follows from its text.
`},
		{"a description that names nothing is listed", `
description: Everything
defaultTest:
  description: Support
  assert: [{type: llm-rubric, value: Is kind}]
`, &document.Rubric, `
rubric "Support"
  criterion is_kind: Is kind
- "description" is dropped: a rubric has no place for it.
`},
		{"what a check can't say is listed", `
- assert:
    - {type: llm-rubric, value: Is kind}
    - {type: not-contains-all, value: [a, b]}
    - {type: regex, value: '(?=a)b'}
    - {type: contains, value: '{{name}}'}
    - {type: latency, threshold: 9}
    - {type: llm-rubric, value: file://x.txt}
`, &document.RuleSet, `
rule set "Is kind", passes from 1
  rule Is kind, fail, weight ""
- An assertion of the type not-contains-all is dropped: a check can't say that one of several texts is missing.
- An expression is dropped: Go can't read it. Rewrite it without lookaround and references, and add it to the draft.
- An assertion with a template such as {{name}} is dropped: it searches for another text in each test.
- Assertions of the type "latency" are dropped: only a text for a judge, and a text or an expression to search for, have a place.
- An assertion whose text is in another file is dropped: the file is not read. Put the text in its place.
`},
	} {
		imported, problems := Read(source.NewFile("f.yaml", []byte(test.text)), intake.Options{Format: "promptfoo", Kind: test.kind})
		if len(problems) > 0 {
			t.Errorf("%s: %v", test.name, problems)
			continue
		}
		if diff := cmp.Diff(strings.TrimPrefix(test.want, "\n"), outline(imported)); diff != "" {
			t.Errorf("%s:\n%s", test.name, diff)
		}
	}
}

// TestPromptfooRefuses: the one error is true, and none follows from another.
func TestPromptfooRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"tests: [{assert: [{type: contains, value: a}]}]":                     "The file has no text for a judge, only checks. Use --as ruleset to make rules of them.",
		"a: {$ref: '#/b'}\nb: {$ref: '#/a'}\n":                                "The references of the file lead to each other without an end, or over more than 20 steps. Write the values themselves.",
		"tests: [{assert: [{type: latency, threshold: 9}]}]":                  `The file has no assertion of the type llm-rubric, g-eval, model-graded-closedqa, or agent-rubric. Tests in other files are not read: import each of those files.`,
		"tests: file://more.yaml\ndefaultTest: file://default.yaml\nx: [1, 2": "",
	} {
		_, problems := Read(source.NewFile("f.yaml", []byte(text)), intake.Options{Format: "promptfoo"})
		if len(problems) != 1 || want != "" && problems[0].Message != want {
			t.Errorf("%s: got %v, want %q", text, problems, want)
		}
	}
}
