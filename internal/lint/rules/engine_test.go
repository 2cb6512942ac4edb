package rules

import (
	"fmt"
	"io/fs"
	"runtime"
	"testing"
	"testing/fstest"

	"github.com/rubric-library/rubric-library/internal/dev/linttest"
	"github.com/rubric-library/rubric-library/internal/lint"
)

func TestNothingIsFoundInAGoodRubric(t *testing.T) {
	report := linttest.Run(t, linttest.Library(map[string]string{linttest.GoodPath: linttest.GoodRubric}), All(), lint.Options{})
	for _, f := range report.Findings {
		if f.Severity > lint.Note {
			t.Errorf("%s is found: %s", f.Rule.ID, f.Message)
		}
	}
}

// brokenLibrary is all single documents of the corpus in one library.
func brokenLibrary(t testing.TB) fstest.MapFS {
	t.Helper()
	fsys := fstest.MapFS{}
	for i, c := range corpusCases(t) {
		if c.Single {
			fsys[fmt.Sprintf("%s/corpus/b%d.yaml", lint.Root, i)] = c.Files[corpusPath]
		}
	}
	return fsys
}

func TestFindingsAreTheSameOnAnyNumberOfProcessors(t *testing.T) {
	fsys := brokenLibrary(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	want := linttest.Run(t, fsys, All(), lint.Options{})
	for _, processors := range []int{2, 16} {
		runtime.GOMAXPROCS(processors)
		got := linttest.Run(t, fsys, All(), lint.Options{})
		if goldenOf(fsys, want.Findings, true) != goldenOf(fsys, got.Findings, true) || want.Summary != got.Summary {
			t.Errorf("%d processors find something else than one", processors)
		}
	}
}

func TestAReportIsSortedAndFreeOfRepetitions(t *testing.T) {
	report := linttest.Run(t, brokenLibrary(t), All(), lint.Options{})
	prints := map[string]bool{}
	for i, f := range report.Findings {
		if prints[f.Fingerprint] {
			t.Errorf("%s:%d: the fingerprint of %s appears twice", f.File, f.Start.Line, f.Rule.ID)
		}
		prints[f.Fingerprint] = true
		if i == 0 {
			continue
		}
		before := report.Findings[i-1]
		key := func(f lint.Finding) string {
			return fmt.Sprintf("%s\x00%08d %08d %s %s %s", f.File, f.Start.Line, f.Start.Column, f.Rule.ID, f.Path, f.Message)
		}
		if key(before) >= key(f) {
			t.Errorf("%s is before %s", key(before), key(f))
		}
	}
}

// messagesOf returns the messages of a rule on a library, with their pointers.
func messagesOf(t testing.TB, fsys fs.FS, rules []*lint.Rule, id string) []string {
	t.Helper()
	var out []string
	for _, f := range linttest.Run(t, fsys, linttest.Only(rules, id), lint.Options{}).Findings {
		out = append(out, f.Pointer+" "+f.Message)
	}
	return out
}
