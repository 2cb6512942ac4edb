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
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
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

// TestReadmeFitsTheTerminal runs the commands that the README shows, and the help of those that
// it lists.
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
	for _, row := range regexp.MustCompile("(?m)^\\| [A-Z][a-z]+ \\| (`.*?`) \\|").FindAllStringSubmatch(scripttest.Text(t, readme), -1) {
		group := ""
		for i, name := range strings.Split(strings.ReplaceAll(row[1], "`", ""), ", ") {
			if words := strings.Fields(name); i == 0 && len(words) == 2 {
				group, name = words[0]+" ", words[1]
			}
			listed++
			onTerminal(t, dir, rubric, group+name+" --help")
		}
	}
	if listed < 25 {
		t.Errorf("the README lists %d commands", listed)
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
		if utf8.RuneCountInString(line) > 80 && strings.Contains(strings.TrimSpace(line), " ") {
			t.Errorf("rubric %s prints a line of %d columns: %s", words, utf8.RuneCountInString(line), line)
		}
	}
	if len(shown) < 80 {
		t.Errorf("rubric %s prints %q", words, shown)
	}
}

// color matches what changes the color of a text.
var color = regexp.MustCompile("\x1b\\[[0-9;]*m")
