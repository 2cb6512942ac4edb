package compat

import "github.com/rubric-library/rubric-library/pkg/ruleset"

// loss is a change after which something is lost: with the same scores and the
// same text a pass becomes a fail, what was given is no longer accepted, or a
// search does not find the document.
type loss struct {
	base, head []string // edits of a full document
	scores     map[string]float64
	text       string
	results    map[string]ruleset.Verdict // of rules without checks; pass unless said
}

// meant are changes that are major by their meaning alone.
var meant = map[string]string{
	"rubric criteria[].anchors moved":     "the same score means something else: no score shows it",
	"rubric criteria[].anchors replaced":  "the same score means something else: no score shows it",
	"rubric negative_criteria[] renamed":  "what fails keeps failing, and a consumer that asks by the old name no longer sees it",
	"rule_set rules[].checks[] reordered": "a program can leave files that the next one reads: what it does is not written in the rule set",
}

// losses has an example of every other change that a table calls major.
var losses = map[string][]loss{
	"rubric artifact_type changed": {{head: []string{"artifact_type: jira_tickets", "artifact_type: stories"}}},
	"rubric criteria[] added":      {{base: []string{toneCriterion, ""}}},
	"rubric criteria[] removed":    {{head: []string{toneCriterion, ""}}},
	"rubric criteria[] renamed":    {{head: []string{"name: tone", "name: voice"}}},
	"rubric criteria[].weight raised": {{
		head:   []string{"weight: important", "weight: essential"},
		scores: map[string]float64{"tone": 2},
	}},
	"rubric criteria[].threshold raised": {{
		head:   []string{"threshold: 3.5", "threshold: 4"},
		scores: map[string]float64{"clarity": 3.5},
	}},
	"rubric negative_criteria[] added": {{
		head: []string{"scoring:\n", "  - {name: new, fail_patterns: [asap]}\nscoring:\n"},
		text: "asap",
	}},
	"rubric negative_criteria[].fail_patterns[] added": {{
		head: []string{"[assume]", "[assume, presume]"},
		text: "presume",
	}},
	"rubric negative_criteria[].fail_patterns[] changed": {{
		head: []string{"[assume]", "[presume]"},
		text: "presume",
	}},
	"rubric negative_criteria[].ignore_case changed": {
		{
			head: []string{"[assume]", "[assume]\n    ignore_case: true"},
			text: "Assume",
		},
		{
			base: []string{"[assume]", "['^[^a]']\n    ignore_case: true"},
			head: []string{"[assume]", "['^[^a]']"},
			text: "A",
		},
	},
	"rubric negative_criteria[].effect raised": {{
		head: []string{"effect: report", "effect: fail"},
		text: "BTW, renew it.",
	}},
	"rubric scoring.pass_threshold added": {{
		base:   []string{"  pass_threshold: 3.25\n", ""},
		scores: map[string]float64{"clarity": 3.5, "scope": 3, "tone": 1},
	}},
	"rubric scoring.pass_threshold raised": {{
		head:   []string{"pass_threshold: 3.25", "pass_threshold: 4"},
		scores: map[string]float64{"clarity": 3.5, "scope": 3.5, "tone": 3.5},
	}},
	"rubric scoring.essential_minimum added": {{
		base:   []string{"  essential_minimum: 3.0\n", ""},
		scores: map[string]float64{"scope": 2.5},
	}},
	"rubric scoring.essential_minimum raised": {{
		head:   []string{"essential_minimum: 3.0", "essential_minimum: 4.0"},
		scores: map[string]float64{"scope": 3.5},
	}},

	"rule_set artifact_type changed": {{head: []string{"artifact_type: api_design", "artifact_type: apis"}}},
	"rule_set scoring.pass_threshold raised": {{
		head:    []string{"pass_threshold: 0.8", "pass_threshold: 0.9"},
		base:    []string{"pass_threshold: 0.8", "pass_threshold: 0.7"},
		results: map[string]ruleset.Verdict{"a.style.naming": ruleset.VerdictFail},
	}},
	"rule_set rules[] added":   {{base: []string{namingRule, ""}}},
	"rule_set rules[] removed": {{head: []string{namingRule, ""}}},
	"rule_set rules[] renamed": {{head: []string{"id: a.style.naming", "id: a.style.plural"}}},
	"rule_set rules[].severity raised": {{
		base:    []string{"pass_threshold: 0.8", "pass_threshold: 0.5"},
		head:    []string{"pass_threshold: 0.8", "pass_threshold: 0.5", "severity: warn", "severity: fail"},
		results: map[string]ruleset.Verdict{"a.style.naming": ruleset.VerdictFail},
	}},
	"rule_set rules[].severity lowered": {{
		base:    []string{"pass_threshold: 0.8", "pass_threshold: 0.7"},
		head:    []string{"pass_threshold: 0.8", "pass_threshold: 0.7", "severity: fail\n    weight: 3", "severity: warn"},
		results: map[string]ruleset.Verdict{"a.style.naming": ruleset.VerdictFail},
	}},
	"rule_set rules[].weight raised": {{
		base:    []string{"pass_threshold: 0.8", "pass_threshold: 0.7"},
		head:    []string{"pass_threshold: 0.8", "pass_threshold: 0.7", "severity: warn", "severity: warn\n    weight: 2"},
		results: map[string]ruleset.Verdict{"a.style.naming": ruleset.VerdictFail},
	}},
	"rule_set rules[].weight lowered": {{
		base:    []string{"pass_threshold: 0.8", "pass_threshold: 0.7"},
		head:    []string{"pass_threshold: 0.8", "pass_threshold: 0.7", "weight: 3", "weight: 2"},
		results: map[string]ruleset.Verdict{"a.style.naming": ruleset.VerdictFail},
	}},
	"rule_set rules[].phase changed": {{head: []string{"phase: A", "phase: B"}}},

	"rule_set rules[].checks[] added":   {checks("x", "[{type: content, literal: x}]", "[{type: content, literal: x}, {type: content, literal: y}]")},
	"rule_set rules[].checks[] removed": {checks("x", "[{type: content, literal: x}]", "[]")},
	"rule_set rules[].checks[].type changed": {
		checks("x", "[{type: content, literal: x}]", "[{type: executable, command: [sorted_pair, b, a]}]"),
		checks("x", "[{type: executable, command: [sorted_pair, a, b]}]", "[{type: content, literal: y}]"),
	},
	"rule_set rules[].checks[].pattern added":       {checks("x.", "[{type: content, literal: x.}]", "[{type: content, pattern: x..}]")},
	"rule_set rules[].checks[].literal removed":     {checks("x.", "[{type: content, literal: x.}]", "[{type: content, pattern: x..}]")},
	"rule_set rules[].checks[].pattern removed":     {checks("xy", "[{type: content, pattern: x.}]", "[{type: content, literal: x.}]")},
	"rule_set rules[].checks[].literal added":       {checks("xy", "[{type: content, pattern: x.}]", "[{type: content, literal: x.}]")},
	"rule_set rules[].checks[].pattern changed":     {checks("x", "[{type: content, pattern: x}]", "[{type: content, pattern: y}]")},
	"rule_set rules[].checks[].literal changed":     {checks("x", "[{type: content, literal: x}]", "[{type: content, literal: y}]")},
	"rule_set rules[].checks[].ignore_case changed": {both("X", "literal: x, ignore_case: true", "literal: x"), both("X", "expect: absent, literal: x", "expect: absent, literal: x, ignore_case: true")},
	"rule_set rules[].checks[].multiline changed":   {both("a\nx", "pattern: ^x, multiline: true", "pattern: ^x"), both("a\nx", "expect: absent, pattern: ^x", "expect: absent, pattern: ^x, multiline: true")},
	"rule_set rules[].checks[].expect changed":      {both("x", "literal: x", "literal: x, expect: absent"), both("", "literal: x, expect: absent", "literal: x")},
	"rule_set rules[].checks[].min_count added":     {both("x", "literal: x", "literal: x, min_count: 2")},
	"rule_set rules[].checks[].min_count removed":   {both("x", "literal: x, expect: absent, min_count: 2", "literal: x, expect: absent")},
	"rule_set rules[].checks[].min_count raised":    {both("xx", "literal: x, min_count: 2", "literal: x, min_count: 3")},
	"rule_set rules[].checks[].min_count lowered":   {both("xx", "literal: x, expect: absent, min_count: 3", "literal: x, expect: absent, min_count: 2")},
	"rule_set rules[].checks[].max_count added":     {both("xx", "literal: x", "literal: x, max_count: 1")},
	"rule_set rules[].checks[].max_count removed":   {both("xx", "literal: x, expect: absent, max_count: 1", "literal: x, expect: absent")},
	"rule_set rules[].checks[].max_count raised":    {both("xx", "literal: x, expect: absent, max_count: 1", "literal: x, expect: absent, max_count: 2")},
	"rule_set rules[].checks[].max_count lowered":   {both("xx", "literal: x, max_count: 2", "literal: x, max_count: 1")},
	"rule_set rules[].checks[].files[] added":       {both("x", "literal: x, expect: absent, files: [b.md]", "literal: x, expect: absent, files: [b.md, a.md]")},
	"rule_set rules[].checks[].files[] removed":     {both("x", "literal: x, files: [a.md, b.md]", "literal: x, files: [b.md]")},
	"rule_set rules[].checks[].files[] changed":     {both("x", "literal: x, files: [a.md]", "literal: x, files: [b.md]")},
	"rule_set rules[].checks[].command[] added":     {program("[sorted_pair, a, b, c]")},
	"rule_set rules[].checks[].command[] removed":   {program("[sorted_pair, a]")},
	"rule_set rules[].checks[].command[] changed":   {program("[sorted_pair, c, b]")},
	"rule_set rules[].checks[].command[] reordered": {program("[sorted_pair, b, a]")},
}

const (
	toneCriterion = `  - name: tone
    description: Whether it is polite.
    weight: important
    threshold: 3.0
    anchors:
      1: It insults.
      2: It commands.
      3: It is neutral.
      4: It asks.
      5: It asks and gives thanks.
    examples:
      score_1: Fools did this.
      score_5: Thank you for a look.
`
	namingRule = `  - id: a.style.naming
    description: Names are plural.
    severity: warn
    check: Read all names.
`
	fullChecks = `
      - type: content
        pattern: '^GET '
        ignore_case: true
        multiline: true
        expect: absent
        min_count: 2
        max_count: 4
      - type: content
        literal: GET /loans
        files: ['**/*.md', '*.txt']
      - type: executable
        command: [spectral, lint]
`
)

// checks are other checks of the first rule, on a text.
func checks(text, base, head string) loss {
	return loss{base: []string{fullChecks, " " + base + "\n"}, head: []string{fullChecks, " " + head + "\n"}, text: text}
}

// both is a content check on both sides.
func both(text, base, head string) loss {
	return checks(text, "[{type: content, "+base+"}]", "[{type: content, "+head+"}]")
}

// program is another command after one that passes.
func program(head string) loss {
	return checks("", "[{type: executable, command: [sorted_pair, a, b]}]", "[{type: executable, command: "+head+"}]")
}
