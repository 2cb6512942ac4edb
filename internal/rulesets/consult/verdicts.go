package consult

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration/judging"
	"github.com/rubric-library/rubric-library/internal/document/jsontext"
)

// Verdicts asks a judge for verdicts, and records them in a file, which is a line of JSON
// for each verdict.
type Verdicts struct {
	// Cut is how many bytes of an incomplete last line were removed after a crash.
	Cut int

	model   string
	journal *judging.Journal
	lines   []line
}

// line is a recorded verdict.
type line struct {
	// Request is the digest of the request.
	Request string `json:"request"`
	// By is the model that the user named.
	By string `json:"by"`
	Answer
}

// OpenVerdicts opens the file of verdicts at path for the judge of a model. No other run
// can open it until it is closed.
func OpenVerdicts(path, model string) (*Verdicts, error) {
	j, err := judging.OpenJournal(path)
	if err != nil {
		return nil, err
	}
	v := &Verdicts{model: model, journal: j, Cut: j.Cut}
	data, err := j.Data()
	for i, text := range bytes.Split(data, []byte("\n")) {
		var l line
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		if err = json.Unmarshal(text, &l); err == nil {
			_, err = readAnswer(text, ForVerdict, l.Rule)
		}
		if err != nil {
			err = fmt.Errorf("line %d is not a verdict: %w. Remove the line", i+1, err)
			break
		}
		v.lines = append(v.lines, l)
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
// before. It asks only for the others. When it returns, the file is sorted.
func (v *Verdicts) Ask(ctx context.Context, j *judging.Judge, parallel int, requests []Request, report func(judging.Progress, *judging.Failure)) (replies []Reply, recorded int, err error) {
	replies = make([]Reply, len(requests))
	own := make([]*line, len(requests))
	var others []line
	var missing []Request
	var place []int // in requests
	keys, index := make([]string, len(requests)), map[string]int{}
	for i, r := range requests {
		data, err := jsontext.Encode(r, "", "")
		if err != nil {
			return nil, 0, err
		}
		keys[i] = fmt.Sprintf("sha256:%x", sha256.Sum256(data))
		index[keys[i]] = i
	}
	for _, l := range v.lines {
		if i, found := index[l.Request]; found && l.By == v.model && own[i] == nil {
			own[i], replies[i].Answer = &l, &l.Answer
		} else {
			others = append(others, l)
		}
	}
	for i, r := range requests {
		if own[i] == nil {
			missing, place = append(missing, r), append(place, i)
		}
	}
	recorded = len(requests) - len(missing)
	record := func(i int, a *Answer) error {
		l := line{keys[place[i]], v.model, *a}
		if err := v.same(own, a); err != nil {
			return err
		}
		own[place[i]] = &l
		data, err := encode(&l)
		return cmp.Or(err, v.journal.Append(data))
	}
	asked, err := Ask(ctx, j, parallel, missing, record, v.journal.Sync, report)
	for i, reply := range asked {
		replies[place[i]] = reply
	}
	return replies, recorded, cmp.Or(err, v.finish(others, own))
}

// same checks that an answer is by the model and the prompt of the others.
func (v *Verdicts) same(others []*line, a *Answer) error {
	if a.Model != "" && a.Model != v.model {
		return fmt.Errorf("the judge says that the model %q answered, but --model is %q. Set its exact name", a.Model, v.model)
	}
	for _, o := range others {
		if o != nil && o.PromptDigest != a.PromptDigest {
			return fmt.Errorf("the judge's prompt has changed since it gave the verdict on %s, and all verdicts are by one prompt. Remove the recorded verdicts, or restore the prompt", o.Rule)
		}
	}
	return nil
}

// finish writes the file: the verdicts on other requests, and then these in their order.
func (v *Verdicts) finish(others []line, own []*line) error {
	for _, l := range own {
		if l != nil {
			others = append(others, *l)
		}
	}
	var out strings.Builder
	for _, l := range others {
		data, err := encode(&l)
		if err != nil {
			return err
		}
		out.Write(data)
	}
	return v.journal.Replace([]byte(out.String()))
}

func encode(l *line) ([]byte, error) {
	data, err := jsontext.Encode(l, "", "")
	return append(data, '\n'), err
}
