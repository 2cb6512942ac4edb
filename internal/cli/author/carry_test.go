package author

import (
	"os"
	"testing"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/cli/command"
)

// TestAnEditThatFailsLeavesNothing makes the second of two files fail, because the
// first has its name: neither a file nor a folder is left.
func TestAnEditThatFailsLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	c := &editCommand{library: &command.Located{Root: dir}}
	f := authoring.File{Path: "rubrics/prd/x_v1.yaml", After: []byte("x")}
	if err := c.carryOut(&authoring.Edit{Files: []authoring.File{f, f}}); err == nil {
		t.Fatal("one path could be made twice")
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("%v is left, %v", entries, err)
	}
}
