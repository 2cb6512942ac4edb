package safefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

func TestCreateMakesTheFileAndItsFolders(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "new", "folder", "x")
	must.Do(t, Create(name, []byte("text"), 0o666))
	entries := must.Get(os.ReadDir(filepath.Dir(name)))(t)
	if len(entries) != 1 || content(t, name) != "text" {
		t.Errorf("the folder holds %v, and the file %q", entries, content(t, name))
	}
}

func TestCreateNeverOverwrites(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "x")
	write(t, name, "theirs", 0o666)
	if err := Create(name, []byte("mine"), 0o666); !errors.Is(err, fs.ErrExist) {
		t.Fatalf("Create over a file gives %v", err)
	}
	entries := must.Get(os.ReadDir(dir))(t)
	if len(entries) != 1 || content(t, name) != "theirs" {
		t.Errorf("a refused Create left %v, and %q in the file", entries, content(t, name))
	}
}
