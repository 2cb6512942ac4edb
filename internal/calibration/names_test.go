package calibration

import (
	"path"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

// TestABundleCanHaveEachFile: the files of a dataset with the longest names that are valid can be
// in a bundle.
func TestABundleCanHaveEachFile(t *testing.T) {
	dataset, judge := strings.Repeat("a", 128), strings.Repeat("b", 64)
	if !IsName(dataset) || IsName(dataset+"a") || !IsJudgeName(judge) || IsJudgeName(judge+"b") {
		t.Fatal("these are not the longest names")
	}
	for _, file := range []string{DatasetFile, ItemsFile, path.Join(JudgesDir, judge+".jsonl"), path.Join(JudgesDir, judge, judge+".jsonl")} {
		if name := path.Join(Root, dataset, file); !bundlefile.IsName(name) {
			t.Errorf("no bundle can have %s, with %d bytes", name, len(name))
		}
	}
}
