package ci_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// TestFuzzRunsEveryTarget runs .ci/fuzz in a separate module: every target of every
// package runs, even after one that fails, and failing inputs are kept.
func TestFuzzRunsEveryTarget(t *testing.T) {
	weekly(t)
	needs(t, "git", "bash")
	dir := t.TempDir()
	files := map[string]string{
		".ci/fuzz":   scripttest.Text(t, ".ci/fuzz"),
		".gitignore": "/dist/\n",
		"go.mod":     "module example.org/m\n\ngo 1.24\n",
		"a/a_test.go": `package a
import "testing"
func FuzzFails(f *testing.F) { f.Add("seed"); f.Fuzz(func(t *testing.T, s string) { if s != "seed" { t.Error("context deadline exceeded") } }) }
func FuzzHolds(f *testing.F) { f.Add(1); f.Fuzz(func(*testing.T, int) {}) }
func TestOther(t *testing.T) { t.Error("fuzzing runs no tests") }
`,
		"b/b_test.go": "package b\nimport \"testing\"\nfunc FuzzB(f *testing.F) { f.Add(1); f.Fuzz(func(*testing.T, int) {}) }\n",
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o777))
		must.Do(t, os.WriteFile(path, []byte(text), 0o777))
	}
	run := func(script string) (string, int) {
		cmd := exec.Command("bash", "-c", script)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil {
			t.Fatal(err)
		}
		return string(out), cmd.ProcessState.ExitCode()
	}
	run("git init -q && git add . && git -c user.name=a -c user.email=a@example.org commit -qm one")
	out, code := run(".ci/fuzz --list")
	if want := "example.org/m/a FuzzFails\nexample.org/m/a FuzzHolds\nexample.org/m/b FuzzB\n"; out != want || code != 0 {
		t.Errorf("the targets are\n%swith exit code %d, want\n%s", out, code, want)
	}
	out, code = run(".ci/fuzz 100x")
	if code != 1 || !strings.Contains(out, "== example.org/m/b FuzzB\n") || !strings.Contains(out, "failed:\n  example.org/m/a FuzzFails\n") {
		t.Errorf("the exit code is %d:\n%s", code, out)
	}
	if kept, _ := filepath.Glob(filepath.Join(dir, "dist/fuzz/a/testdata/fuzz/FuzzFails/*")); len(kept) != 1 {
		t.Errorf("the inputs that fail are %q:\n%s", kept, out)
	}
	for _, script := range []string{".ci/fuzz soon", "rm a/*_test.go b/*_test.go && .ci/fuzz 1x", "echo 'package' >a/a_test.go && .ci/fuzz 1x"} {
		if out, code := run(script); code != 2 {
			t.Errorf("%s: the exit code is %d:\n%s", script, code, out)
		}
	}
}
