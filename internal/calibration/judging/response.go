package judging

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
)

// response is what a judge command writes. Its table is document.JudgeResponse.
type response struct {
	Scores map[string]float64 `json:"scores"`
	Model  string             `json:"model"`
}

// readResponse reads what a judge command wrote: a score for each of the criteria
// and for no other. What can't be read is an error, and nothing of it is used.
func readResponse(output []byte, criteria []string) (*response, error) {
	if len(bytes.TrimSpace(output)) == 0 {
		return nil, errors.New("it wrote nothing to its standard output")
	}
	if !json.Valid(output) {
		return nil, errors.New("what it wrote is not one JSON object, and nothing else may stand there")
	}
	d := document.ParseRun(source.NewFile("response.json", output), &document.JudgeResponse)
	if len(d.Problems) > 0 {
		return nil, errors.New(strings.TrimSuffix(calibration.InJSON(d.Problems[0].Message), "."))
	}
	r := &response{}
	d.Decode(r)
	if err := r.check(criteria); err != nil {
		return nil, err
	}
	return r, nil
}

// check tells which criteria are missing, or were not asked.
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
		err := fmt.Errorf("it scored %s, which was not asked", schema.Quote(extra[0]))
		if word := suggest.Word(extra[0], missing); word != "" {
			err = fmt.Errorf("%w. Was %s meant?", err, schema.Quote(word))
		}
		return err
	case len(missing) > 0:
		return fmt.Errorf("it gave no score for %s", schema.Or(missing, "and"))
	}
	return nil
}
