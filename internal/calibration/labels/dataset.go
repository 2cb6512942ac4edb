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

// Head describes the labels of a new dataset.
type Head struct {
	LabeledBy       calibration.Labeler
	Method, License string
}

// NewDataset returns the dataset.yaml of a new dataset for a rubric, with the digests of
// its current wording. It returns an error if the head is invalid.
func NewDataset(h Head, s *calibration.Subject) ([]byte, error) {
	quote := func(text string) string { return yamltree.Quote(text, yamltree.DoubleQuoted) }
	var b strings.Builder
	b.WriteString("# yaml-language-server: $schema=../../schema/dataset.schema.json\n")
	fmt.Fprintf(&b, "applies_to:\n  - %s\nlabeled_by: %s\nmethod: %s\nlicense: %s\ncriteria:\n",
		s.Rubric.ID, h.LabeledBy, quote(h.Method), quote(h.License))
	for _, c := range s.Rubric.Criteria {
		fmt.Fprintf(&b, "  - name: %s\n    digest: %s\n", c.Name, quote(s.Criteria[c.Name]))
	}
	data := []byte(b.String())
	d := document.ParseAs(source.NewFile(calibration.DatasetFile, data), &document.Dataset)
	if len(d.Problems) > 0 {
		return nil, fmt.Errorf("%s would not be valid: %s", calibration.DatasetFile, d.Problems[0].Message)
	}
	return data, nil
}

// CheckFresh returns an error if labels of the criteria can't be added to a dataset:
// it does not list a criterion, or has labels for a different wording.
func CheckFresh(d *calibration.Dataset, s *calibration.Subject, criteria []string) error {
	var unlisted, stale []string
	file := calibration.Root + "/" + d.Name + "/" + calibration.DatasetFile
	for _, name := range criteria {
		switch {
		case !slices.ContainsFunc(d.Criteria, func(c calibration.Labeled) bool { return c.Name == name }):
			unlisted = append(unlisted, fmt.Sprintf("  - name: %s\n    digest: %q", name, s.Criteria[name]))
		case !d.Fresh(name, s.Criteria[name]):
			stale = append(stale, name)
		}
	}
	if len(stale) > 0 {
		return fmt.Errorf("%s has labels of %s for a different wording of %s, and a dataset must not mix labels for two wordings. "+
			"If the labels are valid for the new wording too, run `rubric reaffirm %s --reason \"…\"`. Otherwise, start a new dataset with --dataset",
			calibration.Root+"/"+d.Name, schema.Or(stale, "and"), s.Rubric.ID, d.Name)
	}
	if len(unlisted) > 0 {
		return fmt.Errorf("%s does not list all labeled criteria. Add to criteria:\n%s", file, strings.Join(unlisted, "\n"))
	}
	return nil
}

// CheckForm returns an error if a sheet is for another rubric, or for a wording that
// neither the rubric nor the dataset has.
func CheckForm(f *Form, d *calibration.Dataset, s *calibration.Subject) error {
	if f.Rubric != s.Rubric.ID {
		return fmt.Errorf("the sheet is for the rubric %s, not for %s", f.Rubric, s.Rubric.ID)
	}
	var stale []string
	for _, c := range s.Rubric.Criteria {
		taken := append(d.Digests(c.Name), s.Criteria[c.Name])
		if form := f.Words[c.Name]; form != "" && !slices.ContainsFunc(taken, func(digest string) bool { return words(digest) == form }) {
			stale = append(stale, c.Name)
		}
	}
	if len(stale) > 0 {
		return fmt.Errorf("the wording of %s has changed since the sheet was written. Write a new sheet with `rubric calibrate sheet`", schema.Or(stale, "and"))
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
	var names []string
	for _, c := range s.Rubric.Criteria {
		if labeled[c.Name] {
			names = append(names, c.Name)
		}
	}
	return names
}
