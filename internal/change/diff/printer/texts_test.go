package printer

import (
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/change/compat"
	"github.com/rubric-library/rubric-library/internal/change/diff"
)

func TestTextsAreShownThatMessagesDoNotSay(t *testing.T) {
	long := strings.Repeat("x", 100)
	tests := []struct {
		reason        string
		change        compat.MeaningChange
		before, after string
		ok            bool
	}{
		{"a message says numbers", compat.MeaningChange{Kind: "raised", Base: &compat.Value{Text: "3.0"}, Head: &compat.Value{Text: "3.5"}, Message: "Raises it from 3.0 to 3.5."}, "3.0", "3.5", false},
		{"a message says short texts in quotes", compat.MeaningChange{Kind: "changed", Base: &compat.Value{Text: "a\\b"}, Head: &compat.Value{Text: "c"}, Message: `Changes it from "a\\b" to "c".`}, `a\b`, "c", false},
		{"a message cuts long texts", compat.MeaningChange{Kind: "added", Head: &compat.Value{Text: long}, Message: `Adds the pattern "` + long[:60] + `…".`}, "", long, true},
		{"reworded texts are always shown", compat.MeaningChange{Kind: "reworded", Base: &compat.Value{Text: "Rewords"}, Head: &compat.Value{Text: "it"}, Message: "Rewords it."}, "Rewords", "it", true},
		{"levels are shown by level", compat.MeaningChange{Kind: "replaced", Base: &compat.Value{Text: `{"1":"a","2":"b\n"}`}, Head: &compat.Value{Text: `{"1":"c"}`}}, "1: a\n2: b\n", "1: c\n", true},
		{"a text that moved is the same", compat.MeaningChange{Kind: "moved", Base: &compat.Value{Text: "a"}, Head: &compat.Value{Text: "a"}}, "", "", false},
		{"what can't be read has none", compat.MeaningChange{Kind: diff.Unreadable, Head: &compat.Value{}}, "", "", false},
	}
	for _, tt := range tests {
		before, after, ok := textsOf(&tt.change)
		if before != tt.before || after != tt.after || ok != tt.ok {
			t.Errorf("%s: textsOf = %q, %q, %v; want %q, %q, %v", tt.reason, before, after, ok, tt.before, tt.after, tt.ok)
		}
	}
}
