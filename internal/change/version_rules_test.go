package change

import (
	"crypto/sha256"
	"slices"
	"strings"
	"testing"

	"github.com/Masterminds/semver/v3"

	"github.com/rubric-library/rubric-library/internal/change/comparison"
	"github.com/rubric-library/rubric-library/internal/change/compat"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// situation is a document in a step. Its editions are written as a version and a text.
type situation struct {
	base, tip, head string
	added           string   // at the tip, if the changes don't count from it
	past            []string // the newest first
	ended           string   // the last version in the ledger of the target
	class           schema.Class
	step            Step // more about it

	free  bool   // no release carried the number of the head
	since string // the last version that a release carried before it
	after schema.Class
}

func editionWith(text string) *holdings.Edition {
	version, content, _ := strings.Cut(text, " ")
	return &holdings.Edition{ID: "a_v1", Version: version, Digest: text, Content: sha256.Sum256([]byte(content)), Number: semver.MustParse(version)}
}

func changesOf(class schema.Class) []compat.MeaningChange {
	if class <= schema.None {
		return nil
	}
	return []compat.MeaningChange{{Class: class, Message: "Something changed."}}
}

// of makes the situation.
func of(t situation) (*Step, *JudgedDocument) {
	d := &JudgedDocument{ChangedDocument: &comparison.ChangedDocument{ID: "a_v1", Head: editionWith(t.head), Changes: changesOf(t.class)}}
	if t.tip != "" {
		d.Tip = editionWith(t.tip)
		d.Base = d.Tip
	}
	if t.added != "" {
		d.Tip = editionWith(t.added)
	}
	if t.base != "" {
		d.Base = editionWith(t.base)
		d.Bases = []*holdings.Edition{d.Base}
	}
	s := t.step
	s.target, s.past = "main", holdings.Past{}
	s.Comparison = &comparison.Comparison{Head: &holdings.Library{Packed: t.step.Comparison != nil}, Founds: t.step.Number > 0}
	for _, text := range t.past {
		s.past["a_v1"] = append(s.past["a_v1"], editionWith(text))
	}
	if t.ended != "" {
		s.TipLedger = &holdings.Ledger{Entries: []holdings.LedgerLine{{ID: "a_v1", LastVersion: t.ended}}}
	}
	_, _ = s.readNumbers(d) // no case asks what releases carried
	if t.free {
		d.free = &freeDraft{}
	}
	if t.since != "" {
		d.free.since, d.free.changes = editionWith(t.since), changesOf(t.after)
	}
	return &s, d
}

// packed and founding are steps to a bundle, and to the first documents of a library.
var (
	packed   = Step{Comparison: &comparison.Comparison{}}
	founding = Step{Number: 1}
)

// TestFloorCases asks each case alone, and then which version the next one counts from.
func TestFloorCases(t *testing.T) {
	const tip, base = "the target has a higher version with another text", "the changes count from a text"
	tests := []struct {
		when, reason string
		given        situation
		applies      bool
		floor, base  string // what all cases decide; "" for none
	}{
		{tip, "the target moved on", situation{base: "1.0.0 a", tip: "1.1.0 b", head: "1.0.1 c"}, true, "1.1.0", "1.0.0"},
		{tip, "the target has the text of the head", situation{base: "1.0.0 a", tip: "1.1.0 b", head: "1.1.0 b"}, false, "1.0.0", "1.0.0"},
		{tip, "the target has the version of the base", situation{base: "1.0.0 a", tip: "1.0.0 b", head: "1.0.1 c"}, false, "1.0.0", "1.0.0"},
		{tip, "the target has a lower version", situation{base: "1.1.0 a", tip: "1.0.0 b", head: "1.1.1 c"}, false, "1.1.0", "1.1.0"},
		{tip, "only the target has it", situation{added: "1.2.0 b", head: "1.0.0 a"}, true, "1.2.0", ""},
		{tip, "only the target has it, with the text of the head", situation{added: "1.0.0 a", head: "1.0.0 a"}, false, "", ""},
		{tip, "the target does not have it", situation{base: "1.0.0 a", head: "1.0.1 b"}, false, "1.0.0", "1.0.0"},

		{base, "a merge base has it", situation{base: "1.0.0 a", head: "1.0.1 b", past: []string{"1.3.0 c"}}, true, "1.0.0", "1.0.0"},
		{base, "the target moved on, which counts first", situation{base: "1.0.0 a", tip: "1.1.0 b", head: "1.0.1 c"}, true, "1.1.0", "1.0.0"},
		{base, "a new document", situation{head: "1.0.0 a"}, false, "", ""},
		{base, "a document that only the history had", situation{head: "1.1.0 a", past: []string{"1.0.0 a"}}, false, "1.0.0", "1.0.0"},
		{base, "a document of which only the ledger knows", situation{head: "1.1.0 a", ended: "1.0.2"}, false, "1.0.2", "1.0.2"},
		{base, "the ledger has a higher version than the history", situation{head: "1.1.0 a", past: []string{"1.0.0 a"}, ended: "1.0.2"}, false, "1.0.2", "1.0.2"},
	}
	seen := map[string][2]bool{}
	for _, tt := range tests {
		i := slices.IndexFunc(floorCases, func(c floorCase) bool { return c.when == tt.when })
		if i < 0 {
			t.Fatalf("there is no case %q", tt.when)
		}
		_, d := of(tt.given)
		if applies := floorCases[i].is(d); applies != tt.applies {
			t.Errorf("%s: %s: applies: %t", tt.when, tt.reason, applies)
		}
		note(seen, tt.when, tt.applies)
		floor, base, before := number(d.floor), number(d.base), ""
		if d.before != nil {
			before = d.before.Version
		}
		known := tt.given.base != "" || tt.given.tip != "" || tt.given.added != ""
		if floor != tt.floor || base != tt.base || known && before != floor {
			t.Errorf("%s: %s: counts from %q of %q, and the base is %q", tt.when, tt.reason, floor, before, base)
		}
	}
	for _, c := range floorCases {
		if seen[c.when] != [2]bool{true, true} {
			t.Errorf("the case %q is not tested both ways", c.when)
		}
	}
}

func number(v *semver.Version) string {
	if v == nil {
		return ""
	}
	return v.String()
}

// note notes that a case was tested where it applies or where it does not.
func note(seen map[string][2]bool, when string, applies bool) {
	both := seen[when]
	if applies {
		both[1] = true
	} else {
		both[0] = true
	}
	seen[when] = both
}

// TestVersionCases asks each case alone, whatever the earlier ones say.
func TestVersionCases(t *testing.T) {
	skippedBy := []*holdings.Exception{{Rule: VersionSkipped, ID: "a_v1", Version: "1.2.0"}}
	tests := []struct {
		when, reason string
		given        situation
		required     string // "" if the case does not apply, or no version is written
		applies      bool
		text         string // a part of it
	}{
		{"the version is lower than before", "it is",
			situation{base: "1.1.0 a", head: "1.0.0 b", past: []string{"1.1.0 a"}, class: schema.Minor}, "1.2.0", true, "already reached 1.1.0. Versions never go down."},
		{"the version is lower than before", "a revert gets its own advice",
			situation{base: "1.1.0 b", head: "1.0.0 a", past: []string{"1.1.0 b", "1.0.0 a"}, class: schema.Minor}, "1.2.0", true, "Going back to the text of 1.0.0 is a change like any other."},
		{"the version is lower than before", "only the number changed, so the number returns",
			situation{base: "1.1.0 a", head: "1.0.0 a"}, "1.1.0", true, "Change version 1.0.0 to 1.1.0"},
		{"the version is lower than before", "a document that comes back counts from the version that it had",
			situation{head: "1.0.0 a", ended: "1.1.0"}, "1.2.0", true, "already reached 1.1.0"},
		{"the version is lower than before", "the same number is not lower", situation{base: "1.0.0 a", head: "1.0.0 b"}, "", false, ""},
		{"the version is lower than before", "nothing is before a new document", situation{head: "0.1.0 a"}, "", false, ""},

		{"the branch did not change the document", "only the target did", situation{base: "1.0.0 a", tip: "1.1.0 b", head: "1.0.0 a"}, "", true, ""},
		{"the branch did not change the document", "a new number is a change", situation{base: "1.0.0 a", head: "1.0.1 a"}, "", false, ""},
		{"the branch did not change the document", "a new text is a change", situation{base: "1.0.0 a", head: "1.0.0 b"}, "", false, ""},

		{"only the ledger knows the last version, and the version is too low after it", "the same number",
			situation{head: "1.0.0 a", ended: "1.0.0"}, "1.1.0", true, "the ledger says that it ended with version 1.0.0"},
		{"only the ledger knows the last version, and the version is too low after it", "a patch, where the texts can't be compared",
			situation{head: "1.0.1 a", ended: "1.0.0"}, "1.1.0", true, "Change version 1.0.1 to 1.1.0"},
		{"only the ledger knows the last version, and the version is too low after it", "a minor step", situation{head: "1.1.0 a", ended: "1.0.0"}, "", false, ""},
		{"only the ledger knows the last version, and the version is too low after it", "a new document", situation{head: "1.0.0 a"}, "", false, ""},

		{"the changes need a higher version", "a patch for a minor change",
			situation{base: "1.0.0 a", head: "1.0.1 b", class: schema.Minor}, "1.1.0", true, "Change version 1.0.1 to 1.1.0."},
		{"the changes need a higher version", "the target has a higher version by now",
			situation{base: "1.0.0 a", tip: "1.1.0 c", head: "1.1.0 b", class: schema.Minor}, "1.2.0", true, "(main already has 1.1.0)"},
		{"the changes need a higher version", "a draft that was released",
			situation{base: "0.1.0 a", head: "0.1.0 b", class: schema.Patch}, "0.1.1", true, "Change version 0.1.0 to 0.1.1."},
		{"the changes need a higher version", "a draft that was not released has changed too much since the one that was",
			situation{base: "0.1.1 b", head: "0.1.1 c", class: schema.Patch, free: true, since: "0.1.0 a", after: schema.Major}, "0.2.0", true, "(the changes count from 0.1.0, the last version that was released)"},
		{"the changes need a higher version", "a draft that was not released has changed as much as it may",
			situation{base: "0.2.0 b", head: "0.2.0 c", class: schema.Major, free: true, since: "0.1.0 a", after: schema.Major}, "", false, ""},
		{"the changes need a higher version", "the right step", situation{base: "1.0.0 a", head: "1.1.0 b", class: schema.Minor}, "", false, ""},
		{"the changes need a higher version", "no change", situation{base: "1.0.0 a", head: "1.0.0 a"}, "", false, ""},

		{"a draft that no release carried keeps its number", "it does", situation{base: "0.1.0 a", head: "0.1.0 b", class: schema.Major, free: true}, "", true, ""},
		{"a draft that no release carried keeps its number", "a release carried it", situation{base: "0.1.0 a", head: "0.1.0 b", class: schema.Major}, "", false, ""},
		{"a draft that no release carried keeps its number", "it is too low after the last release",
			situation{base: "0.1.1 b", head: "0.1.1 c", class: schema.Patch, free: true, since: "0.1.0 a", after: schema.Minor}, "", false, ""},

		{"another text had the version", "in the history",
			situation{base: "1.1.0 b", head: "1.2.0 c", past: []string{"1.1.0 b", "1.2.0 a"}, class: schema.Minor}, "1.3.0", true, "1.2.0 already had another text"},
		{"another text had the version", "the same text had it", situation{base: "1.0.0 a", head: "1.1.0 b", past: []string{"1.1.0 b"}, class: schema.Minor}, "", false, ""},
		{"another text had the version", "a new document has no history", situation{head: "1.0.0 a"}, "", false, ""},

		{"a bundle or the history skipped numbers, where another version would not help", "a bundle", situation{base: "1.0.0 a", head: "1.2.0 b", class: schema.Minor, step: packed}, "", true, ""},
		{"a bundle or the history skipped numbers, where another version would not help", "a commit of main", situation{base: "1.0.0 a", head: "1.2.0 b", class: schema.Minor, step: Step{OnBranch: true}}, "", true, ""},
		{"a bundle or the history skipped numbers, where another version would not help", "an exception accepts it, and would be stale otherwise",
			situation{base: "1.0.0 a", head: "1.2.0 b", class: schema.Minor, step: Step{OnBranch: true, stepExceptions: stepExceptions{counting: skippedBy}}}, "", false, ""},
		{"a bundle or the history skipped numbers, where another version would not help", "a change", situation{base: "1.0.0 a", head: "1.2.0 b", class: schema.Minor}, "", false, ""},

		{"a new document does not start at a first version", "it starts later",
			situation{head: "1.0.1 a"}, "1.0.0", true, "a new document starts at 0.1.0, as a draft, or 1.0.0."},
		{"a new document does not start at a first version", "a draft starts later", situation{head: "0.3.0 a"}, "0.1.0", true, "Change version 0.3.0 to 0.1.0"},
		{"a new document does not start at a first version", "a draft", situation{head: "0.1.0 a"}, "", false, ""},
		{"a new document does not start at a first version", "a library that comes from elsewhere", situation{head: "1.4.2 a", step: founding}, "", false, ""},
		{"a new document does not start at a first version", "a library from elsewhere that leaves no room",
			situation{head: "1.999999999.0 a", step: founding}, "1.0.0", true, "a new document starts at"},
		{"a new document does not start at a first version", "a document that is not new", situation{base: "1.0.0 a", head: "1.0.1 a"}, "", false, ""},

		{"the version does not directly follow the last one", "a number is missing",
			situation{base: "1.0.0 a", head: "1.2.0 b", class: schema.Minor}, "1.1.0", true, "the last version is 1.0.0"},
		{"the version does not directly follow the last one", "without a change, the number stays", situation{base: "1.0.0 a", head: "1.2.0 a"}, "1.0.0", true, "Change version 1.2.0 to 1.0.0"},
		{"the version does not directly follow the last one", "it follows", situation{base: "1.0.0 a", head: "2.0.0 b", class: schema.Minor}, "", false, ""},
		{"the version does not directly follow the last one", "the version existed",
			situation{base: "1.0.0 a", head: "1.2.0 b", past: []string{"1.2.0 b"}, class: schema.Minor}, "", false, ""},
		{"the version does not directly follow the last one", "a new document", situation{head: "3.0.0 a"}, "", false, ""},

		{"there is nothing before it, or it does not fit", "a new document", situation{head: "1.0.0 a"}, "", true, ""},
		{"there is nothing before it, or it does not fit", "too low", situation{base: "1.0.0 a", head: "1.0.1 b", class: schema.Minor}, "", true, ""},
		{"there is nothing before it, or it does not fit", "it went down", situation{base: "1.0.0 a", head: "0.9.0 a"}, "", true, ""},
		{"there is nothing before it, or it does not fit", "it skips numbers", situation{base: "1.0.0 a", head: "1.2.0 a"}, "", true, ""},
		{"there is nothing before it, or it does not fit", "it fits", situation{base: "1.0.0 a", head: "1.1.0 a"}, "", false, ""},

		{"a draft becomes 1.0.0", "it does", situation{base: "0.4.0 a", head: "1.0.0 a"}, "", true, ""},
		{"a draft becomes 1.0.0", "a step of a draft", situation{base: "0.4.0 a", head: "0.5.0 a"}, "", false, ""},

		{"the version had to pass one that was used", "it did", situation{base: "1.0.0 a", head: "1.2.0 a", past: []string{"1.0.0 a", "1.1.0 b"}}, "", true, ""},
		{"the version had to pass one that was used", "none was", situation{base: "1.0.0 a", head: "1.1.0 a", past: []string{"1.0.0 a"}}, "", false, ""},

		{"a version without a change", "only the number changed", situation{base: "1.0.0 a", head: "1.1.0 a"}, "", true, "Version 1.1.0 has the same content as 1.0.0."},
		{"a version without a change", "the text changed", situation{base: "1.0.0 a", head: "1.1.0 b", class: schema.Minor}, "", false, ""},

		{"a larger step than needed", "a minor step for a patch", situation{base: "1.0.0 a", head: "1.1.0 b", class: schema.Patch}, "", true, "Version 1.1.0 is a larger step than needed: 1.0.1 is enough."},
		{"a larger step than needed", "what is needed", situation{base: "1.0.0 a", head: "1.0.1 b", class: schema.Patch}, "", false, ""},
	}
	cases := append(slices.Clone(versionCases), versionRemarks...)
	seen := map[string][2]bool{} // whether a case was tested where it does not apply, and where it does
	for _, tt := range tests {
		i := slices.IndexFunc(cases, func(c versionCase) bool { return c.when == tt.when })
		if i < 0 {
			t.Fatalf("there is no case %q", tt.when)
		}
		c := cases[i]
		s, d := of(tt.given)
		applies := c.is(s, d)
		if applies != tt.applies {
			t.Errorf("%s: %s: applies: %t", tt.when, tt.reason, applies)
			continue
		}
		note(seen, tt.when, applies)
		required, text := "", ""
		if applies && c.required != nil {
			required = c.required(d).String()
		}
		if applies && c.text != nil {
			text = c.text(s, d)
		}
		if required != tt.required || !strings.Contains(text, tt.text) || (text == "") != (c.rule == "" || !applies) {
			t.Errorf("%s: %s: requires %q and says %q", tt.when, tt.reason, required, text)
		}
	}
	for _, c := range cases {
		if seen[c.when] != [2]bool{true, true} {
			t.Errorf("the case %q is not tested both ways", c.when)
		}
	}
}

// TestTheFirstCaseDecides: where several cases apply, their order says which one is reported.
func TestTheFirstCaseDecides(t *testing.T) {
	tests := []struct {
		reason string
		given  situation
		rules  string // of the verdicts
	}{
		{"a version that goes down is not also too low", situation{base: "1.1.0 a", head: "1.0.0 b", class: schema.Minor}, "version-down"},
		{"what only the target changed is not judged", situation{base: "1.0.0 a", tip: "1.1.0 b", head: "1.0.0 a", past: []string{"1.0.0 b"}}, ""},
		{"a version that is too low is not also used", situation{base: "1.0.0 a", head: "1.0.0 b", past: []string{"1.0.0 a"}, class: schema.Minor}, "version-too-low"},
		{"a draft that keeps its number is not used", situation{base: "0.1.0 a", head: "0.1.0 b", past: []string{"0.1.0 a"}, class: schema.Minor, free: true}, ""},
		{"a used version does not also skip numbers", situation{base: "1.0.0 a", head: "1.2.0 c", past: []string{"1.0.0 a", "1.2.0 b"}, class: schema.Minor}, "version-reused"},
		{"in the history, a used version is reported", situation{base: "1.0.0 a", head: "1.2.0 c", past: []string{"1.0.0 a", "1.2.0 b"}, class: schema.Minor, step: Step{OnBranch: true}}, "version-reused"},
		{"in the history, skipped numbers are not reported", situation{base: "1.0.0 a", head: "1.5.0 b", class: schema.Minor, step: Step{OnBranch: true}}, ""},
		{"a version that skips numbers is not also too large", situation{base: "1.0.0 a", head: "1.5.0 b", class: schema.Minor}, "version-skipped"},
		{"a draft that becomes 1.0.0 is no larger step than needed", situation{base: "0.1.0 a", head: "1.0.0 b", class: schema.Patch}, ""},
		{"an unchanged text that passes a used version is not idle", situation{base: "1.0.0 a", head: "1.2.0 a", past: []string{"1.0.0 a", "1.1.0 b"}}, ""},
	}
	for _, tt := range tests {
		s, d := of(tt.given)
		s.decide(d, versionCases)
		s.decide(d, versionRemarks)
		var rules []string
		for _, v := range s.Broken {
			rules = append(rules, v.Rule)
		}
		if got := strings.Join(rules, " "); got != tt.rules {
			t.Errorf("%s: got %q, want %q", tt.reason, got, tt.rules)
		}
	}
}
