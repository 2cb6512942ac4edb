package ci_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// loadAction reads action.yml.
func loadAction(t *testing.T) *yamltree.Node { return loadYAML(t, "action.yml") }

func loadYAML(t *testing.T, name string) *yamltree.Node {
	t.Helper()
	data := must.Get(os.ReadFile(name))(t)
	tree, problems := yamltree.Parse(source.NewFile(name, data))
	if tree == nil {
		t.Fatal(problems)
	}
	return tree.Root
}

// value returns the text of a node, which may be absent.
func value(n *yamltree.Node) string {
	if n == nil {
		return ""
	}
	return n.Value
}

// actionJob is a job that uses the action: its folder, and its environment in addition
// to that of the tests.
type actionJob struct {
	workspace, temp string
	env             map[string]string
	context         map[string]string // for expressions
}

// newActionJob returns a job on a runner with this system, in an empty folder.
func newActionJob(t *testing.T) *actionJob {
	t.Helper()
	j := &actionJob{workspace: t.TempDir(), temp: t.TempDir(), env: map[string]string{
		"RUNNER_OS":   map[string]string{"darwin": "macOS", "windows": "Windows"}[runtime.GOOS],
		"RUNNER_ARCH": map[string]string{"amd64": "X64", "arm64": "ARM64"}[runtime.GOARCH],
	}, context: map[string]string{"github.action_repository": repository}}
	if j.env["RUNNER_OS"] == "" {
		j.env["RUNNER_OS"] = "Linux"
	}
	return j
}

// write writes a file of the job's folder.
func (j *actionJob) write(t *testing.T, name, text string) {
	t.Helper()
	file := filepath.Join(j.workspace, filepath.FromSlash(name))
	must.Do(t, os.MkdirAll(filepath.Dir(file), 0o777))
	must.Do(t, os.WriteFile(file, []byte(text), 0o666))
}

// library makes the job's folder a library with one document.
func (j *actionJob) library(t *testing.T) {
	t.Helper()
	j.write(t, "rubrics/prd/x_v1.yaml", scripttest.Rubric("x_v1", "1.0.0", "prd"))
	j.git(t, "init", "-q", "-b", "main")
	j.commit(t)
}

// actionResult is the result of using the action.
type actionResult struct {
	code    int               // of the step that failed, or 0
	log     string            // what all steps wrote
	outputs map[string]string // of the action
	path    string            // what was put on PATH
	summary string            // of the job
}

// use runs the steps of action.yml like a runner: with the inputs, or their defaults,
// in the environment that each step names.
func (j *actionJob) use(t *testing.T, with map[string]string) actionResult {
	t.Helper()
	return j.useFrom(t, 0, map[string]string{}, with)
}

// useFrom runs the steps from one on, in the context of the earlier ones.
func (j *actionJob) useFrom(t *testing.T, first int, context, with map[string]string) actionResult {
	t.Helper()
	action := loadAction(t)
	for _, input := range action.Get("inputs").Entries {
		context["inputs."+input.Key.Value] = value(input.Value.Get("default"))
	}
	maps.Copy(context, j.context)
	for name, v := range with {
		if _, known := context["inputs."+name]; !known {
			t.Fatalf("action.yml has no input %s", name)
		}
		context["inputs."+name] = v
	}
	result := actionResult{outputs: map[string]string{}}
	for _, step := range action.Get("runs").Get("steps").Items[first:] {
		if !holds(t, step.Get("if"), context, result.code) {
			continue
		}
		outputs := j.step(t, step, context, &result)
		for name, v := range outputs {
			context["steps."+value(step.Get("id"))+".outputs."+name] = v
		}
	}
	for _, output := range action.Get("outputs").Entries {
		result.outputs[output.Key.Value] = expand(value(output.Value.Get("value")), context)
	}
	return result
}

// check runs the step that checks, with an installed program.
func (j *actionJob) check(t *testing.T, program string, with map[string]string) actionResult {
	t.Helper()
	return j.useFrom(t, 1, map[string]string{"steps.install.outputs.path": program}, with)
}

// step runs a step, adds to the result, and returns its outputs.
func (j *actionJob) step(t *testing.T, step *yamltree.Node, context map[string]string, result *actionResult) map[string]string {
	t.Helper()
	scripts, err := filepath.Glob(".github/action/*.sh")
	if err != nil {
		t.Fatal(err)
	}
	reads(t, scripts...)
	files := t.TempDir()
	script := filepath.Join(files, "script.sh")
	for name, text := range map[string]string{"script.sh": value(step.Get("run")), "output": "", "path": "", "summary": ""} {
		must.Do(t, os.WriteFile(filepath.Join(files, name), []byte(text), 0o666))
	}
	here := must.Get(os.Getwd())(t)
	env := map[string]string{
		"GITHUB_ACTIONS": "true", "GITHUB_ACTION_PATH": here, "GITHUB_WORKSPACE": j.workspace, "RUNNER_TEMP": j.temp,
		"GITHUB_OUTPUT": filepath.Join(files, "output"), "GITHUB_PATH": filepath.Join(files, "path"),
		"GITHUB_STEP_SUMMARY": filepath.Join(files, "summary"),
	}
	for _, e := range step.Get("env").Entries {
		env[e.Key.Value] = expand(e.Value.Value, context)
	}
	maps.Copy(env, j.env)
	cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", script)
	cmd.Dir = j.workspace
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "GITHUB_") || strings.HasPrefix(v, "RUNNER_")
	})
	for name, v := range env {
		cmd.Env = append(cmd.Env, name+"="+v)
	}
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	if result.code == 0 {
		result.code = cmd.ProcessState.ExitCode()
	}
	result.log += string(out)
	result.summary += scripttest.Text(t, filepath.Join(files, "summary"))
	result.path += scripttest.Text(t, filepath.Join(files, "path"))
	return stepOutputs(t, scripttest.Text(t, filepath.Join(files, "output")))
}

// stepOutputs reads the outputs in GITHUB_OUTPUT: NAME=VALUE in a line, or NAME<<END,
// lines, and a line END.
func stepOutputs(t *testing.T, text string) map[string]string {
	t.Helper()
	outputs := map[string]string{}
	for text != "" {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		if name, end, ok := strings.Cut(line, "<<"); ok {
			outputs[name], text, ok = strings.Cut(text, "\n"+end+"\n")
			if !ok {
				t.Errorf("the output %s does not end", name)
			}
		} else if name, v, ok := strings.Cut(line, "="); ok {
			outputs[name] = v
		} else if line != "" {
			t.Errorf("a line of GITHUB_OUTPUT is no output: %q", line)
		}
	}
	return outputs
}

// expression matches an expression of action.yml, each of which names one value.
var expression = regexp.MustCompile(`\$\{\{ ([a-z_.-]+) \}\}`)

// expand replaces expressions with the values of a context. A value that the context
// does not have is empty, as on a runner.
func expand(text string, context map[string]string) string {
	return expression.ReplaceAllStringFunc(text, func(e string) string {
		return context[expression.FindStringSubmatch(e)[1]]
	})
}

var condition = regexp.MustCompile(`^(always\(\) && )?([a-z.-]+) != '([a-z]*)'$`)

// holds reports whether a step runs after the exit code of the earlier ones; the steps of
// action.yml only use the form NAME != 'TEXT', with or without always().
func holds(t *testing.T, n *yamltree.Node, context map[string]string, code int) bool {
	t.Helper()
	if n == nil {
		return code == 0
	}
	parts := condition.FindStringSubmatch(n.Value)
	if parts == nil {
		t.Fatalf("the test does not understand the condition %q", n.Value)
	}
	return (code == 0 || parts[1] != "") && context[parts[2]] != parts[3]
}
