// Package consult asks a command about rules: for verdicts that checks can't give, and for
// checks. It promises:
//
//   - A command reads the words of one rule and the artifact. It reads no severity, weight,
//     or threshold, which could influence its answer, and no other rule.
//   - A rule gets the answer to its own request: another one, one with more than one object,
//     and one without a reason can't be read.
//   - A verdict is recorded before the next one is awaited. A question with a recorded
//     verdict is not asked again, until the rule, the task, the artifact, or the model
//     changes.
package consult

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration/judging"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/rulesets/evaluate"
	"github.com/rubric-library/rubric-library/internal/rulesets/runfile"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// What a request asks for.
const (
	ForVerdict = "verdict"
	ForChecks  = "checks"
)

// Request is the input of a command. Its table is document.RuleRequest.
type Request struct {
	SchemaVersion int            `json:"schema_version"`
	Ask           string         `json:"ask"`
	Task          runfile.Task   `json:"task"`
	Rule          Rule           `json:"rule"`
	Artifact      *evaluate.View `json:"artifact,omitempty"`
}

// Rule is the part of a rule that a command reads.
type Rule struct {
	ID          string `json:"id"`
	Description string `json:"description"`
	Check       string `json:"check"`
}

// NewRequest returns the request about a rule of a run. The artifact can be nil.
func NewRequest(ask string, run *runfile.Run, r *ruleset.Rule, artifact *evaluate.View) Request {
	return Request{SchemaVersion: 1, Ask: ask, Task: run.Task, Rule: Rule{r.ID, r.Description, r.Check}, Artifact: artifact}
}

// Answer is the output of a command. Its table is document.RuleResponse.
type Answer struct {
	Rule string `json:"rule"`

	Verdict ruleset.Verdict `json:"verdict,omitempty"`
	Reason  string          `json:"reason,omitempty"`

	Checks      []ruleset.Check `json:"checks,omitempty"`
	PassExample string          `json:"pass_example,omitempty"`
	FailExample string          `json:"fail_example,omitempty"`

	Error        string         `json:"error,omitempty"`
	Model        string         `json:"model,omitempty"`
	PromptDigest string         `json:"prompt_digest,omitempty"`
	Usage        map[string]int `json:"usage,omitempty"`
}

// Reply is an answer, or why there is none.
type Reply struct {
	*Answer
	Failure string
}

// readAnswer parses an answer to a request.
func readAnswer(output []byte, ask, rule string) (*Answer, error) {
	switch {
	case len(bytes.TrimSpace(output)) == 0:
		return nil, errors.New("the standard output is empty")
	case !json.Valid(output):
		return nil, errors.New("the standard output must be exactly one JSON object")
	}
	d := document.ParseRun(source.NewFile("response.json", output), &document.RuleResponse)
	if len(d.Problems) > 0 {
		return nil, errors.New(strings.TrimSuffix(d.Problems[0].Message, "."))
	}
	a := &Answer{}
	d.Decode(a)
	switch {
	case a.Rule != rule:
		return nil, fmt.Errorf("\"rule\" must be %s, the rule of the request, got %s", schema.Quote(rule), schema.Quote(a.Rule))
	case a.Error != "":
		return nil, judging.Declined(a.Error)
	case ask == ForVerdict && a.Verdict == "":
		return nil, errors.New("it has no \"verdict\"")
	case ask == ForVerdict && strings.TrimSpace(a.Reason) == "":
		return nil, errors.New("it has no \"reason\" for the verdict")
	case ask == ForChecks && len(a.Checks) == 0:
		return nil, errors.New("it has no \"checks\"")
	}
	return a, nil
}

// Ask asks a command, and returns the replies in the order of the requests. A reply that
// did not arrive before an error has neither an answer nor a failure. record is called for
// each answer and never concurrently; its error ends the work.
func Ask(ctx context.Context, j *judging.Judge, parallel int, requests []Request, record func(i int, a *Answer) error, sync func() error, report func(judging.Progress, *judging.Failure)) ([]Reply, error) {
	answers, replies := make([]*Answer, len(requests)), make([]Reply, len(requests))
	err := j.Ask(ctx, parallel, judging.Questions{
		Count:   len(requests),
		Request: func(i int) any { return requests[i] },
		Read: func(i int, output []byte) (err error) {
			answers[i], err = readAnswer(output, requests[i].Ask, requests[i].Rule.ID)
			return err
		},
		Record: func(i int, f *judging.Failure) error {
			if f != nil {
				f.Subject = "rule " + requests[i].Rule.ID
				replies[i].Failure = f.Reason
				return nil
			}
			replies[i].Answer = answers[i]
			return record(i, answers[i])
		},
		Sync: sync, Report: report,
	})
	return replies, err
}
