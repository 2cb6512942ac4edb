package calibration

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestStrays(t *testing.T) {
	const beside = "No command reads this: a dataset consists of dataset.yaml, items.jsonl, the folder judges, and an optional README.md. Rename it or move it elsewhere."
	tests := []struct {
		reason string
		files  []string
		want   []string
	}{
		{"no datasets at all", nil, []string{}},
		{"all that is read, and a page for people", []string{"README.md", "d/dataset.yaml", "d/items.jsonl", "d/history.jsonl", "d/README.md", "d/judges/j.jsonl"}, []string{}},
		{"a file beside the datasets", []string{"labels.csv"}, []string{
			"calibration/labels.csv:1:1 stray-calibration-file: This file is not in the folder of a dataset, so no command reads it. Move it out of calibration/.",
		}},
		{"a folder that says nothing of itself", []string{"e/items.jsonl", "e/x.csv"}, []string{
			"calibration/e:1:1 stray-calibration-file: This folder has no dataset.yaml, so it is not a dataset and no command reads it. Add calibration/e/dataset.yaml, or move the folder elsewhere.",
		}},
		{"a folder that can be no dataset", []string{"my-notes/dataset.yaml"}, []string{
			"calibration/my-notes:1:1 stray-calibration-file: This is not a valid name of a dataset, so no command reads this folder. Rename it: use lowercase letters, digits, and single underscores, and start with a letter.",
		}},
		{"files in a dataset under wrong names", []string{"d/dataset.yaml", "d/item.jsonl", "d/.DS_Store"}, []string{
			".DS_Store:1:1 stray-calibration-file: " + beside, "item.jsonl:1:1 stray-calibration-file: " + beside,
		}},
		{"a dataset behind a link", []string{"link"}, []string{
			"calibration/link:1:1 not-a-file: This is a link, whose target can change without a review. Replace it with the folder itself.",
		}},
	}
	for _, tt := range tests {
		fsys := fstest.MapFS{}
		for _, name := range tt.files {
			fsys["calibration/"+name] = &fstest.MapFile{}
			if name == "link" {
				fsys["calibration/"+name].Mode = fs.ModeSymlink
			}
		}
		if diff := cmp.Diff(tt.want, told(Strays(fsys))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
	if got := told(Strays(fstest.MapFS{"calibration": {}})); len(got) != 1 {
		t.Errorf("a file in the place of the folder gives %q, want one problem", got)
	}
}

// TestManyStrays checks that the author of files can't fill the memory with problems.
func TestManyStrays(t *testing.T) {
	fsys := fstest.MapFS{}
	for i := range 5000 {
		fsys[fmt.Sprintf("calibration/x%d.txt", i)] = &fstest.MapFile{}
	}
	problems := Strays(fsys)
	if len(problems) != mostStrays {
		t.Fatalf("%d problems, want %d", len(problems), mostStrays)
	}
	if last := problems[len(problems)-1]; !strings.HasPrefix(last.Message, "There are more files like this") {
		t.Errorf("the last problem does not say that there are more: %s", last.Message)
	}
}
