package compat

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"testing"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// TestMajorChecksAreNotIdle shows for every change of a check that the table calls major how
// a rule no longer passes. A new one without an example fails.
func TestMajorChecksAreNotIdle(t *testing.T) {
	var known []string
	for _, k := range document.Kinds() {
		for _, s := range sites(t, k) {
			for _, w := range s.field.Ways() {
				if s.field.Class.ClassOf(w) == schema.Major {
					key := s.key
					if s.field.Value.Shape == schema.List {
						key += "[]"
					}
					known = append(known, key+" "+string(w))
				}
			}
		}
	}
	for _, key := range known {
		if ofChecks(key) && meant[key] == "" && len(losses[key]) == 0 {
			t.Errorf("%s is major: show how a rule no longer passes, or give it another class", key)
		}
		for i, l := range losses[key] {
			t.Run(fmt.Sprintf("%s %d", key, i), func(t *testing.T) { l.run(t, key) })
		}
	}
	for _, key := range slices.Concat(slices.Sorted(maps.Keys(losses)), slices.Sorted(maps.Keys(meant))) {
		if !slices.Contains(known, key) {
			t.Errorf("no table calls %s major", key)
		}
	}
}

func (l loss) run(t *testing.T, key string) {
	text := read(t, "ruleset.yaml")
	base, head := parse(t, []byte(edit(t, text, l.base...))), parse(t, []byte(edit(t, text, l.head...)))
	changes := Compare(base, head)
	named := slices.ContainsFunc(changes, func(c MeaningChange) bool {
		at := base.Kind.Name + " " + element.ReplaceAllString(c.Path, "[]")
		if c.Kind == Reordered {
			at += "[]"
		}
		return c.Class == schema.Major && at+" "+string(c.Kind) == key
	})
	if !named {
		t.Fatalf("the changes are %q", lines(changes))
	}
	before, after := checked(t, &base.RuleSet().Rules[0], l.text), checked(t, &head.RuleSet().Rules[0], l.text)
	if before.Verdict != ruleset.VerdictPass || after.Verdict == ruleset.VerdictPass {
		t.Errorf("before: %v; after: %v", before, after)
	}
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
