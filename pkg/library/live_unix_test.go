//go:build unix

package library_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/rubric-library/rubric-library/pkg/library"
)

// TestLiveOnAFullDisk limits the size of files, so that saving fails in the middle.
func TestLiveOnAFullDisk(t *testing.T) {
	good := consecutive("1.4.0", "1.5.0")
	path, folder := filepath.Join(t.TempDir(), "rubrics.zip"), t.TempDir()
	put(t, path, good[0].data)
	live := follow(t, path, library.WithAnyDigest(), library.WithLastGood(folder))
	put(t, path, good[1].data)

	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	small := limit
	small.Cur = 1000
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &small); err != nil {
		t.Fatal(err)
	}
	err := live.Check(t.Context())
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	if !errors.Is(err, syscall.EFBIG) {
		t.Errorf("the error is %v", err)
	}
	uses(t, live, "1.5.0")
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v, %v", entries, err)
	}
	if saved, err := os.ReadFile(filepath.Join(folder, "last.zip")); err != nil || !bytes.Equal(saved, good[0].data) {
		t.Errorf("the last good bundle was changed: %v", err)
	}
	if err := live.Check(t.Context()); err != nil {
		t.Errorf("after there is room again, the error is %v", err)
	}
	if saved, err := os.ReadFile(filepath.Join(folder, "last.zip")); err != nil || !bytes.Equal(saved, good[1].data) {
		t.Errorf("the bundle was not saved later: %v", err)
	}
}
