package repository_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/scripttest"
	"github.com/rubric-library/rubric-library/internal/source"
	"github.com/rubric-library/rubric-library/internal/yamltree"
)

// noGit skips a page whose commands need Git where it is absent.
const noGit = "[!exec:git] skip 'git is not installed'\n"

// oneRubric is a library that has published one rubric.
const oneRubric = noGit + `mkdir lib
cd lib
git init -q
rubric rubrics/prd/depth_v1.yaml 1.0.0
commit one
`

func TestOwnLibraryPageRuns(t *testing.T) {
	scripttest.RunPage(t, "docs/own-library.md", noGit, nil)
}

// runsPage finds the pages whose commands a test runs.
var runsPage = regexp.MustCompile(`RunPage\(t, "([^"]+)"`)

// TestEveryPageIsRun holds that no page shows commands that nobody runs.
func TestEveryPageIsRun(t *testing.T) {
	run := map[string]bool{}
	var pages []string
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && name != ".":
			return fs.SkipDir
		case strings.HasSuffix(name, "_test.go"):
			for _, m := range runsPage.FindAllStringSubmatch(readText(t, name), -1) {
				run[path.Join(path.Dir(name), m[1])] = true
			}
		case path.Ext(name) == ".md" && strings.Contains(readText(t, name), "```console\n"):
			pages = append(pages, name)
		}
		return nil
	})
	if err != nil || len(pages) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	for _, page := range pages {
		if !run[page] {
			t.Errorf("%s shows commands, and no test runs them: give it to scripttest.RunPage", page)
		}
	}
}

// pageFile is a file that a page shows.
var pageFile = regexp.MustCompile("(?s)<!-- file: (\\S+) -->\n\n```\\w*\n(.*?)```")

// TestPageUsesTheActionAsItIs reads the workflows of the page: the inputs of the
// action exist, and what else runs is pinned by its commit.
func TestPageUsesTheActionAsItIs(t *testing.T) {
	inputs := loadAction(t).Get("inputs")
	uses := 0
	for _, file := range pageFile.FindAllStringSubmatch(readText(t, "docs/own-library.md"), -1) {
		if path.Ext(file[1]) != ".yml" {
			continue
		}
		tree, problems := yamltree.Parse(source.NewFile(file[1], []byte(file[2])))
		if tree == nil {
			t.Fatalf("%s is no YAML: %v", file[1], problems)
		}
		for _, job := range tree.Root.Get("jobs").Entries {
			for _, step := range job.Value.Get("steps").Items {
				uses++
				checkUse(t, step, inputs)
			}
		}
	}
	if uses == 0 {
		t.Error("the page does not use the action")
	}
}

var pinned = regexp.MustCompile(`@[0-9a-f]{40}$`)

func checkUse(t *testing.T, step, inputs *yamltree.Node) {
	t.Helper()
	name := value(step.Get("uses"))
	if !strings.HasPrefix(name, strings.TrimPrefix(module, "github.com/")+"@v") {
		if !pinned.MatchString(name) {
			t.Errorf("%s is not pinned by its commit", name)
		}
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

func TestSetupPageRuns(t *testing.T) {
	scripttest.RunPage(t, "docs/setup.md", oneRubric, nil)
}

// githubInput finds the files that commands of GitHub's CLI send.
var githubInput = regexp.MustCompile(`(?m)^gh api .* --input (\S+)$`)

// TestSetupPageProtectsWhatItSays reads what docs/setup.md sends to GitHub, where no
// test can go: that it is whole, and asks for what the page promises.
func TestSetupPageProtectsWhatItSays(t *testing.T) {
	page := readText(t, "docs/setup.md")
	files := map[string]protection{}
	for _, file := range pageFile.FindAllStringSubmatch(page, -1) {
		var r protection
		d := json.NewDecoder(strings.NewReader(file[2]))
		d.DisallowUnknownFields()
		if err := d.Decode(&r); err != nil {
			t.Fatalf("%s: %v", file[1], err)
		}
		files[file[1]] = r
	}
	sent := githubInput.FindAllStringSubmatch(page, -1)
	if len(sent) != len(files) {
		t.Errorf("the page shows %d files and sends %d", len(files), len(sent))
	}
	for _, s := range sent {
		if _, shown := files[s[1]]; !shown {
			t.Errorf("the page sends %s, which it does not show", s[1])
		}
	}
	main := files["main.json"].rules()
	if methods := main["pull_request"]["allowed_merge_methods"]; !cmp.Equal(methods, []any{"merge", "squash"}) {
		t.Errorf("pull requests can be merged by %v", methods)
	}
	if main["pull_request"]["require_code_owner_review"] != true {
		t.Error("no owner has to review")
	}
	checks := main["required_status_checks"]["required_status_checks"]
	if want := []any{map[string]any{"context": requiredCheck, "integration_id": 15368.0}}; !cmp.Equal(checks, want) {
		t.Errorf("the required checks are %v, want %v", checks, want)
	}
	tags := files["tags.json"]
	if want := []string{"refs/tags/" + lint.TagPrefix + "*", "refs/tags/v*"}; !cmp.Equal(tags.Conditions.RefName.Include, want) {
		t.Errorf("protected are %v, want %v", tags.Conditions.RefName.Include, want)
	}
	for _, name := range []string{"update", "deletion"} {
		if _, there := tags.rules()[name]; !there {
			t.Errorf("tags are not protected against %s", name)
		}
	}
}

// requiredCheck is the job that everything else of a pull request ends in.
const requiredCheck = "rubric-library"

// TestRequiredCheckIsAJob holds that what the page requires is there and always runs:
// a required check that never reports blocks every merge.
func TestRequiredCheckIsAJob(t *testing.T) {
	const name = ".github/workflows/validate.yml"
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("there is no workflow yet")
	}
	if err != nil {
		t.Fatal(err)
	}
	tree, problems := yamltree.Parse(source.NewFile(name, data))
	if tree == nil {
		t.Fatal(problems)
	}
	if job := tree.Root.Get("jobs").Get(requiredCheck); value(job.Get("if")) != "always()" || value(job.Get("name")) != "" {
		t.Errorf("%s has no job %s that always runs under this name", name, requiredCheck)
	}
	for _, event := range []string{"pull_request", "merge_group"} {
		if tree.Root.Get("on").Get(event) == nil {
			t.Errorf("%s does not run on %s", name, event)
		}
	}
}

// protection is a set of rules as GitHub takes it; what this test does not know is
// probably misspelled.
type protection struct {
	Name         string `json:"name"`
	Target       string `json:"target"`
	Enforcement  string `json:"enforcement"`
	BypassActors []any  `json:"bypass_actors"`
	Conditions   struct {
		RefName struct {
			Include []string `json:"include"`
			Exclude []string `json:"exclude"`
		} `json:"ref_name"`
	} `json:"conditions"`
	Rules []struct {
		Type       string         `json:"type"`
		Parameters map[string]any `json:"parameters"`
	} `json:"rules"`
}

// rules are the parameters by type.
func (r protection) rules() map[string]map[string]any {
	rules := map[string]map[string]any{}
	for _, rule := range r.Rules {
		rules[rule.Type] = rule.Parameters
	}
	return rules
}

func TestContributingRuns(t *testing.T) {
	scripttest.RunPage(t, "CONTRIBUTING.md", oneRubric+"git checkout -q -b topic\n", nil)
}
