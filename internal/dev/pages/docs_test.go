package pages_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// runsPage matches the pages whose commands a test runs.
var runsPage = regexp.MustCompile(`(?:runPage\(t|scripttest\.Steps\(t|u\.follow\()[^"\n]*"([^"]+\.md)"`)

// TestEveryPageIsRun checks that every page with commands is run by a test.
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
				run[m[1]] = true
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
			t.Errorf("%s shows commands, and no test runs them: give it to runPage", page)
		}
	}
}

// pageLink matches a link to a file of this repository, and a place in it.
var pageLink = regexp.MustCompile(`\]\(([^)\s:#]*)(#[^)\s]*)?\)`)

// repositoryPath matches a path below a folder that every clone has, relative to its
// root. It leaves out rubrics/ and calibration/, because pages also name those of a
// reader's library.
var repositoryPath = regexp.MustCompile(`(?m)(?:^|[\s` + "`" + `("'=])((?:\./|rubric-library/)?(?:\.ci|\.vscode|clients|cmd|docs|editor|examples|internal|pkg|schema|tools)/[\w./-]*)`)

// placeholder matches a word in a path that the reader replaces, such as FAMILY.
var placeholder = regexp.MustCompile(`(^|/)[A-Z]+$`)

// docsPages returns the pages in docs/ and its folders.
func docsPages(t *testing.T) []string {
	t.Helper()
	var pages []string
	must.Do(t, filepath.WalkDir("docs", func(name string, _ fs.DirEntry, err error) error {
		if path.Ext(name) == ".md" {
			pages = append(pages, filepath.ToSlash(name))
		}
		return err
	}))
	return pages
}

// allPages returns the pages in docs/ and those in the root.
func allPages(t *testing.T) []string {
	t.Helper()
	return append(docsPages(t), "README.md", "CONTRIBUTING.md", "SECURITY.md")
}

// TestPagesNameFilesThatExist checks paths in code blocks and in backquotes.
func TestPagesNameFilesThatExist(t *testing.T) {
	found := 0
	for _, page := range allPages(t) {
		for _, m := range repositoryPath.FindAllStringSubmatch(scripttest.Text(t, page), -1) {
			found++
			name := placeholder.ReplaceAllString(strings.TrimRight(m[1], "./"), "")
			if path.Ext(name) == ".prof" {
				continue // the command beside it writes this file
			}
			if _, err := os.Stat(name); err != nil {
				t.Errorf("%s names %s, which does not exist", page, m[1])
			}
		}
	}
	if found == 0 {
		t.Error("the pages name no path")
	}
}

// headings returns the fragments of a page's headings, as GitHub derives them.
func headings(page string) map[string]bool {
	fragments := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(page, -1) {
		text := notInFragment.ReplaceAllString(strings.ToLower(m[1]), "")
		fragments["#"+strings.ReplaceAll(text, " ", "-")] = true
	}
	return fragments
}

var (
	heading       = regexp.MustCompile(`(?m)^#+ (.+)$`)
	notInFragment = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
)

func TestPagesLinkToWhatIsThere(t *testing.T) {
	pages := allPages(t)
	for _, page := range pages {
		for _, link := range pageLink.FindAllStringSubmatch(scripttest.Text(t, page), -1) {
			target := filepath.Join(filepath.Dir(page), link[1])
			if link[1] == "" {
				target = page
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s, which does not exist", page, link[1])
			} else if link[2] != "" && !headings(scripttest.Text(t, target))[link[2]] {
				t.Errorf("%s links to %s%s, and there is no such heading", page, link[1], link[2])
			}
		}
	}
	index := scripttest.Text(t, "docs/README.md")
	for _, page := range docsPages(t) {
		if name := strings.TrimPrefix(page, "docs/"); name != "README.md" && !strings.Contains(index, "("+name+")") {
			t.Errorf("docs/README.md does not lead to %s", page)
		}
	}
	if !strings.Contains(scripttest.Text(t, "README.md"), "(docs/README.md)") {
		t.Error("the README does not lead to docs/README.md")
	}
}

// linkToPage matches an address of a page in a program, a workflow, or a template, and a place
// in it, or an example of a lint rule.
var linkToPage = regexp.MustCompile(`(?:good: docs/\S+)|(?:Page\("|\}\}|docs/)([a-z/-]+\.md)(#[a-z-]+)?`)

// TestProgramsLinkToPagesThatExist checks what a moved page would leave behind.
func TestProgramsLinkToPagesThatExist(t *testing.T) {
	found := 0
	for _, root := range []string{"internal", "pkg", "cmd", "schema", ".ci", ".github", "action.yml"} {
		must.Do(t, filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && d.Name() == "testdata":
				return fs.SkipDir
			case d.IsDir() || strings.HasSuffix(name, "_test.go") || filepath.ToSlash(name) == "internal/cli/command/help.txt":
				return nil // examples of other libraries
			}
			for _, link := range linkToPage.FindAllStringSubmatch(scripttest.Text(t, name), -1) {
				if link[1] == "" {
					continue
				}
				found++
				page, err := os.ReadFile(filepath.Join("docs", link[1]))
				if err != nil || link[2] != "" && !headings(string(page))[link[2]] {
					t.Errorf("%s leads to docs/%s%s, which does not exist", name, link[1], link[2])
				}
			}
			return nil
		}))
	}
	if found < 20 {
		t.Errorf("%d links were found", found)
	}
}

// testName matches a test that a page names.
var testName = regexp.MustCompile("`(Test[A-Z]\\w+)`")

// TestWorkedExamplesAreCarriedOut checks that the tests that docs/development/development.md names
// for its examples exist.
func TestWorkedExamplesAreCarriedOut(t *testing.T) {
	var code strings.Builder
	must.Do(t, filepath.WalkDir("internal", func(name string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, "_test.go") {
			code.WriteString(scripttest.Text(t, name))
		}
		return err
	}))
	named := testName.FindAllStringSubmatch(scripttest.Text(t, "docs/development/development.md"), -1)
	if len(named) != 4 {
		t.Errorf("the page names %d tests, want one for each of its 4 examples", len(named))
	}
	for _, name := range named {
		if !strings.Contains(code.String(), "func "+name[1]+"(t *testing.T)") {
			t.Errorf("there is no %s", name[1])
		}
	}
}
