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

// Replay is the result of a replay of the changed rubrics.
type Replay struct {
	// Missing is why there was nothing to replay, or "" if there are rubrics.
	Missing string
	Rubrics []Rubric
}

// Rubric is a rubric that changed or replaces another one, with the recorded scores of
// its dataset.
type Rubric struct {
	ID string
	// Replaces is the ID of the rubric that it replaces, or "".
	Replaces string
	// Dataset is the name of the dataset, or "" if the library has none for it.
	Dataset string
	// Missing is why nothing was replayed, or "".
	Missing string
	// Reworded are the criteria that both sides have with different wordings.
	Reworded []string
	// Recordings are the newest run of each judge, sorted by judge, and then the
	// labels.
	Recordings []Recording
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
	Source Source
	// Name is the name of the judge, or who labeled: people, authors, or model.
	Name string
	// Run and Model are the run and the model of the judge, "" for labels.
	Run, Model string
	// Items counts the items with a score, and Replayed those of them with a verdict
	// on both sides.
	Items, Replayed int
	// Unscored are the criteria of the head without any score, and Lost those that
	// only the base has. Without these scores, there is no verdict.
	Unscored, Lost []string
	// Indication is why flips are only indications, or "" if the scores are for the
	// wording of the head.
	Indication string
	// Flips are the verdicts that flip, those that fail now first, in the order of
	// the items.
	Flips []Flip
	// Criteria are the criteria whose outcome flips while the verdict does not flip
	// or is unknown, in the order of the head, negative criteria last.
	Criteria []Outcome
}

// Flip is a verdict that differs between the two sides.
type Flip struct {
	Item string // its ID
	// Passes reports whether the item passes in the head and failed in the base;
	// otherwise, it fails in the head and passed in the base.
	Passes  bool
	Reasons []Reason // never empty
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
	Kind Kind
	// Name is the name of the criterion or negative criterion, "" for Overall.
	Name string
	// Message is a sentence without a period.
	Message string
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
	for _, f := range r.Flips {
		if f.Passes {
			toPass++
		} else {
			toFail++
		}
	}
	return toFail, toPass
}
