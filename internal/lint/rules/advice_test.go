package rules

import (
	"bytes"
	"fmt"
	"io/fs"
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

// slipBases are the documents in which slips are made, by the name in testdata/advice.txt.
var slipBases = map[string]string{
	"rubric": slipRubric,
	"rules":  slipRuleSet,
	// the dashes of lists are below their keys
	"margin": strings.ReplaceAll(slipRubric[:strings.Index(slipRubric, "scoring:")], "\n  ", "\n") + slipRubric[strings.Index(slipRubric, "scoring:"):],
	"info":   strings.NewReplacer("severity: fail", "severity: info", "severity: warn\n    weight: 3", "severity: info", "severity: warn", "severity: info").Replace(slipRuleSet),
}

// slip is what an author types instead of a text of a document, and what the author types after
// reading the advice. What follows from it must be the document that was meant.
type slip struct {
	kind, reason string
	base         string   // the document, before the pairs of meant
	meant        []string // pairs of texts: what is in the document, and what the author means
	typed        []string // pairs: what is meant, and what is typed; none in a document that is sound
	byHand       []string // pairs: what is typed, and what the advice asks for, if it leaves a choice
}

// advisedSlips reads testdata/advice.txt: below the name of a kind (##) and the reason of a slip (#), the pairs of texts, the first
// in lines with a minus, the second in lines with a plus.
func advisedSlips(t *testing.T) (all []slip) {
	visible := strings.NewReplacer("<U+00A0>", "\u00a0", "<U+3000>", "\u3000")
	kind, pairs := "", new([]string)
	text := strings.TrimSpace(visible.Replace(string(must.Get(os.ReadFile("testdata/advice.txt"))(t))))
	sign := byte(0)
	for line := range strings.SplitSeq(text, "\n") {
		before := sign
		sign = 0
		switch {
		case line == "":
		case strings.HasPrefix(line, "## "):
			kind = line[3:]
		case line[0] == '#':
			reason, base, _ := strings.Cut(strings.TrimSuffix(line[2:], ")"), " (")
			all = append(all, slip{kind: kind, reason: reason, base: slipBases[base]})
		case line[0] == '-' || line[0] == '+':
			sign = line[0]
			if sign == before {
				(*pairs)[len(*pairs)-1] += "\n" + line[1:]
			} else {
				*pairs = append(*pairs, line[1:])
			}
		default:
			s := &all[len(all)-1]
			pairs = map[string]*[]string{"meant": &s.meant, "typed": &s.typed, "by hand": &s.byHand}[line]
		}
	}
	return all
}

// TestObeyedAdvice makes slips, and holds the advice, what obeying it changes, and what lint says then: nothing, and the
// document is the one that was meant. Where the words of the advice leave no choice, a program obeys them.
func TestObeyedAdvice(t *testing.T) {
	const golden = "testdata/advice.golden"
	var got strings.Builder
	made := map[string]int{}
	for _, s := range advisedSlips(t) {
		meant := replacedAll(t, s.base, s.meant)
		typed := replacedAll(t, meant, s.typed)
		files, findings := findingsIn(t, typed)
		fmt.Fprintf(&got, "# %s: %s\n%s", s.kind, s.reason, goldenOf(files, findings, false))
		made[s.kind] += min(len(s.typed), 1)
		if s.typed != nil && len(findings) == 0 {
			t.Errorf("%s, %s: no finding", s.kind, s.reason)
		}
		obeyed, isClear := obey(typed, findings)
		if isClear == (s.byHand != nil) {
			t.Errorf("%s, %s: the advice leaves no choice: %t, and it is obeyed by hand: %[3]t", s.kind, s.reason, isClear)
		}
		if !isClear {
			obeyed = replacedAll(t, typed, s.byHand)
			got.WriteString("by hand, ")
		}
		if obeyed != typed {
			got.WriteString("obeyed:\n" + changedLines(typed, obeyed))
		}
		files, findings = findingsIn(t, obeyed)
		got.WriteString("then: " + orElse(goldenOf(files, findings, false), "no findings\n") + "\n")
		if len(findings) > 0 {
			t.Errorf("%s, %s: lint finds something after the advice is obeyed: %s", s.kind, s.reason, findings[0].Message)
		}
		if a, b := canonicalOf(t, meant), canonicalOf(t, obeyed); !bytes.Equal(a, b) {
			t.Errorf("%s, %s: obeyed, the advice ends in another document:\n%s", s.kind, s.reason, cmp.Diff(string(a), string(b)))
		}
	}
	for kind, n := range made {
		if n > 0 && n < 4 {
			t.Errorf("%s: %d slips, want 4 at least", kind, n)
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

// changedLines returns the lines of a text that are not in another.
func changedLines(before, after string) string {
	had := map[string]int{}
	for line := range strings.Lines(before) {
		had[line]++
	}
	var changed strings.Builder
	for line := range strings.Lines(after) {
		if had[line]--; had[line] < 0 {
			changed.WriteString("  " + line)
		}
	}
	return changed.String()
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// findingsIn returns what lint says about a document, except for what is not about its text.
func findingsIn(t *testing.T, text string) (fs.FS, []lint.Finding) {
	files := linttest.Library(map[string]string{lint.Root + "/corpus/slips_v1.yaml": text})
	var rules []*lint.Rule
	for _, rule := range All() {
		if rule.ID != "no-calibration" && rule.ID != "no-code-owners" {
			rules = append(rules, rule)
		}
	}
	return files, linttest.Run(t, files, rules, lint.Options{}).Findings
}

func canonicalOf(t *testing.T, text string) []byte {
	d := document.Parse(source.NewFile("x.yaml", []byte(text)))
	if !d.Valid() {
		return fmt.Appendf(nil, "not valid: %v", d.Problems)
	}
	return must.Get(d.Canonical())(t)
}
