package calibration

import (
	"fmt"
	"strings"
	"testing"
)

// TestBond: a dataset binds the words that a run was measured on, as long as its labels can grow.
func TestBond(t *testing.T) {
	const head = "applies_to: [a_v1]\nlabeled_by: people\nmethod: m\nlicense: l\ncriteria:\n  - {name: tone, digest: \"TONE\"}\n  - {name: scope, digest: \"SCOPE\"}\n"
	digest := func(letter string) string { return "sha256:" + strings.Repeat(letter, 64) }
	words := strings.NewReplacer("TONE", digest("1"), "SCOPE", digest("2"), "WHOLE", digest("a"), "OTHER", digest("b"))
	subject := &Subject{Digest: digest("a"), Criteria: map[string]string{"tone": digest("1"), "scope": digest("2")}}
	answer := func(more string) string {
		return fmt.Sprintf(`{"run":"2026-11-14","item":"i1","model":"m","date":"2026-11-14","scores":{"tone":4,"scope":4},%s}`+"\n", more)
	}
	tests := []struct {
		reason, head, answers string
		want                  bool
	}{
		{"a run on labels of these words", head, answer(`"digest":"WHOLE","items":1,"labels":{"r1":["tone","scope"]}`), true},
		{"no run", head, "", false},
		{"a run on other words", head, answer(`"digest":"OTHER","items":1,"labels":{"r1":["tone","scope"]}`), false},
		{"a run of an earlier program, on every label", head, answer(`"digest":"WHOLE"`), true},
		{"labels that the authors gave", strings.Replace(head, "people", "authors", 1), answer(`"digest":"WHOLE","items":1,"labels":{"r1":["tone"]}`), false},
		{"a run on labels of earlier words", strings.Replace(head, "TONE", "OTHER", 1), answer(`"digest":"WHOLE","items":1,"labels":{"r1":["tone","scope"]}`), false},
		{"a run of an earlier program, on a label of earlier words", strings.Replace(head, "TONE", "OTHER", 1), answer(`"digest":"WHOLE"`), false},
		{"stale labels that the run was not measured on", strings.Replace(head, "TONE", "OTHER", 1), answer(`"digest":"WHOLE","items":1,"labels":{"r1":["scope"]}`), true},
		{"labels that were reaffirmed", strings.Replace(head, "TONE", "OTHER", 1) + "reaffirmed:\n  - {criterion: tone, digest: \"TONE\", date: \"2026-11-01\", reason: A comma.}\n", answer(`"digest":"WHOLE","items":1,"labels":{"r1":["tone","scope"]}`), true},
		{"a run before the first label", head, answer(`"digest":"WHOLE","items":1`), true},
	}
	for _, tt := range tests {
		d := loaded(t, words.Replace(tt.head), `{"id":"i1","artifact":"One.","labels":{"r1":{"tone":4,"scope":4}}}`+"\n", words.Replace(tt.answers), "")
		if got := d.Bond().Binds(subject); got != tt.want {
			t.Errorf("%s: binds %v, want %v", tt.reason, got, tt.want)
		}
	}
}
