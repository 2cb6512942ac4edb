package lint

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint/corpus"
)

// mend makes the fixes of a report: what they change, and the library after.
func mend(t testing.TB, fsys fstest.MapFS, report *Report) ([]Change, fstest.MapFS) {
	t.Helper()
	changes, err := Fixes(fsys, Options{}, report.Findings)
	if err != nil {
		t.Fatal(err)
	}
	after := maps.Clone(fsys)
	for _, c := range changes {
		if !bytes.Equal(c.Before, fsys[c.Path].Data) {
			t.Errorf("%s: the change does not begin with what stands there", c.Path)
		}
		delete(after, c.Path)
	}
	for _, c := range changes {
		if _, taken := after[c.NewPath]; taken {
			t.Errorf("%s: its new name %s is taken", c.Path, c.NewPath)
		}
		after[c.NewPath] = &fstest.MapFile{Data: c.After}
	}
	return changes, after
}

// checkUntouched makes sure that a change is its edits and nothing else.
func checkUntouched(t testing.TB, c Change) {
	t.Helper()
	var edits []source.Edit
	for _, f := range c.Fixes {
		edits = append(edits, f.Edits...)
	}
	slices.SortFunc(edits, func(a, b source.Edit) int { return cmp.Compare(a.Start, b.Start) })
	rest, at := c.After, 0
	for _, e := range edits {
		var same, edited bool
		rest, same = bytes.CutPrefix(rest, c.Before[at:e.Start])
		rest, edited = bytes.CutPrefix(rest, []byte(e.Text))
		if !same || !edited {
			t.Errorf("%s: something else than the edits was changed before byte %d", c.Path, e.End)
			return
		}
		at = e.End
	}
	if !bytes.Equal(rest, c.Before[at:]) {
		t.Errorf("%s: something was changed behind the last edit", c.Path)
	}
}

func TestFixesMendTheCorpus(t *testing.T) {
	fixed := map[string]bool{} // rules
	for _, mistake := range corpus.Cases(t) {
		report := runCase(t, &mistake, rulesOf(&mistake))
		changes, after := mend(t, mistake.Files, report)
		for _, c := range changes {
			checkUntouched(t, c)
		}
		mended := mistake
		mended.Files = after
		left := runCase(t, &mended, rulesOf(&mistake))
		still := map[string]bool{}
		for _, f := range left.Findings {
			still[f.Rule.ID+" "+f.Path] = true
		}
		for _, f := range report.Findings {
			if f.Fix == nil {
				continue
			}
			fixed[f.Rule.ID] = true
			if still[f.Rule.ID+" "+f.Path] {
				t.Errorf("%s: the fix does not mend %s: %s", mistake.Name, f.Rule.ID, f.Message)
			}
		}
		if len(left.Findings) > len(report.Findings) {
			t.Errorf("%s: after the fix more is found:\n%s", mistake.Name, golden(after, left.Findings, true))
		}
		if again, _ := mend(t, after, left); len(again) > 0 {
			t.Errorf("%s: fixing again changes it again: %s", mistake.Name, again[0].Fixes[0].Message)
		}
	}
	for _, r := range Rules() {
		if fixed[r.ID] != r.Fixable && r.History == nil {
			t.Errorf("lint rule %s: fixable %t, fixed in the corpus %t", r.ID, r.Fixable, fixed[r.ID])
		}
	}
}

func TestFixesOfSeveralFilesAndPlaces(t *testing.T) {
	fsys := library(map[string]string{
		"rubrics/corpus/a.yaml": strings.NewReplacer("name: Release notes", "name: No", `"1.2.0"`, "1.2", "3.5\n", "\"3.5\"\n").Replace(other("first_v1")),
		"rubrics/b.yml":         strings.ReplaceAll(other("second_v1"), "\n", "\r\n"),
		goodPath:                goodRubric,
	})
	changes, after := mend(t, fsys, mustRun(t, fsys, Options{}))
	want := library(map[string]string{
		"rubrics/corpus/first_v1.yaml":  strings.NewReplacer("name: Release notes", `name: "No"`).Replace(other("first_v1")),
		"rubrics/corpus/second_v1.yaml": other("second_v1"),
		goodPath:                        goodRubric,
	})
	if diff := gocmp.Diff(want, after); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(changes) != 2 {
		t.Errorf("%d files are changed, want 2", len(changes))
	}
}

// TestTwoFilesThatWantOneName: the first gets it, and the second is left alone.
func TestTwoFilesThatWantOneName(t *testing.T) {
	fsys := library(map[string]string{"rubrics/corpus/a.yaml": goodRubric, "rubrics/corpus/b.yaml": goodRubric})
	changes, after := mend(t, fsys, mustRun(t, fsys, Options{}))
	if len(changes) != 1 || changes[0].Path != "rubrics/corpus/a.yaml" || changes[0].NewPath != goodPath {
		t.Errorf("the changes are %v, want one, of a.yaml", changes)
	}
	if again, _ := mend(t, after, mustRun(t, after, Options{})); len(again) > 0 {
		t.Errorf("fixing again renames %s, whose name is taken", again[0].Path)
	}
}

func TestFixesCountUnsavedText(t *testing.T) {
	fsys := library(map[string]string{goodPath: goodRubric})
	unsaved := []byte(changed(t, `"1.2.0"`, "1.2"))
	opts := Options{Instead: map[string][]byte{goodPath: unsaved}}
	changes, err := Fixes(fsys, opts, mustRun(t, fsys, opts).Findings)
	if err != nil || len(changes) != 1 {
		t.Fatalf("one change is wanted, not %v, %v", changes, err)
	}
	if string(changes[0].Before) != string(unsaved) || string(changes[0].After) != goodRubric {
		t.Errorf("the fix has to mend the unsaved text, and makes:\n%s", changes[0].After)
	}
}
