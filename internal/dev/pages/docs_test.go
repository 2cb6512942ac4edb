package pages_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// noGit skips a page whose commands need Git where it is absent.
const noGit = "[!exec:git] skip 'git is not installed'\n"

// oneRubric is a library that has published one rubric.
const oneRubric = noGit + `mkdir lib
cd lib
git init -q
sample rubrics/prd/depth_v1.yaml 1.0.0
commit one
`

func TestOwnLibraryPageRuns(t *testing.T) {
	scripttest.RunPage(t, "docs/own-library.md", noGit, nil)
}

// TestTutorialRuns also counts what a newcomer types: it has to fit in five minutes.
func TestTutorialRuns(t *testing.T) {
	if n := strings.Count(scripttest.Text(t, "docs/tutorial.md"), "\n$ "); n > 15 {
		t.Errorf("the tutorial has %d commands, want 15 at most", n)
	}
	scripttest.RunPage(t, "docs/tutorial.md", noGit, nil)
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
			for _, m := range runsPage.FindAllStringSubmatch(scripttest.Text(t, name), -1) {
				run[path.Join(path.Dir(name), m[1])] = true
				run[m[1]] = true // of a test that works in the root
			}
		case path.Ext(name) == ".md" && strings.Contains(scripttest.Text(t, name), "```console\n"):
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
		for _, link := range pageLink.FindAllStringSubmatch(scripttest.Text(t, page), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), link[1])); err != nil {
				t.Errorf("%s links to %s, which is not there", page, link[1])
			}
		}
	}
	index := scripttest.Text(t, "docs/README.md")
	for _, page := range pages {
		if name := filepath.Base(page); name != "README.md" && !strings.Contains(index, "("+name+")") {
			t.Errorf("docs/README.md does not lead to %s", page)
		}
	}
	if !strings.Contains(scripttest.Text(t, "README.md"), "(docs/README.md)") {
		t.Error("the README does not lead to docs/README.md")
	}
}

// testName is a test that a page names.
var testName = regexp.MustCompile("`(Test[A-Z]\\w+)`")

// TestWorkedExamplesAreCarriedOut holds that the tests that carry out the examples of
// docs/development.md exist.
func TestWorkedExamplesAreCarriedOut(t *testing.T) {
	var code strings.Builder
	err := filepath.WalkDir("internal", func(name string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, "_test.go") {
			code.WriteString(scripttest.Text(t, name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named := testName.FindAllStringSubmatch(scripttest.Text(t, "docs/development.md"), -1)
	if len(named) != 4 {
		t.Errorf("the page names %d tests, want one for each of its 4 examples", len(named))
	}
	for _, name := range named {
		if !strings.Contains(code.String(), "func "+name[1]+"(t *testing.T)") {
			t.Errorf("there is no %s", name[1])
		}
	}
}
