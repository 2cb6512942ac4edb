package ruleset_test

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// full is testdata/full.json, a canonical document that has every key.
func full() *ruleset.RuleSet {
	return &ruleset.RuleSet{
		ID:           "rest_api_design_v1",
		Name:         "REST API design",
		Version:      "1.2.0",
		ArtifactType: "api_design",
		Description:  "The base template for API designs.",
		Scoring:      ruleset.Scoring{PassThreshold: 0.8},
		Rules: []ruleset.Rule{{
			ID: "a.correctness.endpoints", Description: "All endpoints are present",
			Severity: ruleset.SeverityFail, Weight: 2, Phase: ruleset.PhaseA,
			Check: "Find each endpoint of the task",
			Checks: []ruleset.Check{
				{
					Type: ruleset.CheckContent, Pattern: "^get /", IgnoreCase: true, Multiline: true,
					MinCount: new(2), MaxCount: new(9),
				},
				{Type: ruleset.CheckContent, Literal: "TODO", Expect: ruleset.ExpectAbsent},
				{Type: ruleset.CheckExecutable, Command: []string{"spectral", "lint", "artifact.md"}},
			},
		}, {
			ID: "b.style.naming", Description: "Names are consistent",
			Severity: ruleset.SeverityWarn, Weight: 1.5, Phase: ruleset.PhaseB,
			Check: "Compare the names",
		}, {
			ID: "a.style.length", Description: "Length is noted",
			Severity: ruleset.SeverityInfo, Phase: ruleset.PhaseA,
			Check: "Count the words",
		}},
		Language:   "en-GB",
		Deprecated: &ruleset.Deprecation{Reason: "Split in two", ReplacedBy: "rest_api_v1"},
		Metadata:   map[string]string{"owner": "platform"},
	}
}

func TestDecodeCanonicalJSON(t *testing.T) {
	data := must.Get(os.ReadFile("testdata/full.json"))(t)
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	var got ruleset.RuleSet
	if err := decoder.Decode(&got); err != nil {
		t.Fatalf("the model lacks a key of the schema: %v", err)
	}
	if diff := cmp.Diff(full(), &got); diff != "" {
		t.Errorf("decoded rule set (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(generic(t, data), generic(t, encode(t, got))); diff != "" {
		t.Errorf("encoded again (-want +got):\n%s", diff)
	}
}

func TestRuleSetRoundTripsThroughJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := anyRuleSet().Draw(t, "rule set")
		data := must.Get(json.Marshal(want))(t)
		var got ruleset.RuleSet
		if err := json.Unmarshal(data, &got); err != nil {
			t.Fatalf("%v in %s", err, data)
		}
		if diff := cmp.Diff(want, &got); diff != "" {
			t.Fatalf("after a round trip (-want +got):\n%s", diff)
		}
	})
}

func TestStandardWeight(t *testing.T) {
	for severity, want := range map[ruleset.Severity]float64{
		ruleset.SeverityFail: 2,
		ruleset.SeverityWarn: 1,
		ruleset.SeverityInfo: 0,
		"FAIL":               0, // there is no such severity
	} {
		if got := ruleset.StandardWeight(severity); got != want {
			t.Errorf("StandardWeight(%q) is %v, want %v", severity, got, want)
		}
	}
}

func TestPhaseOf(t *testing.T) {
	tests := []struct {
		reason string
		id     string
		want   ruleset.Phase // empty: none
	}{
		{"the first segment a", "a.correctness.endpoints", ruleset.PhaseA},
		{"the first segment b", "b.style.naming", ruleset.PhaseB},
		{"segments are lower case", "A.style.naming", ""},
		{"no ID", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			got, ok := ruleset.PhaseOf(tt.id)
			if got != tt.want || ok != (tt.want != "") {
				t.Errorf("PhaseOf(%q) is %q, %v, want %q", tt.id, got, ok, tt.want)
			}
		})
	}
}

func TestActive(t *testing.T) {
	tests := []struct {
		reason string
		phase  ruleset.Phase
		want   []string
	}{
		{"phase A has only its own rules, info included", ruleset.PhaseA, []string{"a.correctness.endpoints", "a.style.length"}},
		{"phase B has both, in the rule set's order", ruleset.PhaseB, []string{"a.correctness.endpoints", "b.style.naming", "a.style.length"}},
		{"an unknown phase has none, not even a rule that says the same", "C", nil},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			s := full()
			s.Rules = append(s.Rules, ruleset.Rule{ID: "c.style.case", Phase: "C"})
			var got []string
			for _, rule := range s.Active(tt.phase) {
				got = append(got, rule.ID)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("active rules (-want +got):\n%s", diff)
			}
		})
	}
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
