package lint

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// baselineRules are one of each kind that a baseline treats in its own way.
var baselineRules = []*Rule{
	{ID: "language-tag", Severity: Error},
	{ID: "no-calibration", Severity: Warning},
	{ID: "pattern-repeated", Severity: Warning},
	{ID: "not-owned", Severity: Error, Check: OfRepository(func(*RepositoryPass) {})},
	{ID: "unknown-key", Severity: Error, Unsuppressable: true},
	{ID: "version-idle", Severity: Warning, Check: OfHistory(func(*HistoryPass) {})},
}

// someBaseline draws a baseline as a library could have it.
func someBaseline(t *rapid.T, label string) *Baseline {
	b := &Baseline{counts: map[group]int{}}
	rule := rapid.SampledFrom([]string{"language-tag", "no-calibration", "pattern-repeated", "not-owned", "no-such-rule", "unknown-key"})
	id := rapid.SampledFrom([]string{"a_v1", "b_v1"})
	file := rapid.SampledFrom([]string{"calibration/x/items.jsonl", "../.github/CODEOWNERS", "\" <ü>\n\\"})
	for range rapid.IntRange(0, 8).Draw(t, label) {
		g := group{RuleID: rule.Draw(t, "rule")}
		if rapid.Bool().Draw(t, "has an ID") {
			g.ID = id.Draw(t, "id")
		} else {
			g.File = file.Draw(t, "file")
		}
		b.counts[g] = rapid.IntRange(1, 5).Draw(t, "count")
	}
	return b
}

func mustBytes(t must.T, b *Baseline) []byte {
	return must.Get(b.Bytes())(t)
}

func TestABaselineComesBackAsItWas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := someBaseline(t, "entries")
		data := mustBytes(t, b)
		again := must.Get(ParseBaseline(source.NewFile(BaselineFile, data)))(t)
		if diff := cmp.Diff(b.counts, again.counts, cmp.AllowUnexported(group{})); diff != "" {
			t.Fatalf("(-written +read):\n%s", diff)
		}
		if other := mustBytes(t, again); !bytes.Equal(data, other) {
			t.Fatalf("the same counts give other bytes:\n%s\n%s", data, other)
		}
	})
}

func TestPruningOnlyTakesAway(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, found := someBaseline(t, "entries"), someBaseline(t, "found")
		repository := rapid.Bool().Draw(t, "repository")
		pruned := b.Prune(found, baselineRules, baselineRules, repository)
		for g, n := range pruned.counts {
			if n > b.counts[g] {
				t.Fatalf("%v counts %d and counted %d", g, n, b.counts[g])
			}
			if looked := g.RuleID != "not-owned" || repository; looked && n > found.counts[g] {
				t.Fatalf("%v counts %d, of %d that are found", g, n, found.counts[g])
			}
		}
		if diff := cmp.Diff(pruned.counts, pruned.Prune(found, baselineRules, baselineRules, repository).counts, cmp.AllowUnexported(group{})); diff != "" {
			t.Fatalf("pruning twice takes more (-once +twice):\n%s", diff)
		}
	})
}

// TestNothingMoreIsHidden holds the law of the baseline: as many findings are
// hidden as all sides allow, or none of a group.
func TestNothingMoreIsHidden(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := Allowance{Own: someBaseline(t, "own")}
		if rapid.Bool().Draw(t, "has a target") {
			a.Target = someBaseline(t, "target")
		}
		var findings []Finding
		for g, n := range someBaseline(t, "found").counts {
			rule := Find(baselineRules, g.RuleID)
			if rule == nil {
				continue
			}
			for range n {
				findings = append(findings, Finding{Rule: rule, Severity: rule.Severity, ID: g.ID, Location: source.Location{File: g.File}})
			}
		}
		a.apply(findings)
		hidden, all := map[group]int{}, map[group]int{}
		for i := range findings {
			g := groupOf(&findings[i])
			all[g]++
			if findings[i].hidden {
				hidden[g]++
			}
			if findings[i].hidden && findings[i].Rule.Unsuppressable {
				t.Fatalf("%s can't be suppressed but is hidden", g.RuleID)
			}
		}
		for g, n := range hidden {
			if n != all[g] || n > a.Own.counts[g] || a.Target != nil && n > a.Target.counts[g] {
				t.Fatalf("%v: %d of %d are hidden", g, n, all[g])
			}
		}
	})
}

func TestWhatIsCounted(t *testing.T) {
	finding := func(rule string, s Severity, id, file string) Finding {
		return Finding{Rule: Find(baselineRules, rule), Severity: s, ID: id, Location: source.Location{File: file}}
	}
	b := NewBaseline([]Finding{
		finding("language-tag", Error, "a_v1", "rubrics/prd/a_v1.yaml"),
		finding("language-tag", Error, "a_v1", "rubrics/prd/a_v1.yaml"),
		finding("language-tag", Error, "No ID", "rubrics/prd/b_v1.yaml"),
		finding("no-calibration", Note, "a_v1", "rubrics/prd/a_v1.yaml"),
		finding("unknown-key", Error, "c_v1", "rubrics/prd/c_v1.yaml"),
		finding("version-idle", Warning, "a_v1", "rubrics/prd/a_v1.yaml"),
	})
	want := map[group]int{
		{RuleID: "language-tag", ID: "a_v1"}:                    2,
		{RuleID: "language-tag", File: "rubrics/prd/b_v1.yaml"}: 1,
	}
	if diff := cmp.Diff(want, b.counts, cmp.AllowUnexported(group{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if b.Len() != 3 {
		t.Errorf("Len is %d, want 3", b.Len())
	}
}

func FuzzParseBaseline(f *testing.F) {
	f.Add([]byte(`{"schema_version": 1, "findings": [{"rule": "language-tag", "id": "a_v1", "count": 2}]}`))
	f.Add([]byte(`{"schema_version": 1, "findings": [{"rule": "x", "file": "y", "count": 1.0}]}`))
	f.Add([]byte(`{"schema_version": 1, "findings": [{"rule": "x", "file": "y", "count": 1.0}, {"rule": "x", "file": "y", "count": 1}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := ParseBaseline(source.NewFile(BaselineFile, data))
		if broken := (*FileError)(nil); err != nil && (!errors.As(err, &broken) || len(broken.Problems) == 0) {
			t.Fatalf("an error without a place: %v", err)
		}
		if err != nil {
			return
		}
		for g, n := range b.counts {
			if n < 1 || (g.ID == "") == (g.File == "") {
				t.Errorf("%+v counts %d", g, n)
			}
		}
	})
}
