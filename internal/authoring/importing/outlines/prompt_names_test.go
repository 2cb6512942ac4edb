package outlines

import (
	"strings"
	"testing"
)

func TestNamesOfPrompts(t *testing.T) {
	for _, test := range []struct{ names, want string }{
		{"CLARITY_PROMPT", "clarity"}, {"template JUDGE_PROMPT", "judge prompt"}, {"template tone_of_voice", "tone of voice"}, {"", ""},
		{"system harmlessness JUDGES", "harmlessness"},
	} {
		if got := promptName(strings.Fields(test.names)); got != test.want {
			t.Errorf("%s: got %q, want %q", test.names, got, test.want)
		}
	}
}
