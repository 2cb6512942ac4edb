package labels

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
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
func (f *finder) missingScores(hasScores bool) {
	for i, c := range f.header.cells {
		if fold(c.text) == raterColumn || strings.HasPrefix(strings.TrimSpace(c.text), strings.TrimSpace(formMark)) {
			f.report(c.span, "The column %s is for labels, which people gave. Omit --judge to import labels. If these are a judge's scores, remove the column.", schema.Quote(f.name(i)))
		}
	}
	switch {
	case !hasScores:
		f.report(f.headerSpan(), "No column has scores: expected one column for each criterion (%s), or the columns criterion and score.", schema.Or(f.options.Criteria, "and"))
	case !f.columns.isLong:
		for _, name := range f.options.Criteria {
			if f.columns.of(labelsPrefix+name) < 0 && f.options.Columns[name] == "" {
				f.report(f.headerSpan(), "The table has no column %s. It has %s. Add --column %s=COLUMN, or add the scores.", schema.Quote(name), f.names(), name)
			}
		}
	}
}

// said reads what a row says about a score: the repeat, the reason, and the model.
func (r *labelReader) said(w row, score *Label) bool {
	if i := r.columns.of(modelColumn); i >= 0 {
		if model := strings.TrimSpace(w.cell(i).text); model != r.options.Model {
			r.report("model "+model, r.place(w, i).expected(model, schema.Quote(r.options.Model)+", which is --model: a run has one model. Import the rows of each model on their own"))
			return false
		}
	}
	score.Reason = strings.TrimSpace(w.cell(r.columns.of(reasonColumn)).text)
	score.Repeat = 1
	if i := r.columns.of(repeatColumn); i >= 0 {
		text := strings.TrimSpace(w.cell(i).text)
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 1000 {
			r.report(fmt.Sprintf("repeat in row %d", w.number), r.place(w, i).expected(text, "the number of the repeat, from 1 to 1000"))
			return false
		}
		score.Repeat = n
	}
	return true
}
