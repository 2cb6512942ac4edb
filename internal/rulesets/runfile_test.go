package rulesets

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

const digest = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

// sample is a run written by init.
func sample() *Run {
	return &Run{
		SchemaVersion: SchemaVersion,
		Task:          Task{Type: "api_design", IdealResult: "A <client> can be written & tested."},
		Criteria: Criteria{
			RuleSet:       &RuleSetReference{ID: "api_v1", Version: "1.2.0", Digest: digest},
			PassThreshold: 0.8,
			Rules: []ruleset.Rule{
				{ID: "a.correctness.endpoints", Description: "All there", Severity: ruleset.SeverityFail, Weight: 2, Phase: ruleset.PhaseA, Check: "Look."},
				{ID: "b.style.naming", Description: "Names", Severity: ruleset.SeverityWarn, Weight: 1, Phase: ruleset.PhaseB, Check: "Compare."},
			},
		},
	}
}

func prepared() *Prepared {
	return &Prepared{
		Phase:   ruleset.PhaseB,
		Rules:   []RuleChecks{{Rule: "a.correctness.endpoints", Checks: []ruleset.Check{{Type: ruleset.CheckContent, Pattern: "^GET <x>", Multiline: true}}}},
		Outside: []string{"b.style.naming"},
	}
}

func TestARunIsReadAsItWasWritten(t *testing.T) {
	want := sample()
	data, err := render.JSON(want)
	if err != nil {
		t.Fatal(err)
	}
	got, problems := ReadRun(source.NewFile("run.json", data))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("before a preparation (-want +got):\n%s", diff)
	}
	want.Prepared = prepared()
	data = must.Get(SetPrepared(source.NewFile("run.json", data), want.Prepared))(t)
	if got, problems = ReadRun(source.NewFile("run.json", data)); len(problems) > 0 {
		t.Fatal(problems)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("after it (-want +got):\n%s", diff)
	}
	again, err := SetPrepared(source.NewFile("run.json", data), want.Prepared)
	if diff := cmp.Diff(string(data), string(again)); diff != "" || err != nil {
		t.Errorf("the same preparation again: %v\n%s", err, diff)
	}
	encoded, err := render.JSON(want)
	if diff := cmp.Diff(string(encoded), string(data)); diff != "" || err != nil {
		t.Errorf("the layout is not that of a file which is written at once: %v\n%s", err, diff)
	}
}

func TestSetPreparedLeavesTheRestAsItStands(t *testing.T) {
	empty := &Prepared{Phase: ruleset.PhaseA, Rules: []RuleChecks{}, Outside: []string{"a.x.y"}}
	tests := []struct{ reason, before, want string }{
		{
			reason: "keys of other programs, with their numbers and escapes",
			before: "{\n\t\"iterations\": [1.50, \"\\u00e4\"],\n\t\"criteria\": {}\n}",
			want:   "{\n\t\"iterations\": [1.50, \"\\u00e4\"],\n\t\"criteria\": {},\n  \"prepared\": {\n    \"phase\": \"A\",\n    \"rules\": [],\n    \"outside\": [\n      \"a.x.y\"\n    ]\n  }\n}",
		},
		{
			reason: "line ends of Windows",
			before: "{\r\n  \"criteria\": {}\r\n}\r\n",
			want:   "{\r\n  \"criteria\": {},\r\n  \"prepared\": {\r\n    \"phase\": \"A\",\r\n    \"rules\": [],\r\n    \"outside\": [\r\n      \"a.x.y\"\r\n    ]\r\n  }\r\n}\r\n",
		},
		{
			reason: "earlier prepared checks are replaced in place",
			before: "{\n  \"prepared\": {\"phase\": \"B\"},\n  \"criteria\": {}\n}\n",
			want:   "{\n  \"prepared\": {\n    \"phase\": \"A\",\n    \"rules\": [],\n    \"outside\": [\n      \"a.x.y\"\n    ]\n  },\n  \"criteria\": {}\n}\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			got := must.Get(SetPrepared(source.NewFile("run.json", []byte(tt.before)), empty))(t)
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if !json.Valid(got) {
				t.Error("the result is not JSON")
			}
		})
	}
}

// said formats problems as lines with their positions.
func said(f *source.File, problems []source.Problem) string {
	var lines []string
	for _, p := range problems {
		at := f.Position(p.Span.Start)
		lines = append(lines, fmt.Sprintf("%d:%d %s", at.Line, at.Column, p.Message))
	}
	return strings.Join(lines, "\n")
}

func TestWhatIsWrongIsNamedWithItsPlace(t *testing.T) {
	rule := `{"id": "a.x.y", "description": "d", "severity": "fail", "weight": 2, "phase": "A", "check": "c"}`
	run := func(rules, prepared string) string {
		return `{"schema_version": 1, "criteria": {"pass_threshold": 0.8, "rules": [` + rules + `]}` + prepared + `}`
	}
	readRun := func(f *source.File) []source.Problem { _, problems := ReadRun(f); return problems }
	readChecks := func(f *source.File) []source.Problem {
		_, problems := ReadChecks(f, []string{"a.x.y", "b.x.y"})
		return problems
	}
	readVerdicts := func(f *source.File) []source.Problem {
		_, problems := ReadVerdicts(f, []string{"a.x.y", "b.x.y"})
		return problems
	}
	readAnswers := func(f *source.File) []source.Problem { _, problems := ReadAnswers(f); return problems }
	tests := []struct {
		reason string
		read   func(*source.File) []source.Problem
		text   string
		want   string
	}{
		{"a run", readRun, run(rule, ""), ""},
		{"keys of other programs are their business", readRun, run(rule, `, "iterations": [{"n": 1}]`), ""},
		{"a rule twice", readRun, run(rule+",\n"+rule, ""), `2:8 The rule "a.x.y" is listed twice, first in line 1. Remove one of the entries.`},
		{
			"a snapshot has all six fields", readRun, run(`{"id": "a.x.y", "description": "d", "severity": "fail", "check": "c"}`, ""),
			"1:70 Add \"weight\" to rule \"a.x.y\". Meaning: How much the rule counts.\n" +
				"1:70 Add \"phase\" to rule \"a.x.y\". Meaning: The phase from which the rule applies.",
		},
		{
			"checks for a rule that is not there", readRun,
			run(rule, `, "prepared": {"phase": "A", "rules": [{"rule": "a.x.z", "checks": [{"type": "content", "literal": "x"}]}], "outside": ["a.q.r"]}`),
			"1:215 The criteria have no rule \"a.x.z\". Did you mean \"a.x.y\"?\n1:287 The criteria have no rule \"a.q.r\".",
		},
		{"a rule in another phase than its ID says", readRun, run(strings.Replace(rule, `"A"`, `"B"`, 1), ""),
			`1:147 The rule "a.x.y": Write phase A, or begin the ID with b: people read the phase from the ID.`},
		{"a rule that would not count", readRun, run(strings.Replace(rule, "2", "0.0", 1), ""),
			`1:135 The rule "a.x.y": Write a weight above 0, or make the rule info: with 0, it does not count in the score.`},
		{"a weight that would not count", readRun, run(strings.Replace(rule, "fail", "info", 1), ""),
			`1:135 The rule "a.x.y": Remove the weight or write 0: the rule is info, so it is recorded but never scored.`},
		{"another format", readRun, strings.Replace(run(rule, ""), ": 1,", ": 2,", 1), `1:20 "schema_version" must be from 1 to 1, got 2. Meaning: The version of the format: 1.`},
		{"no JSON", readRun, `{"schema_version": 1,}`, "1:22 Invalid JSON: unexpected \"}\". Check for a missing comma, an extra comma, or a missing quotation mark."},
		{"checks", readChecks, "checks: [{rule: a.x.y, checks: [{type: content, literal: x}]}]", ""},
		{"a rule with checks twice", readChecks, "checks:\n- {rule: a.x.y, checks: [{type: content, literal: x}]}\n- {rule: a.x.y, checks: [{type: content, literal: x}]}", `3:10 The rule "a.x.y" is listed twice, first in line 2. Remove one of the entries.`},
		{"verdicts, with more than is read", readVerdicts, `{"judge": "m", "verdicts": [{"rule": "a.x.y", "verdict": "pass", "score": 3}]}`, ""},
		{"a verdict on no rule", readVerdicts, "verdicts: [{rule: a.x.yy, verdict: pass}]", `1:19 The criteria have no rule "a.x.yy". Did you mean "a.x.y"?`},
		{"skipped without a reason", readVerdicts, "verdicts: [{rule: a.x.y, verdict: skipped}]", `1:35 The rule "a.x.y" is skipped without a reason. Add a reason.`},
		{"another word", readVerdicts, "verdicts: [{rule: a.x.y, verdict: passed}]", `1:35 "verdict" must be "pass", "fail", or "skipped", got "passed". Did you mean "pass"?`},
		{"answers", readAnswers, "task_type: api_design\nmandatory_checks: []\nadd: [{id: a.x.y, description: d, severity: fail}]", ""},
		{"an unknown answer", readAnswers, "task_typ: api_design", `1:1 "task_typ" is not a key of the file of answers, so it has no effect. Did you mean "task_type"?`},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			f := source.NewFile("x", []byte(tt.text))
			if strings.HasPrefix(tt.text, "{") {
				f.Path = "x.json"
			}
			if got := said(f, tt.read(f)); got != tt.want {
				t.Errorf("problems are\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestAnEmptyListIsAnAnswer(t *testing.T) {
	a, problems := ReadAnswers(source.NewFile("answers.yaml", []byte("mandatory_checks: []\nadd: []\n")))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if a.MandatoryChecks == nil || a.Add == nil {
		t.Errorf("an empty list is the same as no answer: %+v", a)
	}
	if a.QualityPreferences != nil || a.Remove != nil {
		t.Errorf("no answer is the same as an empty list: %+v", a)
	}
}

func FuzzReadRun(f *testing.F) {
	data := must.Get(render.JSON(sample()))(f)
	f.Add(data)
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		run, problems := ReadRun(source.NewFile("run.json", data))
		if run == nil {
			if len(problems) == 0 {
				t.Fatal("no run, and nothing says why")
			}
			return
		}
		if len(problems) > 0 {
			return
		}
		written, err := SetPrepared(source.NewFile("run.json", data), &Prepared{Phase: ruleset.PhaseA, Rules: []RuleChecks{}, Outside: []string{}})
		if err != nil {
			t.Fatal(err)
		}
		again, problems := ReadRun(source.NewFile("run.json", written))
		if len(problems) > 0 {
			t.Fatalf("what was written is not read: %v", problems)
		}
		again.Prepared = run.Prepared
		if diff := cmp.Diff(run, again); diff != "" {
			t.Fatalf("the preparation changed the rest:\n%s", diff)
		}
	})
}
