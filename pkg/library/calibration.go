package library

import (
	"encoding/json"
	"math"
	"slices"

	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

// Calibration says how well judges agree with people on the latest version of a document.
type Calibration struct {
	// Path is the entry of the bundle with the statistics, or "" if it has none.
	Path string `json:"path,omitempty"`
	// LabeledBy is who gave the labels: "people", the "authors" of the rubric, or a "model". It
	// is "" if there are no statistics. Only labels of people let a judge rank or gate.
	LabeledBy string `json:"labeled_by,omitempty"`
	// Judges has an entry for each name, sorted by it. There are none in a bundle of format 1.
	Judges []JudgeCalibration `json:"judges"`
	// Reason says in sentences why there are no judges, or is "".
	Reason string `json:"reason,omitempty"`
}

// JudgeCalibration is what the bundle says about a judge. A judge is a name, a model, a prompt,
// and a number of repeats: of each name, the bundle has the newest, and nothing here holds for
// another model, prompt, or number of repeats.
type JudgeCalibration struct {
	Judge string `json:"judge"`
	Model string `json:"model"`
	// PromptDigest names the judge's prompt, "" if it is unknown.
	PromptDigest string `json:"prompt_digest"`
	// Repeats is how many answers to an item are averaged.
	Repeats int `json:"repeats"`
	// Run and Date are those of its newest run.
	Run  string `json:"run"`
	Date string `json:"date"`
	// Rank says whether the judge's order of works may stand for that of people, and Gate
	// whether its verdicts may.
	Rank Answer `json:"rank"`
	Gate Answer `json:"gate"`
	// Correlation is nil unless people gave the labels, and labels and answers are for the
	// current wording of the document.
	Correlation *Correlation `json:"correlation,omitempty"`
	// Reason says in sentences why the judge may not gate, or by which limits, or is "".
	Reason string `json:"reason,omitempty"`
}

// Answer says whether a judge may be used for something.
type Answer string

// The answers.
const (
	Yes           Answer = "yes"
	LibraryLimits Answer = "library_limits" // yes, by limits of the library that are looser than the defaults
	NotYet        Answer = "not_yet"        // there are too few items or runs to tell
	CannotTell    Answer = "cannot_tell"    // the labels can't tell
	No            Answer = "no"
)

// Correlation is the lowest correlation over the criteria in a run.
type Correlation struct {
	// Criterion is the one that has it, or the first without a correlation.
	Criterion string `json:"criterion"`
	// Value is from -1 to 1. It is nil if a criterion has no correlation, as for a judge that
	// gives every item the same score.
	Value *float64 `json:"value,omitempty"`
	// Low and High are the ends of its 95% interval, nil if that can't be computed.
	Low  *float64 `json:"low,omitempty"`
	High *float64 `json:"high,omitempty"`
	// Undefined says why there is no value, or is "".
	Undefined string `json:"undefined,omitempty"`
}

// Of returns what a calibration says about a judge with a model, or nil if it has no such
// judge: it has none of that name, or its newest has another model.
func (c *Calibration) Of(judge, model string) *JudgeCalibration {
	if c == nil {
		return nil
	}
	i := slices.IndexFunc(c.Judges, func(j JudgeCalibration) bool { return j.Judge == judge && j.Model == model })
	if i < 0 {
		return nil
	}
	return &c.Judges[i]
}

// Measured returns the lowest correlation, or NaN if it can't be computed. ok is false if there
// is no run that counts: labels are not by people, or labels or answers are for other words.
func (j *JudgeCalibration) Measured() (correlation float64, ok bool) {
	switch c := j.Correlation; {
	case c == nil:
		return 0, false
	case c.Value == nil:
		return math.NaN(), true
	default:
		return *c.Value, true
	}
}

// Calibration returns what the bundle says about your judge and the model that it asks, for the
// latest version of a document. It is nil if the bundle has no such judge, so that nothing is
// known about it: the name or the model is another one, the document names no labeled items, or
// the library is a folder. Compare PromptDigest and Repeats with those of your judge as well. The
// error is a *NotFoundError for an unknown ID, or an *IntegrityError.
func (l *Library) Calibration(id, judge, model string) (*JudgeCalibration, error) {
	c, err := l.DocumentCalibration(id)
	return c.Of(judge, model), err
}

// DocumentCalibration returns the calibration of a document, as in its Entry, with all judges.
// It does not decode the whole index. Errors are as for Calibration.
func (l *Library) DocumentCalibration(id string) (*Calibration, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	_, err := l.line("", id, l.documents.line)
	switch gone := l.withdrawn(id, bundlefile.IsVersion); {
	case err != nil && gone == nil:
		return nil, err
	case l.documents.bundle == nil: // calibration is not computed
		return nil, nil
	}
	c, err := l.documents.bundle.Calibration(id)
	if err != nil {
		return nil, err
	}
	return calibrationOf(c), nil
}

// Statistics returns the statistics of a Calibration, the JSON of
// `rubric calibrate report` for all judges, or nil if it has none.
func (l *Library) Statistics(c *Calibration) (json.RawMessage, error) {
	if err := l.check(); err != nil || c == nil || c.Path == "" || l.documents.bundle == nil {
		return nil, err
	}
	data, err := l.documents.bundle.Read(c.Path)
	if err != nil {
		return nil, err
	}
	return data, nil
}

// calibrationOf is a deep copy.
func calibrationOf(c *bundlefile.Calibration) *Calibration {
	if c == nil {
		return nil
	}
	own := &Calibration{Path: c.Path, LabeledBy: c.LabeledBy, Judges: []JudgeCalibration{}, Reason: c.Reason}
	for _, j := range c.Judges {
		own.Judges = append(own.Judges, JudgeCalibration{
			Judge: j.Judge, Model: j.Model, PromptDigest: j.PromptDigest, Repeats: j.Repeats, Run: j.Run, Date: j.Date,
			Rank: Answer(j.Rank), Gate: Answer(j.Gate), Correlation: correlationOf(j.Correlation), Reason: j.Reason,
		})
	}
	return own
}

func correlationOf(c *bundlefile.Correlation) *Correlation {
	if c == nil {
		return nil
	}
	number := func(n *bundlefile.Number) *float64 { return copied((*float64)(n)) }
	return &Correlation{
		Criterion: c.Criterion, Value: number(c.Value), Low: number(c.Low), High: number(c.High),
		Undefined: c.Undefined,
	}
}
