package normalize

import (
	"bytes"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/dev/documenttest"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// example is the rule object of the Rule Schema, byte for byte.
const example = `{
  "id": "a.correctness.endpoints",
  "description": "All core CRUD endpoints are present with correct HTTP methods",
  "severity": "fail",
  "weight": 2,
  "phase": "A",
  "check": "Verify each endpoint from the task prompt exists in the artifact"
}
`

// read returns the rules of a file without problems.
func read(t interface {
	Helper()
	Fatalf(string, ...any)
}, f *source.File, rows []Row, problems []source.Problem) []ruleset.Rule {
	t.Helper()
	rules, more := Rules(rows, nil)
	if text := said(f, append(problems, more...)); text != "" {
		t.Fatalf("%s\n%s", text, f.Data)
	}
	return rules
}

func TestRuleSchemaExampleStaysAsItIs(t *testing.T) {
	f := source.NewFile("rule.json", []byte(example))
	rows, problems := YAML(f)
	rules := read(t, f, rows, problems)
	if got := EncodeJSON(rules, rows[0].Alone); string(got) != example {
		t.Errorf("the example comes out as\n%s", got)
	}
}

func TestEncodings(t *testing.T) {
	zero, three := 0, 3
	rules := []ruleset.Rule{
		{
			ID: "a.security.input", Description: "<script> & \"quotes\"", Severity: "fail", Weight: 0.0000005, Phase: "A", Check: "Line one\nline two \x7f\u2028",
			Checks: []ruleset.Check{
				{Type: "content", Pattern: `^it's \d+$`, Multiline: true, MinCount: &zero, MaxCount: &three},
				{Type: "content", Literal: "TODO", IgnoreCase: true, Expect: "absent"},
				{Type: "executable", Command: []string{"spectral", "lint", "{artifact}"}},
			},
		},
		{ID: "b.style.naming", Description: "Ünïcode 🙂", Severity: "info", Phase: "B", Check: "- no: [list]"},
	}
	golden(t, "encoded.json", string(EncodeJSON(rules, false)))
}

// anyRules draws the rules of a valid rule set, with weights and phases that match their
// severities and IDs.
func anyRules(t *rapid.T) []ruleset.Rule {
	data := documenttest.JSON(documenttest.Any(&document.RuleSet).Draw(t, "rule set"))
	set := document.Parse(source.NewFile("x.json", data)).RuleSet()
	if set == nil {
		t.Fatalf("no rule set: %s", data)
	}
	for i := range set.Rules {
		r := &set.Rules[i]
		r.Phase, _ = ruleset.PhaseOf(r.ID)
		if r.Severity == ruleset.SeverityInfo || r.Weight == 0 {
			r.Weight = ruleset.StandardWeight(r.Severity)
		}
	}
	return set.Rules
}

func TestWhatIsWrittenIsReadAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rules := anyRules(t)
		odd := rapid.StringOf(rapid.Rune().Filter(func(r rune) bool { return r != '\ufffd' }))
		rules[0].Check = "x" + odd.Draw(t, "odd text")
		rules[0].Weight = 0
		if rules[0].Severity != ruleset.SeverityInfo {
			rules[0].Weight = float64(rapid.IntRange(1, 1e9).Draw(t, "weight")) / 1e7
		}
		alone := len(rules) == 1 && rapid.Bool().Draw(t, "alone")
		data := EncodeJSON(rules, alone)
		f := source.NewFile("x.json", data)
		rows, problems := YAML(f)
		got := read(t, f, rows, problems)
		if diff := cmp.Diff(rules, got); diff != "" {
			t.Fatalf("(-want +got):\n%s\n%s", diff, data)
		}
		if again := EncodeJSON(got, alone); !bytes.Equal(again, data) {
			t.Fatalf("written again it is\n%s", again)
		}
	})
}

// tableOf writes rules as a table with the columns in any order. A table can't have checks
// or surrounding white space in texts.
func tableOf(t *rapid.T, rules []ruleset.Rule) []byte {
	columns := rapid.Permutation([]string{"ID", "Description", "Severity", "Weight", "Phase", "Check", "Notes"}).Draw(t, "columns")
	eol := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "line end")
	indent := rapid.SampledFrom([]string{"", "  ", "> "}).Draw(t, "indentation")
	var b strings.Builder
	line := func(cell func(column string) string) {
		b.WriteString(indent + "|")
		for _, c := range columns {
			b.WriteString(" " + cell(c) + " |")
		}
		b.WriteString(eol)
	}
	line(func(c string) string { return "*" + c + "*" })
	line(func(string) string { return "---" })
	for _, r := range rules {
		cells := map[string]string{
			"ID": "`" + r.ID + "`", "Description": escape(r.Description), "Severity": string(r.Severity),
			"Weight": render.Number(r.Weight), "Phase": string(r.Phase), "Check": escape(r.Check),
		}
		line(func(c string) string { return cells[c] })
	}
	return []byte(b.String())
}

// escape writes a text as Markdown and escapes every punctuation character.
func escape(text string) string {
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// trim removes what surrounds the text of a cell.
func trim(text string) string {
	return strings.TrimFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == '\ufeff' })
}

func TestTablesGiveTheRulesThatTheyWereWrittenFrom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rules := anyRules(t)
		for i := range rules {
			r := &rules[i]
			r.Checks = nil
			r.Description = trim(strings.ReplaceAll(r.Description, "\n", " "))
			r.Check = trim(strings.ReplaceAll(r.Check, "\n", " "))
		}
		f := source.NewFile("x.md", tableOf(t, rules))
		rows, problems := Markdown(f, "")
		if diff := cmp.Diff(rules, read(t, f, rows, problems)); diff != "" {
			t.Fatalf("(-want +got):\n%s\n%s", diff, f.Data)
		}
		for _, row := range rows {
			if got := f.Text(row.Field("id").Span); got != "`"+row.ID()+"`" {
				t.Fatalf("the ID %s has the place of %q", row.ID(), got)
			}
		}
	})
}
