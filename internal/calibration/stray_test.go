package calibration

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestStrays(t *testing.T) {
	const beside = "Rename this, or move it away: in the folder of a dataset are dataset.yaml, items.jsonl, history.jsonl, the folder judges and a README.md. Nothing reads any other."
	tests := []struct {
		reason string
		files  []string
		want   []string
	}{
		{"no datasets at all", nil, []string{}},
		{"all that is read, and a page for people", []string{"README.md", "d/dataset.yaml", "d/items.jsonl", "d/history.jsonl", "d/README.md", "d/judges/j.jsonl"}, []string{}},
		{"a file beside the datasets", []string{"labels.csv"}, []string{
			"calibration/labels.csv:1:1 stray-calibration-file: Move this file out of calibration/: only folders of datasets live there, so nothing reads it.",
		}},
		{"a folder that says nothing of itself", []string{"e/items.jsonl", "e/x.csv"}, []string{
			"calibration/e:1:1 stray-calibration-file: Write calibration/e/dataset.yaml, or move this folder away: without that file it is no dataset, and nothing reads it.",
		}},
		{"a folder that can be no dataset", []string{"my-notes/dataset.yaml"}, []string{
			"calibration/my-notes:1:1 stray-calibration-file: Rename this folder: a dataset has lower-case letters, digits and single underscores in its name and begins with a letter. Nothing reads it as it is.",
		}},
		{"files in a dataset under wrong names", []string{"d/dataset.yaml", "d/item.jsonl", "d/.DS_Store"}, []string{
			".DS_Store:1:1 stray-calibration-file: " + beside, "item.jsonl:1:1 stray-calibration-file: " + beside,
		}},
		{"a dataset behind a link", []string{"link"}, []string{
			"calibration/link:1:1 not-a-file: Put the folder itself here instead of a link: what a link points to can change without a review.",
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
