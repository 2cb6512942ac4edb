package main

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// TestDocsRun runs docs/rule-sets.md beside a clone of the repository, which is
// the repository itself.
func TestDocsRun(t *testing.T) {
	repository, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	setup := fmt.Sprintf("[!exec:grep] skip 'grep is not installed'\n[!symlink] skip 'links can not be made'\nsymlink rubric-library -> '%s'\n", repository)
	scripttest.RunPage(t, "../../docs/rule-sets.md", setup, nil)
}
