//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// TestManyFilesTakeLittle checks a library with 100,000 files that don't belong there.
func TestManyFilesTakeLittle(t *testing.T) {
	dir, name := t.TempDir(), program(t)
	folder := filepath.Join(dir, "rubrics", "prd")
	must.Do(t, os.MkdirAll(folder, 0o777))
	must.Do(t, os.WriteFile(filepath.Join(folder, "a_v1.yaml"), []byte(scripttest.Rubric("a_v1", "1.0.0", "prd")), 0o666))
	for i := range 100_000 {
		must.Do(t, os.WriteFile(filepath.Join(folder, fmt.Sprintf("stray-%06d.txt", i)), nil, 0o666))
	}
	for _, format := range []string{"text", "json", "github", "sarif"} {
		code, out, most := lintFormat(t, name, dir, format)
		if code != 1 {
			t.Fatalf("%s: exit code %d, want 1", format, code)
		}
		if len(out) > 1_000_000 {
			t.Errorf("%s: %d bytes of output, want 1 MB at most", format, len(out))
		}
		if most > 200_000 {
			t.Errorf("%s: %d KB of memory, want 200,000 at most", format, most)
		}
		if want := "100000 errors"; (format == "text" || format == "github") && !strings.Contains(out, want) {
			t.Errorf("%s: the summary does not count %s", format, want)
		}
	}
}

// lintFormat runs the linter, and returns its output and how many KB of memory it took.
func lintFormat(t *testing.T, name, dir, format string) (code int, out string, most int64) {
	t.Helper()
	cmd := exec.Command(name, "lint", "--base", "none", "--format", format)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOGC=100") // not that of tests
	data, err := cmd.Output()
	if _, failed := errors.AsType[*exec.ExitError](err); err != nil && !failed {
		t.Fatalf("%s: %v", format, err)
	}
	return cmd.ProcessState.ExitCode(), string(data), cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
}
