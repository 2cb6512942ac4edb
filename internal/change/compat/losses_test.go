package compat

// loss is a change of the checks of a rule after which the rule no longer passes a text.
type loss struct {
	base, head []string // edits of a full document
	text       string
}

// meant are changes that are major by their meaning alone.
var meant = map[string]string{
	"rubric criteria[].anchors moved":     "the same score means something else: no score shows it",
	"rubric criteria[].anchors replaced":  "the same score means something else: no score shows it",
	"rubric negative_criteria[] renamed":  "what fails keeps failing, and a consumer that asks by the old name no longer sees it",
	"rule_set rules[].checks[] reordered": "a program can leave files that the next one reads: what it does is not written in the rule set",
}

// losses has an example of every change of a check that the table calls major. What a check
// finds, and what a program does, is not written in a rule set, so TestMajorChangesLoseSomething
// can't compute it.
var losses = map[string][]loss{
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

const fullChecks = `
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
