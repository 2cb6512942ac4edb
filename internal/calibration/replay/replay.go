// Package replay applies both sides of a change to recorded scores and matches their
// patterns on the items. It shows which verdicts a change flips without asking a judge.
//
// It promises:
//
//   - Every flip has its reasons, in sentences that name the criterion, the scores, and
//     the minimums, or the match of a pattern.
//   - A verdict is replayed only if every score that both sides need was recorded.
//     Otherwise, only the criteria that can be compared are replayed, and the criteria
//     that a judge must score are named.
//   - Scores for a different wording than the head's are marked as indications.
//   - An invalid dataset is an error. Items are never dropped silently.
package replay

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/render"
)

// Replay is the result of a replay of the changed rubrics.
type Replay struct {
	// Missing is why there was nothing to replay, or "" if there are rubrics.
	Missing render.Optional     `json:"missing"`
	Rubrics render.List[Rubric] `json:"rubrics"`
}

// Rubric is a rubric that changed or replaces another one, with the recorded scores of
// its dataset.
type Rubric struct {
	ID string `json:"id"`
	// Replaces is the ID of the rubric that it replaces, or "".
	Replaces render.Optional `json:"replaces"`
	// Dataset is the name of the dataset, or "" if the library has none for it.
	Dataset render.Optional `json:"dataset"`
	// Missing is why nothing was replayed, or "".
	Missing render.Optional `json:"missing"`
	// Reworded are the criteria that both sides have with different wordings.
	Reworded render.List[string] `json:"reworded"`
	// Repeat are the runs of judges that must be repeated, because they read a different
	// wording than the head's.
	Repeat render.List[Run] `json:"repeat"`
	// Recordings are the newest run of each judge, sorted by judge, and then the
	// labels.
	Recordings render.List[Recording] `json:"recordings"`
}

// Run is a run of a judge.
type Run struct {
	Judge string `json:"judge"`
	Run   string `json:"run"`
	Model string `json:"model"`
}

// Source is the origin of recorded scores.
type Source string

const (
	// Judge is a run of a judge.
	Judge Source = "judge"
	// Labels are the labels that raters gave.
	Labels Source = "labels"
)

// Recording has recorded scores of items, as means over repeats or raters, and the
// effects of the change on them.
type Recording struct {
	Source Source `json:"source"`
	// Name is the name of the judge, or who labeled: people, authors, or model.
	Name string `json:"name"`
	// Run and Model are the run and the model of the judge, "" for labels.
	Run   render.Optional `json:"run"`
	Model render.Optional `json:"model"`
	// Items counts the items with a score, and Replayed those of them with a verdict
	// on both sides.
	Items    int `json:"items"`
	Replayed int `json:"replayed"`
	// Unscored are the criteria of the head without any score, and Lost those that
	// only the base has. Without these scores, there is no verdict.
	Unscored render.List[string] `json:"unscored"`
	Lost     render.List[string] `json:"lost"`
	// Indication is why flips are only indications, or "" if the scores are for the
	// wording of the head.
	Indication render.Optional `json:"indication"`
	// Flips are the verdicts that flip, those that fail now first, in the order of
	// the items.
	Flips render.List[Flip] `json:"flips"`
	// Criteria are the criteria whose outcome flips while the verdict does not flip
	// or is unknown, in the order of the head, negative criteria last.
	Criteria render.List[Outcome] `json:"criteria"`
}

// Direction is a verdict in the head that the base does not have.
type Direction string

// The directions.
const (
	ToFail Direction = "fail"
	ToPass Direction = "pass"
)

// Flip is a verdict that differs between the two sides.
type Flip struct {
	Item    string    `json:"item"` // its ID
	To      Direction `json:"to"`
	Reasons []Reason  `json:"reasons"` // never empty
}

// Kind is the part of a rubric that decides a verdict.
type Kind string

// The kinds.
const (
	Criterion         Kind = "criterion"
	Overall           Kind = "overall"
	NegativeCriterion Kind = "negative_criterion"
)

// Reason is a reason why a verdict flips.
type Reason struct {
	Kind Kind `json:"kind"`
	// Name is the name of the criterion or negative criterion, "" for Overall.
	Name render.Optional `json:"name"`
	// Message is a sentence without a period.
	Message string `json:"message"`
}

// Outcome counts the items for which the outcome of a criterion flips. A negative
// criterion fails if it matches and its effect is to fail the rubric.
type Outcome struct {
	Kind   Kind   `json:"kind"`
	Name   string `json:"name"`
	ToFail int    `json:"to_fail"`
	ToPass int    `json:"to_pass"`
}

// Flipped returns how many verdicts flip in each direction.
func (r *Recording) Flipped() (toFail, toPass int) {
	toPass = len(slices.DeleteFunc(slices.Clone(r.Flips), func(f Flip) bool { return f.To == ToFail }))
	return len(r.Flips) - toPass, toPass
}
