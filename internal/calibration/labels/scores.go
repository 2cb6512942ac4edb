package labels

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/jsontext"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/table"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
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
				problems = append(problems, repeats[repeat][0].place.problem(CodeCell,
					fmt.Sprintf("item %s has a repeat %d but no repeat %d. Number the repeats of an item from 1.",
						item.ID, repeat, repeat-1)))
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
			problems = append(problems, at.problem(CodeCell, fmt.Sprintf("repeat %d of item %s has no score for %s. Add it, or remove the other scores of this repeat.",
				repeat, item, name)))
		}
	}
	line, _ := jsontext.Encode(a, "", "") // texts and finite numbers can always be written
	if d := document.ParseLine(source.NewFile("answer", line), &document.Answer); len(d.Problems) > 0 {
		problems = append(problems, at.problem(CodeCell, fmt.Sprintf("the answer for item %s can't be stored. %s",
			item, d.Problems[0].Message)))
	}
	return a, problems
}

// differences reports scores and reasons that a recorded answer does not have.
func differences(known *calibration.Answer, scores []Label) (problems []source.Problem) {
	for _, score := range scores {
		has, ok := known.Scores[score.Criterion]
		if !ok || has != score.Value || score.Reason != "" && score.Reason != known.Reasons[score.Criterion] {
			problems = append(problems, score.place.problem(CodeConflict, fmt.Sprintf(
				"run %s has another answer for the %s of item %s (repeat %d). Recorded answers are not changed. Remove the item's rows, or import the file as another run with --run.",
				known.Run, score.Criterion, known.Item, known.Repeat)))
		}
	}
	return problems
}

// scoreForm is a number as spreadsheets write it, with a decimal point or comma.
var scoreForm = lazy.Expr(`^[1-5](?:[.,][0-9]+)?$`)

// valueColumn is the column of values in the long layout. It is also what a value is
// called.
func (o *Options) valueColumn() string {
	if o.Scores {
		return scoreColumn
	}
	return labelColumn
}

// parse parses a label or a score. A missing label is 0, and a missing score is not ok.
func (o *Options) parse(text string) (value float64, ok bool) {
	if !o.Scores {
		return parseLabel(text)
	}
	text = strings.TrimSpace(text)
	value, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
	return value, err == nil && value <= 5 && scoreForm().MatchString(text)
}

func (o *Options) valueSays() string {
	if o.Scores {
		return "a number from 1 to 5. If the judge did not answer, remove all scores of the item"
	}
	return labelSays
}

// missingScores reports what a table of scores must have, or must not have.
func (r *reader) missingScores(hasScores bool) {
	for i, c := range r.Header.Cells {
		if table.Fold(c.Text) == raterColumn || strings.HasPrefix(strings.TrimSpace(c.Text), strings.TrimSpace(formMark)) {
			r.refuse(c.Span,
				"The column %s is for labels, which people gave. Omit --judge to import labels. If these are a judge's scores, remove the column.",
				schema.Quote(r.name(i)))
		}
	}
	switch {
	case !hasScores:
		r.refuse(r.headerSpan(),
			"No column has scores: expected one column for each criterion (%s), or the columns criterion and score.",
			schema.Or(r.options.Criteria, "and"))
	case !r.isLong:
		for _, name := range r.options.Criteria {
			if r.columnOf(labelsPrefix+name) < 0 && r.options.Columns[name] == "" {
				r.refuse(r.headerSpan(),
					"The table has no column %s. It has %s. Add --column %s=COLUMN, or add the scores.",
					schema.Quote(name), r.Names(), name)
			}
		}
	}
}

// readSaid reads what a row says about a score: the repeat, the reason, and the model.
func (r *reader) readSaid(w table.Row, score *Label) bool {
	if i := r.columnOf(modelColumn); i >= 0 {
		if model := strings.TrimSpace(w.Cell(i).Text); model != r.options.Model {
			r.report("model "+model, r.place(w, i).problemOf(model,
				schema.Quote(r.options.Model)+", which is --model: a run has one model. Import the rows of each model on their own"))
			return false
		}
	}
	score.Reason = strings.TrimSpace(w.Cell(r.columnOf(reasonColumn)).Text)
	score.Repeat = 1
	if i := r.columnOf(repeatColumn); i >= 0 {
		text := strings.TrimSpace(w.Cell(i).Text)
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 1000 {
			r.report(fmt.Sprintf("repeat in row %d", w.Number),
				r.place(w, i).problemOf(text, "the number of the repeat, from 1 to 1000"))
			return false
		}
		score.Repeat = n
	}
	return true
}

// labelForm is a whole number from 1 to 5 as spreadsheets write it: "4", "4.0",
// "4,0". "4,000" could be four thousand.
var labelForm = lazy.Expr(`^([1-5])(?:\.0+|,0{1,2})?$`)

// CannotTell is the value of an answer that the item does not let the rater tell.
const CannotTell = -1

// cannotTell is what a rater writes for it.
const cannotTell = "cannot tell"

const labelSays = "a whole number from 1 to 5, cannot tell, or an empty cell for a missing label"

// parseLabel parses a label. A missing label is 0; ok is false if the text is not a
// label.
func parseLabel(text string) (value float64, ok bool) {
	text = strings.TrimSpace(text)
	switch strings.ToLower(text) {
	case "", "-", "na", "n/a":
		return 0, true
	case cannotTell:
		return CannotTell, true
	}
	form := labelForm().FindStringSubmatch(text)
	if form == nil {
		return 0, false
	}
	return float64(form[1][0] - '0'), true
}

// answerOf returns a rater's label of an item, CannotTell, or 0 if there is no answer.
func answerOf(item *calibration.Item, rater, criterion string) float64 {
	if slices.Contains(item.CannotTell[rater], criterion) {
		return CannotTell
	}
	return item.Labels[rater][criterion]
}

// wordOf returns an answer as a rater writes it.
func wordOf(value float64) string {
	if value == CannotTell {
		return cannotTell
	}
	return strconv.FormatFloat(value, 'g', -1, 64)
}
