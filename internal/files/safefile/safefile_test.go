package safefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

func write(t *testing.T, name, content string, perm fs.FileMode) {
	t.Helper()
	must.Do(t, os.WriteFile(name, []byte(content), perm))
	must.Do(t, os.Chmod(name, perm))
}

func content(t *testing.T, name string) string {
	t.Helper()
	return string(must.Get(os.ReadFile(name))(t))
}

func TestWriteReplacesAndKeepsPermissions(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x")
	write(t, name, "old", 0o640)
	must.Do(t, Write(name, []byte("new"), 0o666))
	info := must.Get(os.Stat(name))(t)
	if got := content(t, name); got != "new" || runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
		t.Errorf("the file has %q and mode %v", got, info.Mode())
	}
}

func TestFailedWriteLeavesTheOldFileAndNothingElse(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "target")
	must.Do(t, os.Mkdir(target, 0o777))
	write(t, filepath.Join(target, "inside"), "kept", 0o666)
	if err := Write(target, []byte("new"), 0o666); err == nil {
		t.Fatal("a folder was replaced by a file")
	}
	entries := must.Get(os.ReadDir(dir))(t)
	if len(entries) != 1 || content(t, filepath.Join(target, "inside")) != "kept" {
		t.Errorf("the folder holds %v", entries)
	}
}

func TestMove(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "a"), filepath.Join(dir, "new", "b")
	write(t, from, "text", 0o666)
	must.Do(t, Move(from, to))
	if _, err := os.Lstat(from); !errors.Is(err, fs.ErrNotExist) || content(t, to) != "text" {
		t.Errorf("after the move, the old name gives %v and the new one %q", err, content(t, to))
	}
}

func TestMoveNeverOverwrites(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	write(t, from, "mine", 0o666)
	write(t, to, "theirs", 0o666)
	if err := Move(from, to); !errors.Is(err, fs.ErrExist) {
		t.Fatalf("Move over a file gives %v", err)
	}
	if content(t, from) != "mine" || content(t, to) != "theirs" {
		t.Error("a refused move changed a file")
	}
}
