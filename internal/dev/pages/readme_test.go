package pages_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/cli"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// TestReadmeShowsRealOutput makes the mistake that the README shows and looks
// for what the command says in the README.
func TestReadmeShowsRealOutput(t *testing.T) {
	dir := t.TempDir()
	for _, folder := range []string{"rubrics", "calibration"} {
		if err := os.CopyFS(filepath.Join(dir, folder), os.DirFS(folder)); err != nil {
			t.Fatal(err)
		}
	}
	name := filepath.Join(dir, "rubrics", "prd", "prd_quality_v1.yaml")
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	broken := strings.Replace(string(data), "    threshold:", "    treshold:", 1)
	if err := os.WriteFile(name, []byte(broken), 0o666); err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(t.TempDir(), "rubric-lint")
	if out, err := exec.Command("go", "build", "-o", binary, "./cmd/rubric-lint").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	shows := func(finding string) {
		t.Helper()
		readme, err := os.ReadFile(filepath.Join(here, "README.md"))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(readme), finding) {
			t.Errorf("the README does not show what the command says:\n%s", finding)
		}
	}
	run := func() string {
		t.Helper()
		cmd := exec.Command(binary)
		cmd.Dir = dir
		out, err := cmd.Output()
		if err == nil {
			t.Fatal("the mistake was not found")
		}
		// Before it are the notes on the datasets, which are not what this is about.
		_, findings, _ := strings.Cut(string(out), "\nrubrics/")
		return "rubrics/" + findings
	}
	out := run()
	shows(out[:strings.LastIndex(strings.TrimSpace(out), "\n")+1])

	// The same library in a repository of its own, with an edit.
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("the second example of the README needs git")
	}
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "."}, {"-c", "user.name=n", "-c", "user.email=e@example.org", "commit", "-q", "-m", "base"}} {
		git := exec.Command("git", args...)
		git.Dir = dir
		git.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
		if out, err := git.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	reworded := strings.Replace(string(data), "Only one side is named:", "One side only is named:", 1)
	if err := os.WriteFile(name, []byte(reworded), 0o666); err != nil {
		t.Fatal(err)
	}
	line, _, _ := strings.Cut(run(), "\n")
	shows(line)
}

// TestReadmeListsTheCommands in the row of each group, so that none is missing.
func TestReadmeListsTheCommands(t *testing.T) {
	readme := scripttest.Text(t, "README.md")
	root := cli.Rubric(cli.Streams{})
	for _, c := range root.Commands() {
		if c.GroupID == "" {
			continue
		}
		_, row, _ := strings.Cut(readme, "\n| "+c.GroupID+" |")
		row, _, _ = strings.Cut(row, "\n")
		names := []string{c.Name()}
		for i, inner := range c.Commands() {
			if i == 0 {
				names[0] += " " + inner.Name()
			} else {
				names = append(names, inner.Name())
			}
		}
		for _, name := range names {
			if !strings.Contains(row, "`"+name+"`") {
				t.Errorf("the row %s of the README does not list %s", c.GroupID, name)
			}
		}
	}
}
