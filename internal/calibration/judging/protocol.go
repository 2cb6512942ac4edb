package judging

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/jsontext"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

const schemaVersion = 1

// request is the input of a judge command. Its table is document.JudgeRequest.
type request struct {
	SchemaVersion int    `json:"schema_version"`
	RubricID      string `json:"rubric_id"`
	RubricVersion string `json:"rubric_version"`
	Digest        string `json:"digest"`
	// Rubric is without weights and thresholds, which could influence the scores.
	Rubric struct {
		Criteria []rubric.JudgeCriterion `json:"criteria"`
	} `json:"rubric"`
	Criteria []string `json:"criteria"`
	Item     shown    `json:"item"`
	Repeat   int      `json:"repeat"`
}

// shown is the part of an item that a judge reads. A separate type keeps labels out of
// requests, as well as the item's ID, which can reveal what people think of the item.
type shown struct {
	Number   int               `json:"number"`
	Artifact string            `json:"artifact"`
	Inputs   map[string]string `json:"inputs,omitempty"`
}

func (r *Run) request(q question) *request {
	s := r.subject
	out := &request{
		SchemaVersion: schemaVersion, RubricID: s.Rubric.ID, RubricVersion: s.Rubric.Version,
		Digest: s.Digest, Criteria: r.Criteria, Repeat: q.repeat,
		Item: shown{Number: q.number, Artifact: q.item.Artifact, Inputs: q.item.Inputs},
	}
	out.Rubric.Criteria = s.Rubric.JudgeView().Criteria
	return out
}

// marshal encodes a value as one line of JSON without escaping HTML characters.
func marshal(v any) ([]byte, error) {
	line, err := jsontext.Encode(v, "", "")
	return append(line, '\n'), err
}

// response is the output of a judge command. Its table is document.JudgeResponse.
type response struct {
	Scores map[string]float64 `json:"scores"`
	Error  string             `json:"error"`
	// Unavailable is why the judge could not answer, which is not its fault.
	Unavailable string `json:"unavailable"`
	Model       string `json:"model"`
	Number      int    `json:"number"` // of the item; 0 if it is not repeated

	Reasons      map[string]string `json:"reasons"`
	PromptDigest string            `json:"prompt_digest"`
	Usage        map[string]int    `json:"usage"`
}

// readResponse parses the output of a judge command, which must have a score for exactly
// the given criteria, unless the judge was unavailable. If any part is invalid, it returns
// an error and no scores.
func readResponse(output []byte, criteria []string) (*response, error) {
	if len(bytes.TrimSpace(output)) == 0 {
		return nil, errors.New("the standard output is empty")
	}
	if !json.Valid(output) {
		return nil, errors.New("the standard output must be exactly one JSON object")
	}
	d := document.ParseRun(source.NewFile("response.json", output), &document.JudgeResponse)
	if len(d.Problems) > 0 {
		if null := nullScore(output); null != "" {
			return nil, fmt.Errorf("%s is null: expected a number from 1 to 5. A judge that has no score for an item answers {\"error\": \"REASON\"}", null)
		}
		return nil, errors.New(strings.TrimRight(d.Problems[0].Message, ". "))
	}
	r := &response{}
	d.Decode(r)
	if r.Error != "" {
		return nil, errors.New("the judge reports: " + r.Error)
	}
	if r.Unavailable != "" {
		return r, nil
	}
	if err := r.check(criteria); err != nil {
		return nil, err
	}
	return r, nil
}

// nullScore returns what is null in an answer where a score is expected, or "".
func nullScore(output []byte) string {
	var answer struct {
		Scores json.RawMessage `json:"scores"`
	}
	var scores map[string]any
	if json.Unmarshal(output, &answer) != nil || answer.Scores == nil {
		return ""
	}
	if string(answer.Scores) == "null" {
		return schema.Quote("scores")
	}
	_ = json.Unmarshal(answer.Scores, &scores) // what is no object has no names
	for _, name := range slices.Sorted(maps.Keys(scores)) {
		if scores[name] == nil {
			return "the score of " + schema.Quote(name)
		}
	}
	return ""
}

func (r *response) check(criteria []string) error {
	var missing, extra []string
	for _, name := range criteria {
		if _, ok := r.Scores[name]; !ok {
			missing = append(missing, name)
		}
	}
	for name := range r.Scores {
		if !slices.Contains(criteria, name) {
			extra = append(extra, name)
		}
	}
	slices.Sort(extra)
	switch {
	case len(extra) > 0:
		err := fmt.Errorf("it has a score for %s, which was not requested", schema.Quote(extra[0]))
		if word := suggest.Word(extra[0], missing); word != "" {
			err = fmt.Errorf("%w. Did you mean %s?", err, schema.Quote(word))
		}
		return err
	case len(missing) > 0:
		return fmt.Errorf("it has no score for %s", schema.Or(missing, "and"))
	}
	return nil
}
