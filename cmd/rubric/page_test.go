package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// start is what a reader of a page has before its first command: the lines of a script that make
// it, and what the page says of it. An empty folder needs no words.
type start struct{ script, says string }

// runPage runs the steps of a documentation page in order, in the folder that the reader has. The
// output that the page shows must be complete. A registry at git.example.org is the one that the
// start of the page starts.
func runPage(t *testing.T, page string, at start, more map[string]scriptCommand) {
	t.Helper()
	before, _, _ := strings.Cut(scripttest.Text(t, page), "```console")
	if !strings.Contains(strings.Join(strings.Fields(before), " "), at.says) {
		t.Errorf("%s does not say %q before its first command", page, at.says)
	}
	var script, files strings.Builder
	script.WriteString(at.script)
	for i, step := range scripttest.Steps(t, page) {
		switch {
		case step.Run != "":
			fmt.Fprintln(&script, step.Run)
		case step.File != "":
			fmt.Fprintf(&script, "mkdir %s\ncp $WORK/file-%d %s\n", path.Dir(step.File), i, step.File)
			fmt.Fprintf(&files, "-- file-%d --\n%s", i, step.Text)
		case strings.HasPrefix(step.Command, "cd "):
			fmt.Fprintln(&script, step.Command)
		default:
			fmt.Fprintf(&script, "exits %s %s\n", step.Exit, strings.ReplaceAll(step.Command, " git.example.org/", " ${REGISTRY}/"))
			if expr := scripttest.AnyHash(step.Output); expr != "" {
				fmt.Fprintf(&script, "stdout '\\A%s\\n\\z'\n", strings.NewReplacer("'", "''", "\n", `\n`).Replace(expr))
			} else if step.Output != "" {
				fmt.Fprintf(&script, "cmp stdout $WORK/want-%d\n", i)
				fmt.Fprintf(&files, "-- want-%d --\n%s\n", i, step.Output)
			}
		}
	}
	dir := t.TempDir()
	name := strings.TrimSuffix(filepath.Base(page), filepath.Ext(page)) + ".txtar"
	must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(script.String()+files.String()), 0o666))
	runScripts(t, dir, false, more)
}

// noGit skips a page whose commands need Git if it is not installed.
const noGit = "[!exec:git] skip 'git is not installed'\n"

// inClone is a clone of this repository, with one commit of what is released.
func inClone(t *testing.T) start {
	t.Helper()
	setup := noGit + "repository rubric-library\n"
	for _, name := range []string{"rubrics", "calibration", "schema", "examples", "CODEOWNERS", ".gitattributes"} {
		setup += fmt.Sprintf("exec cp -r '%s' .\n", must.Get(filepath.Abs(name))(t))
	}
	return start{setup + `rm rubrics/exceptions.yaml
commit one
git remote add origin .
git fetch -q origin
git remote set-head origin main
`, "clone"}
}

// besideClone is a folder with a clone of this repository.
func besideClone(t *testing.T) (script string) {
	t.Helper()
	return fmt.Sprintf("[!symlink] skip 'links can not be made'\nsymlink rubric-library -> '%s'\n", must.Get(filepath.Abs("."))(t))
}

// afterTutorial is the library of the tutorial after its last step, next to the clone.
func afterTutorial(t *testing.T) start {
	t.Helper()
	name, text := tutorialRubric(t)
	setup := noGit + besideClone(t) + "repository bug-rubrics\n"
	after := strings.NewReplacer(`version: "1.0.0"`, `version: "1.1.0"`, "pass_threshold: 3.5", "pass_threshold: 3.0").Replace(text)
	for _, text := range []string{text, after} {
		file := filepath.Join(t.TempDir(), "rubric.yaml")
		must.Do(t, os.WriteFile(file, []byte(text), 0o666))
		setup += fmt.Sprintf("mkdir %s\ncp '%s' %s\ncommit change\n", path.Dir(name), file, name)
	}
	return start{setup, "[the tutorial](tutorial.md)"}
}

// tutorialRubric is the file of the rubric that the tutorial shows.
func tutorialRubric(t *testing.T) (name, text string) {
	t.Helper()
	for _, step := range scripttest.Steps(t, "docs/tutorial.md") {
		if step.File != "" {
			return step.File, step.Text
		}
	}
	t.Fatal("the tutorial shows no rubric")
	return "", ""
}

func TestExchangePageRuns(t *testing.T) {
	runPage(t, "docs/exchange.md", start{besideClone(t) + "mkdir empty\ncd empty\n", "in an empty folder next to the clone `rubric-library`"}, nil)
}

func TestSitePageRuns(t *testing.T) {
	runPage(t, "docs/site.md", inClone(t), nil)
}

// TestPageOfCIRuns adopts the check in a library that has documents.
func TestPageOfCIRuns(t *testing.T) {
	runPage(t, "docs/ci.md", start{inClone(t).script, "existing library"}, nil)
}

func TestContributingRuns(t *testing.T) {
	runPage(t, "CONTRIBUTING.md", inClone(t), nil)
}

func TestPageOfVersionsRuns(t *testing.T) {
	runPage(t, "docs/versions.md", inClone(t), nil)
}

// TestReleasesPageRuns makes releases by hand.
func TestReleasesPageRuns(t *testing.T) {
	at := afterTutorial(t)
	at.script += `git init -q --bare ../remote.git
git remote add origin ../remote.git
git push -q -u origin main
git switch -q -c lower-the-threshold
registry
`
	runPage(t, "docs/releases.md", at, map[string]scriptCommand{
		"printed": taking("printed", 0, 0, printed), "registry": startRegistry, "merge": taking("merge", 0, 0, mergeEdit),
	})
}

// printed runs the last line of the output of the last command, as a user who copies it would.
func printed(ts *testscript.TestScript, _ []string) {
	lines := strings.Split(strings.TrimSpace(ts.ReadFile("stdout")), "\n")
	ts.Check(ts.Exec("sh", "-c", lines[len(lines)-1]))
}

// mergeEdit commits what was edited, on the server only.
func mergeEdit(ts *testscript.TestScript, _ []string) {
	for _, command := range []string{"commit -q -a -m merged", "push -q", "reset -q --hard HEAD^"} {
		ts.Check(ts.Exec("git", strings.Fields(command)...))
	}
}

// TestAgentsPageRuns runs the commands that every new library names to coding agents.
func TestAgentsPageRuns(t *testing.T) {
	const oneRubric = noGit + `mkdir lib
cd lib
git init -q
sample rubrics/prd/depth_v1.yaml 1.0.0
commit one
git checkout -q -b topic
`
	runPage(t, "internal/authoring/starter/AGENTS.md", start{oneRubric, "library"}, nil)
}
