package labels

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// Form is what a sheet says of itself in the header of its last column.
type Form struct {
	// Rubric is the ID of the rubric, and Rater who fills it in.
	Rubric, Rater string
	// Words has the beginning of the judge digest of each criterion that the rater
	// reads.
	Words map[string]string
}

const (
	formMark = "rubric-calibrate sheet 1 "
	// wordsSize is how many digits of a judge digest a form has.
	wordsSize = 16
	// guideSuffix and labelSuffix follow the name of a criterion in the header.
	guideSuffix = ": how to label"
	labelSuffix = ": label (1 to 5)"
)

// words is the beginning of a judge digest as a form has it.
func words(digest string) string {
	digits := strings.TrimPrefix(digest, "sha256:")
	return digits[:min(wordsSize, len(digits))]
}

// newForm is the form of a sheet for a rubric.
func newForm(s *calibration.Subject, rater string) *Form {
	f := &Form{Rubric: s.Rubric.ID, Rater: rater, Words: map[string]string{}}
	for name, digest := range s.Criteria {
		f.Words[name] = words(digest)
	}
	return f
}

// String is the header that says it.
func (f *Form) String() string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(f.Words)) {
		list = append(list, name+":"+f.Words[name])
	}
	return fmt.Sprintf("%srubric=%s rater=%s words=%s", formMark, f.Rubric, f.Rater, strings.Join(list, ","))
}

// parseForm reads a header; nil says that it is none of a form.
func parseForm(header string) *Form {
	f := &Form{Words: map[string]string{}}
	rest, ok := strings.CutPrefix(header, formMark)
	for word := range strings.FieldsSeq(rest) {
		switch key, value, _ := strings.Cut(word, "="); key {
		case "rubric":
			f.Rubric = value
		case "rater":
			f.Rater = value
		case "words":
			for pair := range strings.SplitSeq(value, ",") {
				name, digits, _ := strings.Cut(pair, ":")
				ok = ok && len(digits) == wordsSize
				f.Words[name] = digits
			}
		default:
			ok = false
		}
	}
	if !ok || f.Rubric == "" || CheckRater(f.Rater) != "" || len(f.Words) == 0 {
		return nil
	}
	return f
}

// FormOf is what a sheet says of itself, nil for any other file and for one that
// can't be read.
func FormOf(f *source.File, separator rune) *Form {
	t, _ := readTable(f, separator)
	if t == nil {
		return nil
	}
	form, _ := t.form()
	return form
}

// form is what a sheet says of itself, nil for any other table.
func (t *table) form() (*Form, []source.Problem) {
	for _, c := range t.header.cells {
		text := strings.TrimSpace(c.text)
		if !strings.HasPrefix(text, strings.TrimSpace(formMark)) {
			continue
		}
		if form := parseForm(text); form != nil {
			return form, nil
		}
		return nil, []source.Problem{{
			Code: CodeColumn, Span: c.span,
			Message: "This header says which rubric and rater the sheet is for, and it was changed. Put it back as it was written: `rubric calibrate sheet` writes it again.",
		}}
	}
	return nil, nil
}

// formColumns are the columns of a sheet.
func (t *table) formColumns(form *Form, o Options) (*columns, []source.Problem) {
	f := &finder{table: t, options: o, columns: columns{at: map[string]int{}}}
	if o.Rater != "" || o.Pseudonyms || len(o.Columns) > 0 {
		f.report(source.Span{}, "The sheet says itself what its columns are and who labelled. Leave out --column, --rater and --pseudonyms.")
	}
	meanings := map[string]string{itemColumn: itemColumn, artifactColumn: artifactColumn}
	for name := range form.Words {
		meanings[fold(name+labelSuffix)] = labelsPrefix + name
	}
	f.read(meanings)
	f.columns.unread = nil // what guides the rater is not to be read
	if f.columns.of(itemColumn) < 0 {
		f.report(f.headerSpan(), "The column %s with the codes of the rows is gone. Put it back: without it nobody knows what was labelled.", schema.Quote(itemColumn))
	}
	for _, name := range slices.Sorted(maps.Keys(form.Words)) {
		switch {
		case !slices.Contains(o.Criteria, name):
			f.report(f.headerSpan(), "The sheet is for the criterion %s, and the rubric has no such criterion. It has %s.", schema.Quote(name), schema.Or(o.Criteria, "and"))
		case f.columns.of(labelsPrefix+name) < 0:
			f.report(f.headerSpan(), "The column %s is gone. Put it back, with empty cells where labels are missing.", schema.Quote(name+labelSuffix))
		}
	}
	return &f.columns, f.problems
}
