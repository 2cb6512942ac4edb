package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/pkg/library"
	"github.com/rubric-library/rubric-library/pkg/rubric"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

var update = flag.Bool("update", false, "write the expected results anew")

// file is a file of vectors.
type file[V any] struct {
	Format int    `json:"format"`
	About  string `json:"about"`
	// Bundle has the entries of the bundle that the vectors change, without SHA256SUMS.
	Bundle  map[string]string `json:"bundle,omitempty"`
	Vectors []V               `json:"vectors"`
}

// expected is the outcome of a vector.
type expected struct {
	Result any      `json:"result,omitempty"`
	Error  *refusal `json:"error,omitempty"`
}

// refusal has the names in an input error, without the wording, which differs between
// languages.
type refusal struct {
	Definition   bool     `json:"definition,omitempty"`
	UnknownPhase bool     `json:"unknown_phase,omitempty"`
	Unsatisfied  bool     `json:"unsatisfied,omitempty"`
	Constraint   bool     `json:"constraint,omitempty"`
	NotFound     bool     `json:"not_found,omitempty"`
	Integrity    string   `json:"integrity,omitempty"`
	Retired      *retired `json:"retired,omitempty"`
	Missing      []string `json:"missing,omitempty"`
	Unknown      []string `json:"unknown,omitempty"`
	Inactive     []string `json:"inactive,omitempty"`
	Invalid      []string `json:"invalid,omitempty"`
	UnknownHits  []string `json:"unknown_hits,omitempty"`
}

type verdictVector struct {
	Name   string             `json:"name"`
	Reason string             `json:"reason"`
	Rubric *rubric.Rubric     `json:"rubric"`
	Scores map[string]float64 `json:"scores"`
	Hits   []string           `json:"hits"`
	expected
}

func (v *verdictVector) compute(t *testing.T) {
	result, err := v.Rubric.Verdict(v.Scores, v.Hits)
	v.expected = outcomeOf(t, result, err)
}

type hitVector struct {
	Name   string         `json:"name"`
	Reason string         `json:"reason"`
	Rubric *rubric.Rubric `json:"rubric"`
	Text   string         `json:"text"`
	expected
}

func (v *hitVector) compute(t *testing.T) {
	result, err := v.Rubric.NegativeHits(v.Text)
	v.expected = outcomeOf(t, result, err)
}

type scoreVector struct {
	Name    string                    `json:"name"`
	Reason  string                    `json:"reason"`
	RuleSet *ruleset.RuleSet          `json:"ruleset"`
	Phase   ruleset.Phase             `json:"phase"`
	Results map[string]ruleset.Result `json:"results"`
	expected
}

func (v *scoreVector) compute(t *testing.T) {
	result, err := v.RuleSet.Score(v.Phase, v.Results)
	v.expected = outcomeOf(t, result, err)
}

type searchVector struct {
	Name      string           `json:"name"`
	Reason    string           `json:"reason"`
	Documents []searchDocument `json:"documents"`
	Query     string           `json:"query"`
	// Kind limits the search to documents of a kind.
	Kind string `json:"kind,omitempty"`
	expected
}

type searchDocument struct {
	ID           string            `json:"id"`
	Kind         string            `json:"kind,omitempty"`
	ArtifactType string            `json:"artifact_type"`
	Name         string            `json:"name"`
	Description  string            `json:"description,omitempty"`
	Keywords     string            `json:"keywords,omitempty"`
	Owner        string            `json:"owner,omitempty"`
	Parts        []bundlefile.Part `json:"parts,omitempty"`
}

type searchResult struct {
	ID      string   `json:"id"`
	Score   int      `json:"score"`
	Matched []string `json:"matched"`
	Partial bool     `json:"partial,omitempty"`
}

func (v *searchVector) compute(*testing.T) {
	var words []*bundlefile.Words
	documents := slices.DeleteFunc(slices.Clone(v.Documents), func(d searchDocument) bool { return v.Kind != "" && d.Kind != v.Kind })
	for _, d := range documents {
		words = append(words, bundlefile.WordsOf(&bundlefile.IndexLine{
			ID: d.ID, ArtifactType: d.ArtifactType, Name: d.Name, Description: d.Description, Keywords: d.Keywords, Owner: d.Owner, Parts: d.Parts,
		}))
	}
	results := []searchResult{}
	for _, f := range bundlefile.Search(words, v.Query) {
		results = append(results, searchResult{documents[f.Index].ID, f.Score, f.Matched, f.Partial})
	}
	v.expected = expected{Result: results}
}

type resolveVector struct {
	Name       string            `json:"name"`
	Reason     string            `json:"reason"`
	Versions   []string          `json:"versions"`
	Yanked     map[string]string `json:"yanked"`
	Constraint string            `json:"constraint"`
	expected
}

type resolution struct {
	Version string `json:"version"`
	Yanked  string `json:"yanked,omitempty"`
}

func (v *resolveVector) compute(t *testing.T) {
	l := bundletest.Library{Ledger: "retired: []\n"}
	if len(v.Yanked) > 0 {
		l.Ledger += "yanked:\n"
	}
	for _, version := range v.Versions {
		l.Documents = append(l.Documents, scripttest.Rubric("story_v1", version, "stories"))
	}
	for version, reason := range v.Yanked {
		l.Ledger += fmt.Sprintf("  - {id: story_v1, version: %q, reason: %q}\n", version, reason)
	}
	var data bytes.Buffer
	must.Get(bundletest.Write(&data, l))(t)
	lib := must.Get(library.NewReader(bytes.NewReader(data.Bytes()), int64(data.Len())))(t)
	d, err := lib.Get(t.Context(), "story_v1", v.Constraint)
	if errors.As(err, new(*library.ConstraintError)) {
		refused := library.Reference{ID: "story_v1", Version: v.Constraint}.Check() != nil
		v.expected = expected{Error: &refusal{Constraint: refused, Unsatisfied: !refused}}
		return
	}
	must.Do(t, err)
	v.expected = expected{Result: resolution{d.Reference.Version, d.Yanked}}
}

// outcomeOf returns a result, or the refusal of an input error.
func outcomeOf(t *testing.T, result any, err error) expected {
	t.Helper()
	var ofRubric *rubric.InputError
	var ofRuleSet *ruleset.InputError
	switch {
	case errors.As(err, &ofRubric):
		e := ofRubric
		r := &refusal{Definition: len(e.Definition) > 0, Missing: e.Missing, Unknown: e.Unknown, UnknownHits: e.UnknownHits}
		for _, s := range e.Invalid {
			r.Invalid = append(r.Invalid, s.Name)
		}
		return expected{Error: r}
	case errors.As(err, &ofRuleSet):
		e := ofRuleSet
		r := &refusal{
			Definition: len(e.Definition) > 0, UnknownPhase: e.UnknownPhase,
			Missing: e.Missing, Unknown: e.Unknown, Inactive: e.Inactive,
		}
		for _, invalid := range e.Invalid {
			r.Invalid = append(r.Invalid, invalid.ID)
		}
		return expected{Error: r}
	case err != nil:
		t.Fatal(err)
	}
	return expected{Result: result}
}

// TestVectorsAreComputed checks that every vector expects what this library computes,
// in the form that -update writes.
func TestVectorsAreComputed(t *testing.T) {
	for name, again := range map[string][]byte{
		"verdict":    recomputed(t, "verdict", (*verdictVector).compute),
		"hits":       recomputed(t, "hits", (*hitVector).compute),
		"rule_score": recomputed(t, "rule_score", (*scoreVector).compute),
		"search":     recomputed(t, "search", (*searchVector).compute),
		"resolve":    recomputed(t, "resolve", (*resolveVector).compute),
		"open":       recomputed(t, "open", func(v *openVector, t *testing.T) { v.compute(t, read[openVector](t, "open").Bundle) }),
	} {
		name = "conformance/" + name + ".json"
		data := Files()[name]
		if bytes.Equal(again, data) {
			continue
		}
		if names := changed(t, data, again); len(names) > 0 {
			t.Errorf("%s: %v are not what they were. If they were released, programs that were right become wrong: this is a major change of the library", name, names)
		}
		if !*update {
			t.Errorf("%s is not what is computed: run `go test ./internal/release/conformance -update` and look at what changed", name)
		} else if err := os.WriteFile(filepath.Join("vectors", path.Base(name)), again, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// recomputed returns a file with the results computed from its inputs.
func recomputed[V any](t *testing.T, name string, compute func(*V, *testing.T)) []byte {
	t.Helper()
	f := read[V](t, name)
	for i := range f.Vectors {
		compute(&f.Vectors[i], t)
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	must.Do(t, e.Encode(f))
	return escape(out.Bytes())
}

func read[V any](t *testing.T, name string) (f file[V]) {
	t.Helper()
	strict := json.NewDecoder(bytes.NewReader(Files()["conformance/"+name+".json"]))
	strict.DisallowUnknownFields()
	must.Do(t, strict.Decode(&f))
	return f
}

// escape writes every character outside ASCII as JSON's \uXXXX.
func escape(data []byte) []byte {
	var out []byte
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		switch {
		case r < utf8.RuneSelf && r != 0x7f:
			out = append(out, byte(r))
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		data = data[size:]
	}
	return out
}
