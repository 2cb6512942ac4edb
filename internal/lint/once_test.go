package lint_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/linttest"
	"github.com/rubric-library/rubric-library/internal/lint"
)

// TestRulesShareWhatIsComputedOnce: a function is called once for each document,
// however many rules need its result, and two functions don't share one.
func TestRulesShareWhatIsComputedOnce(t *testing.T) {
	calls := map[string]int{}
	nameOf := lint.Once(func(p *lint.DocumentPass) string {
		calls["name "+p.Entry.Path]++
		return p.Root().Get("name").Text()
	})
	idOf := lint.Once(func(p *lint.DocumentPass) string {
		calls["ID "+p.Entry.Path]++
		return p.Root().Get("rubric_id").Text()
	})
	says := func(id string) *lint.Rule {
		return linttest.ToyRule(id, func(p *lint.DocumentPass) { p.ReportFile(nil, "%s of %s", nameOf(p), idOf(p)) })
	}
	fsys := linttest.Library(map[string]string{linttest.GoodPath: linttest.GoodRubric})
	report := linttest.Run(t, fsys, []*lint.Rule{says("toy-a"), says("toy-b")}, lint.Options{})
	for _, f := range report.Findings {
		if want := "Release notes of good_v1"; f.Message != want {
			t.Errorf("%s says %q, want %q", f.Rule.ID, f.Message, want)
		}
	}
	want := map[string]int{"name " + linttest.GoodPath: 1, "ID " + linttest.GoodPath: 1}
	if diff := cmp.Diff(want, calls); diff != "" || len(report.Findings) != 2 {
		t.Errorf("%d findings; calls (-want +got):\n%s", len(report.Findings), diff)
	}
}

// TestARuleKeepsWhatItNeeds: what Keep returns of a document comes to the rule's
// function for the library, and to no other.
func TestARuleKeepsWhatItNeeds(t *testing.T) {
	keeps := func(id, kept string) *lint.Rule {
		r := linttest.ToyRule(id, nil)
		r.Keep = func(p *lint.DocumentPass) any { return kept + p.Root().Get("name").Text() }
		r.Check = lint.OfLibrary(func(p *lint.LibraryPass) {
			for _, f := range p.Facts {
				p.Report(f, nil, "%s", p.KeptResult(f).(string))
			}
		})
		return r
	}
	fsys := linttest.Library(map[string]string{linttest.GoodPath: linttest.GoodRubric})
	var got []string
	for _, f := range linttest.Run(t, fsys, []*lint.Rule{keeps("toy-a", "a "), keeps("toy-b", "b ")}, lint.Options{}).Findings {
		got = append(got, f.Rule.ID+": "+f.Message)
	}
	if diff := cmp.Diff([]string{"toy-a: a Release notes", "toy-b: b Release notes"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
