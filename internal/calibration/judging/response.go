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

// response is the output of a judge command. Its table is document.JudgeResponse.
type response struct {
	Scores map[string]float64 `json:"scores"`
	Error  string             `json:"error"`
	Model  string             `json:"model"`
	Number int                `json:"number"` // of the item; 0 if it is not repeated

	Reasons      map[string]string `json:"reasons"`
	PromptDigest string            `json:"prompt_digest"`
	Usage        map[string]int    `json:"usage"`
}

// readResponse parses the output of a judge command, which must have a score for exactly
// the given criteria. If any part is invalid, it returns an error and no scores.
func readResponse(output []byte, criteria []string) (*response, error) {
	if len(bytes.TrimSpace(output)) == 0 {
		return nil, errors.New("the standard output is empty")
	}
	if !json.Valid(output) {
		return nil, errors.New("the standard output must be exactly one JSON object")
	}
	d := document.ParseRun(source.NewFile("response.json", output), &document.JudgeResponse)
	if len(d.Problems) > 0 {
		return nil, errors.New(strings.TrimSuffix(calibration.InJSON(d.Problems[0].Message), "."))
	}
	r := &response{}
	d.Decode(r)
	if r.Error != "" {
		return nil, errors.New("the judge reports: " + r.Error)
	}
	if err := r.check(criteria); err != nil {
		return nil, err
	}
	return r, nil
}

// check returns an error if a criterion is missing or was not requested.
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
