package lint

import (
	"fmt"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/decide"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// OfDataset checks one dataset, after the library rules.
type OfDataset func(*CalibrationPass)

func (OfDataset) isCheck() {}

// CalibrationPass is the view of a lint rule on one dataset.
type CalibrationPass struct {
	// Dataset is the dataset, nil in the pass for files outside the datasets.
	Dataset *calibration.Dataset
	// Problems are the structural problems of its files.
	Problems []calibration.DatasetProblem
	// Facts are the facts of all documents, by path; Documents are the same by ID.
	Facts     []*Facts
	Documents map[string]*Facts
	// Unread are the IDs, by their file names, of documents whose content is not known.
	Unread map[string]bool
	// Naming are the rubrics that name the dataset, by path.
	Naming []*Facts
	// Joined are the valid rubrics that name the dataset and that it applies to, in
	// its order. Whole says that these are all that it applies to.
	Joined []*Facts
	Whole  bool
	// Settings are the calibration settings of the library.
	Settings decide.Settings

	*memory // of all datasets
	reporter
	places
}

// Report adds a finding at a place in one of the dataset's files. path distinguishes it
// from other findings of the same lint rule.
func (p *CalibrationPass) Report(
	f *source.File, span source.Span, path string, related []Related, format string, args ...any,
) {
	if p.admit(f.Path) {
		p.Add(Finding{Location: source.Locate(f, span), Path: path, Message: fmt.Sprintf(format, args...), Related: related})
	}
}

// ReportFile adds a finding about a file as a whole.
func (p *CalibrationPass) ReportFile(name, format string, args ...any) {
	if p.admit(name) {
		p.Add(Finding{Location: source.Location{File: name}, Message: fmt.Sprintf(format, args...)})
	}
}

// ReportRubric adds a finding where a rubric names its dataset.
func (p *CalibrationPass) ReportRubric(f *Facts, path string, related []Related, format string, args ...any) {
	if !p.admit(f.Path) {
		return
	}
	p.Add(Finding{
		Location: f.Calibrated.At, ID: f.ID, Pointer: "/calibration_dataset", Path: path,
		Message: fmt.Sprintf(format, args...), Related: related,
	})
}

// reportProblems adds the problems with a code as findings of the running rule.
func (p *CalibrationPass) reportProblems(code string) {
	for _, problem := range p.Problems {
		if problem.Code != code || !p.admit(problem.File.Path) {
			continue
		}
		f := findingOf(problem.File, problem.Problem)
		if len(problem.File.Data) == 0 {
			f.Location = source.Location{File: problem.File.Path}
		}
		p.Add(f)
	}
}

// keepPointers removes the problems of a dataset that are not about pointers of Git LFS, because
// they can follow from these.
func (p *CalibrationPass) keepPointers() {
	p.Problems = slices.DeleteFunc(p.Problems, func(problem calibration.DatasetProblem) bool {
		return !problem.IsPointer()
	})
}
