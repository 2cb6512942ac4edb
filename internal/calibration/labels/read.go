package labels

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/table"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// Options are the settings for reading a file.
type Options struct {
	// Criteria are the names of the rubric's criteria.
	Criteria []string
	// Columns maps the names item, rater, criterion, label, and artifact, and in the
	// wide layout the names of criteria, to the headings of columns with other names.
	Columns map[string]string
	// Rater is the rater of all labels in a file without a column for raters.
	Rater string
	// Separator separates cells; 0 detects it.
	Separator rune

	// Scores says that the file has the scores of a judge. Model is its model, and
	// Ignored are the names of criteria whose scores are not read.
	Scores  bool
	Model   string
	Ignored []string
}

// Read reads a file of labels or scores. If there are problems, it returns all of them and no
// labels.
func Read(f *source.File, o Options) (*Labels, []source.Problem) {
	t, problems := table.CSV(f, o.Separator, withSeparator)
	if t == nil || t.Header.Number == 0 {
		return nil, problems
	}
	r := &reader{
		Table: t, options: o, labels: &Labels{}, problems: problems,
		items: map[string]*Item{}, first: map[labelKey]place{}, wrong: map[string]bool{},
	}
	r.read()
	if len(r.problems) > 0 {
		slices.SortStableFunc(r.problems, func(a, b source.Problem) int { return a.Span.Start - b.Span.Start })
		return nil, r.problems
	}
	return r.labels, nil
}

type reader struct {
	*table.Table
	options  Options
	isLong   bool           // the layout
	at       map[string]int // columns by their meanings
	unread   []int          // columns without a meaning
	labels   *Labels
	problems []source.Problem
	items    map[string]*Item
	first    map[labelKey]place
	wrong    map[string]bool // keys of the problems that are reported only once
}

// withSeparator is advice about a row with more cells than the header.
const withSeparator = ", or set the separator with --separator"

func (r *reader) place(row table.Row, column int) place {
	return place{row: row.Number, column: strings.TrimSpace(r.Header.Cell(column).Text), span: row.Cell(column).Span}
}

// labelKey identifies a label. by is its rater, or its repeat.
type labelKey struct{ item, by, criterion string }

func (r *reader) read() {
	var problems []source.Problem
	if !r.options.Scores {
		r.labels.Form, problems = formIn(r.Table)
	}
	if r.labels.Form != nil {
		r.formColumns(r.labels.Form)
		r.options.Rater = r.labels.Form.Rater
	} else if len(problems) == 0 {
		r.columns()
	}
	r.problems = append(r.problems, problems...)
	if r.columnOf(itemColumn) < 0 {
		return
	}
	for _, i := range r.unread {
		if name := r.name(i); name != "" {
			r.labels.Unread = append(r.labels.Unread, name)
		}
	}
	for _, row := range r.Rows {
		if item := r.item(row); item != nil {
			r.rowLabels(row, item)
		}
	}
}

// report adds a problem, only once for each key other than "".
func (r *reader) report(once string, p source.Problem) {
	if once == "" || !r.wrong[once] {
		r.problems = append(r.problems, p)
	}
	r.wrong[once] = true
}

func (r *reader) item(w table.Row) *Item {
	at := r.place(w, r.columnOf(itemColumn))
	id := strings.TrimSpace(w.Cell(r.columnOf(itemColumn)).Text)
	split := ""
	if r.labels.Form != nil {
		code, ok := id, false
		if id, split, ok = parseRowCode(code); !ok {
			r.report("", at.problemOf(code, "the row's original code"))
			return nil
		}
	}
	if !pseudonym().MatchString(id) {
		r.report("", at.problemOf(id, "the ID of an item: "+pseudonymSays))
		return nil
	}
	item := r.items[id]
	if item == nil {
		item = &Item{ID: id, Split: split, Inputs: map[string]string{}, place: at}
		r.items[id] = item
		r.labels.Items = append(r.labels.Items, item)
	}
	if i := r.columnOf(artifactColumn); i >= 0 {
		at := r.place(w, i)
		if item.Artifact == "" {
			item.text = at
		}
		item.Artifact = r.text(item, at, item.Artifact, r.textOf(w, i))
	}
	for meaning, i := range r.at {
		key, isInput := strings.CutPrefix(meaning, inputPrefix)
		if !isInput {
			continue
		}
		if text := r.text(item, r.place(w, i), item.Inputs[key], r.textOf(w, i)); text != "" {
			item.Inputs[key] = text
		}
	}
	return item
}

// textOf returns the text of a cell. In a sheet, it removes the protection against
// formulas.
func (r *reader) textOf(w table.Row, column int) string {
	text := w.Cell(column).Text
	if r.labels.Form != nil {
		return table.Arm(text)
	}
	return text
}

// text returns a text of an item. All rows that have it must agree; had is the text from
// earlier rows.
func (r *reader) text(item *Item, at place, had, text string) string {
	switch {
	case strings.TrimSpace(text) == "":
		return had
	case had != "" && !sameText(had, text):
		r.report("", at.problemOf(text, fmt.Sprintf("the text of item %s from an earlier row, or an empty cell", item.ID)))
	case had == "":
		return text
	}
	return had
}

// sameText reports whether two texts are equal except for white space, line ends, and
// normalization, which spreadsheets change.
func sameText(a, b string) bool {
	plain := func(text string) string { return strings.Join(strings.Fields(rubric.Normalize(text)), " ") }
	return a == b || plain(a) == plain(b)
}

func (r *reader) rowLabels(w table.Row, item *Item) {
	if !r.isLong {
		for _, c := range r.options.Criteria {
			if i := r.columnOf(labelsPrefix + c); i >= 0 {
				r.label(w, item, c, i)
			}
		}
		return
	}
	i, values := r.columnOf(criterionColumn), r.columnOf(r.options.valueColumn())
	named := strings.TrimSpace(w.Cell(i).Text)
	criterion := table.Fold(named)
	if slices.Contains(r.options.Ignored, criterion) {
		return
	}
	if !slices.Contains(r.options.Criteria, criterion) {
		if value, ok := r.options.parse(w.Cell(values).Text); ok && value == 0 && named == "" {
			return // a row that only describes the item
		}
		r.report("", r.place(w, i).problemOf(named, "a criterion of the rubric, "+schema.Or(r.options.Criteria, "or")))
		return
	}
	r.label(w, item, criterion, values)
}

func (r *reader) label(w table.Row, item *Item, criterion string, column int) {
	at := r.place(w, column)
	value, ok := r.options.parse(w.Cell(column).Text)
	if !ok {
		r.report("", at.problemOf(strings.TrimSpace(w.Cell(column).Text), r.options.valueSays()))
		return
	}
	if value == 0 {
		return
	}
	label := Label{Criterion: criterion, Value: value, place: at}
	second := ""
	if r.options.Scores {
		ok = r.readSaid(w, &label)
		second = fmt.Sprintf("score of repeat %d", label.Repeat)
	} else {
		label.Rater, ok = r.rater(w)
		second = "label of " + label.Rater
	}
	if !ok {
		return
	}
	key := labelKey{item.ID, second, criterion}
	if first, twice := r.first[key]; twice {
		r.report("", at.problem(CodeDuplicate, fmt.Sprintf("found a second %s for the %s of item %s; the first is in row %d. Keep one of them.",
			second, criterion, item.ID, first.row)))
		return
	}
	r.first[key] = at
	item.Labels = append(item.Labels, label)
}

// rater returns the pseudonym of the rater of a row. It reports each problem once.
func (r *reader) rater(w table.Row) (string, bool) {
	if r.options.Rater != "" {
		return r.options.Rater, true
	}
	i := r.columnOf(raterColumn)
	name := strings.TrimSpace(w.Cell(i).Text)
	at := r.place(w, i)
	switch {
	case i < 0:
		return "", false // the missing column is already reported
	case name == "":
		r.report("row "+fmt.Sprint(w.Number), at.problemOf("", "the rater"))
		return "", false
	}
	if problem := CheckRater(name); problem != "" {
		r.report("rater "+name, at.problem(CodeCell, problem))
		return "", false
	}
	return name, true
}

// CheckRater returns the problem of a rater's name, or "" if it is valid.
func CheckRater(name string) string {
	switch {
	case strings.Contains(name, "@"):
		return "found an email address, expected a pseudonym: a dataset must not identify people. Use a pseudonym such as r1."
	case !pseudonym().MatchString(name):
		return fmt.Sprintf("found %s, expected a pseudonym such as r1: %s.", schema.Quote(name), pseudonymSays)
	}
	return ""
}
