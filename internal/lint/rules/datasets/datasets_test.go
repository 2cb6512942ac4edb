package datasets_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/dev/linttest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
)

// calibrated is linttest.GoodRubric with a dataset of so many items in which nothing is
// found.
func calibrated(t *testing.T, n int) fstest.MapFS {
	t.Helper()
	text := linttest.Changed(t, "https://labels.example.org/notes.jsonl", "calibration/notes")
	s := must.Get(calibration.NewSubject(document.Parse(source.NewFile(linttest.GoodPath, []byte(text)))))(t)
	var items strings.Builder
	for i := range n {
		fmt.Fprintf(&items, `{"id":"i%d","artifact":"Text %d.","labels":{"r1":{"completeness":%d},"r2":{"completeness":%d}}}`+"\n", i, i, i%5+1, i%5+1)
	}
	return linttest.Library(map[string]string{
		linttest.GoodPath:                text,
		"calibration/notes/dataset.yaml": "applies_to: [good_v1]\nlabeled_by: people\nmethod: By hand.\nlicense: CC-BY-4.0\ncriteria:\n  - {name: completeness, digest: \"" + s.Criteria["completeness"] + "\"}\n",
		"calibration/notes/items.jsonl":  items.String(),
	})
}

// calibrationRules are the lint rules of the family, of which some compare items with rubrics.
func calibrationRules() []*lint.Rule {
	return slices.DeleteFunc(rules.All(), func(r *lint.Rule) bool { return r.Family != "Calibration" })
}

func edit(fsys fstest.MapFS, name, from, to string) {
	fsys[name] = &fstest.MapFile{Data: []byte(strings.ReplaceAll(string(fsys[name].Data), from, to))}
}

const (
	datasetPath = "calibration/notes/dataset.yaml"
	itemsPath   = "calibration/notes/items.jsonl"
)

func TestNothingIsFoundInAGoodDataset(t *testing.T) {
	for _, f := range linttest.Run(t, calibrated(t, 30), calibrationRules(), lint.Options{}).Findings {
		if f.Severity > lint.Note {
			t.Errorf("%s is found: %s", f.Rule.ID, f.Message)
		}
	}
}

func TestIgnoresInADatasetSilenceItsFindings(t *testing.T) {
	fsys := calibrated(t, 30)
	edit(fsys, datasetPath, "labeled_by: people", "labeled_by: authors # rubric-lint: ignore labels-not-by-people -- people follow in May")
	if got := linttest.Brief(linttest.Run(t, fsys, append(linttest.Only(rules.All(), "labels-not-by-people"), linttest.Only(rules.All(), "ignore-unused")...), lint.Options{}).Findings); len(got) > 0 {
		t.Errorf("found are %q, want nothing", got)
	}
}

func TestAnIgnoreInTheRubricSilencesWhatStandsThere(t *testing.T) {
	fsys := calibrated(t, 30)
	edit(fsys, linttest.GoodPath, "name: completeness", "name: coverage")
	edit(fsys, datasetPath, "completeness", "other")
	edit(fsys, itemsPath, "completeness", "other")
	checked := append(linttest.Only(rules.All(), "idle-criterion", "unlabeled-criterion"), linttest.Only(rules.All(), "ignore-unused")...)
	want := []string{datasetPath + ":6 idle-criterion", linttest.GoodPath + ":30 unlabeled-criterion"}
	if diff := cmp.Diff(want, linttest.Brief(linttest.Run(t, fsys, checked, lint.Options{}).Findings)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	edit(fsys, linttest.GoodPath, "calibration/notes", "calibration/notes # rubric-lint: ignore unlabeled-criterion -- labels follow")
	if diff := cmp.Diff(want[:1], linttest.Brief(linttest.Run(t, fsys, checked, lint.Options{}).Findings)); diff != "" {
		t.Errorf("with an ignore (-want +got):\n%s", diff)
	}
}

func TestSettingsDecideHowManyItemsAreEnough(t *testing.T) {
	checked := linttest.Only(rules.All(), "too-few-items", "few-items")
	tests := []struct {
		reason, config string
		items          int
		want           []string
	}{
		{"below ten nothing is computed", "", 9, []string{itemsPath + ":0 too-few-items"}},
		{"ten can be computed", "", 10, []string{itemsPath + ":0 few-items"}},
		{"below thirty there is a warning", "", 29, []string{itemsPath + ":0 few-items"}},
		{"a library can want more", "calibration: {minimum_items: 20, enough_items: 50}\n", 19, []string{itemsPath + ":0 too-few-items"}},
		{"or be content with fewer", "calibration: {enough_items: 10}\n", 10, []string{}},
		{"a severity is a matter of the library", "severity: {few-items: \"off\"}\n", 10, []string{}},
	}
	for _, tt := range tests {
		config, err := lint.ParseConfig(source.NewFile(lint.ConfigFile, []byte(tt.config)), checked)
		if err != nil {
			t.Fatalf("%s: %v", tt.reason, err)
		}
		got := linttest.Brief(linttest.Run(t, calibrated(t, tt.items), checked, lint.Options{Config: config}).Findings)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

func TestAForkWithTheSameWordsKeepsItsCalibration(t *testing.T) {
	checked := slices.Concat(linttest.Only(rules.All(), "calibration-join"), linttest.Only(rules.All(), "stale-labels"))
	fsys := calibrated(t, 30)
	fsys["rubrics/corpus/fork_v2.yaml"] = &fstest.MapFile{Data: []byte(strings.NewReplacer("good_v1", "fork_v2", `"1.2.0"`, `"2.0.0"`).Replace(string(fsys[linttest.GoodPath].Data)))}
	edit(fsys, datasetPath, "[good_v1]", "[good_v1, fork_v2]")
	if got := linttest.Brief(linttest.Run(t, fsys, checked, lint.Options{}).Findings); len(got) > 0 {
		t.Errorf("found are %q, want nothing", got)
	}
	edit(fsys, "rubrics/corpus/fork_v2.yaml", "Every merged change", "Each merged change")
	if diff := cmp.Diff([]string{datasetPath + ":6 stale-labels"}, linttest.Brief(linttest.Run(t, fsys, checked, lint.Options{}).Findings)); diff != "" {
		t.Errorf("with other words (-want +got):\n%s", diff)
	}
}

func TestALongLineIsAFinding(t *testing.T) {
	fsys := calibrated(t, 30)
	edit(fsys, itemsPath, "Text 7.", strings.Repeat("a", 1<<20))
	if diff := cmp.Diff([]string{itemsPath + ":8 line-too-long"}, linttest.Brief(linttest.Run(t, fsys, linttest.Only(rules.All(), calibration.CodeTooLong), lint.Options{}).Findings)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestAHostileDatasetGivesFewFindings bounds what one file can make of the output.
func TestAHostileDatasetGivesFewFindings(t *testing.T) {
	const most = 100 // of a lint rule in a file
	tests := []struct{ reason, from, to string }{
		{"every item has an address", "Text", "jane@acme-corp.com"},
		{"every item is an example", "Text", "We polished a few things here and there."},
		{"every label is wrong", `"completeness"`, `"brevity"`},
		{"no line is JSON", `{"id"`, `{{`},
		{"many addresses in a line", "Text", strings.Repeat("a@b.cc ", 300)},
	}
	for _, tt := range tests {
		fsys := calibrated(t, 500)
		edit(fsys, itemsPath, tt.from, tt.to)
		findings := linttest.Run(t, fsys, calibrationRules(), lint.Options{}).Findings
		if n := len(findings); n < most || n > 3*most {
			t.Errorf("%s: %d findings, want about %d", tt.reason, n, most)
		}
	}
}
