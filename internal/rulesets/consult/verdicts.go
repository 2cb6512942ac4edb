package consult

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"github.com/rubric-library/rubric-library/internal/calibration/judging"
	"github.com/rubric-library/rubric-library/internal/document/jsontext"
)

// Verdicts asks the judge of a model for verdicts, and records each as a line of a file.
type Verdicts struct {
	// Cut is how many bytes of an incomplete last line were removed after a crash.
	Cut int

	model   string
	journal *judging.Journal
	known   map[string]*Answer // by digest of the request
}

// line is a recorded verdict.
type line struct {
	// Request is the digest of the request, and By the model that the user named.
	Request string `json:"request"`
	By      string `json:"by"`
	Answer
}

// OpenVerdicts opens the file of verdicts at path. No other run can open it until it is
// closed.
func OpenVerdicts(path, model string) (*Verdicts, error) {
	j, err := judging.OpenJournal(path)
	if err != nil {
		return nil, err
	}
	v := &Verdicts{model: model, journal: j, Cut: j.Cut, known: map[string]*Answer{}}
	data, err := j.Data()
	for i, text := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
		var l line
		if len(text) == 0 {
			continue
		}
		if err = json.Unmarshal(text, &l); err == nil {
			_, err = readAnswer(text, ForVerdict, l.Rule)
		}
		if err != nil {
			err = fmt.Errorf("line %d is not a verdict: %w. Remove the line", i+1, err)
			break
		}
		if l.By == model {
			v.known[l.Request] = &l.Answer
		}
	}
	if err != nil {
		_ = j.Close()
		return nil, err
	}
	return v, nil
}

// Close closes the file.
func (v *Verdicts) Close() error { return v.journal.Close() }

// Ask returns the replies to requests, in their order, and how many of them were recorded
// before. It asks only for the others.
func (v *Verdicts) Ask(ctx context.Context, j *judging.Judge, parallel int, requests []Request, report func(judging.Progress, *judging.Failure)) (replies []Reply, recorded int, err error) {
	replies = make([]Reply, len(requests))
	var missing []Request
	var place []int // of the missing, in requests
	var keys []string
	var first *Answer
	onePrompt := func(a *Answer) error {
		if first = cmp.Or(first, a); a.PromptDigest != first.PromptDigest {
			return fmt.Errorf("the judge's prompt has changed since it gave the verdict on %s, and all verdicts are by one prompt. Remove the recorded verdicts, or restore the prompt", first.Rule)
		}
		return nil
	}
	for i, r := range requests {
		data, err := jsontext.Encode(r, "", "")
		if err != nil {
			return nil, 0, err
		}
		key := fmt.Sprintf("sha256:%x", sha256.Sum256(data))
		if replies[i].Answer = v.known[key]; replies[i].Answer == nil {
			missing, place, keys = append(missing, r), append(place, i), append(keys, key)
		} else if err := onePrompt(replies[i].Answer); err != nil {
			return nil, 0, err
		}
	}
	asked, err := Ask(ctx, j, parallel, missing, func(i int, a *Answer) error {
		if a.Model != "" && a.Model != v.model {
			return fmt.Errorf("the judge says that the model %q answered, but --model is %q. Set its exact name", a.Model, v.model)
		}
		data, err := jsontext.Encode(line{keys[i], v.model, *a}, "", "")
		if err := cmp.Or(onePrompt(a), err); err != nil {
			return err
		}
		return v.journal.Append(append(data, '\n'))
	}, v.journal.Sync, report)
	for i, reply := range asked {
		replies[place[i]] = reply
	}
	return replies, len(requests) - len(missing), cmp.Or(err, v.journal.Sync())
}
