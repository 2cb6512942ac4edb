package holdings

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/dev/documenttest"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

func TestMayHaveNeverMissesAnID(t *testing.T) {
	tests := []struct {
		reason, text string
		want         bool
	}{
		{"a plain ID", "rubric_id: a_v1\n", true},
		{"in quotes", "rubric_id: \"a_v1\"\n", true},
		{"as JSON", `{"name": "x", "rubric_id":"a_v1"}`, true},
		{"of a rule set", "ruleset_id: 'a_v1'", true},
		{"another ID", "rubric_id: b_v1\n", false},
		{"a longer ID", "rubric_id: a_v12\n", false},
		{"a comment before it", "# rubric_id: b_v1\nrubric_id: a_v1\n", true},
		{"an ID with an escape", "rubric_id: \"\\u0061_v1\"\n", true},
		{"a key with an escape", "\"rubric\\u005fid\": a_v1\n", true},
		{"a value on the next line", "rubric_id:\n  a_v1\n", true},
		{"nothing at all", "", true},
	}
	for _, tt := range tests {
		if got := mayHave([]byte(tt.text), map[string]bool{"a_v1": true}); got != tt.want {
			t.Errorf("%s: %t, want %t", tt.reason, got, tt.want)
		}
	}
}

func TestMayHaveAgreesWithTheParser(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		doc := documenttest.Any(&document.Rubric).Draw(t, "rubric")
		shuffle := func(keys []string) { copy(keys, rapid.Permutation(keys).Draw(t, "keys")) }
		data := documenttest.YAML(doc, shuffle, func() int { return rapid.IntRange(0, 2).Draw(t, "style") })
		id := document.Parse(source.NewFile("x", data)).ID()
		if !mayHave(data, map[string]bool{id: true}) {
			t.Fatalf("%s is missed in\n%s", id, data)
		}
	})
}
