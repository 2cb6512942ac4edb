//go:build unix

package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// TestTextFitsTheTerminal runs commands on a terminal of 80 columns: no line is wider, except
// for a word that can't be broken, and the same output in a file is not wrapped.
func TestTextFitsTheTerminal(t *testing.T) {
	for _, name := range []string{"script", "stty"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not installed", name)
		}
	}
	root, rubric := must.Get(filepath.Abs("../.."))(t), program(t)
	for _, words := range []string{
		"--help", "lint --help", "build --help", "init --ci bitbucket",
		"list", "get user_story_quality_v1", "search user story", "lint --base none --list-rules", "lint --explain major-change", "calibrate report",
	} {
		shown, _ := exec.Command("script", "-qec", "stty cols 80 rows 24; cd '"+root+"'; '"+rubric+"' "+words, "/dev/null").CombinedOutput()
		for line := range strings.Lines(string(shown)) {
			line = strings.TrimRight(line, "\r\n")
			if utf8.RuneCountInString(line) > 80 && strings.Contains(strings.TrimSpace(line), " ") {
				t.Errorf("rubric %s prints a line of %d columns: %s", words, utf8.RuneCountInString(line), line)
			}
		}
		if len(shown) < 80 {
			t.Errorf("rubric %s prints %q", words, shown)
		}
	}
	cmd := exec.Command(rubric, "get", "user_story_quality_v1")
	cmd.Dir = root
	if piped := string(must.Get(cmd.Output())(t)); !strings.Contains(piped, "Where there is no story sentence, the summary line") {
		t.Errorf("piped output is wrapped:\n%s", piped)
	}
}
