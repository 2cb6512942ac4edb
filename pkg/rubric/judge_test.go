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

// TestVerdictOfIsTheVerdictOfAnswerAndHits compares it with the calls that it stands for.
func TestVerdictOfIsTheVerdictOfAnswerAndHits(t *testing.T) {
	r := judged()
	r.Criteria[1].Threshold = 3
	for _, text := range []string{"nothing", "what is hidden"} {
		hits := must.Get(r.NegativeHits(text))(t)
		want := must.Get(r.Verdict(map[string]float64{"testable": 4, "clear": 5}, rubric.HitNames(hits)))(t)
		got, err := r.VerdictOf([]byte(` {"criteria": {"testable": {"reason": "", "score": 4}, "clear": {"reason": "Yes.", "score": 5.0}}} `), text)
		if diff := cmp.Diff(want, got); err != nil || diff != "" || got.Passed == (len(hits) > 0) {
			t.Errorf("%q: %v\n%s", text, err, diff)
		}
	}
	for _, c := range []struct{ reason, answer, says string }{
		{"no JSON", `{"criteria": {`, "answer schema"},
		{"two objects", `{"criteria": {}} {}`, "answer schema"},
		{"another key", `{"criteria": {}, "passed": true}`, "answer schema"},
		{"another key of a criterion", `{"criteria": {"testable": {"reason": "", "score": 4, "passed": true}}}`, "answer schema"},
		{"no reason", `{"criteria": {"testable": {"score": 4}}}`, `whole score for "testable"`},
		{"no score", `{"criteria": {"testable": {"reason": ""}}}`, `whole score for "testable"`},
		{"a part of a score", `{"criteria": {"testable": {"reason": "", "score": 4.5}}}`, `whole score for "testable"`},
		{"a score as text", `{"criteria": {"testable": {"reason": "", "score": "4"}}}`, "answer schema"},
		{"a score that is too high", `{"criteria": {"testable": {"reason": "", "score": 6}, "clear": {"reason": "", "score": 4}}}`, "expected 1 to 5"},
		{"a criterion that is missing", `{"criteria": {"testable": {"reason": "", "score": 4}}}`, `no score for "clear"`},
		{"null", `null`, `no score for "clear", "testable"`},
	} {
		if _, err := r.VerdictOf([]byte(c.answer), "nothing"); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: the error is %v, want %q", c.reason, err, c.says)
		}
	}
	if _, err := r.VerdictOf([]byte(`{"criteria": {}}`), "\xff"); err == nil || !strings.Contains(err.Error(), "UTF-8") {
		t.Errorf("a text that can't be searched gives %v", err)
	}
}
