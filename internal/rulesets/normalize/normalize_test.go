package normalize

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	_ "github.com/rubric-library/rubric-library/internal/dev/quick"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

func TestYAMLProblems(t *testing.T) {
	tests := []struct {
		reason, text, want string
	}{
		{"a list", "- {id: a.b.c, description: d, severity: fail, check: e}", ""},
		{"one rule", "id: a.b.c\ndescription: d\nseverity: fail\ncheck: e\n", ""},
		{"rows under a key", "rules:\n  - {id: a.b.c, description: d, severity: fail, check: e}\nother: 1\n", ""},
		{
			"a rule set, whose other keys are not looked at",
			"ruleset_id: X\ndescription: 7\nscoring: no\nrules:\n  - {id: a.b.c, description: d, severity: fail, check: e}\n", "",
		},
		{"CRLF", "id: a.b.c\r\ndescription: d\r\nseverity: fail\r\ncheck: e\r\n", ""},
		{
			"a word in capitals", "- {id: a.b.c, description: d, severity: Fail, phase: a, check: e}",
			`1:41-1:45 [invalid-value] "severity" must be "fail", "warn", or "info", got "Fail". Did you mean "fail"?
1:54-1:55 [invalid-value] "phase" must be "A" or "B", got "a". Did you mean "A"?`,
		},
		{
			"a misspelled key", "id: a.b.c\ndescription: d\nseverty: fail\ncheck: e\n",
			`3:1-3:8 [unknown-key] "severty" is not a key of the rule "a.b.c", so it has no effect. Did you mean "severity"?`,
		},
		{
			"an unknown key", "- {id: a.b.c, description: d, severity: fail, check: e, owner: me}",
			`1:57-1:62 [unknown-key] "owner" is not a key of the rule "a.b.c", so it has no effect. The keys here are id, description, severity, weight, phase, check, and checks.`,
		},
		{
			"what may not be missing", "- {weight: 2}\n-\n- text\n- [a]",
			`1:4-1:10 [missing-key] Rule 1: Add "id" to the rule. Meaning: The ID of the rule: phase.category.aspect, such as a.correctness.endpoints.
1:4-1:10 [missing-key] Rule 1: Add "description" to the rule. Meaning: What the rule checks.
1:4-1:10 [missing-key] Rule 1: Add "severity" to the rule. Meaning: The effect of a failure.
1:4-1:10 [missing-key] Rule 1: The rule has no check. Add under "check" how to verify it, or add a constraint for it.
2:1-2:2 [wrong-type] Rule 2: The rule is empty.
3:3-3:7 [wrong-type] Rule 3: The rule must be a group of keys, not a single value. Write each key on its own line, indented, and without a dash: id: …, description: …, severity: …, weight: …, phase: ….
4:3-4:6 [wrong-type] Rule 4: The rule must be a group of keys, not a list. Write each key on its own line, indented, and without a dash: id: …, description: …, severity: …, weight: …, phase: ….`,
		},
		{
			"no check", "- {id: a.b.c, description: d, severity: fail}",
			`1:8-1:13 [missing-key] The rule "a.b.c" has no check. Add under "check" how to verify it, or add a constraint for it.`,
		},
		{
			"contradictions", "- {id: a.b.c, description: d, severity: fail, check: e, weight: 0, phase: B}",
			`1:65-1:66 [rule-weight] Write a weight above 0, or make the rule info: with 0, it does not count in the score.
1:75-1:76 [rule-phase] Write phase A, or begin the ID with b: people read the phase from the ID.`,
		},
		{
			"a check of a rule", "- {id: a.b.c, description: d, severity: fail, check: e, checks: [{type: content, patern: x}]}",
			`1:67-1:71 [missing-key] Add "pattern" or "literal" to check 1 of the rule "a.b.c": one of them is required.
1:82-1:88 [unknown-key] "patern" is not a key of check 1 of the rule "a.b.c", so it has no effect. Did you mean "pattern"?`,
		},
		{
			"one ID twice", "- {id: a.b.c, description: d, severity: fail, check: e}\n- {id: a.b.c, description: d, severity: fail, check: e}\n",
			`2:8-2:13 [duplicate-id] rule 1 already has the ID "a.b.c", and verdicts refer to rules by ID. Choose another ID.
  1:8-1:13 first used here`,
		},
		{
			"a key twice", "id: a.b.c\nid: a.b.d\ndescription: d\nseverity: fail\ncheck: e\n",
			`2:1-2:3 [duplicate-key] The key "id" appears twice. Remove all but one: some programs use the first, others the last.
  1:1-1:3 first used here`,
		},
		{
			"no list", "rule:\n  - {id: a.b.c}\n",
			`1:1-1:6 [no-rules] The file must be a list of rules, a single rule with its id, description, and severity, or a rule set with a list under "rules".`,
		},
		{
			"a document of another kind", "rubric_id: x_v1\nname: X\n",
			`1:1-1:16 [no-rules] The file must be a list of rules, a single rule with its id, description, and severity, or a rule set with a list under "rules".`,
		},
		{"an empty list", "rules: []\n", `1:1-1:6 [no-rules] The list of rules is empty. Add at least one rule.`},
		{"a text as list", "rules: none\n", `1:1-1:6 [no-rules] "rules" must be a list, with each rule after "- ".`},
		{"a text", "none\n", `1:1-1:5 [no-rules] The file must be a list of rules, a single rule with its id, description, and severity, or a rule set with a list under "rules".`},
		{"no YAML", "- {\n", `1:3-1:4 [yaml-syntax] This bracket is never closed. Add } where its content ends, or put the text in quotes if it starts with a bracket.`},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			f := source.NewFile("f.yaml", []byte(tt.text))
			rows, problems := YAML(f)
			rules, more := Rules(rows, nil)
			want := tt.want
			if want != "" {
				want += "\n"
			} else if len(rules) != 1 {
				t.Errorf("%d rules, want 1", len(rules))
			}
			if diff := cmp.Diff(want, said(f, append(problems, more...))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestJSONIsReadAsJSON(t *testing.T) {
	rule := func(description string) string {
		return "{\n\t\"id\": \"a.b.c\",\n\t\"description\": \"" + description + "\",\n\t\"severity\": \"fail\",\n\t\"check\": \"e\"\n}\n"
	}
	tests := []struct {
		reason, name, text, want string
	}{
		{"tabs and surrogates", "f.json", rule(`\ud83d\ude00`), ""},
		{"a list", "f.json", "[" + rule("😀") + "]", ""},
		{"a file without an ending that begins like JSON", "-", "\n" + rule(`\ud83d\ude00`), ""},
		{"another one", "-", "description: 😀\nid: a.b.c\nseverity: fail\ncheck: e\n", ""},
		{"YAML in braces", "f.yaml", "{id: a.b.c, description: 😀, severity: fail, check: e}", ""},
		{
			"an unknown word", "f.json", strings.Replace(rule("d"), "fail", "Fail", 1),
			"4:14-4:20 [invalid-value] \"severity\" must be \"fail\", \"warn\", or \"info\", got \"Fail\". Did you mean \"fail\"?\n",
		},
	}
	for _, tt := range tests {
		f := source.NewFile(tt.name, []byte(tt.text))
		rows, problems := YAML(f)
		rules, more := Rules(rows, nil)
		if diff := cmp.Diff(tt.want, said(f, append(problems, more...))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		} else if tt.want == "" && rules[0].Description != "😀" {
			t.Errorf("%s: the description is %q", tt.reason, rules[0].Description)
		}
	}
}

func TestConstraintsSupplyChecks(t *testing.T) {
	const text = "- {id: a.b.one, description: d, severity: warn}\n- {id: b.b.two, description: d, severity: info, check: e}\n"
	f := source.NewFile("f.yaml", []byte(text))
	one := ruleset.Rule{ID: "a.b.one", Description: "d", Severity: "warn", Weight: 1, Phase: "A", Check: "c"}
	two := ruleset.Rule{ID: "b.b.two", Description: "d", Severity: "info", Phase: "B", Check: "e"}
	tests := []struct {
		reason      string
		constraints map[string]string
		rules       []ruleset.Rule
		want        string
	}{
		{"the missing check", map[string]string{"a.b.one": "c"}, []ruleset.Rule{one, two}, ""},
		{
			"none", nil, []ruleset.Rule{two},
			"1:8-1:15 [missing-key] The rule \"a.b.one\" has no check. Add under \"check\" how to verify it, or add a constraint for it.\n",
		},
		{
			"one for a rule that has a check", map[string]string{"a.b.one": "c", "b.b.two": "f"}, []ruleset.Rule{one, two},
			"- [constraint] The rule \"b.b.two\" already has a check. Remove the constraint or the check under \"check\".\n  2:56-2:57 the check\n",
		},
		{
			"one for a rule that is not there", map[string]string{"a.b.one": "c", "b.b.tow": "f", "x": "y"}, []ruleset.Rule{one, two},
			"- [constraint] The rule \"b.b.tow\" of the constraint does not exist. Did you mean \"b.b.two\"?\n- [constraint] The rule \"x\" of the constraint does not exist.\n",
		},
		{
			"an empty one", map[string]string{"a.b.one": " \n"}, []ruleset.Rule{two},
			"1:8-1:15 [blank-text] \"check\" is blank. Write its value after the colon: it is required. Meaning: How to verify the rule: an instruction that a person or a judge can follow.\n",
		},
	}
	for _, tt := range tests {
		rows, _ := YAML(f)
		rules, problems := Rules(rows, tt.constraints)
		if diff := cmp.Diff(tt.rules, rules); diff != "" {
			t.Errorf("%s: rules (-want +got):\n%s", tt.reason, diff)
		}
		if diff := cmp.Diff(tt.want, said(f, problems)); diff != "" {
			t.Errorf("%s: problems (-want +got):\n%s", tt.reason, diff)
		}
		if rows[0].Field(checkKey) != nil {
			t.Errorf("%s: Rules changed a row", tt.reason)
		}
	}
}

func TestRowsWithProblemsGiveNoRules(t *testing.T) {
	f := source.NewFile("f.md", []byte(head+"| a.b.c | d | fail | e | lost |\n| a.b.d | d | fail | e |\n"))
	rows, _ := Markdown(f, "")
	rules, _ := Rules(rows, nil)
	if len(rules) != 1 || rules[0].ID != "a.b.d" {
		t.Errorf("the rules are %v, want a.b.d alone", rules)
	}
}
