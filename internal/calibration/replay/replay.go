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
	// Missing is why there was nothing to replay. null: rubrics were replayed.
	Missing render.Optional `json:"missing"`
	// Rubrics are the rubrics that changed, and added rubrics that replace one deprecated in the
	// same change, in the order of documents.
	Rubrics render.List[Rubric] `json:"rubrics"`
}

// Rubric is a rubric that changed or replaces another one, with the recorded scores of
// its dataset.
type Rubric struct {
	ID string `json:"id"`
	// Replaces is the ID of the deprecated rubric that it is compared with. null: it is compared
	// with the same rubric in the base.
	Replaces render.Optional `json:"replaces"`
	// Dataset is the name of the dataset. null: the rubric names none in the library.
	Dataset render.Optional `json:"dataset"`
	// Missing is why nothing was replayed. null: the rubric was replayed.
	Missing render.Optional `json:"missing"`
	// Reworded is whether a judge reads other words in the head than in the base.
	Reworded bool `json:"-"`
	// Repeat are the judge runs to repeat, because they read text that differs from the head.
	Repeat render.List[Run] `json:"repeat"`
	// Recordings are one run per judge, sorted by name, and then the labels. The run is the
	// newest one on the text of the head, otherwise of the base, otherwise of any text.
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
	// Run is null for labels.
	Run render.Optional `json:"run"`
	// Model is null for labels.
	Model render.Optional `json:"model"`
	// Items is the number of items with a score.
	Items int `json:"items"`
	// Replayed is the number of items with a verdict on both sides.
	Replayed int `json:"replayed"`
	// Unscored are the criteria of the head for which no item has a score, so there is no
	// verdict.
	Unscored render.List[string] `json:"unscored"`
	// Lost are the same for criteria that only the base has.
	Lost render.List[string] `json:"lost"`
	// Indication is why flips are only indications. null: they follow from the recorded scores.
	Indication render.Optional `json:"indication"`
	// Flips are all verdicts that flip, first those that now fail, in the order of the items.
	Flips render.List[Flip] `json:"flips"`
	// Criteria are the criteria and negative criteria whose outcome flips while the verdict does
	// not, or is unknown, with the number of items. A negative criterion fails if it is hit and
	// the hit fails the rubric.
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
	Item string `json:"item"`
	// To is the verdict in the head; the base had the opposite one.
	To Direction `json:"to"`
	// Reasons are the reasons of the failing side.
	Reasons []Reason `json:"reasons"`
}

// FlipKind is the part of a rubric that decides a verdict.
type FlipKind string

// The kinds.
const (
	Criterion         FlipKind = "criterion"
	Overall           FlipKind = "overall"
	NegativeCriterion FlipKind = "negative_criterion"
)

// Reason is a reason why a verdict flips.
type Reason struct {
	Kind FlipKind `json:"kind"`
	// Name is null for the overall score.
	Name render.Optional `json:"name"`
	// Message is a sentence without a period.
	Message string `json:"message"`
}

// Outcome counts the items for which the outcome of a criterion flips.
type Outcome struct {
	Kind   FlipKind `json:"kind"`
	Name   string   `json:"name"`
	ToFail int      `json:"to_fail"`
	ToPass int      `json:"to_pass"`
}

// CountFlips returns how many verdicts flip in each direction.
func (r *Recording) CountFlips() (toFail, toPass int) {
	toPass = len(slices.DeleteFunc(slices.Clone(r.Flips), func(f Flip) bool { return f.To == ToFail }))
	return len(r.Flips) - toPass, toPass
}
