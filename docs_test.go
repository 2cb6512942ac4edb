package repository_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
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
// action exist, what else runs is pinned by its commit, and a pull request is checked
// again when it gets another target.
func TestPageUsesTheActionAsItIs(t *testing.T) {
	inputs := loadAction(t).Get("inputs")
	uses := 0
	for _, file := range pageFile.FindAllStringSubmatch(readText(t, "docs/own-library.md"), -1) {
		if path.Ext(file[1]) != ".yml" {
			continue
		}
		var w workflow
		if err := yaml.Unmarshal([]byte(file[2]), &w); err != nil {
			t.Fatalf("%s: %v", file[1], err)
		}
		checksEveryTarget(t, w.On["pull_request"])
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

func TestContributingRuns(t *testing.T) {
	scripttest.RunPage(t, "CONTRIBUTING.md", oneRubric+"git checkout -q -b topic\n", nil)
}

// pageLink is a link to a file of this repository, and a place in it.
var pageLink = regexp.MustCompile(`\]\(([^)\s:#]+)(#[^)\s]*)?\)`)

func TestPagesLinkToWhatIsThere(t *testing.T) {
	pages, err := filepath.Glob("docs/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	for _, page := range append(pages, "README.md", "CONTRIBUTING.md") {
		for _, link := range pageLink.FindAllStringSubmatch(readText(t, page), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), link[1])); err != nil {
				t.Errorf("%s links to %s, which is not there", page, link[1])
			}
		}
	}
	readme := readText(t, "README.md")
	for _, page := range pages {
		if !strings.Contains(readme, "("+filepath.ToSlash(page)+")") {
			t.Errorf("the README does not lead to %s", page)
		}
	}
}
