package rules

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/linttest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
)

// slipRubric and slipRuleSet are documents without findings in which slips are made.
const (
	slipRubric = `rubric_id: slips_v1
name: Incident reports
version: "1.0.0"
artifact_type: corpus
description: Scores the report that a team writes after an incident.
criteria:
  - name: times
    description: How many of the events have a time?
    weight: essential
    threshold: 3.0
    anchors:
      1: No event has a time.
      2: Fewer than half of the events have a time.
      3: Half of the events have a time, or more.
      4: All events except one have a time.
      5: Every event has a time.
    examples:
      score_1: It broke, and then we fixed it.
      score_3: It broke at 10:02. We fixed it later.
      score_5: It broke at 10:02. We fixed it at 10:40.
  - name: owners
    description: How many of the actions have an owner?
    weight: important
    threshold: 2.0
    anchors:
      1: No action has an owner.
      2: Fewer than half of the actions have an owner.
      3: Half of the actions have an owner, or more.
      4: All actions except one have an owner.
      5: Every action has an owner.
    examples:
      score_1: We will add an alert.
      score_5: Ana adds an alert.
  - name: causes
    description: How many of the causes are backed by a log line?
    weight: important
    threshold: 2.5
    anchors:
      1: No cause is backed by a log line.
      2: Fewer than half of the causes are backed by one.
      3: Half of the causes are backed by one, or more.
      4: All causes except one are backed by one.
      5: Every cause is backed by a log line.
    examples:
      score_1: The disk was probably full.
      score_5: "The log at 10:02 says: no space left on device."
negative_criteria:
  - name: blame
    description: Nobody is blamed.
    fail_patterns:
      - '\bfault of\b'
    fail_examples:
      - This was the fault of the new hire.
  - name: unfinished
    fail_patterns:
      - '\bTBD\b'
      - '\bTODO\b'
    effect: report
scoring:
  pass_threshold: 3.5
  essential_minimum: 3.0
`
	slipRuleSet = `ruleset_id: slips_v1
name: Web pages
version: "1.0.0"
artifact_type: corpus
scoring:
  pass_threshold: 0.8
rules:
  - id: a.correctness.links
    description: Every link leads somewhere.
    severity: fail
    check: Follow each link of the page.
    checks:
      - type: executable
        command: ["linkchecker", "{artifact}"]
      - type: content
        pattern: '\bhttps://'
  - id: a.style.headings
    description: Headings say what is below them.
    severity: warn
    weight: 3
    check: Read the headings one after the other.
  - id: b.accessibility.images
    description: Every image has a text for those who can't see it.
    severity: warn
    check: Look at each image of the page.
`
)

// slip is what an author types instead of a text of a document, and what the author types after
// reading the advice. What follows from it must be the document that was meant.
type slip struct {
	reason string
	base   string   // the document, before the pairs of meant
	meant  []string // pairs of texts: what is in the document, and what the author means
	typed  []string // pairs: what is meant, and what is typed
	obeyed []string // pairs: what is typed, and what the advice asks for
}

var slipKinds = []struct {
	kind  string
	slips []slip
}{
	{"A missing dash", missingDashes},
	{"A lost backslash", lostBackslashes},
	{"Another key of a scale", otherKeys},
	{"A command for a shell", commands},
	{"A sign of another language", otherSigns},
	{"A colon in a text of two lines", secondColons},
	{"A delimiter of a pattern", patternDelimiter},
	{"A text that is misread", misread},
}

// atMargin is slipRubric with the dashes of its lists below their keys.
var atMargin = strings.ReplaceAll(slipRubric[:strings.Index(slipRubric, "scoring:")], "\n  ", "\n") + slipRubric[strings.Index(slipRubric, "scoring:"):]

var missingDashes = []slip{
	{"a criterion", slipRubric, nil, []string{"  - name: owners", "    name: owners"}, []string{"    name: owners", "  - name: owners"}},
	{"two criteria", slipRubric, nil, []string{"  - name: owners", "    name: owners", "  - name: causes", "    name: causes"},
		[]string{"    name: owners", "  - name: owners", "    name: causes", "  - name: causes"}},
	{"a criterion that begins with another key", slipRubric, []string{"  - name: owners\n    description: How many of the actions have an owner?\n", "  - description: How many of the actions have an owner?\n    name: owners\n"},
		[]string{"  - description: How many of the actions", "    description: How many of the actions"}, []string{"    description: How many of the actions", "  - description: How many of the actions"}},
	{"a negative criterion", slipRubric, nil, []string{"  - name: unfinished", "    name: unfinished"}, []string{"    name: unfinished", "  - name: unfinished"}},
	{"a rule", slipRuleSet, nil, []string{"  - id: a.style", "    id: a.style"}, []string{"    id: a.style", "  - id: a.style"}},
	{"a check", slipRuleSet, nil, []string{"      - type: content", "        type: content"}, []string{"        type: content", "      - type: content"}},
	{"the first criterion", slipRubric, nil, []string{"  - name: times", "    name: times"}, []string{"    name: times", "  - name: times"}},
	{"all criteria", slipRubric, nil, []string{"  - name: times", "    name: times", "  - name: owners", "    name: owners", "  - name: causes", "    name: causes"},
		[]string{"    name: times", "  - name: times", "    name: owners", "  - name: owners", "    name: causes", "  - name: causes"}},
	{"the dash and its indentation", slipRubric, nil, []string{"  - name: owners", "  name: owners"}, []string{"  name: owners", "  - name: owners"}},
	{"at the margin", atMargin, nil, []string{"- name: owners", "  name: owners"}, []string{"  name: owners", "- name: owners"}},
	{"the first check", slipRuleSet, nil, []string{"      - type: executable", "        type: executable"}, []string{"        type: executable", "      - type: executable"}},
	{"a pattern", slipRubric, nil, []string{"      - '\\bTODO\\b'", "        '\\bTODO\\b'"}, []string{"        '\\bTODO\\b'", "      - '\\bTODO\\b'"}},
	{"the first criterion at the margin", atMargin, nil, []string{"- name: times", "  name: times"}, []string{"  name: times", "- name: times"}},
	{"the dash and the indentation of the first negative criterion", slipRubric, nil,
		[]string{"  - name: blame\n    description: Nobody is blamed.\n    fail_patterns:\n      - '\\bfault of\\b'\n    fail_examples:\n      - This", "  name: blame\n  description: Nobody is blamed.\n  fail_patterns:\n    - '\\bfault of\\b'\n  fail_examples:\n    - This"},
		[]string{"  name: blame\n  description: Nobody is blamed.\n  fail_patterns:\n    - '\\bfault of\\b'\n  fail_examples:\n    - This", "  - name: blame\n    description: Nobody is blamed.\n    fail_patterns:\n      - '\\bfault of\\b'\n    fail_examples:\n      - This"}},
	{"a key twice is no missing dash", slipRubric, nil, []string{"    weight: essential\n", "    weight: essential\n    weight: essential\n"}, []string{"    weight: essential\n    weight: essential\n", "    weight: essential\n"}},
}

var lostBackslashes = []slip{
	{"the edges of a word", slipRubric, nil, []string{`'\bfault of\b'`, `"\bfault of\b"`}, []string{`"\bfault of\b"`, `'\bfault of\b'`}},
	{"one edge of a word", slipRubric, []string{`'\bfault of\b'`, `'fault of\b'`}, []string{`'fault of\b'`, `"fault of\b"`}, []string{`"fault of\b"`, `'fault of\b'`}},
	{"an edge and a digit", slipRubric, []string{`'\bTBD\b'`, `'\bTBD \d'`}, []string{`'\bTBD \d'`, `"\bTBD \d"`}, []string{`"\bTBD \d"`, `'\bTBD \d'`}},
	{"an edge and an apostrophe", slipRubric, []string{`'\bfault of\b'`, `'\bisn''t the fault of|fault of'`}, []string{`'\bisn''t the fault of|fault of'`, `"\bisn't the fault of|fault of"`}, []string{`"\bisn't the fault of|fault of"`, `'\bisn''t the fault of|fault of'`}},
	{"the pattern of a check", slipRuleSet, []string{`'\bhttps://'`, `'\bhttps\\x'`}, []string{`'\bhttps\\x'`, `"\bhttps\\\\x"`}, []string{`"\bhttps\\\\x"`, `'\bhttps\\x'`}},
	{"a path with a tab", slipRubric, []string{"We will add an alert.", `'Saved to C:\temp'`}, []string{`'Saved to C:\temp'`, `"Saved to C:\temp"`}, []string{`"Saved to C:\temp"`, `'Saved to C:\temp'`}},
	{"a path with a line break", slipRubric, []string{"We will add an alert.", `'Saved to D:\new'`}, []string{`'Saved to D:\new'`, `"Saved to D:\new"`}, []string{`"Saved to D:\new"`, `'Saved to D:\new'`}},
	{"a path with a form feed", slipRubric, []string{"We will add an alert.", `'Saved to reports\final'`}, []string{`'Saved to reports\final'`, `"Saved to reports\final"`}, []string{`"Saved to reports\final"`, `'Saved to reports\final'`}},
	{"a share", slipRubric, []string{"We will add an alert.", `'\\server\reports'`}, []string{`'\\server\reports'`, `"\\server\reports"`}, []string{`"\\server\reports"`, `'\\server\reports'`}},
	{"a folder without an escape", slipRubric, []string{"We will add an alert.", `'Saved to C:\Data'`}, []string{`'Saved to C:\Data'`, `"Saved to C:\Data"`}, []string{`"Saved to C:\Data"`, `'Saved to C:\Data'`}},
	{"a line break after Q: is no path", slipRubric, []string{"We will add an alert.", `"Q:\nwhen? A:\nlater"`}, nil, nil},
}

var otherKeys = []slip{
	{"1, 2, 3, 4, 6", slipRubric, nil, []string{"5: Every action", "6: Every action"}, []string{"6: Every action", "5: Every action"}},
	{"1, 2, 33, 4, 5", slipRubric, nil, []string{"3: Half of the actions", "33: Half of the actions"}, []string{"33: Half of the actions", "3: Half of the actions"}},
	{"1, 2, 3, 4, 10", slipRubric, nil, []string{"5: Every action", "10: Every action"}, []string{"10: Every action", "5: Every action"}},
	{"1, 3, 4, 5, 7", slipRubric, nil, []string{"2: Fewer than half of the actions", "3: Fewer than half of the actions", "3: Half of the actions", "4: Half of the actions", "4: All actions", "5: All actions", "5: Every action", "7: Every action"},
		[]string{"3: Fewer than half of the actions", "2: Fewer than half of the actions", "4: Half of the actions", "3: Half of the actions", "5: All actions", "4: All actions", "7: Every action", "5: Every action"}},
	{"0, 2, 3, 4, 5", slipRubric, nil, []string{"1: No action", "0: No action"}, []string{"0: No action", "1: No action"}},
	{"2, 3, 4, 5, 6", slipRubric, []string{"threshold: 2.0", "threshold: 2.2"}, []string{"threshold: 2.2", "threshold: 3.2", "5: Every action", "6: Every action", "4: All actions", "5: All actions", "3: Half of the actions", "4: Half of the actions", "2: Fewer than half of the actions", "3: Fewer than half of the actions", "1: No action", "2: No action"},
		[]string{"2: No action", "1: No action", "3: Fewer than half of the actions", "2: Fewer than half of the actions", "4: Half of the actions", "3: Half of the actions", "5: All actions", "4: All actions", "6: Every action", "5: Every action", "threshold: 3.2", "threshold: 2.2"}},
	{"1, 2, 3, 3, 5", slipRubric, nil, []string{"4: All actions", "3: All actions"}, []string{"3: All actions", "4: All actions"}},
	{"1, 1, 3, 4, 5", slipRubric, nil, []string{"2: Fewer than half of the actions", "1: Fewer than half of the actions"}, []string{"1: Fewer than half of the actions", "2: Fewer than half of the actions"}},
	{"2, 2, 3, 4, 5", slipRubric, nil, []string{"1: No action", "2: No action"}, []string{"2: No action", "1: No action"}},
	{"1, 2, 3, 5, 5", slipRubric, nil, []string{"4: All actions", "5: All actions"}, []string{"5: All actions", "4: All actions"}},
	{"1, 2, 2, 4, 4", slipRubric, nil, []string{"3: Half of the actions", "2: Half of the actions", "5: Every action", "4: Every action"},
		[]string{"2: Half of the actions", "3: Half of the actions", "4: Every action", "5: Every action"}},
	{"1, 1, 3, 3, 5", slipRubric, nil, []string{"2: Fewer than half of the actions", "1: Fewer than half of the actions", "4: All actions", "3: All actions"},
		[]string{"1: Fewer than half of the actions", "2: Fewer than half of the actions", "3: All actions", "4: All actions"}},
	{"2, 3, 3, 4, 5", slipRubric, nil, []string{"1: No action", "2: No action", "2: Fewer than half of the actions", "3: Fewer than half of the actions"},
		[]string{"2: No action", "1: No action", "3: Fewer than half of the actions", "2: Fewer than half of the actions"}},
	{"5, 4, 3, 3, 1", slipRubric, []string{"      1: No action has an owner.\n      2: Fewer than half of the actions have an owner.\n      3: Half of the actions have an owner, or more.\n      4: All actions except one have an owner.\n      5: Every action has an owner.\n", "      5: Every action has an owner.\n      4: All actions except one have an owner.\n      3: Half of the actions have an owner, or more.\n      2: Fewer than half of the actions have an owner.\n      1: No action has an owner.\n"},
		[]string{"2: Fewer than half of the actions", "3: Fewer than half of the actions"}, []string{"3: Fewer than half of the actions", "2: Fewer than half of the actions"}},
	{"an example twice", slipRubric, nil, []string{"score_5: Ana", "score_1: Ana"}, []string{"score_1: Ana", "score_5: Ana"}},
	{"the example in the middle", slipRubric, nil, []string{"score_3: It", "score_1: It"}, []string{"score_1: It broke at", "score_3: It broke at"}},
}

var commands = []slip{
	{"one text", slipRuleSet, []string{`["linkchecker", "{artifact}"]`, `["grep", "-q", "Owner", "{artifact}"]`}, []string{`["grep", "-q", "Owner", "{artifact}"]`, `"grep -q Owner {artifact}"`}, []string{`"grep -q Owner {artifact}"`, `["grep", "-q", "Owner", "{artifact}"]`}},
	{"one text without quotes", slipRuleSet, []string{`["linkchecker", "{artifact}"]`, `["grep", "-q", "Owner", "{artifact}"]`}, []string{`["grep", "-q", "Owner", "{artifact}"]`, `grep -q Owner {artifact}`}, []string{`grep -q Owner {artifact}`, `["grep", "-q", "Owner", "{artifact}"]`}},
	{"one text with quotes inside", slipRuleSet, []string{`["linkchecker", "{artifact}"]`, `["grep", "-q", "Owner: Ana", "{artifact}"]`}, []string{`["grep", "-q", "Owner: Ana", "{artifact}"]`, `'grep -q "Owner: Ana" {artifact}'`}, []string{`'grep -q "Owner: Ana" {artifact}'`, `["grep", "-q", "Owner: Ana", "{artifact}"]`}},
	{"one text with an expression", slipRuleSet, []string{`["linkchecker", "{artifact}"]`, `["grep", "-E", '\bOwner\b', "{artifact}"]`}, []string{`["grep", "-E", '\bOwner\b', "{artifact}"]`, `grep -E '\bOwner\b' {artifact}`}, []string{`grep -E '\bOwner\b' {artifact}`, `["grep", "-E", '\bOwner\b', "{artifact}"]`}},
	{"one text with a pipe", slipRuleSet, []string{`["linkchecker", "{artifact}"]`, `["grep", "-q", "Owner", "{artifact}"]`}, []string{`["grep", "-q", "Owner", "{artifact}"]`, `"cat {artifact} | grep -q Owner"`}, []string{`"cat {artifact} | grep -q Owner"`, `["grep", "-q", "Owner", "{artifact}"]`}},
	{"a list of one text", slipRuleSet, []string{`["linkchecker", "{artifact}"]`, `["grep", "-q", "Owner", "{artifact}"]`}, []string{`["grep", "-q", "Owner", "{artifact}"]`, `["grep -q Owner {artifact}"]`}, []string{`["grep -q Owner {artifact}"]`, `["grep", "-q", "Owner", "{artifact}"]`}},
	{"a pipe", slipRuleSet, []string{`["linkchecker", "{artifact}"]`, `["grep", "-q", "Owner", "{artifact}"]`}, []string{`["grep", "-q", "Owner", "{artifact}"]`, `["cat", "{artifact}", "|", "grep", "Owner"]`}, []string{`["cat", "{artifact}", "|", "grep", "Owner"]`, `["grep", "-q", "Owner", "{artifact}"]`}},
	{"a redirection", slipRuleSet, []string{`["linkchecker", "{artifact}"]`, `["grep", "-q", "Owner", "{artifact}"]`}, []string{`["grep", "-q", "Owner", "{artifact}"]`, `["grep", "Owner", "{artifact}", ">", "/dev/null"]`}, []string{`["grep", "Owner", "{artifact}", ">", "/dev/null"]`, `["grep", "-q", "Owner", "{artifact}"]`}},
	{"a redirection of errors", slipRuleSet, []string{`["linkchecker", "{artifact}"]`, `["grep", "-q", "Owner", "{artifact}"]`}, []string{`["grep", "-q", "Owner", "{artifact}"]`, `["grep", "Owner", "{artifact}", "2>/dev/null"]`}, []string{`["grep", "Owner", "{artifact}", "2>/dev/null"]`, `["grep", "-q", "Owner", "{artifact}"]`}},
	{"two commands", slipRuleSet, []string{`["linkchecker", "{artifact}"]`, `["grep", "-q", "Owner", "{artifact}"]`}, []string{`["grep", "-q", "Owner", "{artifact}"]`, `["grep", "Owner", "{artifact}", "&&", "grep", "Date", "{artifact}"]`}, []string{`["grep", "Owner", "{artifact}", "&&", "grep", "Date", "{artifact}"]`, `["grep", "-q", "Owner", "{artifact}"]`}},
	{"an argument of a shell", slipRuleSet, []string{`["linkchecker", "{artifact}"]`, `["grep", "-q", "Owner", "{artifact}"]`}, []string{`["grep", "-q", "Owner", "{artifact}"]`, `["grep", "-q", "Owner", "$1"]`}, []string{`["grep", "-q", "Owner", "$1"]`, `["grep", "-q", "Owner", "{artifact}"]`}},
	{"a variable", slipRuleSet, []string{`["linkchecker", "{artifact}"]`, `["grep", "-q", "Owner", "{artifact}"]`}, []string{`["grep", "-q", "Owner", "{artifact}"]`, `["grep", "-q", "Owner", "${ARTIFACT}"]`}, []string{`["grep", "-q", "Owner", "${ARTIFACT}"]`, `["grep", "-q", "Owner", "{artifact}"]`}},
	{"another placeholder", slipRuleSet, []string{`["linkchecker", "{artifact}"]`, `["grep", "-q", "Owner", "{artifact}"]`}, []string{`["grep", "-q", "Owner", "{artifact}"]`, `["grep", "-q", "Owner", "{file}"]`}, []string{`["grep", "-q", "Owner", "{file}"]`, `["grep", "-q", "Owner", "{artifact}"]`}},
	{"a placeholder in two braces", slipRuleSet, []string{`["linkchecker", "{artifact}"]`, `["grep", "-q", "Owner", "{artifact}"]`}, []string{`["grep", "-q", "Owner", "{artifact}"]`, `["grep", "-q", "Owner", "{{artifact}}"]`}, []string{`["grep", "-q", "Owner", "{{artifact}}"]`, `["grep", "-q", "Owner", "{artifact}"]`}},
	{"a pattern of names", slipRuleSet, []string{`["linkchecker", "{artifact}"]`, `["markdownlint", "{artifact}"]`}, []string{`["markdownlint", "{artifact}"]`, `["markdownlint", "*.md"]`}, []string{`["markdownlint", "*.md"]`, `["markdownlint", "{artifact}"]`}},
	{"a pattern of names in a folder", slipRuleSet, []string{`["linkchecker", "{artifact}"]`, `["markdownlint", "{artifact}"]`}, []string{`["markdownlint", "{artifact}"]`, `["markdownlint", "docs/**/*.md"]`}, []string{`["markdownlint", "docs/**/*.md"]`, `["markdownlint", "{artifact}"]`}},
	{"a program of awk is sound", slipRuleSet, []string{`["linkchecker", "{artifact}"]`, `["awk", '{print $1}', "{artifact}"]`}, nil, nil},
	{"alternatives are sound", slipRuleSet, []string{`["linkchecker", "{artifact}"]`, `["grep", "-E", "a|b", "{artifact}"]`}, nil, nil},
	{"a pattern for the program is sound", slipRuleSet, []string{`["linkchecker", "{artifact}"]`, `["grep", "-r", "--include", "*.md", "Owner", "."]`}, nil, nil},
	{"a command for a folder is sound", slipRuleSet, []string{`["linkchecker", "{artifact}"]`, `["go", "test", "./..."]`}, nil, nil},
	{"an expression with a star is sound", slipRuleSet, []string{`["linkchecker", "{artifact}"]`, `["grep", "-E", "a.*b", "{artifact}"]`}, nil, nil},
}

var otherSigns = []slip{
	{"a comma after a value", slipRubric, []string{"weight: essential", `weight: "essential"`}, []string{`weight: "essential"`, `weight: "essential",`}, []string{`weight: "essential",`, `weight: "essential"`}},
	{"a comma after a plain value", slipRubric, nil, []string{"weight: essential", "weight: essential,"}, []string{"weight: essential,", "weight: essential"}},
	{"a comma after a number", slipRubric, nil, []string{"pass_threshold: 3.5", "pass_threshold: 3.5,"}, []string{"pass_threshold: 3.5,", "pass_threshold: 3.5"}},
	{"a comma after a version", slipRubric, nil, []string{"version: \"1.0.0\"", "version: \"1.0.0\","}, []string{"version: \"1.0.0\",", "version: \"1.0.0\""}},
	{"a comma after a list", slipRuleSet, nil, []string{`"{artifact}"]`, `"{artifact}"],`}, []string{`"{artifact}"],`, `"{artifact}"]`}},
	{"a dash without a space", slipRubric, nil, []string{"  - name: owners", "  -name: owners"}, []string{"  -name: owners", "  - name: owners"}},
	{"the first dash without a space", slipRubric, nil, []string{"  - name: times", "  -name: times"}, []string{"  -name: times", "  - name: times"}},
	{"the dash of a pattern without a space", slipRubric, nil, []string{"      - '\\bTODO\\b'", "      -'\\bTODO\\b'"}, []string{"      -'\\bTODO\\b'", "      - '\\bTODO\\b'"}},
	{"the dash of a rule without a space", slipRuleSet, nil, []string{"  - id: a.style", "  -id: a.style"}, []string{"  -id: a.style", "  - id: a.style"}},
	{"a no-break space after a dash", slipRubric, nil, []string{"  - name: owners", "  -\u00a0name: owners"}, []string{"  -\u00a0name: owners", "  - name: owners"}},
	{"a no-break space after the first dash", slipRubric, nil, []string{"  - name: times", "  -\u00a0name: times"}, []string{"  -\u00a0name: times", "  - name: times"}},
	{"a no-break space after a colon", slipRubric, nil, []string{"weight: essential", "weight:\u00a0essential"}, []string{"weight:\u00a0essential", "weight: essential"}},
	{"a no-break space after an anchor", slipRubric, nil, []string{"1: No action", "1:\u00a0No action"}, []string{"1:\u00a0No action", "1: No action"}},
	{"an ideographic space after a colon", slipRubric, nil, []string{"threshold: 2.0", "threshold:\u30002.0"}, []string{"threshold:\u30002.0", "threshold: 2.0"}},
	{"a no-break space after the dash of the first pattern", slipRubric, nil, []string{"- '\\bTBD", "-\u00a0'\\bTBD", "- '\\bTODO", "-\u00a0'\\bTODO"}, []string{"-\u00a0'\\bTBD", "- '\\bTBD", "-\u00a0'\\bTODO", "- '\\bTODO"}},
	{"a fence", slipRubric, nil, []string{"rubric_id:", "```yaml\nrubric_id:", "essential_minimum: 3.0\n", "essential_minimum: 3.0\n```\n"}, []string{"```yaml\n", "", "```\n", ""}},
	{"a fence of tildes", slipRubric, nil, []string{"rubric_id:", "~~~\nrubric_id:", "essential_minimum: 3.0\n", "essential_minimum: 3.0\n~~~\n"}, []string{"~~~\nrubric", "rubric", "~~~\n", ""}},
	{"the end of a fence", slipRubric, nil, []string{"essential_minimum: 3.0\n", "essential_minimum: 3.0\n```\n"}, []string{"```\n", ""}},
	{"the begin of a fence", slipRuleSet, nil, []string{"ruleset_id:", "```\nruleset_id:"}, []string{"```\n", ""}},
	{"slashes after a plain value", slipRubric, nil, []string{"weight: essential", "weight: essential // most of all"}, []string{"weight: essential // most of all", "weight: essential # most of all"}},
	{"slashes after a number", slipRubric, nil, []string{"threshold: 2.0", "threshold: 2.0 // low"}, []string{"threshold: 2.0 // low", "threshold: 2.0 # low"}},
	{"slashes after a name", slipRubric, nil, []string{"name: owners", "name: owners // of actions"}, []string{"name: owners // of actions", "name: owners # of actions"}},
	{"slashes after a value in quotes", slipRubric, nil, []string{"version: \"1.0.0\"", "version: \"1.0.0\" // first"}, []string{"version: \"1.0.0\" // first", "version: \"1.0.0\" # first"}},
}

var secondColons = []slip{
	{"two lines", slipRubric, []string{"How many of the events have a time?", `"How many events: those with a time?"`}, []string{`"How many events: those with a time?"`, "How many events: those\n      with a time?"}, []string{"How many events: those\n      with a time?", `"How many events: those with a time?"`}},
	{"three lines", slipRubric, []string{"How many of the events have a time?", `"How many events: those with a time?"`}, []string{`"How many events: those with a time?"`, "How many\n      events: those\n      with a time?"}, []string{"How many\n      events: those\n      with a time?", `"How many events: those with a time?"`}},
	{"an anchor", slipRubric, []string{"Every event has a time.", `"Times: every event has one."`}, []string{`"Times: every event has one."`, "Times: every event\n        has one."}, []string{"Times: every event\n        has one.", `"Times: every event has one."`}},
	{"with a quote", slipRubric, []string{"Every event has a time.", `'All "events": each has a time.'`}, []string{`'All "events": each has a time.'`, "All \"events\": each\n        has a time."}, []string{"All \"events\": each\n        has a time.", `'All "events": each has a time.'`}},
	{"one line", slipRubric, []string{"Every event has a time.", `"Times: every event has one."`}, []string{`"Times: every event has one."`, "Times: every event has one."}, []string{"Times: every event has one.", `"Times: every event has one."`}},
}

var patternDelimiter = []slip{
	{"slashes", slipRubric, []string{`- '\bfault of\b'`, `- '\bfault of [a-z]+'`}, []string{`- '\bfault of [a-z]+'`, `- '/\bfault of [a-z]+/'`}, []string{`- '/\bfault of [a-z]+/'`, `- '\bfault of [a-z]+'`}},
	{"slashes and a flag", slipRubric, []string{`- '\bfault of\b'`, `- '\bfault of\b'
    ignore_case: true`}, []string{`- '\bfault of\b'
    ignore_case: true`, `- '/\bfault of\b/i'`}, []string{`- '/\bfault of\b/i'`, `- '\bfault of\b'
    ignore_case: true`}},
	{"slashes without quotes", slipRubric, []string{`- '\bfault of\b'`, `- 'fault of'
    ignore_case: true`}, []string{`- 'fault of'
    ignore_case: true`, `- /fault of/i`}, []string{`- /fault of/i`, `- 'fault of'
    ignore_case: true`}},
	{"a raw string", slipRubric, []string{`- '\bfault of\b'`, `- '\bfault of\b'`}, []string{`- '\bfault of\b'`, `- r'\bfault of\b'`}, []string{`- r'\bfault of\b'`, `- '\bfault of\b'`}},
	{"a raw string in double quotes", slipRubric, []string{`- '\bfault of\b'`, `- '\bfault of\b'`}, []string{`- '\bfault of\b'`, `- r"\bfault of\b"`}, []string{`- r"\bfault of\b"`, `- '\bfault of\b'`}},
	{"typographic quotes", slipRubric, []string{`- '\bfault of\b'`, `- 'fault of'`}, []string{`- 'fault of'`, `- “fault of”`}, []string{`- “fault of”`, `- 'fault of'`}},
	{"straight quotes are sound", slipRubric, []string{`- '\bfault of\b'`, `- 'fault of'
      - '"password"'`}, nil, nil},
	{"the pattern of a check", slipRuleSet, nil, []string{`'\bhttps://'`, `'/\bhttps:\/\//'`}, []string{`'/\bhttps:\/\//'`, `'\bhttps://'`}},
	{"a path is sound", slipRubric, []string{`- '\bfault of\b'`, `- 'fault of'
      - /tmp/`}, nil, nil},
}

var misread = []slip{
	{"an entry of a log", slipRubric, []string{"4: All actions except one have an owner.", `4: "All actions except #1 have an owner."`}, []string{`4: "All actions except #1 have an owner."`, "4: All actions except #1 have an owner."}, []string{"4: All actions except #1 have an owner.", `4: "All actions except #1 have an owner."`}},
	{"a tag", slipRubric, []string{"How many of the actions have an owner?", `"How many actions have the tag #owner?"`}, []string{`"How many actions have the tag #owner?"`, "How many actions have the tag #owner?"}, []string{"How many actions have the tag #owner?", `"How many actions have the tag #owner?"`}},
	{"an issue at the end", slipRubric, []string{"We will add an alert.", `"We will fix #12"`}, []string{`"We will fix #12"`, "We will fix #12"}, []string{"We will fix #12", `"We will fix #12"`}},
	{"a text in typographic quotes", slipRubric, nil, []string{"How many of the actions have an owner?", "“How many of the actions have an owner?”"}, []string{"“How many of the actions have an owner?”", `"How many of the actions have an owner?"`}},
	{"a name in typographic quotes", slipRubric, nil, []string{"name: Incident reports", "name: «Incident reports»"}, []string{"name: «Incident reports»", `name: "Incident reports"`}},
	{"a comment is sound", slipRubric, []string{"weight: essential", "weight: essential # most of all"}, nil, nil},
	{"a comment without a space after a word is sound", slipRubric, []string{"weight: essential", "weight: essential #most"}, nil, nil},
	{"a quote in a text is sound", slipRubric, []string{"We will add an alert.", "“Alert” is what we will add, and “owner”"}, nil, nil},
	{"an f-string", slipRubric, nil, []string{"How many of the actions have an owner?", "How many of the actions in {artifact} have an owner?"}, []string{"in {artifact} ", ""}},
	{"a field of a template", slipRubric, nil, []string{"How many of the actions have an owner?", "How many of the actions for {user.name} have an owner?"}, []string{"for {user.name} ", ""}},
	{"a path of an API is sound", slipRubric, []string{"We will add an alert.", "We will fix /users/{id} soon."}, nil, nil},
	{"a field in an example is sound", slipRubric, []string{"We will add an alert.", "print(f\"We saved {name}.\")"}, nil, nil},
	{"info rules only", onlyInfo, []string{"severity: info\n    check: Follow", "severity: fail\n    check: Follow"}, []string{"severity: fail\n    check: Follow", "severity: info\n    check: Follow"}, []string{"severity: info\n    check: Follow", "severity: fail\n    check: Follow"}},
}

// onlyInfo is slipRuleSet with info rules only.
var onlyInfo = strings.NewReplacer("severity: fail", "severity: info", "severity: warn\n    weight: 3", "severity: info", "severity: warn", "severity: info").Replace(slipRuleSet)

// TestObeyedAdvice makes slips, and holds the advice, what is obeyed, and what lint says then. Each slip
// has one finding, and obeying it ends in the document that was meant.
func TestObeyedAdvice(t *testing.T) {
	const golden = "testdata/advice.golden"
	var got strings.Builder
	for _, k := range slipKinds {
		for _, s := range k.slips {
			meant := replacedAll(t, s.base, s.meant)
			typed := replacedAll(t, meant, s.typed)
			obeyed := replacedAll(t, typed, s.obeyed)
			fmt.Fprintf(&got, "# %s: %s\n", k.kind, s.reason)
			got.WriteString(findingsIn(t, typed))
			for i := 0; i < len(s.obeyed); i += 2 {
				fmt.Fprintf(&got, "obeyed:\n%s\n", indented(s.obeyed[i+1]))
			}
			got.WriteString("then: " + orElse(findingsIn(t, obeyed), "no findings\n") + "\n")
			if a, b := canonicalOf(t, meant), canonicalOf(t, obeyed); !bytes.Equal(a, b) {
				t.Errorf("%s, %s: obeyed, the advice ends in another document:\n%s", k.kind, s.reason, cmp.Diff(string(a), string(b)))
			}
		}
	}
	if *update {
		must.Do(t, os.WriteFile(golden, []byte(got.String()), 0o644))
	}
	if diff := cmp.Diff(string(must.Get(os.ReadFile(golden))(t)), got.String()); diff != "" {
		t.Errorf("the advice differs (-want +got):\n%s", diff)
	}
}

func replacedAll(t *testing.T, text string, pairs []string) string {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if strings.Count(text, pairs[i]) != 1 {
			t.Fatalf("%q occurs %d times, want once", pairs[i], strings.Count(text, pairs[i]))
		}
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	return text
}

func indented(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n  ")
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// findingsIn returns what lint says about a document, except for what is not about its text.
func findingsIn(t *testing.T, text string) string {
	files := linttest.Library(map[string]string{lint.Root + "/corpus/slips_v1.yaml": text})
	var rules []*lint.Rule
	for _, rule := range All() {
		if rule.ID != "no-calibration" && rule.ID != "no-code-owners" {
			rules = append(rules, rule)
		}
	}
	return goldenOf(files, linttest.Run(t, files, rules, lint.Options{}).Findings, false)
}

func canonicalOf(t *testing.T, text string) []byte {
	d := document.Parse(source.NewFile("x.yaml", []byte(text)))
	if !d.Valid() {
		return fmt.Appendf(nil, "not valid: %v", d.Problems)
	}
	return must.Get(d.Canonical())(t)
}
