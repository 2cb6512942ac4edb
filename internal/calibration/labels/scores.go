package labels

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/table"
)

// scoreForm is a number as spreadsheets write it, with a decimal point or comma.
var scoreForm = regexp.MustCompile(`^[1-5](?:[.,][0-9]+)?$`)

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
	return value, err == nil && value <= 5 && scoreForm.MatchString(text)
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
			r.refuse(c.Span, "The column %s is for labels, which people gave. Omit --judge to import labels. If these are a judge's scores, remove the column.", schema.Quote(r.name(i)))
		}
	}
	switch {
	case !hasScores:
		r.refuse(r.headerSpan(), "No column has scores: expected one column for each criterion (%s), or the columns criterion and score.", schema.Or(r.options.Criteria, "and"))
	case !r.isLong:
		for _, name := range r.options.Criteria {
			if r.of(labelsPrefix+name) < 0 && r.options.Columns[name] == "" {
				r.refuse(r.headerSpan(), "The table has no column %s. It has %s. Add --column %s=COLUMN, or add the scores.", schema.Quote(name), r.names(), name)
			}
		}
	}
}

// said reads what a row says about a score: the repeat, the reason, and the model.
func (r *reader) said(w table.Row, score *Label) bool {
	if i := r.of(modelColumn); i >= 0 {
		if model := strings.TrimSpace(w.Cell(i).Text); model != r.options.Model {
			r.report("model "+model, r.place(w, i).expected(model, schema.Quote(r.options.Model)+", which is --model: a run has one model. Import the rows of each model on their own"))
			return false
		}
	}
	score.Reason = strings.TrimSpace(w.Cell(r.of(reasonColumn)).Text)
	score.Repeat = 1
	if i := r.of(repeatColumn); i >= 0 {
		text := strings.TrimSpace(w.Cell(i).Text)
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 1000 {
			r.report(fmt.Sprintf("repeat in row %d", w.Number), r.place(w, i).expected(text, "the number of the repeat, from 1 to 1000"))
			return false
		}
		score.Repeat = n
	}
	return true
}

// labelForm is a whole number from 1 to 5 as spreadsheets write it: "4", "4.0",
// "4,0". "4,000" could be four thousand.
var labelForm = regexp.MustCompile(`^([1-5])(?:\.0+|,0{1,2})?$`)

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
	form := labelForm.FindStringSubmatch(text)
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
