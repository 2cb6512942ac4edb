//go:build linux

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

func init() { programs["peak"] = peak }

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
	peak, result := filepath.Join(filepath.Dir(name), "peak"), filepath.Join(dir, "peak.txt")
	if err := os.Symlink(must.Get(os.Executable())(t), peak); err != nil && !errors.Is(err, fs.ErrExist) {
		t.Fatal(err)
	}
	cmd := exec.Command(peak, result, name, "lint", "--base", "none", "--format", format)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOGC=100") // not that of tests
	data, err := cmd.Output()
	if _, failed := errors.AsType[*exec.ExitError](err); err != nil && !failed {
		t.Fatalf("%s: %v", format, err)
	}
	most = must.Get(strconv.ParseInt(string(must.Get(os.ReadFile(result))(t)), 10, 64))(t)
	return cmd.ProcessState.ExitCode(), string(data), most
}

// peak runs a program, and writes to a file how many KB of memory it took: peak FILE PROGRAM ARG....
// Linux counts the memory of the process that starts a program as the program's own, so the
// tests, which can be larger than what they measure, start this small process instead.
func peak() {
	cmd := exec.Command(os.Args[2], os.Args[3:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	err := cmd.Run()
	if _, failed := errors.AsType[*exec.ExitError](err); err != nil && !failed {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	most := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
	if err := os.WriteFile(os.Args[1], []byte(strconv.FormatInt(most, 10)), 0o666); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	os.Exit(cmd.ProcessState.ExitCode())
}
