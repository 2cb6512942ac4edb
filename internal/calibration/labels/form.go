package labels

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/table"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
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
	t, _ := table.CSV(f, separator, withSeparator)
	if t == nil {
		return nil
	}
	form, _ := formIn(t)
	return form
}

// formIn returns the form of a sheet, or nil for any other table.
func formIn(t *table.Table) (*Form, []source.Problem) {
	for _, c := range t.Header.Cells {
		text := strings.TrimSpace(c.Text)
		if !strings.HasPrefix(text, strings.TrimSpace(formMark)) {
			continue
		}
		if form := parseForm(text); form != nil {
			return form, nil
		}
		return nil, []source.Problem{{
			Code: CodeColumn, Span: c.Span,
			Message: "This header, which identifies the sheet's rubric and rater, was changed. Restore it; `rubric calibrate sheet` writes it again.",
		}}
	}
	return nil, nil
}

func (r *reader) formColumns(form *Form) {
	if r.options.Rater != "" || len(r.options.Columns) > 0 {
		r.refuse(source.Span{}, "A sheet already identifies its columns and rater. Omit --column and --rater.")
	}
	meanings := map[string]string{itemColumn: itemColumn, artifactColumn: artifactColumn}
	for name := range form.Words {
		meanings[table.Fold(name+labelSuffix)] = labelsPrefix + name
	}
	r.assign(meanings)
	r.unread = nil // the columns with guidance have no labels
	if r.columnOf(itemColumn) < 0 {
		r.refuse(r.headerSpan(),
			"The column %s with the row codes is missing. Restore it: it identifies the labeled items.", schema.Quote(itemColumn))
	}
	for _, name := range slices.Sorted(maps.Keys(form.Words)) {
		switch {
		case !slices.Contains(r.options.Criteria, name):
			r.refuse(r.headerSpan(),
				"The sheet has the criterion %s, which the rubric does not have. The rubric has %s.",
				schema.Quote(name), schema.Or(r.options.Criteria, "and"))
		case r.columnOf(labelsPrefix+name) < 0:
			r.refuse(r.headerSpan(),
				"The column %s is missing. Restore it, with empty cells for missing labels.", schema.Quote(name+labelSuffix))
		}
	}
}

// NewDataset returns the dataset.yaml of a new dataset for a rubric, with the digests of
// its current wording. It returns an error if who labeled it, the method, or the license is
// invalid.
func NewDataset(d *calibration.Dataset, s *calibration.Subject) ([]byte, error) {
	quote := func(text string) string { return yamltree.Quote(text, yamltree.DoubleQuoted) }
	var b strings.Builder
	b.WriteString("# yaml-language-server: $schema=../../schema/dataset.schema.json\n")
	fmt.Fprintf(&b, "applies_to:\n  - %s\nlabeled_by: %s\nmethod: %s\nlicense: %s\ncriteria:\n",
		s.Rubric.ID, d.LabeledBy, quote(d.Method), quote(d.License))
	for _, c := range s.Rubric.Criteria {
		fmt.Fprintf(&b, "  - name: %s\n    digest: %s\n", c.Name, quote(s.Criteria[c.Name]))
	}
	data := []byte(b.String())
	problems := document.ParseAs(source.NewFile(calibration.DatasetFile, data), &document.Dataset).Problems
	if len(problems) > 0 {
		return nil, fmt.Errorf("%s would not be valid: %s", calibration.DatasetFile, problems[0].Message)
	}
	return data, nil
}

// CheckFresh returns an error if labels of the criteria can't be added to a dataset:
// it does not list a criterion, or has labels for a different wording.
func CheckFresh(d *calibration.Dataset, s *calibration.Subject, criteria []string) error {
	var unlisted, stale []string
	folder := path.Join(calibration.Root, d.Name)
	for _, name := range criteria {
		switch {
		case len(d.Digests(name)) == 0:
			unlisted = append(unlisted, fmt.Sprintf("  - name: %s\n    digest: %q", name, s.Criteria[name]))
		case !d.AreFresh(name, s.Criteria[name]):
			stale = append(stale, name)
		}
	}
	if len(stale) > 0 {
		return fmt.Errorf("%s has labels of %s for a different wording of %s, and a dataset must not mix labels for two wordings. "+
			"If the labels are valid for the new wording too, run `rubric reaffirm %s --reason \"…\"`. Otherwise, start a new dataset with --dataset",
			folder, schema.Or(stale, "and"), s.Rubric.ID, d.Name)
	}
	if len(unlisted) > 0 {
		return fmt.Errorf("%s/%s does not list all labeled criteria. Add to criteria:\n%s",
			folder, calibration.DatasetFile, strings.Join(unlisted, "\n"))
	}
	return nil
}

// CheckForm returns an error if a sheet is for another rubric, or for a wording that
// neither the rubric nor the dataset has.
func CheckForm(f *Form, d *calibration.Dataset, s *calibration.Subject) error {
	if f.Rubric != s.Rubric.ID {
		return fmt.Errorf("the sheet is for the rubric %s, not for %s", f.Rubric, s.Rubric.ID)
	}
	stale := s.Names(func(name string) bool {
		form, taken := f.Words[name], append(d.Digests(name), s.Criteria[name])
		return form != "" && !slices.ContainsFunc(taken, func(digest string) bool { return words(digest) == form })
	})
	if len(stale) > 0 {
		return fmt.Errorf("the wording of %s has changed since the sheet was written. Write a new sheet with `rubric calibrate sheet`",
			schema.Or(stale, "and"))
	}
	return nil
}

// Criteria returns the criteria that have labels, in the order of the rubric.
func (l *Labels) Criteria(s *calibration.Subject) []string {
	labeled := map[string]bool{}
	for _, item := range l.Items {
		for _, label := range item.Labels {
			labeled[label.Criterion] = true
		}
	}
	return s.Names(func(name string) bool { return labeled[name] })
}

// A row code replaces the ID of an item in a sheet, because an ID such as good-07
// influences a rater. It is the ID mixed with a checksum of it, which hides common
// prefixes and detects typos. The checksum also says which split the item has, if any. It is
// obfuscation, not encryption: the code can be decoded without a stored key.

const (
	// codeLetters never form a word, number, date, or formula that a spreadsheet
	// would change.
	codeLetters = "bcdfghjkmnpqrstv"
	hexDigits   = "0123456789abcdef"
	tagSize     = 3
)

// rowCode returns the code of an item. All IDs of up to width bytes have codes of the same
// length.
func rowCode(item calibration.Item, width int) string {
	padded := make([]byte, max(width, len(item.ID)))
	copy(padded, item.ID)
	tag := codeTag(item.ID, item.Split)
	return translated(hex.EncodeToString(append(tag, mix(padded, tag)...)), hexDigits, codeLetters)
}

// parseRowCode returns the ID and the split that a code encodes. ok is false if the text is not
// a row code.
func parseRowCode(code string) (id, split string, ok bool) {
	code = strings.ToLower(strings.TrimSpace(code))
	mixed, err := hex.DecodeString(translated(code, codeLetters, hexDigits))
	if err != nil || len(mixed) <= tagSize || len(mixed) > tagSize+1024 {
		return "", "", false
	}
	tag := mixed[:tagSize]
	id = strings.TrimRight(string(mix(mixed[tagSize:], tag)), "\x00")
	splits := []string{"", test, calibration.Dev}
	i := slices.IndexFunc(splits, func(split string) bool { return string(codeTag(id, split)) == string(tag) })
	if i < 0 || !pseudonym().MatchString(id) {
		return "", "", false
	}
	return id, splits[i], true
}

// translated maps one set of 16 letters to another, and all other characters to "-".
func translated(text, from, to string) string {
	return strings.Map(func(r rune) rune {
		if i := strings.IndexRune(from, r); i >= 0 {
			return rune(to[i])
		}
		return '-'
	}, text)
}

func codeTag(id, split string) []byte {
	text := "rubric-calibrate row code\x00" + id
	if split != "" {
		text += "\x00" + split
	}
	sum := sha256.Sum256([]byte(text))
	return sum[:tagSize:tagSize]
}

// mix combines the data with a stream of bytes derived from the tag. It is its own
// inverse.
func mix(data, tag []byte) []byte {
	out := make([]byte, len(data))
	var block [sha256.Size]byte
	for i := range data {
		if i%sha256.Size == 0 {
			block = sha256.Sum256(append([]byte{'s', byte(i / sha256.Size)}, tag...))
		}
		out[i] = data[i] ^ block[i%sha256.Size]
	}
	return out
}
