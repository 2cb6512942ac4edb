package main

import (
	"bytes"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// program is the command as a file of its own, which TestMain makes of this
// test's.
func program(t *testing.T) string {
	t.Helper()
	self := must.Get(os.Executable())(t)
	name := filepath.Join(t.TempDir(), "rubric")
	if err := os.Symlink(self, name); err != nil {
		t.Skipf("no links here: %v", err)
	}
	return name
}

// gitEnv lets git depend on nothing of the machine.
var gitEnv = []string{
	"PATH=" + os.Getenv("PATH"), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
	"GIT_AUTHOR_NAME=Ann", "GIT_AUTHOR_EMAIL=ann@example.org", "GIT_AUTHOR_DATE=2024-01-01T12:00:00Z",
	"GIT_COMMITTER_NAME=Ann", "GIT_COMMITTER_EMAIL=ann@example.org", "GIT_COMMITTER_DATE=2024-01-01T12:00:00Z",
}

func run(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// library is a repository with a rubric and a schema of some bytes.
func library(t *testing.T, size int) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"rubrics/prd/a_v1.yaml": scripttest.Rubric("a_v1", "1.0.0", "prd"),
		"rubrics/prd/b_v1.yaml": scripttest.Rubric("b_v1", "1.0.0", "prd"),
		"schema/a.json":         `{"x":"` + strings.Repeat("x", size-len(`{"x":""}`)) + `"}`,
		"schema/b.json":         "{}",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		must.Do(t, os.MkdirAll(filepath.Dir(file), 0o777))
		must.Do(t, os.WriteFile(file, []byte(text), 0o666))
	}
	run(t, dir, gitEnv, "git", "init", "-q", "-b", "main")
	run(t, dir, gitEnv, "git", "add", "-A")
	run(t, dir, gitEnv, "git", "commit", "-q", "-m", "one")
	return dir
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	return must.Get(os.ReadFile(name))(t)
}

// copyReversed copies a folder so that its files are made in the opposite order,
// in which a file system may list them.
func copyReversed(t *testing.T, from string) string {
	t.Helper()
	to := t.TempDir()
	var names []string
	must.Do(t, filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			names = append(names, name)
		}
		return err
	}))
	for i := len(names) - 1; i >= 0; i-- {
		relative := must.Get(filepath.Rel(from, names[i]))(t)
		file := filepath.Join(to, relative)
		must.Do(t, os.MkdirAll(filepath.Dir(file), 0o777))
		must.Do(t, os.WriteFile(file, read(t, names[i]), 0o666))
	}
	for _, empty := range []string{"refs/tags", "refs/heads", "objects/info"} {
		must.Do(t, os.MkdirAll(filepath.Join(to, ".git", empty), 0o777))
	}
	return to
}

func TestTheMachineSaysNothing(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no umask")
	}
	dir, name := library(t, 10), program(t)
	base := []string{"PATH=" + os.Getenv("PATH")}
	run(t, dir, base, name, "build", "--first-release", "-o", "want.zip")
	want := read(t, filepath.Join(dir, "want.zip"))
	tests := []struct {
		name, reason string
		dir          string
		env          []string
		umask        string
	}{
		{"time zone", "no local time is written", dir, []string{"TZ=Asia/Tokyo"}, "022"},
		{"locale", "nothing is sorted or cased by a language", dir, []string{"LC_ALL=tr_TR.UTF-8", "LANG=tr_TR.UTF-8"}, "022"},
		{"umask", "permissions of files are not in the bundle", dir, nil, "077"},
		{"one processor", "nothing depends on who is first", dir, []string{"GOMAXPROCS=1"}, "022"},
		{"folder", "the library is found from below", filepath.Join(dir, "rubrics", "prd"), nil, "022"},
		{"order of files", "a folder's order is that of the file system", copyReversed(t, dir), nil, "022"},
		{"git's own settings", "settings of git play no part", dir, []string{"GIT_DIR=/nowhere", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=core.autocrlf", "GIT_CONFIG_VALUE_0=true"}, "022"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "x.zip")
			run(t, test.dir, append(base, test.env...), "sh", "-c", `umask "$1"; exec "$2" build --first-release -o "$3"`, "sh", test.umask, name, out)
			if !bytes.Equal(read(t, out), want) {
				t.Errorf("other bytes: %s", test.reason)
			}
		})
	}
}

// TestAKilledBuildLeavesTheOldFile kills the process at any time, from its start
// to its end.
func TestAKilledBuildLeavesTheOldFile(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes some seconds")
	}
	dir, name := library(t, 4<<20), program(t)
	out := filepath.Join(dir, "rubrics.zip")
	started := time.Now()
	run(t, dir, gitEnv, name, "build", "--first-release", "-o", out)
	whole := time.Since(started)
	want := read(t, out)
	old := []byte("the bundle before")
	killed := 0
	for range 20 {
		must.Do(t, os.WriteFile(out, old, 0o666))
		cmd := exec.Command(name, "build", "--first-release", "-o", out)
		cmd.Dir, cmd.Env = dir, gitEnv
		must.Do(t, cmd.Start())
		time.Sleep(rand.N(whole + whole/10))
		_ = cmd.Process.Kill() // it may be done
		if cmd.Wait() != nil {
			killed++
		}
		if got := read(t, out); !bytes.Equal(got, old) && !bytes.Equal(got, want) {
			t.Fatalf("the file has %d bytes, which are neither the old bundle nor the new one", len(got))
		}
	}
	t.Logf("%d of 20 builds were killed before their end, which takes %v", killed, whole)
}

func TestAFullDiskLeavesTheOldFile(t *testing.T) {
	dir, name := library(t, 1<<20), program(t)
	disk := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", disk).CombinedOutput(); err != nil {
		t.Skipf("no small disk can be made: %v\n%s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", disk).CombinedOutput(); err != nil {
			t.Errorf("umount: %v\n%s", err, out)
		}
	})
	file := filepath.Join(disk, "rubrics.zip")
	for _, old := range []string{"", "the bundle before"} {
		if old != "" {
			must.Do(t, os.WriteFile(file, []byte(old), 0o666))
		}
		cmd := exec.Command(name, "build", "--first-release", "-o", file)
		cmd.Dir, cmd.Env = dir, gitEnv
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 2 || !strings.Contains(string(out), "no space left") {
			t.Errorf("got %v and %q, want exit code 2 and the reason", err, out)
		}
		entries := must.Get(os.ReadDir(disk))(t)
		switch {
		case old == "" && len(entries) > 0:
			t.Errorf("the disk has %v, want nothing", entries)
		case old != "" && (len(entries) != 1 || string(read(t, file)) != old):
			t.Errorf("the disk has %v, want the old file only", entries)
		}
	}
}
