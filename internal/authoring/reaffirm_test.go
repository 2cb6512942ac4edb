package authoring

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReaffirmationKeepsTheStyle shows where the entry goes and how it is written:
// {} in a text is the digest of the rubric's words.
func TestReaffirmationKeepsTheStyle(t *testing.T) {
	const rubric = "rubric_id: x_v1\nname: X\nversion: 1.0.0\nartifact_type: prd\ncalibration_dataset: calibration/x\n" +
		"criteria: [{name: a, description: d, weight: essential, threshold: 3, anchors: {1: a, 2: b, 3: c, 4: d, 5: e}, examples: {score_1: a, score_5: b}}]\n"
	old := "sha256:" + strings.Repeat("0", 64)
	other := "sha256:" + strings.Repeat("1", 64)
	head := "applies_to: [x_v1]\nlabeled_by: people\nmethod: m\nlicense: l\ncriteria:\n  - name: a\n    digest: " + old + "\n"
	entry := func(digest, reason string) string {
		return "  - criterion: a\n    digest: " + digest + "\n    date: \"2026-11-22\"\n    reason: " + reason + "\n"
	}
	elsewhere := strings.ReplaceAll(entry(other, "Kept."), "criterion: a", "criterion: b")
	crlf := func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }
	tests := []struct {
		reason, before, want string
	}{
		{"a new list", head, head + "reaffirmed:\n" + entry("{}", `"It's \"so\": #1."`)},
		{"line ends of the file", crlf(head), crlf(head + "reaffirmed:\n" + entry("{}", `"It's \"so\": #1."`))},
		{"an empty list", head + "reaffirmed: []\n", head + "reaffirmed:\n  - {criterion: \"a\", digest: \"{}\", date: \"2026-11-22\", reason: \"It's \\\"so\\\": #1.\"}\n"},
		{"entries of other criteria stay", head + "reaffirmed:\n" + elsewhere, head + "reaffirmed:\n" + elsewhere + entry("{}", `"It's \"so\": #1."`)},
		{"an entry for a text that is gone stays", head + "reaffirmed:\n" + entry(other, "Old.") + elsewhere, head + "reaffirmed:\n" + entry(other, "Old.") + elsewhere + entry("{}", `"It's \"so\": #1."`)},
		{
			"in brackets",
			`{"applies_to": ["x_v1"], "labeled_by": "people", "method": "m", "license": "l", "criteria": [{"name": "a", "digest": "` + old + `"}]}`,
			`{"applies_to": ["x_v1"], "labeled_by": "people", "method": "m", "license": "l", "criteria": [{"name": "a", "digest": "` + old + `"}], ` +
				`"reaffirmed": [{"criterion": "a", "digest": "{}", "date": "2026-11-22", "reason": "It's \"so\": #1."}]}`,
		},
		{
			"an old one in brackets",
			head + `reaffirmed: [{criterion: a, digest: "` + other + `", date: "2026-01-01", reason: "Old."}, {criterion: b, digest: "` + other + `", date: "2026-01-01", reason: "Kept."}]` + "\n",
			head + `reaffirmed: [{criterion: a, digest: "` + other + `", date: "2026-01-01", reason: "Old."}, {criterion: b, digest: "` + other + `", date: "2026-01-01", reason: "Kept."}, {criterion: "a", digest: "{}", date: "2026-11-22", reason: "It's \"so\": #1."}]` + "\n",
		},
	}
	for _, tt := range tests {
		r, err := library(t, map[string]string{"rubrics/prd/x_v1.yaml": rubric, "calibration/x/dataset.yaml": tt.before}).Reaffirm("x")
		if err != nil {
			t.Fatalf("%s: %v", tt.reason, err)
		}
		e, err := r.Edit(`It's "so": #1.`, "2026-11-22")
		if err != nil {
			t.Errorf("%s: %v", tt.reason, err)
			continue
		}
		if diff := cmp.Diff(strings.ReplaceAll(tt.want, "{}", r.stale[0].Digest), string(e.Files[0].After)); diff != "" {
			t.Errorf("%s:\n%s", tt.reason, diff)
		}
	}
}
