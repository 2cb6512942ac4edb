package ci_test

import (
	"path"
	"regexp"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// starter returns a workflow that `rubric init` writes, with the programs at a commit.
func starter(t *testing.T, name, commit string) string {
	t.Helper()
	return strings.NewReplacer("{{PROJECT}}", authoring.Project, "{{PIN}}", commit, "{{BRANCH}}", "main").Replace(scripttest.Text(t, "internal/authoring/starter/"+name))
}

// TestStarterUsesTheActionAsItIs reads the workflows of `rubric init`: the inputs of the action
// and of the workflows that they call exist, other actions are pinned by commit, and a pull
// request is checked again when its target changes.
func TestStarterUsesTheActionAsItIs(t *testing.T) {
	inputs := loadAction(t).Get("inputs")
	uses := 0
	for _, name := range []string{"github.yml", "github-release.yml", "github-weekly.yml"} {
		text := starter(t, name, strings.Repeat("c", 40))
		var w workflow
		if err := yaml.Unmarshal([]byte(text), &w); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if name == "github.yml" {
			checksEveryTarget(t, w.On["pull_request"])
		}
		tree, problems := yamltree.Parse(source.NewFile(name, []byte(text)))
		if tree == nil {
			t.Fatalf("%s is no YAML: %v", name, problems)
		}
		for _, job := range tree.Root.Get("jobs").Entries {
			steps := job.Value.Get("steps")
			if steps == nil {
				uses++
				called, _, _ := strings.Cut(path.Base(value(job.Value.Get("uses"))), "@")
				checkUse(t, job.Value, loadYAML(t, ".github/workflows/"+called).Get("on").Get("workflow_call").Get("inputs"))
				continue
			}
			for _, step := range steps.Items {
				uses++
				checkUse(t, step, inputs)
			}
		}
	}
	if uses < 4 {
		t.Error("the starter does not use the action")
	}
}

// TestThePipelineOfGitLab checks that the page has what `rubric init` writes.
func TestThePipelineOfGitLab(t *testing.T) {
	files := scripttest.PageFile.FindAllStringSubmatch(scripttest.Text(t, "docs/ci.md"), -1)
	want := strings.NewReplacer("{{MODULE}}", module, "{{RELEASE}}", "COMMIT").Replace(scripttest.Text(t, "internal/authoring/starter/gitlab-ci.yml"))
	if len(files) != 1 || files[0][1] != ".gitlab-ci.yml" || files[0][2] != want {
		t.Errorf("the page has other files than the pipeline for GitLab that `rubric init` writes: %q", files)
	}
}

var pinned = regexp.MustCompile(`@[0-9a-f]{40}$`)

func checkUse(t *testing.T, step, inputs *yamltree.Node) {
	t.Helper()
	name := value(step.Get("uses"))
	own := strings.TrimPrefix(module, "github.com/")
	if !pinned.MatchString(name) {
		t.Errorf("%s is not pinned by its commit", name)
	}
	if !strings.HasPrefix(name, own+"@") && !strings.HasPrefix(name, own+"/") {
		return
	}
	if with := step.Get("with"); with != nil {
		for _, input := range with.Entries {
			if inputs.Get(input.Key.Value) == nil {
				t.Errorf("the action has no input %s", input.Key.Value)
			}
		}
	}
}
