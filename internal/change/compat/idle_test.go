package compat

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"testing"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/pkg/rubric"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// TestMajorIsNotIdle shows for every change that a table calls major how it
// makes a consumer lose something. A new one without an example fails.
func TestMajorIsNotIdle(t *testing.T) {
	var known []string
	for _, k := range document.Kinds() {
		for _, s := range sites(t, k) {
			for _, w := range s.field.Ways() {
				if s.field.Class.Of(w) != schema.Major {
					continue
				}
				key := s.key
				if s.field.Value.Shape == schema.List {
					key += "[]"
				}
				key += " " + string(w)
				known = append(known, key)
				if meant[key] != "" {
					continue
				}
				if len(losses[key]) == 0 {
					t.Errorf("%s is major: show what it makes a consumer lose, or give it another class", key)
				}
				for i, l := range losses[key] {
					t.Run(fmt.Sprintf("%s %d", key, i), func(t *testing.T) { l.run(t, k, key) })
				}
			}
		}
	}
	for _, key := range slices.Concat(slices.Sorted(maps.Keys(losses)), slices.Sorted(maps.Keys(meant))) {
		if !slices.Contains(known, key) {
			t.Errorf("no table calls %s major", key)
		}
	}
}

func (l loss) run(t *testing.T, k *document.Kind, key string) {
	text := read(t, fullFiles[k])
	base, head := parse(t, []byte(edit(t, text, l.base...))), parse(t, []byte(edit(t, text, l.head...)))
	changes := Compare(base, head)
	named := slices.ContainsFunc(changes, func(c Change) bool {
		at := k.Name + " " + element.ReplaceAllString(c.Path, "[]")
		if c.Kind == Reordered {
			at += "[]"
		}
		return c.Class == schema.Major && at+" "+string(c.Kind) == key
	})
	if !named {
		t.Fatalf("the changes are %q", lines(changes))
	}
	if base.ArtifactType() != head.ArtifactType() {
		return // a search for the old type does not find it
	}
	var before, after string
	if k == &document.Rubric {
		before, after = l.judge(t, base.Rubric(), base.Rubric()), l.judge(t, base.Rubric(), head.Rubric())
	} else {
		before, after = l.score(t, base.RuleSet(), base.RuleSet()), l.score(t, base.RuleSet(), head.RuleSet())
	}
	if before != passed || after == passed {
		t.Errorf("before: %s; after: %s", before, after)
	}
}

const passed = "passed"

// judge applies a rubric to what is given for the base: all 5 but the scores of
// the example, and what the patterns hit.
func (l loss) judge(t *testing.T, base, r *rubric.Rubric) string {
	scores := map[string]float64{}
	for _, c := range base.Criteria {
		scores[c.Name] = 5
	}
	maps.Copy(scores, l.scores)
	names := map[string]bool{}
	for _, hitsOf := range []*rubric.Rubric{r, base} {
		hits, err := hitsOf.NegativeHits(l.text)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range rubric.HitNames(hits) {
			names[name] = true
		}
	}
	v, err := r.Verdict(scores, slices.Sorted(maps.Keys(names)))
	switch {
	case err != nil:
		return "not accepted: " + err.Error()
	case v.Passed:
		return passed
	}
	return fmt.Sprint(v.Reasons)
}

// score applies a rule set to what is given for the rules of the base.
func (l loss) score(t *testing.T, base, s *ruleset.RuleSet) string {
	for _, phase := range []ruleset.Phase{ruleset.PhaseA, ruleset.PhaseB} {
		results := map[string]ruleset.Result{}
		for _, r := range base.Active(phase) {
			results[r.ID] = ruleset.Result{Verdict: ruleset.VerdictPass}
			if v := l.results[r.ID]; v != "" {
				results[r.ID] = ruleset.Result{Verdict: v}
			}
		}
		if first := &s.Rules[0]; l.base != nil && l.base[0] == fullChecks {
			results[first.ID] = checked(t, first, l.text)
		}
		score, err := s.Score(phase, results)
		switch {
		case err != nil:
			return "not accepted: " + err.Error()
		case !score.Passed:
			return fmt.Sprint(score.Reasons)
		}
	}
	return passed
}

// checked runs the checks of a rule. Found means as often as the counts allow.
// The only program is sorted_pair, which wants two arguments in order. A rule
// without checks is skipped: no program can tell.
func checked(t *testing.T, r *ruleset.Rule, text string) ruleset.Result {
	if len(r.Checks) == 0 {
		return ruleset.Result{Verdict: ruleset.VerdictSkipped, Reason: "no checks"}
	}
	for _, c := range r.Checks {
		ok := len(c.Command) == 3 && c.Command[0] == "sorted_pair" && c.Command[1] < c.Command[2]
		if c.Type == ruleset.CheckContent {
			n := matches(t, c, text)
			found := n >= 1
			if c.MinCount != nil {
				found = n >= *c.MinCount
			}
			if c.MaxCount != nil {
				found = found && n <= *c.MaxCount
			}
			ok = found == (c.Expect != ruleset.ExpectAbsent)
		}
		if !ok {
			return ruleset.Result{Verdict: ruleset.VerdictFail}
		}
	}
	return ruleset.Result{Verdict: ruleset.VerdictPass}
}

// matches counts in a folder with the text in a.md and an empty b.md.
func matches(t *testing.T, c ruleset.Check, text string) int {
	if len(c.Files) > 0 && !slices.Contains(c.Files, "a.md") {
		text = ""
	}
	flags := ""
	if c.IgnoreCase {
		flags += "(?i)"
	}
	if c.Multiline {
		flags += "(?m)"
	}
	pattern := c.Pattern
	if c.Literal != "" {
		pattern = regexp.QuoteMeta(c.Literal)
	}
	re, err := regexp.Compile(flags + pattern)
	if err != nil {
		t.Fatal(err)
	}
	return len(re.FindAllString(text, -1))
}
