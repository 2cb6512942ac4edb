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

type columns struct {
	isLong bool
	at     map[string]int
	unread []int
}

// of returns the column with a meaning, or -1.
func (c *columns) of(meaning string) int {
	if i, ok := c.at[meaning]; ok {
		return i
	}
	return -1
}

// canBeRead reports whether there is a column of items.
func (c *columns) canBeRead() bool { return c.of(itemColumn) >= 0 }

func (c *columns) inputs() map[string]int {
	inputs := map[string]int{}
	for meaning, i := range c.at {
		if key, ok := strings.CutPrefix(meaning, inputPrefix); ok {
			inputs[key] = i
		}
	}
	return inputs
}

// finder determines the meanings of the columns of a table.
type finder struct {
	grid
	options  Options
	columns  columns
	problems []source.Problem
}

func (t grid) columns(o Options) (*columns, []source.Problem) {
	f := &finder{grid: t, options: o, columns: columns{at: map[string]int{}}}
	f.columns.isLong = f.has(criterionColumn) && f.has(o.valueColumn())
	meanings := f.meanings()
	f.read(meanings)
	f.missing(slices.Sorted(maps.Values(meanings)))
	for _, i := range f.columns.unread {
		if !slices.Contains(o.Ignored, table.Fold(f.name(i))) && f.holdsLabels(i) {
			f.report(f.Header.Cells[i].Span, "The column %s has %ss but is not a criterion of the rubric, which has %s. Name the criterion with --column CRITERION=%s, or remove the column.",
				schema.Quote(f.name(i)), o.valueColumn(), schema.Or(o.Criteria, "and"), f.name(i))
		}
	}
	return &f.columns, f.problems
}

// read assigns meanings to the columns by their headings, and reports second columns with a
// meaning.
func (f *finder) read(meanings map[string]string) {
	var twice []source.Problem
	f.columns.at, f.columns.unread, twice = f.Columns(CodeColumn, "", func(heading string) string {
		heading = table.Fold(heading)
		if key, ok := strings.CutPrefix(heading, inputPrefix); ok && !f.options.Scores {
			return inputPrefix + strings.Trim(key, "_")
		}
		return meanings[heading]
	})
	f.problems = append(f.problems, twice...)
}

func (f *finder) report(span source.Span, format string, args ...any) {
	f.problems = append(f.problems, source.Problem{Code: CodeColumn, Span: span, Message: fmt.Sprintf(format, args...)})
}

// heading returns the table's heading for a column name.
func (f *finder) heading(name string) string {
	if heading, ok := f.options.Columns[name]; ok {
		return table.Fold(heading)
	}
	return name
}

func (f *finder) has(name string) bool {
	return slices.ContainsFunc(f.Header.Cells, func(c table.Cell) bool { return table.Fold(c.Text) == f.heading(name) })
}

// meanings returns the meanings of columns by heading. It reports names that the layout
// does not have.
func (f *finder) meanings() map[string]string {
	names := []string{itemColumn, raterColumn, artifactColumn}
	if f.options.Scores {
		names = []string{itemColumn, repeatColumn, modelColumn}
	}
	if f.columns.isLong {
		names = append(names, criterionColumn, f.options.valueColumn())
	}
	if f.columns.isLong && f.options.Scores {
		names = append(names, reasonColumn)
	}
	meanings := map[string]string{}
	for _, name := range names {
		meanings[f.heading(name)] = name
	}
	if !f.columns.isLong {
		for _, name := range f.options.Criteria {
			meanings[f.heading(name)] = labelsPrefix + name
		}
		names = append(names, f.options.Criteria...)
	}
	for _, name := range slices.Sorted(maps.Keys(f.options.Columns)) {
		switch {
		case !slices.Contains(names, name):
			f.report(source.Span{}, "--column: %s is not a column of this layout, which has %s.", schema.Quote(name), schema.Or(names, "and"))
		case !f.has(name):
			f.report(f.headerSpan(), "--column %s: the table has no column %s. It has %s.", name, schema.Quote(f.options.Columns[name]), f.names())
		}
	}
	return meanings
}

func (f *finder) missing(known []string) {
	isLabeled := f.columns.isLong || slices.ContainsFunc(known, func(meaning string) bool {
		return strings.HasPrefix(meaning, labelsPrefix) && f.columns.of(meaning) >= 0
	})
	for _, name := range []string{itemColumn, raterColumn} {
		if f.columns.of(name) >= 0 || f.options.Columns[name] != "" && !f.has(name) || name == raterColumn && (f.options.Scores || f.options.Rater != "" || !isLabeled) {
			continue
		}
		advice := ""
		if name == raterColumn {
			advice = ", or add --rater"
		}
		f.report(f.headerSpan(), "The table has no column %s. It has %s. Add --column %s=COLUMN%s.", schema.Quote(name), f.names(), name, advice)
	}
	if f.options.Scores {
		f.missingScores(isLabeled)
	} else if !isLabeled && f.columns.of(artifactColumn) < 0 {
		f.report(f.headerSpan(), "No column has labels or artifacts: expected one column for each criterion (%s), or the columns criterion and label.",
			schema.Or(f.options.Criteria, "and"))
	}
	if i := f.columns.of(raterColumn); i >= 0 && f.options.Rater != "" {
		f.report(f.Header.Cells[i].Span, "The column %s and --rater both name the rater. Omit --rater or remove the column.", schema.Quote(f.name(i)))
	}
}

// holdsLabels reports whether a column has only labels. Such a column is never ignored,
// because its heading can be misspelled.
func (f *finder) holdsLabels(i int) bool {
	found := false
	for _, r := range f.Rows {
		value, ok := f.options.parse(r.Cell(i).Text)
		if !ok {
			return false
		}
		found = found || value != 0
	}
	return found
}

func (f *finder) name(i int) string { return strings.TrimSpace(f.Header.Cells[i].Text) }

func (f *finder) names() string {
	var names []string
	for i := range f.Header.Cells {
		names = append(names, schema.Quote(f.name(i)))
	}
	return schema.Or(names, "and")
}

func (f *finder) headerSpan() source.Span {
	cells := f.Header.Cells
	return source.Span{Start: cells[0].Span.Start, End: cells[len(cells)-1].Span.End}
}
