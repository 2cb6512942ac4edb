//go:build unix

package safefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"testing/fstest"
)

func TestDirFSIsAFileSystem(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "file"), "text", 0o666)
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "folder", "inner"), "more", 0o666)
	if err := fstest.TestFS(DirFS(dir), "file", "folder/inner"); err != nil {
		t.Error(err)
	}
	if _, err := fs.ReadFile(DirFS(dir), "missing"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file gives %v", err)
	}
}

// Opening a named pipe without a writer blocks, and /dev/zero is endless: without the
// checks, this test would never finish.
func TestDirFSOpensNothingThatCanKeepItWaiting(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"link-to-pipe": "pipe", "link-to-device": "/dev/zero"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"pipe", "link-to-pipe", "link-to-device"} {
		if _, err := fs.ReadFile(DirFS(dir), name); !errors.Is(err, errNotRegular) {
			t.Errorf("%s gives %v", name, err)
		}
	}
}
