// Package replay scores recorded answers again under both sides of a change, and
// matches the patterns of both sides on the items again. So a change shows whose
// verdict it flips before anybody asks a judge.
//
// It promises:
//
//   - Every flip has its reasons, in sentences that name the criterion, the
//     scores and the minimums, or what a pattern hits.
//   - A verdict is replayed only where every score that both sides need was
//     recorded. Otherwise the criteria that can be compared are, and what the
//     judge has to be asked for is named.
//   - Scores of other words than those of the head are marked as indications.
//   - A dataset with mistakes is an error, never one with fewer items.
package replay

// Replay is what came of the recorded scores of the changed rubrics.
type Replay struct {
	// Missing says why there was nothing to replay, "" if there are rubrics.
	Missing string
	Rubrics []Rubric
}

// Rubric is a rubric that changed, or that replaces another one, with the recorded scores of its dataset.
type Rubric struct {
	ID string
	// Replaces is the ID of the rubric that it is compared with, "" if that is the
	// same.
	Replaces string
	// Dataset is the name of the dataset, "" if it has none in the library.
	Dataset string
	// Missing says why nothing was replayed, "" if something was.
	Missing string
	// Reworded are the criteria of both sides of which a judge reads other words
	// now.
	Reworded []string
	// Recordings are the newest run of each judge, sorted by its name, and then
	// the labels.
	Recordings []Recording
}

// Source says where recorded scores come from.
type Source string

const (
	// Judge is a run of a judge.
	Judge Source = "judge"
	// Labels are the labels that raters gave.
	Labels Source = "labels"
)

// Recording is recorded scores of items, the mean of repeats or of raters, and
// what the change does to them.
type Recording struct {
	Source Source
	// Name is that of the judge, or who labelled: people, authors or model.
	Name string
	// Run and Model are those of the judge's run, "" for labels.
	Run, Model string
	// Items counts those with a score, and Replayed those of them with a verdict
	// on both sides.
	Items, Replayed int
	// Unscored are criteria of the head that no item has a score of, and Lost
	// those that only the base has: without them there is no verdict.
	Unscored, Lost []string
	// Indication says why flips are indications only, "" if the
	// scores are of the words of the head.
	Indication string
	// Flips are the verdicts that flip, those that fail now first, in the order
	// of the items.
	Flips []Flip
	// Criteria are those whose outcome flips where the verdict does not, or is
	// not known: in the order of the head, negative criteria last.
	Criteria []Outcome
}

// Flip is a verdict that is another one in the head.
type Flip struct {
	Item string // its ID
	// Passes tells that it passes in the head and failed in the base; else it
	// is the other way round.
	Passes  bool
	Reasons []Reason // never empty
}

// Kind says what decides about a verdict.
type Kind string

// The kinds.
const (
	Criterion         Kind = "criterion"
	Overall           Kind = "overall"
	NegativeCriterion Kind = "negative_criterion"
)

// Reason is one thing that flips a verdict.
type Reason struct {
	Kind Kind
	// Name is that of the criterion or negative criterion, "" for Overall.
	Name string
	// Message is a sentence without a full stop.
	Message string
}

// Outcome counts the items for which a criterion comes out otherwise. A negative
// criterion fails where it is hit and that fails the rubric.
type Outcome struct {
	Kind           Kind
	Name           string
	ToFail, ToPass int
}

// Repeat are the runs of judges that must be repeated, because they read other
// words than those of the head.
func (r *Rubric) Repeat() []*Recording {
	var runs []*Recording
	for i := range r.Recordings {
		if rec := &r.Recordings[i]; rec.Source == Judge && rec.Indication != "" {
			runs = append(runs, rec)
		}
	}
	return runs
}

// Flipped counts the verdicts that flip.
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

// Count is the sums over all recordings of a replay.
type Count struct{ Replayed, ToFail, ToPass, Repeat int }

// Count sums up.
func (r *Replay) Count() Count {
	var sum Count
	for i := range r.Rubrics {
		for j := range r.Rubrics[i].Recordings {
			rec := &r.Rubrics[i].Recordings[j]
			toFail, toPass := rec.Flipped()
			sum.Replayed += rec.Replayed
			sum.ToFail += toFail
			sum.ToPass += toPass
		}
		sum.Repeat += len(r.Rubrics[i].Repeat())
	}
	return sum
}
