package labels

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// Head is what a new dataset says of its labels.
type Head struct {
	LabelledBy      calibration.Labeller
	Method, Licence string
}

// NewDataset is the dataset.yaml of a new dataset for a rubric, with the words that
// its criteria have now. The error says what of the head can't be.
func NewDataset(h Head, s *calibration.Subject) ([]byte, error) {
	quote := func(text string) string { return yamltree.Quote(text, yamltree.DoubleQuoted) }
	var b strings.Builder
	b.WriteString("# yaml-language-server: $schema=../../schema/dataset.schema.json\n")
	fmt.Fprintf(&b, "applies_to:\n  - %s\nlabelled_by: %s\nmethod: %s\nlicence: %s\ncriteria:\n",
		s.Rubric.ID, h.LabelledBy, quote(h.Method), quote(h.Licence))
	for _, c := range s.Rubric.Criteria {
		fmt.Fprintf(&b, "  - name: %s\n    digest: %s\n", c.Name, quote(s.Criteria[c.Name]))
	}
	data := []byte(b.String())
	d := document.ParseAs(source.NewFile(calibration.DatasetFile, data), &document.Dataset)
	if len(d.Problems) > 0 {
		return nil, fmt.Errorf("%s would not be right: %s", calibration.DatasetFile, d.Problems[0].Message)
	}
	return data, nil
}

// CheckFresh is an error where labels of some criteria must not go into a dataset:
// those that it does not list, and those that were labelled by other words than the
// rubric has now.
func CheckFresh(d *calibration.Dataset, s *calibration.Subject, criteria []string) error {
	var unlisted, stale []string
	file := calibration.Root + "/" + d.Name + "/" + calibration.DatasetFile
	for _, name := range criteria {
		switch {
		case !slices.ContainsFunc(d.Criteria, func(c calibration.Labelled) bool { return c.Name == name }):
			unlisted = append(unlisted, fmt.Sprintf("  - name: %s\n    digest: %q", name, s.Criteria[name]))
		case !d.Fresh(name, s.Criteria[name]):
			stale = append(stale, name)
		}
	}
	if len(stale) > 0 {
		return fmt.Errorf("%s has labels of %s for other words than %s has now, and labels of two wordings must not be mixed. "+
			"If the old ones hold for the new words, an owner says so under reaffirmed in %s (criterion, digest, date, reason); else begin a new dataset with another --dataset",
			calibration.Root+"/"+d.Name, schema.Or(stale, "and"), s.Rubric.ID, file)
	}
	if len(unlisted) > 0 {
		return fmt.Errorf("%s does not list all criteria that are labelled. Add under criteria:\n%s", file, strings.Join(unlisted, "\n"))
	}
	return nil
}

// CheckForm is an error where a sheet is for another rubric, or for other words
// than the rubric has now and the dataset takes.
func CheckForm(f *Form, d *calibration.Dataset, s *calibration.Subject) error {
	if f.Rubric != s.Rubric.ID {
		return fmt.Errorf("the sheet is for the rubric %s, and the labels are to be for %s", f.Rubric, s.Rubric.ID)
	}
	var stale []string
	for _, c := range s.Rubric.Criteria {
		taken := append(d.Digests(c.Name), s.Criteria[c.Name])
		if form := f.Words[c.Name]; form != "" && !slices.ContainsFunc(taken, func(digest string) bool { return words(digest) == form }) {
			stale = append(stale, c.Name)
		}
	}
	if len(stale) > 0 {
		return fmt.Errorf("the words of %s have changed since the sheet was written, so its labels are labels of other words. Write a new sheet", schema.Or(stale, "and"))
	}
	return nil
}

// Criteria are the criteria that a file has labels of, in the order of the rubric.
func (l *Labels) Criteria(s *calibration.Subject) []string {
	labelled := map[string]bool{}
	for _, item := range l.Items {
		for _, label := range item.Labels {
			labelled[label.Criterion] = true
		}
	}
	var names []string
	for _, c := range s.Rubric.Criteria {
		if labelled[c.Name] {
			names = append(names, c.Name)
		}
	}
	return names
}
