package cli

import (
	"os"
	"testing"

	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/dev/must"
)

func TestInitInAFolderThatCannotBeWritten(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	dir := t.TempDir()
	must.Do(t, os.Mkdir(dir+"/.vscode", 0o555))
	t.Chdir(dir)
	if code, text := runWords("init", "--yes"); code != command.ExitFailure {
		t.Errorf("the exit code is %d:\n%s", code, text)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("%v is left, %v", entries, err)
	}
}
