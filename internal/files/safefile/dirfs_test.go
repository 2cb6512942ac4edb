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

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

func TestDirFSIsAFileSystem(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "file"), "text", 0o666)
	must.Do(t, os.Mkdir(filepath.Join(dir, "folder"), 0o777))
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
	must.Do(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o666))
	for name, target := range map[string]string{"link-to-pipe": "pipe", "link-to-device": "/dev/zero"} {
		must.Do(t, os.Symlink(target, filepath.Join(dir, name)))
	}
	for _, name := range []string{"pipe", "link-to-pipe", "link-to-device"} {
		if _, err := fs.ReadFile(DirFS(dir), name); !errors.Is(err, errNotRegular) {
			t.Errorf("%s gives %v", name, err)
		}
	}
}
