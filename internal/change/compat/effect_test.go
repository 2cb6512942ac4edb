package compat

import (
	"regexp"
	"testing"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/text/textdiff"
)

func TestEffectOfAllChanges(t *testing.T) {
	const (
		same   = "From the same scores, nothing that passed can fail."
		looser = "From the same scores, nothing that passed can fail, but work that failed can pass."
		words  = " A judge reads other words, so the same work can get other scores."
		order  = " A judge reads another order, so the same work can get other scores."
	)
	const clarity, scope = "Whether the goal is named.", "Whether it fits into one week."
	for _, tt := range []struct {
		reason string
		edits  []string
		want   string
	}{
		{"nothing changed", nil, ""},
		{"only the name", []string{"Story quality", "Stories"}, "Verdicts stay the same, and a judge reads the same words."},
		{"other words", []string{clarity, "Whether a goal is named."}, same + words},
		{"another order", []string{"examples: [\"Names, etc.\", \"Names and so on\"]", "examples: [\"Names and so on\", \"Names, etc.\"]"}, "Verdicts stay the same, and a judge reads the same words."},
		{"a lower threshold", []string{"pass_threshold: 3.25", "pass_threshold: 3.0"}, looser},
		{"a lower threshold and other words", []string{"pass_threshold: 3.25", "pass_threshold: 3.0", clarity, "Whether a goal is named."}, looser + words},
		{"only what is reported", []string{"[BTW]", "[BTW, FYI]"}, same},
		{"a higher threshold", []string{"pass_threshold: 3.25", "pass_threshold: 3.5"}, "Work that passed can now fail."},
		{"a higher and a lower minimum", []string{"threshold: 3.5", "threshold: 4.0", "pass_threshold: 3.25", "pass_threshold: 3.0"}, "Work that passed can now fail, and work that failed can now pass."},
		{"another hit that fails", []string{"[assume]", "[assume, guess]"}, "Work that passed can now fail."},
		{"another ID", []string{"story_quality_v1", "stories_v1"}, "Consumers that ask for the old ID no longer find it."},
		{"another ID, and a lower threshold", []string{"story_quality_v1", "stories_v1", "pass_threshold: 3.25", "pass_threshold: 3.0"}, "Work that failed can now pass. Consumers that ask for the old ID no longer find it."},
		{"another type", []string{"jira_tickets", "tickets"}, "A search for the old artifact type no longer finds the document."},
		{"a criterion with another name", []string{"name: tone", "name: politeness"}, "A score under the old name is no longer accepted."},
		{"a higher threshold and other words", []string{"pass_threshold: 3.25", "pass_threshold: 3.5", scope, "Whether it fits into a week."}, "Work that passed can now fail." + words},
	} {
		text := read(t, "rubric.yaml")
		changes := Compare(parse(t, []byte(text)), parse(t, []byte(edit(t, text, tt.edits...))))
		if got := Effect(changes); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.reason, got, tt.want)
		}
	}
	for key, effect := range effects {
		if got := Effect([]MeaningChange{{Class: schema.Major, Effect: effect}}); got == "" || regexp.MustCompile(`(?i)\b(what|for|on) it\b|^it `).MatchString(got) {
			t.Errorf("%s: without its change, nobody knows what %q is about", key, got)
		}
	}
	added := []MeaningChange{{Class: schema.Major, Effect: scoreNeeded}, {Class: schema.Major, Effect: scoreNeeded}, {Class: schema.Minor, Effect: canPass}}
	if got := Effect(added); got != "Work that passed can now fail, and work that failed can now pass. A new criterion needs a score." {
		t.Errorf("two criteria and a lower minimum: got %q", got)
	}
	reordered := []MeaningChange{{Kind: Reordered, Class: schema.Minor, Effect: otherOrder}}
	if got := Effect(reordered); got != same+order {
		t.Errorf("criteria in another order: got %q", got)
	}
}

func TestChangedNumbersComeFirst(t *testing.T) {
	const words = ": a judge reads other words, so the same work can get other scores."
	const levels = "      1: It needs a year.\n      2: It needs a quarter.\n      3: It needs a month.\n      4: It needs two weeks.\n      5: It needs one week.\n"
	for _, tt := range []struct {
		reason, file string
		edits        []string
		want         string // the first message
	}{
		{"a number that is new is none that changed", "ruleset.yaml",
			[]string{"Read all names.", "Read at most 3 names.", "Names are plural.", "Names are in the plural."}, `Rewords the description of "a.style.naming"` + words},
		{"an anchor", "rubric.yaml", []string{"4: It needs two weeks.", "4: It needs three weeks."}, `two became three in level 4 of "scope"` + words},
		{"a level after other texts", "rubric.yaml", []string{"Whether it fits into one week.", "Whether one week is enough.", "5: It needs one week.", "5: It needs two weeks."},
			`one became two in level 5 of "scope"` + words},
		{"all levels", "rubric.yaml", []string{levels, "      1: It takes 1 year.\n      2: It takes 1 quarter.\n      3: It takes 1 month.\n      4: It needs six weeks.\n      5: It needs five weeks.\n"},
			`Replaces all five levels of "scope", where two became six and one became five: the same score now means something else.`},
		{"a text that only people read", "rubric.yaml", []string{"Grades one story.", "Grades 2 story."}, `one became 2 in the description of the rubric: scores and verdicts stay the same.`},
	} {
		text := read(t, tt.file)
		changes := Compare(parse(t, []byte(text)), parse(t, []byte(edit(t, text, tt.edits...))))
		if changes[0].Message != tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.reason, changes[0].Message, tt.want)
		}
	}
	counted := []textdiff.Became{{From: "1", To: "2"}, {From: "3", To: "4"}, {From: "5", To: "6"}, {From: "7", To: "8"}, {From: "9", To: "10"}}
	for n, want := range map[int]string{
		0: "", 1: "1 became 2", 2: "1 became 2 and 3 became 4", 3: "1 became 2, 3 became 4, and 5 became 6",
		4: "1 became 2, 3 became 4, 5 became 6, and 1 more number changed", 5: "1 became 2, 3 became 4, 5 became 6, and 2 more numbers changed",
	} {
		if got := sayNumbers(counted[:n]); got != want {
			t.Errorf("%d numbers: got %q, want %q", n, got, want)
		}
	}
}
