package compat

import (
	"testing"

	"github.com/rubric-library/rubric-library/internal/document/schema"
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
		{"a higher threshold and other words", []string{"pass_threshold: 3.25", "pass_threshold: 3.5", scope, "Whether it fits into a week."}, "Work that passed can now fail." + words},
	} {
		text := read(t, "rubric.yaml")
		changes := Compare(parse(t, []byte(text)), parse(t, []byte(edit(t, text, tt.edits...))))
		if got := Effect(changes); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.reason, got, tt.want)
		}
	}
	reordered := []Change{{Kind: Reordered, Class: schema.Minor, Effect: otherOrder}}
	if got := Effect(reordered); got != same+order {
		t.Errorf("criteria in another order: got %q", got)
	}
}
