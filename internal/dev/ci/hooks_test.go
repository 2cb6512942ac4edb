package ci_test

import (
	"errors"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// TestExamplesOfSingleFilesAreOutsideOfALibrary: the hook in the README runs for files in its folder, which the
// hook's own pattern for libraries leaves out for some names, and so does the job of ci.md.
func TestExamplesOfSingleFilesAreOutsideOfALibrary(t *testing.T) {
	hooks := string(must.Get(os.ReadFile(".pre-commit-hooks.yaml"))(t))
	exclude := regexp.MustCompile(regexp.MustCompile(`(?m)^  exclude: (.*)$`).FindStringSubmatch(hooks)[1])
	examples := regexp.MustCompile(`files: \^(prompts/\S+/)|rubric lint (prompts/\S+) `)
	for _, name := range []string{".pre-commit-hooks.yaml", "README.md", "docs/ci.md"} {
		found := examples.FindStringSubmatch(string(must.Get(os.ReadFile(name))(t)))
		if found == nil {
			t.Errorf("%s has no example of single files", name)
		} else if file := path.Join(found[1]+found[2], "mail.yaml"); exclude.MatchString(file) {
			t.Errorf("%s: %s is a file of a library", name, file)
		}
	}
}

// TestPreCommitHooksRun does what pre-commit does with .pre-commit-hooks.yaml: it
// installs the commands from a copy of the sources, and runs the entry of each
// hook in a repository without naming files.
func TestPreCommitHooksRun(t *testing.T) {
	weekly(t)
	if testing.Short() {
		t.Skip("it builds all commands")
	}
	data := must.Get(os.ReadFile(".pre-commit-hooks.yaml"))(t)
	tree, problems := yamltree.Parse(source.NewFile(".pre-commit-hooks.yaml", data))
	if tree == nil {
		t.Fatal(problems)
	}
	bin, library := t.TempDir(), t.TempDir()
	install := exec.Command("go", "install", "./...")
	install.Env = append(os.Environ(), "GOBIN="+bin, "GOFLAGS=-ldflags=-s "+os.Getenv("GOFLAGS"))
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	file := filepath.Join(library, "rubrics", "prd", "prd_quality_v1.yaml")
	must.Do(t, os.MkdirAll(filepath.Dir(file), 0o777))
	right := must.Get(os.ReadFile("rubrics/prd/prd_quality_v1.yaml"))(t)
	text := regexp.MustCompile(`(?m)^calibration_dataset:.*\n`).ReplaceAllString(string(right), "")
	for _, hook := range tree.Root.Items {
		id := hook.Get("id").Value
		if id == "rubric-lint-files" { // which is given the names of files anywhere
			alone := t.TempDir()
			must.Do(t, os.WriteFile(filepath.Join(alone, "mine.yaml"), []byte(text), 0o666))
			cmd := exec.Command(filepath.Join(bin, hook.Get("entry").Value), "mine.yaml")
			cmd.Dir = alone
			if out, err := cmd.CombinedOutput(); err != nil || hook.Get("pass_filenames") != nil {
				t.Errorf("%s: %v\n%s", id, err, out)
			}
			continue
		}
		for content, want := range map[string]int{text: 0, strings.Replace(text, "threshold: 3.5", "threshold: 35", 1): 1} {
			must.Do(t, os.WriteFile(file, []byte(content), 0o666))
			cmd := exec.Command(filepath.Join(bin, hook.Get("entry").Value))
			cmd.Dir = library
			out, err := cmd.CombinedOutput()
			code := 0
			if exit, ok := errors.AsType[*exec.ExitError](err); ok {
				code = exit.ExitCode()
			}
			if code != want {
				t.Errorf("%s exits with %d, want %d:\n%s", id, code, want, out)
			}
		}
		files := regexp.MustCompile(hook.Get("files").Value)
		for name, want := range map[string]bool{
			"rubrics/prd/x_v1.yaml": true, "rubrics/retired.yaml": true, "calibration/x/items.jsonl": true, ".rubric-lint.yaml": true, ".rubric-lint-baseline.json": true, ".github/CODEOWNERS": true, "README.md": false, "docs/rubrics/x": false,
		} {
			if files.MatchString(name) != want {
				t.Errorf("%s runs for %s: %v, want %v", id, name, !want, want)
			}
		}
		if hook.Get("pass_filenames").Value != "false" {
			t.Errorf("%s is given single files, which can't be checked by themselves", id)
		}
	}
}
