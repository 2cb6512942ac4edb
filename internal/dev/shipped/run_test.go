package shipped_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/cli"
	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// verifiable has, for each base template, a rule without checks that a program can verify on
// the good artifact, and the check for it. The other rules are left for the judge.
var verifiable = map[string]struct{ rule, check string }{
	"rest_api_design_v1":    {"a.security.authentication", `{"type": "content", "literal": "Authorization"}`},
	"code_change_v1":        {"b.completeness.documentation", `{"type": "content", "pattern": "docs/[a-z]+\\.md"}`},
	"technical_document_v1": {"b.style.steps", `{"type": "content", "pattern": "^[0-9]+\\. ", "multiline": true, "min_count": 2}`},
	"test_suite_v1":         {"a.completeness.run", `{"type": "content", "pattern": "go test [./a-z]+"}`},
}

// judgeScript is a judge command: it answers as a file says, by the description of a rule.
const judgeScript = `import json, sys
data = json.loads(sys.stdin.read().splitlines()[-1])
kind = "verdicts" if "artifact" in data else "checks"
print(json.dumps(json.load(open(sys.argv[1]))[kind][data["rule"]["description"]]))
`

// TestTemplatesGoThroughEveryStep takes each base template from a task type to a score. The
// example script fills in the files in between.
func TestTemplatesGoThroughEveryStep(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip(err)
	}
	for _, name := range templates {
		s := shippedRuleSet(t, name)
		t.Run(s.ID, func(t *testing.T) {
			t.Parallel()
			r := &templateRun{t: t, python: python, dir: t.TempDir()}
			r.writeJudge(s)
			r.rubric(0, "init", "--task-type", s.ArtifactType, "--library", ".", "--run", r.file("run.json"))
			r.rubric(0, "prepare", "--run", r.file("run.json"), "--pending", r.file("checks.json"))
			r.fill("checks.json")
			if got := r.rules("checks.json", "checks"); !slices.Equal(got, []string{verifiable[s.ID].rule}) {
				t.Errorf("the script filled in checks for %q", got)
			}
			r.rubric(0, "prepare", "--run", r.file("run.json"), "--checks", r.file("checks.json"))
			for _, phase := range []ruleset.Phase{ruleset.PhaseA, ruleset.PhaseB} {
				r.judged(s, phase)
			}
		})
	}
}

// templateRun is a run of a base template in a folder.
type templateRun struct {
	t           *testing.T
	python, dir string
}

func (r *templateRun) file(name string) string { return filepath.Join(r.dir, name) }

// judged evaluates the good artifact in a phase, with the verdicts of the judge.
func (r *templateRun) judged(s *ruleset.RuleSet, phase ruleset.Phase) {
	r.t.Helper()
	var left []string
	for _, rule := range s.Active(phase) {
		if len(rule.Checks) == 0 && rule.ID != verifiable[s.ID].rule {
			left = append(left, rule.ID)
		}
	}
	pending, result := "verdicts-"+string(phase)+".json", r.file("result-"+string(phase)+".json")
	artifact := filepath.Join("internal/dev/shipped/testdata/artifacts", s.ID, "good.md")
	evaluate := func(more ...string) []string {
		return append([]string{"evaluate", artifact, "--phase", string(phase), "--run", r.file("run.json"), "--allow-exec"}, more...)
	}
	r.rubric(1, evaluate("--pending", r.file(pending))...) // fail rules have no verdict yet
	if got := r.rules(pending, "verdicts"); !slices.Equal(got, left) {
		r.t.Errorf("phase %s: verdicts are pending for %q, want %q", phase, got, left)
	}
	r.fill(pending, "--artifact", artifact)
	want := r.rubric(0, evaluate("--verdicts", r.file(pending), "--format", "text", "--format", "json="+result)...)
	got := r.rubric(0, "score", result, "--phase", string(phase), "--run", r.file("run.json"))
	if line := lastScore(want); line == "" || lastScore(got) != line {
		r.t.Errorf("phase %s: score prints %q, and evaluate %q", phase, lastScore(got), line)
	}
}

func lastScore(output string) string {
	_, line, _ := strings.Cut(output, "\nScore ")
	line, _, _ = strings.Cut(line, "\n")
	return line
}

// writeJudge writes a judge that passes every rule, and has one check.
func (r *templateRun) writeJudge(s *ruleset.RuleSet) {
	r.t.Helper()
	checks, verdicts := map[string]any{}, map[string]any{}
	for _, rule := range s.Rules {
		checks[rule.Description] = map[string]any{"checks": []any{}}
		verdicts[rule.Description] = map[string]string{"reason": "The artifact says so.", "verdict": "pass"}
		if v := verifiable[s.ID]; rule.ID == v.rule {
			checks[rule.Description] = map[string]any{"checks": []json.RawMessage{json.RawMessage(v.check)}}
		}
	}
	answers := must.Get(json.Marshal(map[string]any{"checks": checks, "verdicts": verdicts}))(r.t)
	must.Do(r.t, os.WriteFile(r.file("answers.json"), answers, 0o666))
	must.Do(r.t, os.WriteFile(r.file("judge.py"), []byte(judgeScript), 0o666))
}

// fill runs the example script.
func (r *templateRun) fill(name string, more ...string) {
	r.t.Helper()
	args := append([]string{"examples/rules/fill.py", r.file(name)}, more...)
	args = append(args, "--", r.python, r.file("judge.py"), r.file("answers.json"))
	if out, err := exec.Command(r.python, args...).CombinedOutput(); err != nil {
		r.t.Fatalf("fill.py %s: %v\n%s", name, err, out)
	}
}

// rules lists the rules of a file of checks or verdicts.
func (r *templateRun) rules(name, key string) (ids []string) {
	r.t.Helper()
	var content map[string][]struct{ Rule string }
	must.Do(r.t, json.Unmarshal(must.Get(os.ReadFile(r.file(name)))(r.t), &content))
	for _, entry := range content[key] {
		ids = append(ids, entry.Rule)
	}
	return ids
}

// rubric runs a command of rubric rules, and returns what it prints.
func (r *templateRun) rubric(code int, args ...string) string {
	r.t.Helper()
	var out, errs bytes.Buffer
	streams := command.Streams{In: strings.NewReader(""), Out: &out, Err: &errs, Getenv: func(string) string { return "" }}
	if got := command.Main(cli.Rubric, append([]string{"rules"}, args...), streams); got != code {
		r.t.Fatalf("rubric rules %s: exit code %d, want %d\n%s%s", strings.Join(args, " "), got, code, &out, &errs)
	}
	return out.String()
}
