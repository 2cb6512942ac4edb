package exchange

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/rulesets/evaluate"
	"github.com/rubric-library/rubric-library/pkg/library"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// letterRules has a rule of each kind: for the judge, for a search, with searches of every form,
// of the second phase, and one that only informs.
const letterRules = `{"ruleset_id": "letter_v1", "version": "1.0.0", "name": "Letters", "artifact_type": "letters", "scoring": {"pass_threshold": 0.6}, "rules": [
	{"id": "a.tone.polite", "description": "Is polite {{ 7*7 }}", "severity": "warn", "weight": 2, "phase": "A", "check": "Read the greeting."},
	{"id": "a.facts.port", "description": "Names the port", "severity": "fail", "weight": 2, "phase": "A", "check": "Search.",
		"checks": [{"type": "content", "literal": "Port 443", "ignore_case": true}, {"type": "content", "pattern": "(?i)always", "expect": "absent"}]},
	{"id": "b.form.lines", "description": "Has one or two headings", "severity": "warn", "weight": 1, "phase": "B", "check": "Count.",
		"checks": [{"type": "content", "pattern": "^# \\S*$", "multiline": true, "min_count": 1, "max_count": 2}]},
	{"id": "b.form.note", "description": "Is short", "severity": "info", "weight": 0, "phase": "B", "check": "Look."}
]}`

// letters are outputs of a model, with what the judge says about the rules that it is asked for.
var letters = []struct {
	text   string
	judged map[string]bool // whether the rule is followed; a rule that is not there gets no answer
}{
	{"# a\nport 443", map[string]bool{"a.tone.polite": true, "b.form.note": false}},
	{"# a\nport 443", map[string]bool{"a.tone.polite": false, "b.form.note": true}},
	{"# a\n# b\r\n# c\nPORT 443", map[string]bool{"a.tone.polite": true, "b.form.note": true}},
	{"# a\n# b\r\nport 44\u0033 Always", map[string]bool{"a.tone.polite": true, "b.form.note": true}},
	{"# a\nport 80", map[string]bool{"a.tone.polite": true, "b.form.note": true}},
	{"# a\nport 443", map[string]bool{"b.form.note": true}},
}

func ruleSetDocument(t fataler, text string) *library.Document {
	t.Helper()
	tree, problems := yamltree.ParseJSON("rule set", source.NewFile("ruleset.json", []byte(text)), len(text))
	if tree == nil {
		t.Fatal(problems)
	}
	return libraryDocument(t, library.KindRuleSet, tree.Root.Get("ruleset_id").Text(), "1.0.0", schema.Canonical(document.RuleSet.Table, tree.Root))
}

// libraryVerdict is what the library says of an output, with the answers of a judge as external
// verdicts, or nil if an answer is missing.
func libraryVerdict(t *testing.T, s *ruleset.RuleSet, text string, judged map[string]bool) *ruleset.Score {
	t.Helper()
	name := filepath.Join(t.TempDir(), "letter.md")
	must.Do(t, os.WriteFile(name, []byte(text), 0o666))
	artifact := must.Get(evaluate.ReadArtifact(name))(t)
	checks, outside, results := map[string][]ruleset.Check{}, map[string]ruleset.Result{}, map[string]ruleset.Result{}
	for _, r := range s.Rules {
		followed, answered := judged[r.ID]
		switch {
		case len(r.Checks) > 0:
			checks[r.ID] = r.Checks
		case !answered:
			return nil
		case followed:
			outside[r.ID] = ruleset.Result{Verdict: ruleset.VerdictPass}
		default:
			outside[r.ID] = ruleset.Result{Verdict: ruleset.VerdictFail}
		}
	}
	for _, r := range must.Get(evaluate.Rules(context.Background(), s, ruleset.PhaseB, checks, outside, artifact, evaluate.Options{}))(t) {
		results[r.ID] = r.Result
	}
	score := must.Get(s.Score(ruleset.PhaseB, results))(t)
	return &score
}

// ruleJudge is a model that answers as the letters say. It reports texts that differ from those of
// the rules, and its own opinion contradicts its answers.
type ruleJudge struct {
	t     *testing.T
	rules *ruleset.RuleSet

	mu    sync.Mutex
	asked int
}

func (j *ruleJudge) ServeHTTP(w http.ResponseWriter, r *http.Request) { serveChat(j.t, w, r, j.answer) }

func (j *ruleJudge) answer(prompt string) string {
	j.mu.Lock()
	j.asked++
	j.mu.Unlock()
	var number int
	if _, err := fmt.Sscanf(prompt, "<Output>\ncase %d\n", &number); err != nil || number >= len(letters) {
		j.t.Errorf("no case of the test: %q", prompt)
		return ""
	}
	_, question, _ := strings.Cut(prompt, "\n</Output>\n<Rubric>\n")
	var got ruleQuestion
	if err := json.Unmarshal([]byte(strings.TrimSuffix(question, "\n</Rubric>")), &got); err != nil {
		j.t.Errorf("the judge reads %q: %v", question, err)
	}
	for _, r := range j.rules.Rules {
		if r.Description == got.Rule && r.Check == got.Check {
			followed, answered := letters[number].judged[r.ID]
			if !answered {
				return "I can't say."
			}
			return fmt.Sprintf(`{"reason": "...", "pass": %v, "score": %d}`, !followed, map[bool]int{true: 3, false: 2}[followed])
		}
	}
	j.t.Errorf("no rule is %+v", got)
	return ""
}

// TestPromptfooReachesTheVerdictsOfRules has promptfoo grade letters by a rule set, with a stub
// instead of a model, and compares each verdict with that of the library.
func TestPromptfooReachesTheVerdictsOfRules(t *testing.T) {
	program := os.Getenv("PROMPTFOO")
	if program == "" {
		t.Skip("PROMPTFOO is not set, so no verdict of promptfoo was compared")
	}
	d := ruleSetDocument(t, letterRules)
	judge := &ruleJudge{t: t, rules: d.RuleSet}
	server := httptest.NewServer(judge)
	defer server.Close()
	dir := t.TempDir()
	e := newExport(t, "promptfoo", d)
	must.Do(t, e.ErrLossy())
	must.Do(t, e.Write(dir))
	var tests []any
	text := func(i int) string { return fmt.Sprintf("case %d\n%s", i, letters[i].text) }
	for i := range letters {
		tests = append(tests, map[string]any{"vars": map[string]string{"artifact": text(i)}})
	}
	results := runPromptfoo(t, program, dir, map[string]any{
		"prompts": []string{"{{artifact}}"}, "providers": []string{"echo"}, "tests": tests,
		"defaultTest": map[string]any{"$ref": "promptfooconfig.yaml#/defaultTest", "options": map[string]any{"provider": map[string]any{
			"id": "openai:chat:stub", "config": map[string]any{"apiBaseUrl": server.URL, "apiKey": "none"},
		}}},
	})
	if len(results) != len(letters) || judge.asked != 2*len(letters) {
		t.Errorf("%d results and %d questions, want %d and %d", len(results), judge.asked, len(letters), 2*len(letters))
	}
	for _, r := range results {
		want := libraryVerdict(t, d.RuleSet, text(r.TestIdx), letters[r.TestIdx].judged)
		switch {
		case want == nil:
			if r.Success || !strings.HasPrefix(r.GradingResult.Reason, "Scoring function error") {
				t.Errorf("letter %d without an answer: success %v, because %s", r.TestIdx, r.Success, r.GradingResult.Reason)
			}
		case r.Success != want.Passed || r.Score != want.Score:
			t.Errorf("letter %d: success %v, score %v, want %v and %v: %s", r.TestIdx, r.Success, r.Score, want.Passed, want.Score, r.GradingResult.Reason)
		}
	}
}

// TestChecksThatPromptfooCannotRunAreJudged: the judge decides by the instruction, and the export
// says that the verdict can differ.
func TestChecksThatPromptfooCannotRunAreJudged(t *testing.T) {
	for _, check := range []string{
		`{"type": "executable", "command": ["true"]}`,
		`{"type": "content", "literal": "a", "files": ["*.md"]}`,
		`{"type": "content", "pattern": "(a|b*)*c"}`,
	} {
		d := ruleSetDocument(t, `{"ruleset_id": "x_v1", "version": "1.0.0", "name": "X", "artifact_type": "letters", "scoring": {"pass_threshold": 0.6}, "rules": [
			{"id": "a.x.y", "description": "d", "severity": "fail", "weight": 2, "phase": "A", "check": "c", "checks": [`+check+`, {"type": "content", "literal": "b"}]}]}`)
		e := newExport(t, "promptfoo", d)
		if err := e.ErrLossy(); err == nil || !strings.Contains(err.Error(), "a.x.y") {
			t.Errorf("%s: %v, want that the verdict can differ", check, err)
		}
		want := map[string]exportedRule{"a.x.y": {Asked: true, Searches: []exportedSearch{{Expression: `[\u{62}]`, Least: 1}}}}
		var got map[string]exportedRule
		must.Do(t, json.Unmarshal([]byte(e.files["checks.json"]), &got))
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(exportedRule{})); diff != "" {
			t.Errorf("%s:\n%s", check, diff)
		}
	}
}

// TestVerdictOfRulesNeedsEveryPart calls the exported function with the results of assertions that a
// careless configuration could lead to.
func TestVerdictOfRulesNeedsEveryPart(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed, so the function was not called")
	}
	dir, projectDir := t.TempDir(), t.TempDir()
	d := ruleSetDocument(t, letterRules)
	must.Do(t, newExport(t, "promptfoo", d).Write(dir))
	must.Do(t, must.Get(NewProject("promptfoo", []*library.Document{d, ruleSetDocument(t, strings.Replace(letterRules, "letter_v1", "other_v1", 1))}))(t).Write(projectDir))
	answer := func(rule string, score float64) string {
		return fmt.Sprintf(`{"pass": true, "score": %v, "reason": "why", "assertion": {"type": "llm-rubric", "config": {"rule_set": "letter_v1", "rule": %q}}}`, score, rule)
	}
	search := func(rule string, pass bool) string {
		return fmt.Sprintf(`{"pass": %v, "score": 1, "reason": "seen", "metadata": {"searched": true}, "assertion": {"type": "javascript", "config": {"rule_set": "letter_v1", "rule": %q}}}`, pass, rule)
	}
	join := func(parts ...string) string { return strings.Join(parts, ",") }
	rest := join(search("a.facts.port", true), search("b.form.lines", true))
	for results, want := range map[string]string{
		join(answer("a.tone.polite", 3), answer("b.form.note", 2), rest):                                                                   "true the rule set passes",
		join(answer("a.tone.polite", 2), answer("b.form.note", 3), search("a.facts.port", true), search("b.form.lines", false)):            "false the score must reach 0.6, got 0.4",
		join(answer("a.tone.polite", 3), answer("b.form.note", 3), search("a.facts.port", false), search("b.form.lines", true)):            "false the rule a.facts.port must pass but failed: seen",
		join(answer("a.tone.polite", 1), answer("b.form.note", 3), rest):                                                                   "the judge must answer 3 or 2 for a.tone.polite, got 1: why",
		join(answer("a.tone.polite", 0), answer("b.form.note", 3), rest):                                                                   "the judge must answer 3 or 2 for a.tone.polite, got 0: why",
		join(answer("a.tone.polite", 3), answer("a.tone.polite", 3), rest):                                                                 "a.tone.polite has two answers",
		join(answer("a.tone.polite", 3), rest):                                                                                             "the judge was not asked for b.form.note",
		join(answer("a.tone.polite", 3), answer("b.form.note", 3), search("a.facts.port", true)):                                           "b.form.lines was not searched for",
		join(answer("a.tone.polite", 3), answer("b.form.note", 3), answer("a.facts.port", 3), search("b.form.lines", true)):                "a.facts.port was not searched for",
		join(answer("a.tone.polite", 3), strings.Replace(search("a.facts.port", true), `"searched": true`, `"x": 1`, 1), rest):             "the search for a.facts.port failed: seen",
		join(answer("a.tone.polite", 3), answer("b.form.note", 3), rest, `{"pass": false, "reason": "other", "assertion": {"type": "x"}}`): "false other",
	} {
		const script = `import(process.argv[1]).then(({ assess }) => {
			try {
				const { pass, reason } = assess({}, { componentResults: JSON.parse(process.argv[2]) });
				console.log(pass, reason);
			} catch (error) {
				console.log(error.message);
			}
		})`
		for _, folder := range []string{dir, projectDir} {
			out, err := exec.Command(node, "-e", script, filepath.Join(folder, "verdict.mjs"), "["+results+"]").CombinedOutput()
			if err != nil || strings.TrimSpace(string(out)) != want {
				t.Errorf("%s: %s %v, want %s", results, out, err, want)
			}
		}
	}
}
