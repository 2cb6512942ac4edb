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

// TestPageUsesTheActionAsItIs reads the workflows of the page, and the one from
// `rubric init`: the inputs of the action exist, other actions are pinned by commit,
// and a pull request is checked again when its target changes.
func TestPageUsesTheActionAsItIs(t *testing.T) {
	inputs := loadAction(t).Get("inputs")
	uses := 0
	starter := strings.NewReplacer("{{PROJECT}}", authoring.Project, "{{PIN}}", "v1.0.0").Replace(scripttest.Text(t, "internal/authoring/starter/github.yml"))
	files := append(scripttest.PageFile.FindAllStringSubmatch(scripttest.Text(t, "docs/own-library.md"), -1), []string{"", authoring.Workflow, starter})
	for _, file := range files {
		if path.Ext(file[1]) != ".yml" {
			continue
		}
		var w workflow
		if err := yaml.Unmarshal([]byte(file[2]), &w); err != nil {
			t.Fatalf("%s: %v", file[1], err)
		}
		if w.Name != "release" {
			checksEveryTarget(t, w.On["pull_request"])
		}
		tree, problems := yamltree.Parse(source.NewFile(file[1], []byte(file[2])))
		if tree == nil {
			t.Fatalf("%s is no YAML: %v", file[1], problems)
		}
		for _, job := range tree.Root.Get("jobs").Entries {
			steps := job.Value.Get("steps")
			if steps == nil {
				uses++
				checkUse(t, job.Value, loadYAML(t, ".github/workflows/library-release.yml").Get("on").Get("workflow_call").Get("inputs"))
				continue
			}
			for _, step := range steps.Items {
				uses++
				checkUse(t, step, inputs)
			}
		}
	}
	if uses < 4 {
		t.Error("the page or the starter does not use the action")
	}
}

// TestThePipelineOfGitLab checks that the page has what `rubric init` writes.
func TestThePipelineOfGitLab(t *testing.T) {
	files := scripttest.PageFile.FindAllStringSubmatch(scripttest.Text(t, "docs/forges.md"), -1)
	want := strings.NewReplacer("{{MODULE}}", module, "{{RELEASE}}", "v1.0.0").Replace(scripttest.Text(t, "internal/authoring/starter/gitlab-ci.yml"))
	if len(files) != 1 || files[0][1] != ".gitlab-ci.yml" || files[0][2] != want {
		t.Errorf("the page has other files than the pipeline for GitLab that `rubric init` writes: %q", files)
	}
}

var pinned = regexp.MustCompile(`@[0-9a-f]{40}$`)

func checkUse(t *testing.T, step, inputs *yamltree.Node) {
	t.Helper()
	name := value(step.Get("uses"))
	own := strings.TrimPrefix(module, "github.com/")
	if !pinned.MatchString(name) && !strings.HasPrefix(name, own+"@v") {
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
