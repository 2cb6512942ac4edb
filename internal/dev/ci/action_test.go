package ci_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// TestActionTrustsNoInput checks that an input reaches a script only through its
// environment, that all inputs are explained, and that no other action is run.
func TestActionTrustsNoInput(t *testing.T) {
	action := loadAction(t)
	if using := value(action.Get("runs").Get("using")); using != "composite" {
		t.Errorf("the action runs as %q", using)
	}
	var steps, environment strings.Builder
	for _, step := range action.Get("runs").Get("steps").Items {
		if step.Get("uses") != nil {
			t.Errorf("%s runs the code of somebody else", value(step.Get("name")))
		}
		if run := value(step.Get("run")); run == "" || strings.Contains(run, "${{") {
			t.Errorf("%s: the script %q is empty, or holds a value that it would run", value(step.Get("name")), run)
		}
		steps.WriteString(value(step.Get("id")) + " ")
		for _, e := range step.Get("env").Entries {
			environment.WriteString(e.Value.Value + "\n")
		}
	}
	for _, input := range action.Get("inputs").Entries {
		name := input.Key.Value
		if value(input.Value.Get("description")) == "" || input.Value.Get("default") == nil || value(input.Value.Get("required")) != "false" {
			t.Errorf("the input %s has no description or no default", name)
		}
		if !strings.Contains(environment.String(), "${{ inputs."+name+" }}") {
			t.Errorf("no step reads the input %s", name)
		}
	}
	for _, output := range action.Get("outputs").Entries {
		name := output.Key.Value
		if value(output.Value.Get("description")) == "" {
			t.Errorf("the output %s has no description", name)
		}
		parts := expression.FindStringSubmatch(value(output.Value.Get("value")))
		if parts == nil || !slices.Contains(strings.Fields(steps.String()), strings.Split(parts[1], ".")[1]) {
			t.Errorf("the output %s comes from no step", name)
		}
	}
}

func TestScriptsPassShellCheck(t *testing.T) {
	if _, err := exec.LookPath("shellcheck"); err != nil {
		t.Skip("shellcheck is not installed")
	}
	var scripts []string
	for _, pattern := range []string{".github/action/*.sh", ".ci/*", "internal/dev/ci/testdata/bin/*", "examples/hooks/*", "examples/deploy/walk"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no scripts in %s: %v", pattern, err)
		}
		for _, name := range files {
			if info := must.Get(os.Stat(name))(t); !info.IsDir() {
				scripts = append(scripts, name)
			}
		}
	}
	if out, err := exec.Command("shellcheck", append([]string{"-x"}, scripts...)...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// needs skips a test if a program is missing.
func needs(t *testing.T, names ...string) {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds all commands")
	}
	for _, name := range names {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not installed", name)
		}
	}
}

// TestActionRuns uses the action like jobs do: it builds from source, checks libraries with
// the result, and then takes the same program from archives. Only one release is taken in
// each run, to show that those that are refused are wrong.
func TestActionRuns(t *testing.T) {
	needs(t, "bash", "git")
	j := newActionJob(t)
	built := j.use(t, map[string]string{"install-only": "true"})
	if built.code != 0 {
		t.Fatalf("building from source failed:\n%s", built.log)
	}
	installs(t, built, j.temp, allCommands(t)...)
	if built.outputs["version"] != "devel" {
		t.Errorf("the version is %q", built.outputs["version"])
	}
	program := scripttest.Text(t, built.outputs["path"])
	t.Run("builds what it runs", testActionBuildsWhatItRuns)
	t.Run("checks", func(t *testing.T) { testActionChecks(t, built.outputs["path"]) })
	t.Run("checks where nothing is annotated", func(t *testing.T) { testActionWithoutAnnotations(t, built.outputs["path"]) })
	t.Run("takes a release", func(t *testing.T) { testActionTakesReleases(t, program) })
	t.Run("refuses a release", testActionRefusesReleases)
	t.Run("refuses inputs", testActionRefusesInputs)
	t.Run("takes an archive in a closed network", func(t *testing.T) { testActionTakesArchives(t, program) })
	t.Run("refuses in a closed network", testActionRefusesInAClosedNetwork)
	t.Run("takes a release with an old CLI", func(t *testing.T) { testActionWithAnOldCLI(t, program) })
	t.Run("shows the change", func(t *testing.T) { testActionShowsTheChange(t, built.outputs["path"]) })
}

// testActionBuildsWhatItRuns: the check doesn't wait for a program that it doesn't run.
func testActionBuildsWhatItRuns(t *testing.T) {
	j := newActionJob(t)
	j.library(t)
	got := j.use(t, nil)
	if got.code != 0 {
		t.Fatalf("exit code %d:\n%s", got.code, got.log)
	}
	installs(t, got, j.temp, "rubric-diff", "rubric-lint")
}

// allCommands are the names of all commands, in order.
func allCommands(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, c := range must.Get(os.ReadDir("cmd"))(t) {
		names = append(names, c.Name())
	}
	return names
}

// installs checks that these commands are installed, and that the folder on PATH contains
// all of them.
func installs(t *testing.T, r actionResult, temp string, want ...string) {
	t.Helper()
	folder := filepath.Dir(r.outputs["path"])
	if strings.TrimSpace(r.path) != folder || !strings.HasPrefix(folder, temp) {
		t.Errorf("%q was put on PATH, and the program is in %s", r.path, folder)
	}
	there := must.Get(os.ReadDir(folder))(t)
	var got []string
	for _, f := range there {
		got = append(got, strings.TrimSuffix(f.Name(), ".exe"))
	}
	slices.Sort(got) // the suffix changed the order
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the commands that are installed (-want +got):\n%s", diff)
	}
}

// testActionChecks runs the second step in a repository with one document.
func testActionChecks(t *testing.T, program string) {
	const file = "rubrics/prd/x_v1.yaml"
	right := scripttest.Rubric("x_v1", "1.0.0", "prd")
	for _, c := range []struct {
		name, text string
		with       map[string]string
		code       int
		log        string // what the log has to hold
	}{
		{"a library without mistakes", right, nil, 0, ""},
		{"a mistake is shown at its line", strings.Replace(right, "threshold: 3.0", "threshold: 30", 1), nil, 1, "::error file=" + file + ",line=9,"},
		{"an edit without a version, with the base that is named", strings.Replace(right, "Make it better.", "Make it nicer.", 1), map[string]string{"base": "HEAD~1"}, 1, "Change version 1.0.0 to 1.1.0."},
		{"an empty base", right, map[string]string{"base": ""}, 2, "The input base is empty"},
		{"an empty folder", right, map[string]string{"working-directory": ""}, 2, "The input working-directory is empty"},
		{"a base that is an option is none", right, map[string]string{"base": "--version"}, 2, "--version"},
		{"an empty level", right, map[string]string{"fail-level": ""}, 2, "The input fail-level is empty"},
		{"a level that is none", right, map[string]string{"fail-level": "--version"}, 2, "--version"},
		{"arguments are split at white space", right, map[string]string{"args": "--fail-level warning\n  --base\tnone\n"}, 0, ""},
		{"arguments are no script", right, map[string]string{"args": "$(touch ran) ; touch ran * `touch ran`"}, 2, "$(touch"},
		{"a folder without a library", right, map[string]string{"working-directory": ".."}, 2, "rubric-lint: "},
		{"a folder that is not there can say nothing else", right, map[string]string{"working-directory": "no\n::add-mask::100%"}, 2, "::error title=rubric-lint::The folder no%0A::add-mask::100%25 does not exist."},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := newActionJob(t)
			j.write(t, file, right)
			j.git(t, "init", "-q", "-b", "main")
			j.commit(t)
			j.write(t, file, c.text)
			j.commit(t)
			j.write(t, file, "what is on disk is not judged")
			got := j.check(t, program, c.with)
			if got.code != c.code || !strings.Contains(got.log, c.log) {
				t.Errorf("exit code %d, want %d with %q in the log:\n%s", got.code, c.code, c.log, got.log)
			}
			count := strconv.Itoa(c.code) // the one mistake, or none
			if c.code < 2 && (got.outputs["errors"] != count || got.outputs["warnings"] != "0" || got.outputs["findings"] != count) {
				t.Errorf("exit code %d, and the outputs are %v", c.code, got.outputs)
			}
			if strings.Contains(got.log, "\n::add-mask") || len(filesNamed(t, j.workspace, "ran")) > 0 {
				t.Errorf("an input acted:\n%s", got.log)
			}
		})
	}
}

// testActionWithoutAnnotations: where a reviewer sees only the log, it has the findings as text,
// and ends with them.
func testActionWithoutAnnotations(t *testing.T, program string) {
	for _, variable := range []string{"GITEA_ACTIONS", "FORGEJO_ACTIONS"} {
		j := newActionJob(t)
		j.env[variable] = "true"
		j.library(t)
		j.write(t, "rubrics/prd/x_v1.yaml", strings.Replace(scripttest.Rubric("x_v1", "1.0.0", "prd"), "threshold: 3.0", "threshold: 30", 1))
		j.commit(t)
		got := j.check(t, program, nil)
		if got.code != 1 || strings.Contains(got.log, "::error") || strings.Count(got.log, "x_v1.yaml:9:16: error[") != 2 {
			t.Errorf("%s: exit code %d:\n%s", variable, got.code, got.log)
		}
	}
}

// testActionShowsTheChange checks that the summary has the change also where the check
// fails, and that the findings are in a file that another action can upload.
func testActionShowsTheChange(t *testing.T, program string) {
	weekly(t)
	const file = "lib/rubrics/prd/x_v1.yaml"
	right := scripttest.Rubric("x_v1", "1.0.0", "prd")
	j := newActionJob(t)
	j.write(t, file, right)
	j.git(t, "init", "-q", "-b", "main")
	j.commit(t)
	j.write(t, file, strings.Replace(right, "threshold: 3.0", "threshold: 4.0", 1))
	j.commit(t)
	got := j.check(t, program, map[string]string{"base": "HEAD~1", "working-directory": "lib", "sarif": "found.sarif"})
	if got.code != 1 || got.outputs["class"] != "major" {
		t.Errorf("exit code %d, and the outputs are %v:\n%s", got.code, got.outputs, got.log)
	}
	contains(t, got.summary, "### Lint", "Publish this as x_v2")
	contains(t, scripttest.Text(t, filepath.Join(j.workspace, "found.sarif")), "major-change")
	got = j.check(t, program, map[string]string{"base": "none", "working-directory": "lib"})
	if got.code != 0 || got.outputs["class"] != "" {
		t.Errorf("without a base: exit code %d, and the outputs are %v:\n%s", got.code, got.outputs, got.log)
	}
}

func (j *actionJob) git(t *testing.T, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = j.workspace
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// commit commits all files.
func (j *actionJob) commit(t *testing.T) {
	t.Helper()
	j.git(t, "add", ".")
	j.git(t, "-c", "user.name=n", "-c", "user.email=e@example.org", "commit", "-q", "--allow-empty", "-m", "change")
}

// filesNamed returns the files with a name anywhere below a folder.
func filesNamed(t *testing.T, folder, name string) []string {
	t.Helper()
	var found []string
	must.Do(t, filepath.WalkDir(folder, func(file string, d os.DirEntry, err error) error {
		if err == nil && d.Name() == name {
			found = append(found, file)
		}
		return err
	}))
	return found
}
