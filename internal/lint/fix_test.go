package lint_test

import (
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/linttest"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
)

func TestFixesOfSeveralFilesAndPlaces(t *testing.T) {
	fsys := linttest.Library(map[string]string{
		"rubrics/corpus/a.yaml": strings.NewReplacer("name: Release notes", "name: No", `"1.2.0"`, "1.2", "3.5\n", "\"3.5\"\n").Replace(linttest.Other("first_v1")),
		"rubrics/b.yml":         strings.ReplaceAll(linttest.Other("second_v1"), "\n", "\r\n"),
		linttest.GoodPath:       linttest.GoodRubric,
	})
	changes, after := linttest.ApplyFixes(t, fsys, linttest.Run(t, fsys, rules.All(), lint.Options{}))
	want := linttest.Library(map[string]string{
		"rubrics/corpus/first_v1.yaml":  strings.NewReplacer("name: Release notes", `name: "No"`).Replace(linttest.Other("first_v1")),
		"rubrics/corpus/second_v1.yaml": linttest.Other("second_v1"),
		linttest.GoodPath:               linttest.GoodRubric,
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
	fsys := linttest.Library(map[string]string{"rubrics/corpus/a.yaml": linttest.GoodRubric, "rubrics/corpus/b.yaml": linttest.GoodRubric})
	changes, after := linttest.ApplyFixes(t, fsys, linttest.Run(t, fsys, rules.All(), lint.Options{}))
	if len(changes) != 1 || changes[0].Path != "rubrics/corpus/a.yaml" || changes[0].NewPath != linttest.GoodPath {
		t.Errorf("the changes are %v, want one, of a.yaml", changes)
	}
	if again, _ := linttest.ApplyFixes(t, after, linttest.Run(t, after, rules.All(), lint.Options{})); len(again) > 0 {
		t.Errorf("fixing again renames %s, whose name is taken", again[0].Path)
	}
}

func TestFixesCountUnsavedText(t *testing.T) {
	fsys := linttest.Library(map[string]string{linttest.GoodPath: linttest.GoodRubric})
	unsaved := []byte(linttest.Changed(t, `"1.2.0"`, "1.2"))
	opts := lint.Options{Instead: map[string][]byte{linttest.GoodPath: unsaved}}
	changes, err := lint.Fixes(fsys, opts, linttest.Run(t, fsys, rules.All(), opts).Findings)
	if err != nil || len(changes) != 1 {
		t.Fatalf("one change is wanted, not %v, %v", changes, err)
	}
	if string(changes[0].Before) != string(unsaved) || string(changes[0].After) != linttest.GoodRubric {
		t.Errorf("the fix must apply to the unsaved text, got:\n%s", changes[0].After)
	}
}
