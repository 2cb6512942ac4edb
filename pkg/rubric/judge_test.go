package rubric_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// judged has a value in every field that a judge must not see.
func judged() *rubric.Rubric {
	return &rubric.Rubric{
		ID: "story_v1", Name: "hidden", Version: "1.2.0", Description: "hidden", ArtifactType: "hidden",
		Criteria: []rubric.Criterion{
			{
				Name: "testable", Description: "Can be tested.", Weight: rubric.Essential, Threshold: 4,
				Anchors:  rubric.Anchors{"None", "Few", "Some", "Most", "All <&>"},
				Examples: rubric.Examples{Score1: "Better.", Score5: "In 2 s."},
			},
			{Name: "clear", Weight: rubric.Important, Examples: rubric.Examples{Score3: "Middle."}},
		},
		NegativeCriteria: []rubric.NegativeCriterion{{Name: "hidden", FailPatterns: []string{"hidden"}}},
		Scoring:          rubric.Scoring{PassThreshold: 3.5}, Metadata: map[string]string{"hidden": "hidden"},
	}
}

func TestJudgeView(t *testing.T) {
	view := judged().JudgeView()
	// The canonical JSON of the words: sorted keys, no spaces, and no escaped <, &, or >.
	const words = `{"criteria":[{"anchors":{"1":"None","2":"Few","3":"Some","4":"Most","5":"All <&>"},` +
		`"description":"Can be tested.","examples":{"score_1":"Better.","score_5":"In 2 s."},"name":"testable"},` +
		`{"anchors":{"1":"","2":"","3":"","4":"","5":""},"description":"",` +
		`"examples":{"score_1":"","score_3":"Middle.","score_5":""},"name":"clear"}]}`
	if want := fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(words))); view.Digest != want {
		t.Errorf("digest %s, want %s", view.Digest, want)
	}
	view.Digest = "as above"
	data := must.Get(json.Marshal(view))(t)
	same(t, data, `{"id": "story_v1", "version": "1.2.0", "digest": "as above", "criteria": [
		{"name": "testable", "description": "Can be tested.",
		 "anchors": {"1": "None", "2": "Few", "3": "Some", "4": "Most", "5": "All <&>"},
		 "examples": {"score_1": "Better.", "score_5": "In 2 s."}},
		{"name": "clear", "description": "", "anchors": {"1": "", "2": "", "3": "", "4": "", "5": ""},
		 "examples": {"score_1": "", "score_3": "Middle.", "score_5": ""}}]}`)
}

func TestAnswerSchema(t *testing.T) {
	schema := judged().AnswerSchema()
	const criterion = `{"type": "object", "additionalProperties": false, "required": ["reason", "score"], "properties": {
		"reason": {"type": "string"}, "score": {"type": "integer", "minimum": 1, "maximum": 5}}}`
	same(t, schema, `{"type": "object", "additionalProperties": false, "required": ["criteria"], "properties": {"criteria": {
		"type": "object", "additionalProperties": false, "required": ["testable", "clear"],
		"properties": {"testable": `+criterion+`, "clear": `+criterion+`}}}}`)
	if !strings.Contains(string(schema), `{"testable":{"type":"object","properties":{"reason":{"type":"string"},"score":`) {
		t.Errorf("the criteria, or reason and score, are not in order:\n%s", schema)
	}
}

// same compares JSON texts.
func same(t *testing.T, got []byte, want string) {
	t.Helper()
	var a, b any
	if err := json.Unmarshal(got, &a); err != nil {
		t.Fatalf("%v\n%s", err, got)
	}
	must.Do(t, json.Unmarshal([]byte(want), &b))
	if diff := cmp.Diff(b, a); diff != "" {
		t.Error(diff)
	}
}
