package serve

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
	"github.com/rubric-library/rubric-library/internal/dev/documenttest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document/jsontext"
	"github.com/rubric-library/rubric-library/internal/release/conformance"
)

// vector is a conformance vector of any file.
type vector struct {
	Name    string
	Rubric  map[string]any
	RuleSet map[string]any
	Text    string
	Scores  json.RawMessage
	Hits    []string
	Phase   string
	Results map[string]map[string]string
	Result  any
	Error   any
}

// TestConformanceVectors sends the vectors for verdicts, hits, and rule scores to a library
// that contains their documents. Those that no bundle can contain are left out.
func TestConformanceVectors(t *testing.T) {
	l := bundletest.Library{Verifiable: true}
	type call struct {
		vector
		target, body, key string
	}
	var calls []call
	left := map[string]int{}
	for file, of := range map[string]func(v *vector) (path, key string, body any){
		"verdict": func(v *vector) (string, string, any) {
			return "verdict", "", map[string]any{"scores": v.Scores, "hits": append([]string{}, v.Hits...)}
		},
		"hits": func(v *vector) (string, string, any) { return "hits", "hits", map[string]any{"text": v.Text} },
		"rule_score": func(v *vector) (string, string, any) {
			verdicts := []map[string]string{}
			for rule, r := range v.Results {
				r["rule"] = rule
				verdicts = append(verdicts, r)
			}
			return "score", "", map[string]any{"phase": v.Phase, "verdicts": verdicts}
		},
	} {
		var vectors struct{ Vectors []vector }
		must.Do(t, json.Unmarshal(conformance.Files()["conformance/"+file+".json"], &vectors))
		for i, v := range vectors.Vectors {
			id := fmt.Sprintf("%s_%d_v1", file, i)
			path, key, body := of(&v)
			text := documentOf(t, id, v)
			if text == "" {
				left[file]++
				continue
			}
			encoded := must.Get(jsontext.Encode(body, "", ""))(t)
			l.Documents = append(l.Documents, text)
			calls = append(calls, call{v, "/v1/documents/" + id + "/" + path, string(encoded), key})
		}
	}
	t.Logf("%d vectors are sent; left out, because no bundle can contain their documents: %v", len(calls), left)
	if len(calls) < 110 {
		t.Errorf("only %d vectors are sent", len(calls))
	}
	s := start(t, l)
	for _, c := range calls {
		a := s.send("POST", c.target, c.body)
		if c.Error != nil {
			if a.StatusCode != http.StatusUnprocessableEntity {
				t.Errorf("%s: %s, want an error\n%s", c.Name, a.Status, a.body)
			}
			continue
		}
		got := decoded[map[string]any](s, a)
		delete(got, "reference")
		var result any = got
		if c.key != "" {
			result = got[c.key]
		}
		if diff := cmp.Diff(c.Result, result); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.Name, diff)
		}
	}
}

// documentOf returns the document of a vector under its own ID, or "" if it can't be in a
// bundle.
func documentOf(t *testing.T, id string, v vector) string {
	t.Helper()
	d := v.Rubric
	if d == nil {
		d = v.RuleSet
		d["ruleset_id"] = id
	} else {
		d["rubric_id"] = id
	}
	if refusal, _ := v.Error.(map[string]any); refusal["definition"] == true {
		return ""
	}
	return string(documenttest.JSON(d))
}
