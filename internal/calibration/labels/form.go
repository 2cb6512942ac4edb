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

// Form is the metadata of a sheet, from the header of its last column.
type Form struct {
	// Rubric is the ID of the rubric; Rater is the pseudonym of who fills in the sheet.
	Rubric, Rater string
	// Words has a prefix of the judge digest of each criterion.
	Words map[string]string
}

const (
	formMark = "rubric-calibrate sheet 1 "
	// wordsSize is the number of digits of a judge digest in a form.
	wordsSize = 16
	// guideSuffix and labelSuffix follow the name of a criterion in the header.
	guideSuffix = ": how to label"
	labelSuffix = ": label (1 to 5)"
)

// words returns the prefix of a judge digest for a form.
func words(digest string) string {
	digits := strings.TrimPrefix(digest, "sha256:")
	return digits[:min(wordsSize, len(digits))]
}

func newForm(s *calibration.Subject, rater string) *Form {
	f := &Form{Rubric: s.Rubric.ID, Rater: rater, Words: map[string]string{}}
	for name, digest := range s.Criteria {
		f.Words[name] = words(digest)
	}
	return f
}

// String returns the header.
func (f *Form) String() string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(f.Words)) {
		list = append(list, name+":"+f.Words[name])
	}
	return fmt.Sprintf("%srubric=%s rater=%s words=%s", formMark, f.Rubric, f.Rater, strings.Join(list, ","))
}

// parseForm parses a header. It returns nil if the header is not that of a form.
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

// FormOf returns the form of a sheet, or nil for any other file and for a file that can't
// be read.
func FormOf(f *source.File, separator rune) *Form {
	t, _ := readTable(f, separator)
	if t == nil {
		return nil
	}
	form, _ := t.form()
	return form
}

// form returns the form of a sheet, or nil for any other table.
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
			Message: "This header, which identifies the sheet's rubric and rater, was changed. Restore it; `rubric calibrate sheet` writes it again.",
		}}
	}
	return nil, nil
}

// formColumns returns the columns of a sheet.
func (t *table) formColumns(form *Form, o Options) (*columns, []source.Problem) {
	f := &finder{table: t, options: o, columns: columns{at: map[string]int{}}}
	if o.Rater != "" || o.Pseudonyms || len(o.Columns) > 0 {
		f.report(source.Span{}, "A sheet already identifies its columns and rater. Omit --column, --rater, and --pseudonyms.")
	}
	meanings := map[string]string{itemColumn: itemColumn, artifactColumn: artifactColumn}
	for name := range form.Words {
		meanings[fold(name+labelSuffix)] = labelsPrefix + name
	}
	f.read(meanings)
	f.columns.unread = nil // the columns with guidance have no labels
	if f.columns.of(itemColumn) < 0 {
		f.report(f.headerSpan(), "The column %s with the row codes is missing. Restore it: it identifies the labeled items.", schema.Quote(itemColumn))
	}
	for _, name := range slices.Sorted(maps.Keys(form.Words)) {
		switch {
		case !slices.Contains(o.Criteria, name):
			f.report(f.headerSpan(), "The sheet has the criterion %s, which the rubric does not have. The rubric has %s.", schema.Quote(name), schema.Or(o.Criteria, "and"))
		case f.columns.of(labelsPrefix+name) < 0:
			f.report(f.headerSpan(), "The column %s is missing. Restore it, with empty cells for missing labels.", schema.Quote(name+labelSuffix))
		}
	}
	return &f.columns, f.problems
}
