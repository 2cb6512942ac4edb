//go:build unix

package safefile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// limited calls do while files can't grow beyond a size, as on a full disk.
func limited(t *testing.T, size uint64, do func()) {
	t.Helper()
	var before syscall.Rlimit
	must.Do(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before))
	must.Do(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: size, Max: before.Max}))
	defer func() { must.Do(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before)) }()
	do()
}

// TestATornRecordLosesNoOther fills the disk within a record, in the same process and before a
// restart.
func TestATornRecordLosesNoOther(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	l := must.Get(OpenLog(path, 0o600))(t)
	record := func(l *Log, text string) error { _, err := l.Write([]byte(text + "\n")); return err }
	must.Do(t, record(l, "one"))
	limited(t, 6, func() {
		for _, text := range []string{"two is torn", "three has no room"} {
			if err := record(l, text); err == nil {
				t.Errorf("%s: a full disk is no error", text)
			}
		}
	})
	must.Do(t, record(l, "four"))
	limited(t, 15, func() {
		if err := record(l, "five is torn"); err == nil {
			t.Error("a full disk is no error")
		}
	})
	must.Do(t, l.Close())
	l = must.Get(OpenLog(path, 0o600))(t)
	must.Do(t, record(l, "six"))
	must.Do(t, record(l, "seven"))
	must.Do(t, l.Close())
	if got, want := content(t, path), "one\ntw\nfour\nfiv\nsix\nseven\n"; got != want {
		t.Errorf("the log is %q, want %q", got, want)
	}
}

// TestALogIsWrittenConcurrently checks that each record is a line, and that the file is only for
// its owner.
func TestALogIsWrittenConcurrently(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	l := must.Get(OpenLog(path, 0o600))(t)
	line := strings.Repeat("x", 300) + "\n"
	var writers sync.WaitGroup
	for range 8 {
		writers.Go(func() {
			for range 20 {
				if n, err := l.Write([]byte(line)); n != len(line) || err != nil {
					t.Errorf("%d bytes, %v", n, err)
				}
			}
		})
	}
	writers.Wait()
	must.Do(t, l.Close())
	if got := content(t, path); got != strings.Repeat(line, 160) {
		t.Errorf("the log has %d bytes in %d lines", len(got), strings.Count(got, "\n"))
	}
	if info := must.Get(os.Stat(path))(t); info.Mode().Perm() != 0o600 {
		t.Errorf("the mode is %v", info.Mode())
	}
}

// TestALogThatCannotBeSyncedIsAnError: a record that is not on the disk is not recorded. Linux
// can't sync this file, which takes what is written to it.
func TestALogThatCannotBeSyncedIsAnError(t *testing.T) {
	l := must.Get(OpenLog(os.DevNull, 0o600))(t)
	if _, err := l.Write([]byte("one\n")); err != nil {
		t.Errorf("a device gives %v", err)
	}
	regular := must.Get(os.Stat(must.Get(os.Executable())(t)))(t)
	if err := (&logFile{File: l.file.File, info: regular}).write([]byte("two\n")); err == nil {
		t.Error("a record that can't be synced is no error")
	}
}

// TestALogFollowsItsPath: what replaces the file takes the next record, and the old file keeps those
// before it. A path that can't be opened takes none, until it can.
func TestALogFollowsItsPath(t *testing.T) {
	for name, c := range map[string]struct {
		replace func(path string) error
		old     string // the content of the file before, which is at path.1, or "" if it is gone
		now     string
	}{
		"renamed": {func(path string) error { return os.Rename(path, path+".1") }, "one\n", "two\n"},
		"renamed, and a new one": {func(path string) error {
			return errors.Join(os.Rename(path, path+".1"), os.WriteFile(path, []byte("torn"), 0o600))
		}, "one\n", "torn\ntwo\n"},
		"removed": {os.Remove, "", "two\n"},
		"replaced": {func(path string) error {
			return errors.Join(os.WriteFile(path+".2", nil, 0o600), os.Rename(path+".2", path))
		}, "", "two\n"},
		"truncated":              {func(path string) error { return os.Truncate(path, 0) }, "", "two\n"},
		"moved away and back":    {func(path string) error { return errors.Join(os.Rename(path, path+".2"), os.Rename(path+".2", path)) }, "", "one\ntwo\n"},
		"a link to another file": {func(path string) error { return errors.Join(os.Rename(path, path+".1"), os.Symlink(path+".2", path)) }, "one\n", "two\n"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "audit.jsonl")
			l := must.Get(OpenLog(path, 0o600))(t)
			defer l.Close()
			must.Get(l.Write([]byte("one\n")))(t)
			must.Do(t, c.replace(path))
			must.Get(l.Write([]byte("two\n")))(t)
			if got := content(t, path); got != c.now {
				t.Errorf("the log is %q, want %q", got, c.now)
			}
			if c.old != "" && content(t, path+".1") != c.old {
				t.Errorf("the old file is %q, want %q", content(t, path+".1"), c.old)
			}
		})
	}
}

// TestALogThatCannotBeOpenedTakesNothing tries what can be at the path instead of a file.
func TestALogThatCannotBeOpenedTakesNothing(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "logs")
	path := filepath.Join(folder, "audit.jsonl")
	must.Do(t, os.Mkdir(folder, 0o700))
	l := must.Get(OpenLog(path, 0o600))(t)
	defer l.Close()
	must.Get(l.Write([]byte("one\n")))(t)
	must.Do(t, os.Rename(folder, folder+".1"))
	for name, replace := range map[string]func() error{
		"no folder": func() error { return nil },
		"a folder":  func() error { return os.MkdirAll(path, 0o700) },
		"a file":    func() error { return os.WriteFile(folder, nil, 0o600) },
		"a circle":  func() error { return errors.Join(os.Mkdir(folder, 0o700), os.Symlink(path, path)) },
	} {
		must.Do(t, replace())
		if _, err := l.Write([]byte("two\n")); err == nil {
			t.Errorf("%s is no error", name)
		}
		if err := l.Reopen(); err == nil {
			t.Errorf("%s is no error when the log is opened again", name)
		}
		must.Do(t, os.RemoveAll(folder))
	}
	must.Do(t, os.Mkdir(folder, 0o700))
	must.Get(l.Write([]byte("three\n")))(t)
	if got := content(t, folder+".1/audit.jsonl") + content(t, path); got != "one\nthree\n" {
		t.Errorf("the logs are %q", got)
	}
}
