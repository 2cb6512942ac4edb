package importing

import "testing"

func TestMarks(t *testing.T) {
	const negative, conditional = "negative", "conditional"
	for _, test := range []struct{ text, want, proposal string }{
		{"All inputs are validated", "", ""},
		{"No hardcoded secrets in code", negative, "The artifact is free of hardcoded secrets in code."},
		{"SEC-12: No hardcoded secrets.", negative, "The artifact is free of hardcoded secrets."},
		{"There are no broken links", negative, "The artifact is free of broken links."},
		{"Avoid using eval", negative, "The artifact is free of eval."},
		{"Don’t include real names in examples", negative, "The artifact is free of real names in examples."},
		// What the rewrite would change or make ungrammatical is left to the author.
		{"Avoid storing secrets", negative, ""},
		{"No endpoint returns a stack trace", negative, ""},
		{"No paragraph exceeds 4 sentences", negative, ""},
		{"No direct pushes allowed", negative, ""},
		{"Do not use a cache as a lock", negative, ""},
		{"Do not use pressure to end a discussion", negative, ""},
		{"Passwords are not logged", negative, ""},
		{"Passwords aren't logged", negative, ""},
		{"Do not release on Fridays", negative, ""},
		// A negation that does not make the statement negative.
		{"Not only the API but also the UI is tested", "", ""},
		{"No more than five steps", "", ""},
		{`The text says "no refunds"`, "", ""},
		{"Reviewers can see why a control did not work", "", ""},
		{"Provide another way when a user cannot hear", "", ""},
		{"Keep tests fast - slow tests don't get run", "", ""},
		{"Color is named next to signs that do not print", "", ""},
		{"No.", "", ""},

		{"If the API is public, rate limits are documented", conditional, "Rate limits are documented, or this does not apply: the API is public."},
		{"Unless the data is public, access is logged.", conditional, "Access is logged, or this applies: the data is public."},
		{"When a rollback is unsafe, a way forward is rehearsed", conditional, "A way forward is rehearsed, or this does not apply: a rollback is unsafe."},
		{"If a file is added, it has a test", conditional, ""},
		{"If you parse XML, YAML, or JSON, limit the depth", conditional, ""},
		{"If empty: show a hint", conditional, ""},
		{"Backups exist (if applicable)", conditional, ""},
		{"Errors are translated where possible", conditional, ""},
		{"Ports are closed (optional)", conditional, ""},
		{"The page shows a hint when required fields are empty", "", ""},
		{"Where is the time going? (meetings, bugs)", "", ""},
		{"The scope is as narrow as possible", "", ""},
	} {
		got, proposal := "", ""
		if test.proposal != "" {
			test.proposal = " Proposed: " + test.proposal
		}
		for _, m := range marks(test.text) {
			got, proposal = map[string]string{negativeReason: negative, conditionalReason: conditional}[m.reason], m.proposal
		}
		if got != test.want || proposal != test.proposal {
			t.Errorf("%s: got %q, proposal %q; want %q, %q", test.text, got, proposal, test.want, test.proposal)
		}
	}
}

func TestListsInLanguagesWithAnotherNo(t *testing.T) {
	for text, want := range map[string]bool{"No olvides deshabilitar el modo Debug": true, "No olvides el modo": true, "No debug mode": false, "Lists are sorted": false} {
		if got := isRomance([]item{{text: text}, {text: text}}); got != want {
			t.Errorf("%s: got %v, want %v", text, got, want)
		}
	}
	if isRomance(nil) {
		t.Error("an empty list is in no language")
	}
}
