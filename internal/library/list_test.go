package library

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

// TestListHasALimit checks that the author of files can't fill the memory with their paths.
func TestListHasALimit(t *testing.T) {
	for _, tt := range []struct {
		reason string
		n      int
		want   string
	}{
		{"the paths of 4,000 files of 4 KB", 4000, ""},
		{"those of 5,000", 5000, "the folder rubrics has too many files: their paths can have at most 16 MiB together"},
	} {
		fsys, folder := fstest.MapFS{}, strings.Repeat("long", 1000)
		for i := range tt.n {
			fsys[fmt.Sprintf("rubrics/%s%d.txt", folder, i)] = &fstest.MapFile{}
		}
		entries, err := List(fsys)
		switch {
		case tt.want == "" && (err != nil || len(entries) != tt.n):
			t.Errorf("%s: %d entries, %v", tt.reason, len(entries), err)
		case tt.want != "" && (err == nil || !strings.HasPrefix(err.Error(), tt.want)):
			t.Errorf("%s: %v, want %q", tt.reason, err, tt.want)
		}
	}
}
