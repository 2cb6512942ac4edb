package judging

import (
	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/document/jsontext"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// schemaVersion is that of the protocol.
const schemaVersion = 1

// request is what a judge command reads. Its table is document.JudgeRequest.
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

// words is what the judge digest of a rubric covers: the words that a judge
// reads, without weights and thresholds, which would tell it what is at stake.
type words struct {
	Criteria []criterion `json:"criteria"`
}

type criterion struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Anchors     rubric.Anchors  `json:"anchors"`
	Examples    rubric.Examples `json:"examples"`
}

// shown is what a judge gets to see of an item. It is a type of its own so that
// labels have no way into a request; nor has the item's ID, which people choose
// and which can say what they think of it.
type shown struct {
	Number   int               `json:"number"`
	Artifact string            `json:"artifact"`
	Inputs   map[string]string `json:"inputs,omitempty"`
}

// newRequest asks for the scores of an item by the named criteria.
func newRequest(s *calibration.Subject, criteria []string, item shown, repeat int) *request {
	r := &request{
		SchemaVersion: schemaVersion,
		RubricID:      s.Rubric.ID,
		RubricVersion: s.Rubric.Version,
		Digest:        s.Digest,
		Criteria:      criteria,
		Item:          item,
		Repeat:        repeat,
	}
	for _, c := range s.Rubric.Criteria {
		r.Rubric.Criteria = append(r.Rubric.Criteria, criterion{c.Name, c.Description, c.Anchors, c.Examples})
	}
	return r
}

// marshal is a value as one line of JSON, with the characters of HTML as they
// are.
func marshal(v any) ([]byte, error) {
	line, err := jsontext.Encode(v, "", "")
	return append(line, '\n'), err
}
