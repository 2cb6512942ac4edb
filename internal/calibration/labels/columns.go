package labels

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/table"
)

// A table has one of two layouts. The long layout has one label in each row and the
// columns item, rater, criterion, and label. The wide layout has the columns item and
// rater, and one column for each criterion. Both can have the column artifact and columns
// such as "input: task". A table of scores has the column score instead of label, and can
// have repeat, model, and reason instead of the others. Options.Columns maps these names
// to other headings.
const (
	itemColumn      = "item"
	raterColumn     = "rater"
	criterionColumn = "criterion"
	labelColumn     = "label"
	artifactColumn  = "artifact"
	scoreColumn     = "score"
	repeatColumn    = "repeat"
	reasonColumn    = "reason"
	modelColumn     = "model"
	inputPrefix     = "input:"     // and a key
	labelsPrefix    = "labels of " // and a criterion; a meaning, not a heading
)

// columnOf returns the column with a meaning, or -1.
func (r *reader) columnOf(meaning string) int {
	if i, ok := r.at[meaning]; ok {
		return i
	}
	return -1
}

// columns finds the meanings of the columns of a table that is not a sheet.
func (r *reader) columns() {
	r.isLong = r.has(criterionColumn) && r.has(r.options.valueColumn())
	meanings := r.meanings()
	r.assign(meanings)
	r.reportMissing(slices.Sorted(maps.Values(meanings)))
	for _, i := range r.unread {
		if !slices.Contains(r.options.Ignored, table.Fold(r.name(i))) && r.holdsLabels(i) {
			r.refuse(r.Header.Cells[i].Span, "The column %s has %ss but is not a criterion of the rubric, which has %s. Name the criterion with --column CRITERION=%s, or remove the column.",
				schema.Quote(r.name(i)), r.options.valueColumn(), schema.Or(r.options.Criteria, "and"), r.name(i))
		}
	}
}

// assign assigns meanings to the columns by their headings, and reports second columns with
// a meaning.
func (r *reader) assign(meanings map[string]string) {
	var twice []source.Problem
	r.at, r.unread, twice = r.Columns(CodeColumn, "", func(heading string) string {
		heading = table.Fold(heading)
		if key, ok := strings.CutPrefix(heading, inputPrefix); ok && !r.options.Scores {
			return inputPrefix + strings.Trim(key, "_")
		}
		return meanings[heading]
	})
	r.problems = append(r.problems, twice...)
}

func (r *reader) refuse(span source.Span, format string, args ...any) {
	r.problems = append(r.problems, source.Problem{Code: CodeColumn, Span: span, Message: fmt.Sprintf(format, args...)})
}

func (r *reader) heading(name string) string {
	if heading, ok := r.options.Columns[name]; ok {
		return table.Fold(heading)
	}
	return name
}

func (r *reader) has(name string) bool {
	return slices.ContainsFunc(r.Header.Cells, func(c table.Cell) bool { return table.Fold(c.Text) == r.heading(name) })
}

// meanings returns the meanings of columns by heading. It reports names that the layout
// does not have.
func (r *reader) meanings() map[string]string {
	names := []string{itemColumn, raterColumn, artifactColumn}
	if r.options.Scores {
		names = []string{itemColumn, repeatColumn, modelColumn}
	}
	if r.isLong {
		names = append(names, criterionColumn, r.options.valueColumn())
	}
	if r.isLong && r.options.Scores {
		names = append(names, reasonColumn)
	}
	meanings := map[string]string{}
	for _, name := range names {
		meanings[r.heading(name)] = name
	}
	if !r.isLong {
		for _, name := range r.options.Criteria {
			meanings[r.heading(name)] = labelsPrefix + name
		}
		names = append(names, r.options.Criteria...)
	}
	for _, name := range slices.Sorted(maps.Keys(r.options.Columns)) {
		switch {
		case !slices.Contains(names, name):
			r.refuse(source.Span{},
				"--column: %s is not a column of this layout, which has %s.", schema.Quote(name), schema.Or(names, "and"))
		case !r.has(name):
			r.refuse(r.headerSpan(),
				"--column %s: the table has no column %s. It has %s.", name, schema.Quote(r.options.Columns[name]), r.Names())
		}
	}
	return meanings
}

func (r *reader) reportMissing(known []string) {
	isLabeled := r.isLong || slices.ContainsFunc(known, func(meaning string) bool {
		return strings.HasPrefix(meaning, labelsPrefix) && r.columnOf(meaning) >= 0
	})
	for _, name := range []string{itemColumn, raterColumn} {
		if r.columnOf(name) >= 0 || r.options.Columns[name] != "" && !r.has(name) ||
			name == raterColumn && (r.options.Scores || r.options.Rater != "" || !isLabeled) {
			continue
		}
		advice := ""
		if name == raterColumn {
			advice = ", or add --rater"
		}
		r.refuse(r.headerSpan(),
			"The table has no column %s. It has %s. Add --column %s=COLUMN%s.", schema.Quote(name), r.Names(), name, advice)
	}
	if r.options.Scores {
		r.missingScores(isLabeled)
	} else if !isLabeled && r.columnOf(artifactColumn) < 0 {
		r.refuse(r.headerSpan(), "No column has labels or artifacts: expected one column for each criterion (%s), or the columns criterion and label.",
			schema.Or(r.options.Criteria, "and"))
	}
	if i := r.columnOf(raterColumn); i >= 0 && r.options.Rater != "" {
		r.refuse(r.Header.Cells[i].Span,
			"The column %s and --rater both name the rater. Omit --rater or remove the column.", schema.Quote(r.name(i)))
	}
}

// holdsLabels reports whether a column has only labels. Such a column is never ignored,
// because its heading can be misspelled.
func (r *reader) holdsLabels(i int) bool {
	found := false
	for _, row := range r.Rows {
		value, ok := r.options.parse(row.Cell(i).Text)
		if !ok {
			return false
		}
		found = found || value != 0
	}
	return found
}

func (r *reader) name(i int) string { return strings.TrimSpace(r.Header.Cells[i].Text) }

func (r *reader) headerSpan() source.Span {
	cells := r.Header.Cells
	return source.Span{Start: cells[0].Span.Start, End: cells[len(cells)-1].Span.End}
}
