package clients_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// TestWeightedVerdictsAreTheSameToAll computes verdicts with weights of any size in every
// language: all numbers are equal to the last bit.
func TestWeightedVerdictsAreTheSameToAll(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var requests []request
	var want []rubric.Verdict
	plain := 0 // verdicts that the weights do not change
	for range 2000 {
		r, scores := anyWeighted(random)
		v := must.Get(r.Verdict(scores, nil))(t)
		requests, want = append(requests, verdictOf(t, r, scores)), append(want, v)
		for i := range r.Criteria {
			r.Criteria[i].RelativeWeight = 0
		}
		if must.Get(r.Verdict(scores, nil))(t).Passed == v.Passed {
			plain++
		}
	}
	if plain > len(want)*9/10 {
		t.Errorf("the weights decide only %d of %d verdicts", len(want)-plain, len(want))
	}
	eachClient(t, func(t *testing.T, ask func(...request) []answer) {
		for i, got := range ask(requests...) {
			if diff := cmp.Diff(want[i], into[rubric.Verdict](t, got)); diff != "" {
				t.Fatalf("%v (-want +got):\n%s", requests[i], diff)
			}
		}
	})
}

// anyWeighted draws a rubric whose overall score is near its pass threshold.
func anyWeighted(random *rand.Rand) (*rubric.Rubric, map[string]float64) {
	r := &rubric.Rubric{ID: "r_v1", Scoring: rubric.Scoring{PassThreshold: 2.5 + random.Float64()}}
	scores := map[string]float64{}
	for i := range 1 + random.IntN(12) {
		weight := math.Pow(10, 15*random.Float64()-12)
		if random.IntN(3) > 0 {
			weight = float64(random.IntN(100)) / 10
		}
		c := rubric.Criterion{Name: fmt.Sprintf("c%d", i), Weight: rubric.Important, RelativeWeight: min(weight, rubric.MaxRelativeWeight), Threshold: 3}
		if random.IntN(8) == 0 {
			c.Weight, c.Threshold = rubric.Essential, 1
		}
		r.Criteria = append(r.Criteria, c)
		scores[c.Name] = math.Round(100+400*random.Float64()) / 100
	}
	return r, scores
}

func verdictOf(t *testing.T, r any, scores map[string]float64) request {
	t.Helper()
	var doc map[string]any
	must.Do(t, json.Unmarshal(must.Get(json.Marshal(r))(t), &doc))
	return request{"op": "verdict", "rubric": doc, "scores": scores, "hits": []string{}}
}

// TestWeightsThatNoRubricCanHaveAreRefused: a document that no bundle had can have any value.
func TestWeightsThatNoRubricCanHaveAreRefused(t *testing.T) {
	weights := []any{0, -1, 1000.0001, 1e300, "2", true, nil, []any{2}}
	eachClient(t, func(t *testing.T, ask func(...request) []answer) {
		var requests []request
		for _, weight := range weights {
			r := verdictOf(t, rubric.Rubric{ID: "r_v1", Criteria: []rubric.Criterion{{Name: "a", Weight: rubric.Important, Threshold: 1}}}, map[string]float64{"a": 5})
			r["rubric"].(map[string]any)["criteria"].([]any)[0].(map[string]any)["relative_weight"] = weight
			requests = append(requests, r)
		}
		for i, got := range ask(requests...) {
			if got.Error == nil || got.Error.Type != "InputError" || !got.Error.Definition {
				t.Errorf("a relative weight of %v gives %s %+v, expected an InputError of the definition", weights[i], got.Result, got.Error)
			}
		}
	})
}
