package rules

import (
	"bytes"
	"cmp"
	"slices"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/linttest"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
)

// checkUntouched makes sure that a change is its edits and nothing else.
func checkUntouched(t testing.TB, c lint.FileChange) {
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
	for _, mistake := range corpusCases(t) {
		report := runCase(t, &mistake, rulesOf(&mistake))
		changes, after := linttest.ApplyFixes(t, mistake.Files, report)
		for _, c := range changes {
			checkUntouched(t, c)
		}
		corrected := mistake
		corrected.Files = after
		left := runCase(t, &corrected, rulesOf(&mistake))
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
				t.Errorf("%s: the fix does not fix %s: %s", mistake.Name, f.Rule.ID, f.Message)
			}
		}
		if len(left.Findings) > len(report.Findings) {
			t.Errorf("%s: after the fix more is found:\n%s", mistake.Name, goldenOf(after, left.Findings, true))
		}
		if again, _ := linttest.ApplyFixes(t, after, left); len(again) > 0 {
			t.Errorf("%s: fixing again changes it again: %s", mistake.Name, again[0].Fixes[0].Message)
		}
	}
	for _, r := range All() {
		if fixed[r.ID] != r.Fixable && !lint.Checks[lint.OfHistory](r) {
			t.Errorf("lint rule %s: fixable %t, fixed in the corpus %t", r.ID, r.Fixable, fixed[r.ID])
		}
	}
}
