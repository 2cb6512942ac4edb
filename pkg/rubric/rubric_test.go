package rubric_test

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// full is testdata/full.json, a canonical document that has every key.
func full() *rubric.Rubric {
	return &rubric.Rubric{
		ID:           "release_note_quality_v2",
		Name:         "Release note quality",
		Version:      "2.1.0",
		ArtifactType: "release_notes",
		Description:  "Scores the note of one release.",
		Criteria: []rubric.Criterion{{
			Name: "clarity", Description: "A user understands what changed", Weight: rubric.Essential, RelativeWeight: 2.5, Threshold: 3.5,
			Anchors: rubric.Anchors{
				"Lists commit hashes", "Names modules only", "Names features",
				"Says what users can do now", "Says what users can do now and must do",
			},
			Examples: rubric.Examples{
				Score1: "a1b2c3", Score3: "Better export", Score5: "Reports can be exported as CSV; nothing to do.",
			},
		}, {
			Name: "brevity", Description: "It has no more than it needs", Weight: rubric.Important, Threshold: 3,
			Anchors:  rubric.Anchors{"Over two pages", "Two pages", "One page", "Half a page", "Five lines"},
			Examples: rubric.Examples{Score1: "(two pages)", Score5: "(five lines)"},
		}},
		NegativeCriteria: []rubric.NegativeCriterion{{
			Name: "no_vague_language", Description: "Says what, not that",
			FailPatterns: []string{"various", "and so on"}, IgnoreCase: true, Effect: rubric.EffectReport,
			FailExamples: []string{"Various fixes"}, PassExamples: []string{"Three fixes"},
		}, {
			Name: "no_blame", FailPatterns: []string{"fault of"},
		}},
		Scoring:            rubric.Scoring{PassThreshold: 3.5, EssentialMinimum: 3},
		CalibrationDataset: "https://example.org/release-notes.jsonl",
		Language:           "en-GB",
		Deprecated:         &rubric.Deprecation{Reason: "Split in two", ReplacedBy: "release_note_clarity_v1"},
		Metadata:           map[string]string{"owner": "docs", "ticket": "DOC-12"},
	}
}

func TestDecodeCanonicalJSON(t *testing.T) {
	data := must.Get(os.ReadFile("testdata/full.json"))(t)
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	var got rubric.Rubric
	if err := decoder.Decode(&got); err != nil {
		t.Fatalf("the model lacks a key of the schema: %v", err)
	}
	if diff := cmp.Diff(full(), &got); diff != "" {
		t.Errorf("decoded rubric (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(generic(t, data), generic(t, encode(t, got))); diff != "" {
		t.Errorf("encoded again (-want +got):\n%s", diff)
	}
}

func TestEncodeLeavesOutWhatIsNotSet(t *testing.T) {
	r := rubric.Rubric{
		ID: "r_v1", Name: "R", Version: "1.0.0", ArtifactType: "prd",
		Criteria: []rubric.Criterion{{
			Name: "c", Description: "d", Weight: rubric.Essential, Threshold: 3,
			Anchors:  rubric.Anchors{"a", "b", "c", "d", "e"},
			Examples: rubric.Examples{Score1: "x", Score5: "y"},
		}},
		NegativeCriteria: []rubric.NegativeCriterion{{Name: "n", FailPatterns: []string{"p"}}},
	}
	const want = `{"rubric_id":"r_v1","name":"R","version":"1.0.0","artifact_type":"prd",` +
		`"criteria":[{"name":"c","description":"d","weight":"essential","threshold":3,` +
		`"anchors":{"1":"a","2":"b","3":"c","4":"d","5":"e"},"examples":{"score_1":"x","score_5":"y"}}],` +
		`"negative_criteria":[{"name":"n","fail_patterns":["p"]}]}`
	if diff := cmp.Diff(want, string(encode(t, r))); diff != "" {
		t.Errorf("JSON (-want +got):\n%s", diff)
	}
}

func TestRubricRoundTripsThroughJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := anyRubric().Draw(t, "rubric")
		data := must.Get(json.Marshal(want))(t)
		var got rubric.Rubric
		if err := json.Unmarshal(data, &got); err != nil {
			t.Fatalf("%v in %s", err, data)
		}
		if diff := cmp.Diff(want, &got); diff != "" {
			t.Fatalf("after a round trip (-want +got):\n%s", diff)
		}
	})
}

func encode(t *testing.T, value any) []byte {
	t.Helper()
	return must.Get(json.Marshal(value))(t)
}

func generic(t *testing.T, data []byte) any {
	t.Helper()
	var value any
	must.Do(t, json.Unmarshal(data, &value))
	return value
}
