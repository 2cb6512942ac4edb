package ci_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// workflow is the part of a file in .github/workflows that these tests read.
type workflow struct {
	Name        string `yaml:"name"`
	Concurrency struct {
		Group string `yaml:"group"`
	} `yaml:"concurrency"`
	On          map[string]yaml.Node `yaml:"on"`
	Permissions map[string]string    `yaml:"permissions"`
	Env         map[string]string    `yaml:"env"`
	Jobs        map[string]job       `yaml:"jobs"`
}

type job struct {
	Name        string            `yaml:"name"`
	If          string            `yaml:"if"`
	Needs       []string          `yaml:"needs"`
	Uses        string            `yaml:"uses"`
	Environment any               `yaml:"environment"`
	Permissions map[string]string `yaml:"permissions"`
	Outputs     map[string]string `yaml:"outputs"`
	Timeout     int               `yaml:"timeout-minutes"`
	Env         map[string]string `yaml:"env"`
	Steps       []step            `yaml:"steps"`
}

type step struct {
	ID   string            `yaml:"id"`
	Name string            `yaml:"name"`
	Uses string            `yaml:"uses"`
	With map[string]string `yaml:"with"`
	Env  map[string]string `yaml:"env"`
	Run  string            `yaml:"run"`
	If   string            `yaml:"if"`
}

func workflows(t *testing.T) map[string]workflow {
	t.Helper()
	files, err := filepath.Glob(".github/workflows/*.yml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no workflows: %v", err)
	}
	all := map[string]workflow{}
	for _, file := range files {
		data := must.Get(os.ReadFile(file))(t)
		var w workflow
		if err := yaml.Unmarshal(data, &w); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if !strings.Contains(string(data), "\npermissions: {}\n") {
			t.Errorf("%s does not begin with no permission at all", file)
		}
		all[strings.TrimSuffix(filepath.Base(file), ".yml")] = w
	}
	return all
}

// TestWorkflowsGiveNothingAway checks what a workflow could expose to a stranger.
func TestWorkflowsGiveNothingAway(t *testing.T) {
	pinned := regexp.MustCompile(`^[\w-]+/[\w-]+@[0-9a-f]{40}$`)
	comment := regexp.MustCompile(`uses: \S+@[0-9a-f]{40} # v\d+\.\d+\.\d+\n`)
	for name, w := range workflows(t) {
		data := must.Get(os.ReadFile(".github/workflows/" + name + ".yml"))(t)
		if uses, named := strings.Count(string(data), "uses: ")-strings.Count(string(data), "uses: ./"), len(comment.FindAll(data, -1)); uses != named {
			t.Errorf("%s: %d of %d actions have their version in a comment", name, named, uses)
		}
		for _, event := range []string{"pull_request_target", "workflow_run", "issue_comment"} {
			if _, ok := w.On[event]; ok {
				t.Errorf("%s runs on %s, with the rights of the repository on what a stranger sent", name, event)
			}
		}
		for id, j := range w.Jobs {
			if j.Timeout == 0 && j.Uses == "" {
				t.Errorf("%s, job %s can run for hours", name, id)
			}
			for _, s := range j.Steps {
				if s.Uses != "" && !pinned.MatchString(s.Uses) {
					t.Errorf("%s, job %s: %s is not a commit", name, id, s.Uses)
				}
				if strings.HasPrefix(s.Uses, "actions/checkout@") && s.With["persist-credentials"] != "false" {
					t.Errorf("%s, job %s leaves its token in the folder of the repository", name, id)
				}
				if strings.HasPrefix(s.Uses, "actions/setup-go@") && s.With["cache"] != "false" || strings.HasPrefix(s.Uses, "actions/cache") {
					t.Errorf("%s, job %s builds from a cache that the code of a change can write", name, id)
				}
				if strings.Contains(s.Run, "${{") {
					t.Errorf("%s, job %s puts an expression into a command, where its text can act: %s", name, id, s.Run)
				}
			}
		}
	}
}

// TestJobsThatWriteRunNothingElse: what runs the code of a library or of a judge can't
// write, and what writes runs only the scripts of this repository, in an environment.
func TestJobsThatWriteRunNothingElse(t *testing.T) {
	all := workflows(t)
	for workflow, jobs := range map[string]struct{ reads, writes, environment string }{
		"library-release":   {"build", "publish", "release"},
		"library-calibrate": {"ask", "propose", "calibration"},
	} {
		reads, writes := all[workflow].Jobs[jobs.reads], all[workflow].Jobs[jobs.writes]
		for permission, value := range reads.Permissions {
			if value != "read" {
				t.Errorf("%s, job %s may %s %s", workflow, jobs.reads, value, permission)
			}
		}
		if !strings.HasPrefix(reads.If, "github.ref == format('refs/heads/{0}', github.event.repository.default_branch)") {
			t.Errorf("%s, job %s runs if %q", workflow, jobs.reads, reads.If)
		}
		if !slices.Equal(writes.Needs, []string{jobs.reads}) || writes.Environment != jobs.environment {
			t.Errorf("%s, job %s needs %q and uses the environment %v", workflow, jobs.writes, writes.Needs, writes.Environment)
		}
		for _, s := range writes.Steps {
			if strings.HasPrefix(s.Uses, "actions/setup-") || strings.Contains(s.Run, "build-tools") {
				t.Errorf("%s, job %s builds something: %s%s", workflow, jobs.writes, s.Uses, s.Run)
			}
		}
	}
}

// TestCallersGrantWhatIsCalled: GitHub starts no workflow that calls another one without
// its permissions. The starter's workflows call the same.
func TestCallersGrantWhatIsCalled(t *testing.T) {
	all := workflows(t)
	fill := strings.NewReplacer("{{PROJECT}}", authoring.Project, "{{PIN}}", "v1.0.0")
	for _, caller := range []string{".github/workflows/release.yml", ".github/workflows/calibrate.yml", "internal/authoring/starter/github-release.yml", "internal/authoring/starter/github-weekly.yml"} {
		var w workflow
		must.Do(t, yaml.Unmarshal([]byte(fill.Replace(scripttest.Text(t, caller))), &w))
		calls := 0
		for _, j := range w.Jobs {
			file, _, _ := strings.Cut(path.Base(j.Uses), "@")
			for name, called := range all[strings.TrimSuffix(file, ".yml")].Jobs {
				calls++
				for permission, value := range called.Permissions {
					if has := j.Permissions[permission]; has != value && has != "write" {
						t.Errorf("%s grants %q for %s, and the job %s of %s needs %s", caller, has, permission, name, file, value)
					}
				}
			}
		}
		if calls == 0 {
			t.Errorf("%s calls no workflow of this repository", caller)
		}
	}
}

// named returns the step of a name.
func named(t *testing.T, steps []step, name string) step {
	t.Helper()
	i := slices.IndexFunc(steps, func(s step) bool { return s.Name == name })
	if i < 0 {
		t.Fatalf("there is no step %q", name)
	}
	return steps[i]
}

// checksEveryTarget checks that a check runs on every pull request, and again when its
// target changes, because the old result would count for the new target.
func checksEveryTarget(t *testing.T, event yaml.Node) {
	t.Helper()
	var filter map[string][]string
	must.Do(t, event.Decode(&filter))
	want := map[string][]string{"types": {"opened", "synchronize", "reopened", "edited"}}
	if diff := cmp.Diff(want, filter); diff != "" {
		t.Errorf("the events of a pull request that are checked (-want +got):\n%s", diff)
	}
}
