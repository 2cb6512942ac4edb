package labels

import (
	"fmt"
	"maps"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/jsontext"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// Target is a run of a judge that scores are imported into.
type Target struct {
	Dataset *calibration.Dataset
	// Criteria are those that every answer of the run has.
	Criteria []string
	// Run has what all answers of the run have in common.
	Run calibration.Answer
	// Recorded are the answers that the run has.
	Recorded []calibration.Answer
}

// Answers returns the scores of a file as answers: those that the run does not have, in
// the order of the file, and how many it has. If there are problems, Answers returns all
// of them and no answers.
func (t *Target) Answers(l *Labels) (added []calibration.Answer, unchanged int, problems []source.Problem) {
	items, recorded := map[string]bool{}, map[answerKey]*calibration.Answer{}
	for i := range t.Dataset.Items {
		items[t.Dataset.Items[i].ID] = true
	}
	for i := range t.Recorded {
		a := &t.Recorded[i]
		recorded[answerKey{a.Item, a.Repeat}] = a
	}
	for _, item := range l.Items {
		if !items[item.ID] {
			problems = append(problems, item.place.problem(CodeConflict, fmt.Sprintf("the item %s is not in %s/%s/%s. Fix the ID or remove the item's rows.",
				schema.Quote(item.ID), calibration.Root, t.Dataset.Name, calibration.ItemsFile)))
			continue
		}
		repeats := map[int][]Label{}
		for _, score := range item.Labels {
			repeats[score.Repeat] = append(repeats[score.Repeat], score)
		}
		for _, repeat := range slices.Sorted(maps.Keys(repeats)) {
			if known := recorded[answerKey{item.ID, repeat}]; known != nil {
				problems = append(problems, differences(known, repeats[repeat])...)
				unchanged++
				continue
			}
			if repeat > 1 && repeats[repeat-1] == nil && recorded[answerKey{item.ID, repeat - 1}] == nil {
				problems = append(problems, repeats[repeat][0].place.problem(CodeCell, fmt.Sprintf("item %s has a repeat %d but no repeat %d. Number the repeats of an item from 1.", item.ID, repeat, repeat-1)))
			}
			answer, wrong := t.answer(item.ID, repeat, repeats[repeat])
			problems = append(problems, wrong...)
			added = append(added, answer)
		}
	}
	if len(problems) > 0 {
		slices.SortStableFunc(problems, func(a, b source.Problem) int { return a.Span.Start - b.Span.Start })
		return nil, 0, problems
	}
	return added, unchanged, nil
}

type answerKey struct {
	item   string
	repeat int
}

// answer returns the answer of a repeat, or says what it lacks, or why it could not be
// read again.
func (t *Target) answer(item string, repeat int, scores []Label) (a calibration.Answer, problems []source.Problem) {
	a = t.Run
	a.Item, a.Repeat, a.Scores, a.Reasons = item, repeat, map[string]float64{}, map[string]string{}
	for _, score := range scores {
		a.Scores[score.Criterion] = score.Value
		if score.Reason != "" {
			a.Reasons[score.Criterion] = score.Reason
		}
	}
	at := scores[0].place
	for _, name := range t.Criteria {
		if _, ok := a.Scores[name]; !ok {
			problems = append(problems, at.problem(CodeCell, fmt.Sprintf("repeat %d of item %s has no score for %s. Add it, or remove the other scores of this repeat.", repeat, item, name)))
		}
	}
	line, _ := jsontext.Encode(a, "", "") // texts and finite numbers can always be written
	if d := document.ParseLine(source.NewFile("answer", line), &document.Answer); len(d.Problems) > 0 {
		problems = append(problems, at.problem(CodeCell, fmt.Sprintf("the answer for item %s can't be stored. %s", item, d.Problems[0].Message)))
	}
	return a, problems
}

func differences(known *calibration.Answer, scores []Label) (problems []source.Problem) {
	const advice = "Recorded answers are not changed. Remove the item's rows, or import the file as another run with --run."
	for _, score := range scores {
		of := fmt.Sprintf("the %s of item %s (repeat %d)", score.Criterion, known.Item, known.Repeat)
		has, ok := known.Scores[score.Criterion]
		switch {
		case !ok:
			problems = append(problems, score.place.problem(CodeConflict, fmt.Sprintf("run %s has an answer without a score for %s. %s", known.Run, of, advice)))
		case has != score.Value:
			problems = append(problems, score.place.problem(CodeConflict, fmt.Sprintf("found %v, but run %s has %v for %s. %s", score.Value, known.Run, has, of, advice)))
		case score.Reason != "" && score.Reason != known.Reasons[score.Criterion]:
			problems = append(problems, score.place.problem(CodeConflict, fmt.Sprintf("run %s has another reason for %s. %s", known.Run, of, advice)))
		}
	}
	return problems
}
