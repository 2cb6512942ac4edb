package authoring

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReaffirmationKeepsTheFile shows where the entry goes: {} in a text is the digest of the rubric's words.
func TestReaffirmationKeepsTheFile(t *testing.T) {
	const rubric = "rubric_id: x_v1\nname: X\nversion: 1.0.0\nartifact_type: prd\ncalibration_dataset: calibration/x\n" +
		"criteria: [{name: a, description: d, weight: essential, threshold: 3, anchors: {1: a, 2: b, 3: c, 4: d, 5: e}, examples: {score_1: a, score_5: b}}]\n"
	old := "sha256:" + strings.Repeat("0", 64)
	other := "sha256:" + strings.Repeat("1", 64)
	head := "applies_to: [x_v1]\nlabeled_by: people\nmethod: m\nlicense: l\ncriteria:\n  - name: a\n    digest: " + old + "\n"
	entry := func(criterion, reason string) string {
		return "  - criterion: " + criterion + "\n    digest: " + other + "\n    date: \"2026-11-22\"\n    reason: " + reason + "\n"
	}
	const added = `{criterion: "a", digest: "{}", date: "2026-11-22", reason: "It's \"so\": #1."}`
	const line = "  - " + added + "\n"
	const digest = "sha256:8525723f3ca11f42bdbcd4542b3412a666ba025d167231a00bae8986125e11c4" // of the rubric's criterion
	crlf := func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }
	tests := []struct {
		reason, before, want string
	}{
		{"a new list", head, head + "\nreaffirmed:\n" + line},
		{"line ends of the file", crlf(head), crlf(head + "\nreaffirmed:\n" + line)},
		{"an empty list", head + "reaffirmed: []\n", head + "reaffirmed:\n" + line},
		{"entries of other criteria stay", head + "reaffirmed:\n" + entry("b", "Kept."), head + "reaffirmed:\n" + entry("b", "Kept.") + line},
		{
			"an entry for a text that is gone stays", head + "reaffirmed:\n" + entry("a", "Old.") + entry("b", "Kept."),
			head + "reaffirmed:\n" + entry("a", "Old.") + entry("b", "Kept.") + line,
		},
		{
			"in brackets",
			`{"applies_to": ["x_v1"], "labeled_by": "people", "method": "m", "license": "l", "criteria": [{"name": "a", "digest": "` + old + `"}]}`,
			`{"applies_to": ["x_v1"], "labeled_by": "people", "method": "m", "license": "l", "criteria": [{"name": "a", "digest": "` + old + `"}], ` +
				`reaffirmed: [` + added + `]}`,
		},
		{
			"an old one in brackets",
			head + `reaffirmed: [{criterion: a, digest: "` + other + `", date: "2026-01-01", reason: "Old."}, {criterion: b, digest: "` + other + `", date: "2026-01-01", reason: "Kept."}]` + "\n",
			head + `reaffirmed: [{criterion: a, digest: "` + other + `", date: "2026-01-01", reason: "Old."}, {criterion: b, digest: "` + other + `", date: "2026-01-01", reason: "Kept."}, ` + added + "]\n",
		},
	}
	for _, tt := range tests {
		l := library(t, map[string]string{"rubrics/prd/x_v1.yaml": rubric, "calibration/x/dataset.yaml": tt.before})
		e, err := l.Reaffirm("x", "2026-11-22", func([]string) (string, error) { return `It's "so": #1.`, nil })
		if err != nil {
			t.Errorf("%s: %v", tt.reason, err)
			continue
		}
		if diff := cmp.Diff(strings.ReplaceAll(tt.want, "{}", digest), string(e.Files[0].After)); diff != "" {
			t.Errorf("%s:\n%s", tt.reason, diff)
		}
	}
}
