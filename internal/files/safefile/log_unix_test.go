//go:build unix

package safefile

import (
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
	l.regular = true
	if _, err := l.Write([]byte("two\n")); err == nil {
		t.Error("a record that can't be synced is no error")
	}
}
