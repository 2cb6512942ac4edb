package rulesets

import (
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/linttest"
)

// vague reports whether the check of a rule with that description is found to be
// vague, in a document of that language.
func vague(t *testing.T, language, description, check string) bool {
	t.Helper()
	const path = lint.Root + "/api/api_v1.yaml"
	text := strings.NewReplacer(
		"description: Fact 0 is named.", "description: "+yamltree.Quote(description, yamltree.DoubleQuoted),
		"check: Look for fact 0.", "check: "+yamltree.Quote(check, yamltree.DoubleQuoted),
		"scoring:", "language: "+language+"\nscoring:",
	).Replace(twoRules)
	found := linttest.Brief(linttest.Run(t, linttest.Library(map[string]string{path: text}), linttest.Only(Rules, "vague-check"), lint.Options{}).Findings)
	for _, f := range found {
		if f != path+":12 vague-check" {
			t.Fatalf("%q: another finding: %s", check, f)
		}
	}
	return len(found) == 1
}

func TestVagueCheck(t *testing.T) {
	const description = "Every endpoint names its status codes."
	for _, check := range []string{
		// They say nothing at all.
		"Check it", "Check it.", "Check this!", "Verify this", "VERIFY THIS.", "Review manually", "Review it by hand, please.",
		"Make sure it is good", "Make sure that everything is fine.", "Check that it is correct", "Check that this is correct and appropriate.",
		"Ensure it's ok", "Verify that it works as expected.", "Judge whether it is good enough.", "Inspect the artifact.",
		"Check for correctness", "Evaluate the quality of it.", "Confirm that the rule is met.", "Test everything thoroughly",
		"Is it good?", "Manual review", "Needs human review.", "Manual check required", "Use your judgement.", "Peer review",
		// They are still to be written, or point nowhere.
		"TBD", "tbd.", "TODO", "n/a", "N.A.", "None", "See description", "See the description.", "As above", "Self-explanatory", "To be defined",
		"...", "-", "???", "…",
	} {
		if !vague(t, "en", description, check) {
			t.Errorf("%q is not found", check)
		}
	}
	for _, check := range []string{
		// They name what to look at or what has to be there, however shortly.
		"Check that every endpoint names its status codes.", "Look for status codes.", "Look for them below each endpoint.", "Look for it.",
		"Read the list of endpoints.", "Look at each image of the page.", "Count the headings.", "Run the tests.", "Follow each link.",
		"Compile it.", "Read it aloud.", "Check the spelling.", "Verify the signature.", "Check all links.", "Test with a screen reader.",
		"Review the diagram.", "Check that it has a title.", "Check that each has one.", "Verify that there are 3 of them.", "Is there a date?",
		"Make sure that it compiles.", "See section 3.", "Check that none is missing.", "Ensure it is signed.", "Validate it against the JSON schema.",
		"Look for TBD.", "Search the artifact for TODO; any hit fails.", "Check that the description of each endpoint is there.",
		description, "Check that the quality goals have numbers.", "Review the test plan by hand.", "Read the description.", "Open it.", "It begins with a verb.",
	} {
		if vague(t, "en", description, check) {
			t.Errorf("%q is found, and tells what to do", check)
		}
	}
}

func TestVagueWordsAreEnglishOnly(t *testing.T) {
	const description = "Jeder Endpunkt nennt seine Statuscodes."
	tests := []struct {
		language, check string
		want            bool
	}{
		{"en", "Check it.", true},
		{"en-GB", "Check it.", true},
		{"EN", "Check it.", true},
		{"enm", "Check it.", false}, // Middle English
		{"de", "Check it.", false},
		{"de", "TBD", false},
		{"de", "Prüfen.", false},
		{"de", "…", true},
	}
	for _, tt := range tests {
		if got := vague(t, tt.language, description, tt.check); got != tt.want {
			t.Errorf("%q in %s is found: %t, want %t", tt.check, tt.language, got, tt.want)
		}
	}
}
