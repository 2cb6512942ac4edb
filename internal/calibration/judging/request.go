package judging

import (
	"github.com/rubric-library/rubric-library/internal/document/jsontext"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

const schemaVersion = 1

// request is the input of a judge command. Its table is document.JudgeRequest.
type request struct {
	SchemaVersion int      `json:"schema_version"`
	RubricID      string   `json:"rubric_id"`
	RubricVersion string   `json:"rubric_version"`
	Digest        string   `json:"digest"`
	Rubric        words    `json:"rubric"`
	Criteria      []string `json:"criteria"`
	Item          shown    `json:"item"`
	Repeat        int      `json:"repeat"`
}

// words is the part of a rubric that the judge digest covers and a judge reads, without
// weights and thresholds, which could influence the scores.
type words struct {
	Criteria []criterion `json:"criteria"`
}

type criterion struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Anchors     rubric.Anchors  `json:"anchors"`
	Examples    rubric.Examples `json:"examples"`
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
		SchemaVersion: schemaVersion, RubricID: s.Rubric.ID, RubricVersion: s.Rubric.Version, Digest: s.Digest, Criteria: r.Criteria,
		Item: shown{Number: q.number, Artifact: q.item.Artifact, Inputs: q.item.Inputs}, Repeat: q.repeat,
	}
	for _, c := range s.Rubric.Criteria {
		out.Rubric.Criteria = append(out.Rubric.Criteria, criterion{c.Name, c.Description, c.Anchors, c.Examples})
	}
	return out
}

// marshal encodes a value as one line of JSON without escaping HTML characters.
func marshal(v any) ([]byte, error) {
	line, err := jsontext.Encode(v, "", "")
	return append(line, '\n'), err
}
