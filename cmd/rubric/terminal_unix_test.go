//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
	"github.com/rubric-library/rubric-library/internal/render"
)

// TestTextFitsTheTerminal runs commands on a terminal of 80 columns: no line is wider, except
// for a word that can't be broken, and the same output in a file is not wrapped.
func TestTextFitsTheTerminal(t *testing.T) {
	root, rubric := must.Get(filepath.Abs("."))(t), program(t)
	for _, words := range []string{
		"--help", "lint --help", "build --help", "init --ci bitbucket",
		"list", "get user_story_quality_v1", "search user story", "lint --base none --list-rules", "lint --explain major-change", "calibrate report",
	} {
		onTerminal(t, root, rubric, words)
	}
	cmd := exec.Command(rubric, "get", "user_story_quality_v1")
	cmd.Dir = root
	if piped := string(must.Get(cmd.Output())(t)); !strings.Contains(piped, "Where there is no story sentence, the summary line") {
		t.Errorf("piped output is wrapped:\n%s", piped)
	}
}

// TestTablesFitTheTerminal: a library with an ID of 120 characters, a long name, and wide characters
// has tables that fit a terminal. In a file, each row is a line.
func TestTablesFitTheTerminal(t *testing.T) {
	rubric, dir := program(t), t.TempDir()
	long := strings.Repeat("very_long_", 11) + "name_v1"
	names := map[string]string{long: "User Story", "b_v1": strings.Repeat("A very long name ", 10), "c_v1": strings.Repeat("用户故事质量", 10), "d_v1": "User Story"}
	for id, name := range names {
		text := strings.Replace(scripttest.Rubric(id, "1.0.0", "prd"), "\nname: ", "\nname: "+name+" ", 1)
		must.Do(t, os.MkdirAll(filepath.Join(dir, "rubrics/prd"), 0o777))
		must.Do(t, os.WriteFile(filepath.Join(dir, "rubrics/prd", id+".yaml"), []byte(text), 0o666))
	}
	for _, words := range []string{"list", "search very long name", "get " + long, "lint --base none --list-rules"} {
		onTerminal(t, dir, rubric, words)
	}
	cmd := exec.Command(rubric, "list")
	cmd.Dir = dir
	piped := string(must.Get(cmd.Output())(t))
	for id, name := range names {
		if !regexp.MustCompile("(?m)^" + id + " .*" + name).MatchString(piped) {
			t.Errorf("a file has no line with all of %s:\n%s", id, piped)
		}
	}
}

// TestReadmeFitsTheTerminal runs the commands that the README shows, and the help of all commands.
func TestReadmeFitsTheTerminal(t *testing.T) {
	rubric, dir := program(t), library(t, 20)
	run(t, dir, gitEnv, "git", "switch", "-q", "-c", "lower")
	file := filepath.Join(dir, "rubrics/prd/a_v1.yaml")
	must.Do(t, os.WriteFile(file, bytes.Replace(read(t, file), []byte("pass_threshold: 3.5"), []byte("pass_threshold: 3.2"), 1), 0o666))
	const readme = "README.md"
	for _, step := range scripttest.Steps(t, readme) {
		if words, found := strings.CutPrefix(step.Command, "rubric "); found {
			onTerminal(t, dir, rubric, words)
		}
	}
	listed := 0
	const commands = "docs/commands.md"
	for _, command := range regexp.MustCompile("(?m)^- `rubric (.*?)`:").FindAllStringSubmatch(scripttest.Text(t, commands), -1) {
		listed++
		onTerminal(t, dir, rubric, command[1]+" --help")
	}
	if listed < 25 {
		t.Errorf("%s lists %d commands", commands, listed)
	}
}

// onTerminal runs a command on a terminal of 80 columns.
func onTerminal(t *testing.T, dir, rubric, words string) {
	t.Helper()
	for _, name := range []string{"script", "stty"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not installed", name)
		}
	}
	shown, _ := exec.Command("script", "-qec", "stty cols 80 rows 24; cd '"+dir+"'; '"+rubric+"' "+words, "/dev/null").CombinedOutput()
	for line := range strings.Lines(string(shown)) {
		line = color.ReplaceAllString(strings.TrimRight(line, "\r\n"), "")
		if n := render.Columns(line); n > 80 && strings.Contains(strings.TrimSpace(line), " ") {
			t.Errorf("rubric %s prints a line of %d columns: %s", words, n, line)
		}
	}
	if len(shown) < 80 {
		t.Errorf("rubric %s prints %q", words, shown)
	}
}

// color matches what changes the color of a text.
var color = regexp.MustCompile("\x1b\\[[0-9;]*m")
