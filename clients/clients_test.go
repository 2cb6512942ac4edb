// Package clients_test tests that the clients in other languages return the same verdicts,
// hits, scores, and versions as the Go packages, and reject the same bundles.
package clients_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os/exec"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	_ "github.com/rubric-library/rubric-library/internal/dev/quick"
	"github.com/rubric-library/rubric-library/internal/release/conformance"
	"github.com/rubric-library/rubric-library/pkg/rubric"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// clients are the commands that answer requests with a client.
var clients = map[string][]string{
	"python":     {"python3", "testdata/run.py"},
	"javascript": {"node", "testdata/run.mjs"},
}

// request is a request to a client. "op" names the operation, see testdata.
type request map[string]any

// answer is a result, or an error of one of the client's types.
type answer struct {
	Result json.RawMessage `json:"result"`
	Error  *failure        `json:"error"`
}

type failure struct {
	Type         string   `json:"type"`
	Text         string   `json:"text"`
	Definition   bool     `json:"definition"`
	UnknownPhase bool     `json:"unknown_phase"`
	Missing      []string `json:"missing"`
	Unknown      []string `json:"unknown"`
	Inactive     []string `json:"inactive"`
	Invalid      []string `json:"invalid"`
	UnknownHits  []string `json:"unknown_hits"`
}

// eachClient runs a test with both clients. ask sends requests to one process and returns
// one answer for each.
func eachClient(t *testing.T, test func(t *testing.T, ask func(...request) []answer)) {
	for name, command := range clients {
		t.Run(name, func(t *testing.T) {
			program, err := exec.LookPath(command[0])
			if err != nil {
				t.Skipf("%s is not installed, so this client was not tested", command[0])
			}
			test(t, func(requests ...request) []answer { return run(t, program, command[1], requests) })
		})
	}
}

func run(t *testing.T, program, script string, requests []request) []answer {
	t.Helper()
	var in, stderr bytes.Buffer
	for _, r := range requests {
		must.Do(t, json.NewEncoder(&in).Encode(r))
	}
	cmd := exec.Command(program, script)
	cmd.Stdin, cmd.Stderr = &in, &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	var answers []answer
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var a answer
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			t.Fatalf("%v: %s", err, lines.Bytes())
		}
		answers = append(answers, a)
	}
	if len(answers) != len(requests) {
		t.Fatalf("%d answers to %d requests\n%s", len(answers), len(requests), &stderr)
	}
	return answers
}

// into decodes a result, which must exist.
func into[T any](t *testing.T, a answer) (value T) {
	t.Helper()
	if a.Error != nil {
		t.Fatalf("got the error %+v, expected a result", a.Error)
	}
	if err := json.Unmarshal(a.Result, &value); err != nil {
		t.Fatalf("%v: %s", err, a.Result)
	}
	return value
}

// vector is one vector of any file.
type vector struct {
	Name    string          `json:"name"`
	Reason  string          `json:"reason"`
	Result  json.RawMessage `json:"result"`
	Error   *failure        `json:"error"`
	request request
}

func readVectors(t *testing.T, kind string) []vector {
	t.Helper()
	var file struct {
		Vectors []json.RawMessage `json:"vectors"`
	}
	must.Do(t, json.Unmarshal(conformance.Files()["conformance/"+kind+".json"], &file))
	vectors := make([]vector, len(file.Vectors))
	for i, data := range file.Vectors {
		for _, part := range []any{&vectors[i], &vectors[i].request} {
			must.Do(t, json.Unmarshal(data, part))
		}
		vectors[i].request["op"] = kind
	}
	return vectors
}

func TestConformance(t *testing.T) {
	eachClient(t, func(t *testing.T, ask func(...request) []answer) {
		t.Run("verdict", func(t *testing.T) { checkVectors[rubric.Verdict](t, ask, "verdict") })
		t.Run("hits", func(t *testing.T) { checkVectors[[]rubric.Hit](t, ask, "hits") })
		t.Run("rule_score", func(t *testing.T) { checkVectors[ruleset.Score](t, ask, "rule_score") })
	})
}

// checkVectors compares results as values of T, in which a missing key equals a zero.
func checkVectors[T any](t *testing.T, ask func(...request) []answer, kind string) {
	vectors := readVectors(t, kind)
	requests := make([]request, len(vectors))
	for i, v := range vectors {
		requests[i] = v.request
	}
	for i, got := range ask(requests...) {
		v := vectors[i]
		t.Run(v.Name, func(t *testing.T) {
			if v.Error != nil {
				if got.Error == nil {
					t.Fatalf("%s: got %s, expected an error", v.Reason, got.Result)
				}
				want := *v.Error
				want.Type, want.Text = "InputError", got.Error.Text
				if diff := cmp.Diff(want, *got.Error, equateEmpty); diff != "" {
					t.Errorf("%s (-want +got):\n%s", v.Reason, diff)
				}
				return
			}
			if diff := cmp.Diff(into[T](t, answer{Result: v.Result}), into[T](t, got)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", v.Reason, diff)
			}
		})
	}
}

// equateEmpty treats a missing list and an empty list as equal.
var equateEmpty = cmp.FilterValues(
	func(a, b []string) bool { return len(a) == 0 && len(b) == 0 },
	cmp.Comparer(func(_, _ []string) bool { return true }),
)

// TestWhatNoVectorCanHold tests input that JSON can't express.
func TestWhatNoVectorCanHold(t *testing.T) {
	eachClient(t, func(t *testing.T, ask func(...request) []answer) {
		answers := ask(request{"op": "odd_scores"}, request{"op": "lone_surrogate"}, request{"op": "odd_arguments"})
		if got := into[int](t, answers[0]); got != 7 {
			t.Errorf("%d of 7 scores that are not finite numbers were rejected", got)
		}
		if e := answers[1].Error; e == nil || e.Type != "TextError" {
			t.Errorf("half of a surrogate pair gives %s %+v, expected a TextError", answers[1].Result, e)
		}
		// Without hits, with hits that are none, with scores that are none, and without a rubric.
		raised := into[[]string](t, answers[2])
		if len(raised) != 15 || slices.ContainsFunc(raised, func(what string) bool { return what != "InputError" }) {
			t.Errorf("calls with other arguments end with %q, expected 15 times InputError", raised)
		}
	})
}
