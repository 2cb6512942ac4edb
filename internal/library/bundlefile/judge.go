package bundlefile

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// Judge is what is known of a judge: of the newest of those that had its name.
type Judge struct {
	// Correlation is nil unless people gave the labels, and labels and answers are for the
	// current words of the document.
	Correlation *Correlation `json:"correlation,omitempty"`
	// Date is that of the newest run.
	Date string `json:"date"`
	// Gate says whether its verdicts may stand for those of people, and Rank whether its
	// order of works may.
	Gate  Answer `json:"gate"`
	Judge string `json:"judge"`
	Model string `json:"model"`
	// PromptDigest names the prompt, "" if it is unknown.
	PromptDigest string `json:"prompt_digest"`
	Rank         Answer `json:"rank"`
	// Reason says in sentences why it may not gate, or by which limits, or is "".
	Reason string `json:"reason,omitempty"`
	// Repeats is how many answers to an item are averaged.
	Repeats int `json:"repeats"`
	// Run is the name of the newest run.
	Run string `json:"run"`
}

// Correlation is the lowest one over the criteria.
type Correlation struct {
	// Criterion is the one that has it, or the first without a correlation.
	Criterion string `json:"criterion"`
	// High and Low are the ends of its interval, nil if that can't be computed.
	High *Number `json:"high,omitempty"`
	Low  *Number `json:"low,omitempty"`
	// Undefined says why there is no value, or is "".
	Undefined string `json:"undefined,omitempty"`
	// Value is from -1 to 1, nil if a criterion has none, as for a judge that gives every item
	// the same score.
	Value *Number `json:"value,omitempty"`
}

// Number is a number in JSON by RFC 8785, which has no -0.
type Number float64

// MarshalJSON writes the number.
func (n Number) MarshalJSON() ([]byte, error) {
	if n == 0 {
		n = 0
	}
	return json.Marshal(float64(n))
}

func (n Number) isCorrelation() bool { return math.Abs(float64(n)) <= 1 } // false for NaN

// Answer says whether a judge may be used for something.
type Answer string

// The answers.
const (
	Yes           Answer = "yes"
	LibraryLimits Answer = "library_limits" // yes, by limits of the library that are looser than the defaults
	NotYet        Answer = "not_yet"        // too few items or runs to tell
	CannotTell    Answer = "cannot_tell"    // the labels can't tell
	No            Answer = "no"
)

var answers = []Answer{Yes, LibraryLimits, NotYet, CannotTell, No}

// Given reports whether the judge may be used by the limits of the library.
func (a Answer) Given() bool { return a == Yes || a == LibraryLimits }

// mostRepeats is how often a run can ask about an item.
const mostRepeats = 1000

var isRun = lazy.Expr(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$`)

// check returns an error if no build writes the judge for labels of people or of others.
func (j *Judge) check(labeledBy string, wrong func(key, found, expected string) error) error {
	used := j.Rank.Given() || j.Gate.Given()
	switch {
	case !isWords(j.Judge, "_-"):
		return wrong("judge", j.Judge, "the name of a judge")
	case j.Model == "":
		return wrong("model", "", "the model of the judge")
	case j.PromptDigest != "" && !IsDigest(j.PromptDigest):
		return wrong("prompt_digest", j.PromptDigest, "sha256: and 64 hexadecimal digits, or an empty text")
	case j.Repeats < 1 || j.Repeats > mostRepeats:
		return wrong("repeats", fmt.Sprint(j.Repeats), fmt.Sprintf("a number from 1 to %d", mostRepeats))
	case !isRun().MatchString(j.Run):
		return wrong("run", j.Run, "the name of a run")
	case !IsTime(j.Date + "T00:00:00Z"):
		return wrong("date", j.Date, "the date of the run")
	case !slices.Contains(answers, j.Rank):
		return wrong("rank", string(j.Rank), fmt.Sprintf("one of %s", answers))
	case !slices.Contains(answers, j.Gate):
		return wrong("gate", string(j.Gate), fmt.Sprintf("one of %s", answers))
	case (j.Reason == "") != (j.Gate == Yes):
		return wrong("reason", j.Reason, "the reason why the judge may not gate, or none if it may")
	case j.Correlation != nil:
		return j.checkCorrelation(labeledBy, wrong)
	case used:
		return wrong("correlation", j.Judge, expectedCorrelation)
	}
	return nil
}

const expectedCorrelation = "one with people for each judge that may be used, and none with others"

func (j *Judge) checkCorrelation(labeledBy string, wrong func(key, found, expected string) error) error {
	switch {
	case labeledBy != People:
		return wrong("correlation", j.Judge, expectedCorrelation)
	case !j.Correlation.isRight():
		return wrong("correlation", j.Judge, "a criterion with a value from -1 to 1 and its interval, or the reason why there is none")
	}
	return nil
}

func (c *Correlation) isRight() bool {
	if !IsID(c.Criterion) || (c.Low == nil) != (c.High == nil) {
		return false
	}
	if c.Value == nil {
		return c.Undefined != "" && c.Low == nil
	}
	interval := c.Low == nil || c.Low.isCorrelation() && c.High.isCorrelation() && *c.Low <= *c.High
	return c.Undefined == "" && c.Value.isCorrelation() && interval
}
