package rubric

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
)

// JudgeView is what a judge may read of a rubric: no weights, thresholds, or patterns, which
// would influence the judge. Its JSON can be sent unchanged.
type JudgeView struct {
	ID      string `json:"id"`
	Version string `json:"version"`
	// Digest is the judge digest, "sha256:" and 64 hexadecimal digits. It covers the
	// criteria below, so rubrics and versions with the same words for the judge have the
	// same digest.
	Digest   string           `json:"digest"`
	Criteria []JudgeCriterion `json:"criteria"`
}

// JudgeCriterion is what a judge may read of a criterion.
type JudgeCriterion struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Anchors     Anchors  `json:"anchors"`
	Examples    Examples `json:"examples"`
}

// canonicalCriterion has the keys of a criterion in the order of canonical JSON.
type canonicalCriterion struct {
	Anchors     Anchors  `json:"anchors"`
	Description string   `json:"description"`
	Examples    Examples `json:"examples"`
	Name        string   `json:"name"`
}

// unescape turns the JSON of encoding/json into canonical JSON, which escapes less. An
// escaped backslash is matched first, because what follows it is not an escape.
var unescape = strings.NewReplacer(`\\`, `\\`,
	`\u003c`, "<", `\u003e`, ">", `\u0026`, "&", `\u2028`, "\u2028", `\u2029`, "\u2029")

// JudgeView returns what a judge may read of the rubric, with the criteria in its order.
func (r *Rubric) JudgeView() JudgeView {
	view := JudgeView{ID: r.ID, Version: r.Version, Criteria: make([]JudgeCriterion, len(r.Criteria))}
	canonical := make([]canonicalCriterion, len(r.Criteria))
	for i, c := range r.Criteria {
		view.Criteria[i] = JudgeCriterion{c.Name, c.Description, c.Anchors, c.Examples}
		canonical[i] = canonicalCriterion{c.Anchors, c.Description, c.Examples, c.Name}
	}
	words := unescape.Replace(string(text(map[string]any{"criteria": canonical})))
	view.Digest = fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(words)))
	return view
}

// answer is the schema of the answer for one criterion. The reason comes first, so that a
// judge that writes in order gives a score that follows from its reason.
const answer = `{"type":"object","properties":{"reason":{"type":"string"},"score":{"type":"integer","minimum":1,"maximum":5}},` +
	`"required":["reason","score"],"additionalProperties":false}`

// AnswerSchema returns the JSON Schema of what a judge has to return:
//
//	{"criteria": {"NAME": {"reason": "...", "score": 4}}}
//
// with all criteria in the order of the rubric and nothing else. Scores are integers from
// 1 to 5.
func (r *Rubric) AnswerSchema() json.RawMessage {
	var properties []byte
	names := make([]string, len(r.Criteria))
	for i, c := range r.Criteria {
		names[i] = c.Name
		if i > 0 {
			properties = append(properties, ',')
		}
		properties = fmt.Appendf(properties, "%s:%s", text(c.Name), answer)
	}
	return fmt.Appendf(nil, `{"type":"object","properties":{"criteria":{"type":"object","properties":{%s},`+
		`"required":%s,"additionalProperties":false}},"required":["criteria"],"additionalProperties":false}`, properties, text(names))
}

// VerdictOf applies the rubric to the answer of a judge, which must have the form of
// AnswerSchema, and to the hits of the negative criteria in the text that the judge read. The
// error says how the answer differs from the form, or is as for NegativeHits or Verdict.
func (r *Rubric) VerdictOf(answer []byte, text string) (Verdict, error) {
	var a struct {
		Criteria map[string]struct {
			Reason *string
			Score  *float64
		}
	}
	d := json.NewDecoder(bytes.NewReader(answer))
	d.DisallowUnknownFields()
	if err := d.Decode(&a); err != nil || d.Decode(&struct{}{}) != io.EOF {
		return Verdict{}, fmt.Errorf("the answer for rubric %q does not have the form of its answer schema: expected one JSON object with the key criteria", r.ID)
	}
	scores := map[string]float64{}
	for name, c := range a.Criteria {
		if c.Reason == nil || c.Score == nil || *c.Score != math.Trunc(*c.Score) {
			return Verdict{}, fmt.Errorf("the answer for rubric %q does not have the form of its answer schema: expected a reason and a whole score for %q", r.ID, name)
		}
		scores[name] = *c.Score
	}
	hits, err := r.NegativeHits(text)
	if err != nil {
		return Verdict{}, err
	}
	return r.Verdict(scores, HitNames(hits))
}

// text returns the JSON of texts.
func text(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // texts can always be encoded
	}
	return data
}
