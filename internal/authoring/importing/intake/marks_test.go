package intake

import "testing"

func TestMarks(t *testing.T) {
	const negative, conditional = "negative", "conditional"
	for _, test := range []struct{ text, want string }{
		{"All inputs are validated", ""},
		{"No hardcoded secrets in code", negative},
		{"SEC-12: No hardcoded secrets.", negative},
		{"There are no broken links", negative},
		{"Avoid using eval", negative},
		{"Don’t include real names in examples", negative},
		{"Avoid storing secrets", negative},
		{"No endpoint returns a stack trace", negative},
		{"No paragraph exceeds 4 sentences", negative},
		{"No direct pushes allowed", negative},
		{"Do not use a cache as a lock", negative},
		{"Do not use pressure to end a discussion", negative},
		{"Passwords are not logged", negative},
		{"Passwords aren't logged", negative},
		{"Do not release on Fridays", negative},
		// A negation that does not make the statement negative.
		{"Not only the API but also the UI is tested", ""},
		{"No more than five steps", ""},
		{`The text says "no refunds"`, ""},
		{"Reviewers can see why a control did not work", ""},
		{"Provide another way when a user cannot hear", ""},
		{"Keep tests fast - slow tests don't get run", ""},
		{"Color is named next to signs that do not print", ""},
		{"No.", ""},

		{"If the API is public, rate limits are documented", conditional},
		{"Unless the data is public, access is logged.", conditional},
		{"When a rollback is unsafe, a way forward is rehearsed", conditional},
		{"If a file is added, it has a test", conditional},
		{"If you parse XML, YAML, or JSON, limit the depth", conditional},
		{"If empty: show a hint", conditional},
		{"Backups exist, if applicable", conditional},
		{"The description links the ticket if provided", conditional},
		{"Docs are updated if the changes touch the API", conditional},
		{"If the changes touch the API, docs are updated", conditional},
		{"All checks pass unless the failure is known", conditional},
		{"A migration is included if this PR changes the schema", conditional},
		{"Screenshots are attached if there are changes to the UI", conditional},
		// A heading, a note in parentheses, and what the artifact describes are no conditions.
		{"When to use: the page says which plan includes the feature", ""},
		{"When not to use: the page names the limits", ""},
		{"How to undo: the steps are in order", ""},
		{"Backups exist (if applicable)", ""},
		{"Errors name the field (unless it is a secret, see below)", ""},
		{"The screen reader says no more than the label (never the ID)", ""},
		{"The form says what happens if a field is empty", ""},
		{"Errors are translated where possible", conditional},
		{"Ports are closed (optional)", conditional},
		{"The page shows a hint when required fields are empty", ""},
		{"Where is the time going? (meetings, bugs)", ""},
		{"The scope is as narrow as possible", ""},
	} {
		got := ""
		for _, reason := range marks(test.text) {
			got = map[string]string{negativeReason: negative, conditionalReason: conditional}[reason]
		}
		if got != test.want {
			t.Errorf("%s: got %q, want %q", test.text, got, test.want)
		}
	}
}

func TestListsInLanguagesWithAnotherNo(t *testing.T) {
	for text, want := range map[string]bool{"No olvides deshabilitar el modo Debug": true, "No olvides el modo": true, "No debug mode": false, "Lists are sorted": false} {
		if got := IsRomance([]Rule{{Description: text}, {Description: text}}); got != want {
			t.Errorf("%s: got %v, want %v", text, got, want)
		}
	}
	if IsRomance(nil) {
		t.Error("an empty list is in no language")
	}
}
