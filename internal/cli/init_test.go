package cli

import (
	"os"
	"testing"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// TestAnEditThatFailsLeavesNothing makes the second of two files fail, because the
// first has its name: neither a file nor a folder is left.
func TestAnEditThatFailsLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	c := &editCommand{library: &libraryPaths{root: dir}}
	f := authoring.File{Path: "rubrics/prd/x_v1.yaml", After: []byte("x")}
	if err := c.carryOut(&authoring.Edit{Files: []authoring.File{f, f}}); err == nil {
		t.Fatal("one path could be made twice")
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("%v is left, %v", entries, err)
	}
}

func TestInitInAFolderThatCannotBeWritten(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	dir := t.TempDir()
	must.Do(t, os.Mkdir(dir+"/.vscode", 0o555))
	t.Chdir(dir)
	if code, text := runWords("init", "--yes"); code != ExitFailure {
		t.Errorf("the exit code is %d:\n%s", code, text)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("%v is left, %v", entries, err)
	}
}
