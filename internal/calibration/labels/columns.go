package labels

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
)

// Layout is how a table holds labels.
type Layout string

const (
	// Long has a label a row.
	Long Layout = "long"
	// Wide has a criterion a column.
	Wide Layout = "wide"
)

// The meanings of columns, and the beginnings of further ones.
const (
	itemColumn      = "item"
	raterColumn     = "rater"
	criterionColumn = "criterion"
	labelColumn     = "label"
	artifactColumn  = "artifact"
	inputPrefix     = "input:" // and a key
	labelsPrefix    = "labels of "
)

// usualNames are the names of columns that say their meaning themselves.
var usualNames = map[string][]string{
	itemColumn:      {"item", "item_id", "id"},
	raterColumn:     {"rater", "rater_id", "annotator", "annotator_id"},
	criterionColumn: {"criterion", "dimension"},
	labelColumn:     {"label", "score", "rating"},
	artifactColumn:  {"artifact", "text"},
}

// roles are the meanings that a column can have in a layout, besides inputs and
// labels of a criterion.
func roles(l Layout) []string {
	if l == Long {
		return []string{itemColumn, raterColumn, criterionColumn, labelColumn, artifactColumn}
	}
	return []string{itemColumn, raterColumn, artifactColumn}
}

// columns are the columns of a table by their meaning.
type columns struct {
	layout Layout
	at     map[string]int
	unread []int
}

// of is the column with a meaning, or -1.
func (c *columns) of(meaning string) int {
	if i, ok := c.at[meaning]; ok {
		return i
	}
	return -1
}

// canBeRead tells whether the rows say which item they are of, and what of it.
func (c *columns) canBeRead() bool {
	return c.of(itemColumn) >= 0 && (c.layout == Wide || c.of(criterionColumn) >= 0 && c.of(labelColumn) >= 0)
}

// inputs are the columns of inputs by key.
func (c *columns) inputs() map[string]int {
	inputs := map[string]int{}
	for meaning, i := range c.at {
		if key, ok := strings.CutPrefix(meaning, inputPrefix); ok {
			inputs[key] = i
		}
	}
	return inputs
}

// finder finds out what the columns of a table mean.
type finder struct {
	*table
	options  Options
	columns  columns
	problems []source.Problem
}

func (t *table) columns(o Options) (*columns, []source.Problem) {
	f := &finder{table: t, options: o, columns: columns{at: map[string]int{}}}
	f.columns.layout = f.layout()
	named := f.mapped()
	for i, c := range t.header.cells {
		if !named[i] {
			f.find(i, c)
		}
	}
	f.missing()
	for _, i := range f.columns.unread {
		f.checkUnread(i)
	}
	return &f.columns, f.problems
}

func (f *finder) report(span source.Span, format string, args ...any) {
	f.problems = append(f.problems, source.Problem{Code: CodeColumn, Span: span, Message: fmt.Sprintf(format, args...)})
}

// layout is long if the table has columns of criteria and of labels.
func (f *finder) layout() Layout {
	if f.options.Layout != "" {
		return f.options.Layout
	}
	for _, meaning := range []string{criterionColumn, labelColumn} {
		has := f.options.Columns[meaning] != "" || slices.ContainsFunc(f.header.cells, func(c cell) bool {
			return slices.Contains(usualNames[meaning], fold(c.text))
		})
		if !has {
			return Wide
		}
	}
	return Long
}

// mapped gives the columns that were named their meaning.
func (f *finder) mapped() map[int]bool {
	named := map[int]bool{}
	for _, key := range slices.Sorted(maps.Keys(f.options.Columns)) {
		name := f.options.Columns[key]
		meaning := key
		if !slices.Contains(roles(f.columns.layout), key) {
			meaning = labelsPrefix + key
		}
		if meaning != key && (f.columns.layout == Long || !slices.Contains(f.options.Criteria, key)) {
			known := roles(f.columns.layout)
			if f.columns.layout == Wide {
				known = slices.Concat(known, f.options.Criteria)
			}
			f.report(source.Span{}, "--columns: there is no %s in the %s layout. %s", schema.Quote(key), f.columns.layout, meant(key, known))
			continue
		}
		i := slices.IndexFunc(f.header.cells, func(c cell) bool { return fold(c.text) == fold(name) })
		if i < 0 {
			f.report(f.headerSpan(), "--columns %s: there is no column %s. %s", key, schema.Quote(name), meant(name, f.names()))
			continue
		}
		named[i] = true
		f.take(meaning, i)
	}
	return named
}

// find gives a column the meaning that its name says.
func (f *finder) find(i int, c cell) {
	name := fold(c.text)
	if key, ok := strings.CutPrefix(name, inputPrefix); ok {
		f.take(inputPrefix+strings.Trim(key, "_"), i)
		return
	}
	for _, role := range roles(f.columns.layout) {
		if f.options.Columns[role] == "" && slices.Contains(usualNames[role], name) {
			f.take(role, i)
			return
		}
	}
	if f.columns.layout == Wide && slices.Contains(f.options.Criteria, name) && f.options.Columns[name] == "" {
		f.take(labelsPrefix+name, i)
		return
	}
	f.columns.unread = append(f.columns.unread, i)
}

// take gives a column a meaning that no other one may have.
func (f *finder) take(meaning string, i int) {
	if first, twice := f.columns.at[meaning]; twice {
		f.report(f.header.cells[i].span, "The columns %s and %s both say the %s. Say which one is meant with --columns, or remove one.",
			schema.Quote(f.name(first)), schema.Quote(f.name(i)), meaning)
		return
	}
	f.columns.at[meaning] = i
}

// missing reports the columns that have to be there.
func (f *finder) missing() {
	needed := []string{itemColumn}
	if f.columns.layout == Long {
		needed = append(needed, criterionColumn, labelColumn)
	}
	labelled := f.columns.layout == Long
	for _, c := range f.options.Criteria {
		labelled = labelled || f.columns.of(labelsPrefix+c) >= 0
	}
	if labelled && f.options.Rater == "" {
		needed = append(needed, raterColumn)
	}
	for _, meaning := range needed {
		if f.columns.of(meaning) < 0 && f.options.Columns[meaning] == "" {
			advice := fmt.Sprintf("Name it with --columns %s=NAME", meaning)
			if meaning == raterColumn {
				advice += ", or name who labelled with --rater"
			}
			f.report(f.headerSpan(), "There is no column %s. %s %s.", schema.Quote(meaning), meant(meaning, f.names()), advice)
		}
	}
	if !labelled && f.columns.of(artifactColumn) < 0 {
		f.report(f.headerSpan(), "No column has labels or artifacts. In the wide layout each criterion has a column (%s), in the long layout there are the columns criterion and label.",
			schema.Or(f.options.Criteria, "and"))
	}
	if i := f.columns.of(raterColumn); i >= 0 && f.options.Rater != "" {
		f.report(f.header.cells[i].span, "The column %s says who labelled, and --rater says it too. Leave --rater out, or remove the column.", schema.Quote(f.name(i)))
	}
}

// checkUnread refuses a column without meaning that is probably misspelt or holds
// labels.
func (f *finder) checkUnread(i int) {
	name := f.name(i)
	var known []string
	for _, role := range roles(f.columns.layout) {
		if f.columns.of(role) < 0 && (role != raterColumn || f.options.Rater == "") {
			known = append(known, role)
		}
	}
	if f.columns.layout == Wide {
		for _, c := range f.options.Criteria {
			if f.columns.of(labelsPrefix+c) < 0 {
				known = append(known, c)
			}
		}
	}
	span := f.header.cells[i].span
	switch word := suggest.Word(fold(name), known); {
	case word != "":
		f.report(span, "The column %s has no meaning here. Did you mean %s? Rename it, or say --columns %s=NAME.", schema.Quote(name), schema.Quote(word), word)
	case f.holdsLabels(i):
		f.report(span, "The column %s holds labels, and the rubric has no such criterion. It has %s. Rename the column, or remove it.", schema.Quote(name), schema.Or(f.options.Criteria, "and"))
	case name == "" && f.isUsed(i):
		f.report(span, "Column %d has no name. Give it one in the first row.", i+1)
	}
}

// holdsLabels tells whether all that a column has is labels.
func (f *finder) holdsLabels(i int) bool {
	found := false
	for _, r := range f.rows {
		value, ok := parseLabel(r.cell(i).text)
		if !ok {
			return false
		}
		found = found || value > 0
	}
	return found
}

func (f *finder) isUsed(i int) bool {
	return slices.ContainsFunc(f.rows, func(r row) bool { return strings.TrimSpace(r.cell(i).text) != "" })
}

func (f *finder) name(i int) string { return strings.TrimSpace(f.header.cells[i].text) }

func (f *finder) names() []string {
	var names []string
	for i := range f.header.cells {
		names = append(names, f.name(i))
	}
	return names
}

func (f *finder) headerSpan() source.Span {
	cells := f.header.cells
	return source.Span{Start: cells[0].span.Start, End: cells[len(cells)-1].span.End}
}

// meant is the sentence that says which of the known names could be meant, or
// lists them.
func meant(name string, known []string) string {
	folded := make([]string, len(known))
	for i, k := range known {
		folded[i] = fold(k)
	}
	if i := slices.Index(folded, suggest.Word(fold(name), folded)); i >= 0 {
		return fmt.Sprintf("Did you mean %s?", schema.Quote(known[i]))
	}
	quoted := make([]string, len(known))
	for i, k := range known {
		quoted[i] = schema.Quote(k)
	}
	return fmt.Sprintf("There is %s.", schema.Or(quoted, "and"))
}

// fold is a name without what people write in different ways: case, blanks,
// dashes and underscores.
func fold(name string) string {
	words := strings.FieldsFunc(strings.ToLower(strings.TrimPrefix(name, byteOrderMark)), func(r rune) bool { return r == '_' || strings.ContainsRune(" \t\r\n\u00a0", r) })
	return strings.Join(words, "_")
}
