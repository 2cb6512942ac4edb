//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// reportFile matches a file that a check writes.
var reportFile = regexp.MustCompile(`--format [a-z]+=(\S+)`)

// TestAReportInThePullRequestIsNotKept runs what the pipelines of `rubric init` run, in a pull request
// that has reports of its own and lets the check fail before it writes any. A comment or an artifact
// would show them as those of the check.
func TestAReportInThePullRequestIsNotKept(t *testing.T) {
	programs := filepath.Dir(program(t))
	must.Do(t, os.Symlink(must.Get(os.Executable())(t), filepath.Join(programs, "rubric-lint")))
	for _, name := range []string{"gitea.yml", "gitlab-ci.yml"} {
		text := scripttest.Text(t, "internal/authoring/starter/"+name)
		reports := reportFile.FindAllStringSubmatch(text, -1)
		if len(reports) == 0 {
			t.Fatalf("%s writes no report", name)
		}
		dir := t.TempDir()
		for _, report := range reports {
			must.Do(t, os.WriteFile(filepath.Join(dir, report[1]), []byte("forged"), 0o666))
		}
		var script []string
		for line := range strings.Lines(text) {
			command := strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(line), "- "), "run: ")
			if strings.HasPrefix(command, "rm ") || strings.HasPrefix(command, "rubric-lint ") {
				script = append(script, command)
			}
		}
		cmd := exec.Command("sh", "-c", strings.Join(script, "\n"))
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "PATH="+programs+string(filepath.ListSeparator)+os.Getenv("PATH"))
		out, _ := cmd.CombinedOutput() // there is no repository here
		if code := cmd.ProcessState.ExitCode(); code != 2 {
			t.Errorf("%s: exit code %d, want 2: %s", name, code, out)
		}
		for _, report := range reports {
			if _, err := os.Stat(filepath.Join(dir, report[1])); err == nil {
				t.Errorf("%s: %s of the pull request is still there", name, report[1])
			}
		}
	}
}
