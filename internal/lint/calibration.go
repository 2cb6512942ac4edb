package lint

import (
	"fmt"
	"path"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/decide"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/hiddentext"
	"github.com/rubric-library/rubric-library/internal/document/source"
	lib "github.com/rubric-library/rubric-library/internal/library"
)

// Calibrated is what is kept of a rubric that names a dataset of its library.
type Calibrated struct {
	// Dataset is the name of the dataset, and At the place where the rubric names it.
	Dataset string
	At      source.Location
	// Digest is the judge digest of the rubric, and Criteria has the digest of each
	// criterion. They are empty if the structure of the rubric is not valid.
	Digest   string
	Criteria map[string]string
}

// calibratedOf returns what the dataset rules need of a rubric, or nil if it names no
// dataset of the library.
func calibratedOf(d *document.Document) *Calibrated {
	n := d.Root().Get("calibration_dataset")
	if n == nil || d.Kind != &document.Rubric || calibration.NameOf(n.Value) == "" {
		return nil
	}
	c := &Calibrated{Dataset: calibration.NameOf(n.Value), At: source.Locate(d.File, n.Span)}
	s, err := calibration.NewSubject(d)
	if err != nil {
		return c
	}
	c.Digest, c.Criteria = s.Digest, s.Criteria
	return c
}

// OfDataset checks one dataset, after the library rules.
type OfDataset func(*CalibrationPass)

func (OfDataset) isCheck() {}

// CalibrationPass is the view of a lint rule on one dataset.
type CalibrationPass struct {
	// Dataset is the dataset, nil in the pass for files outside the datasets.
	Dataset *calibration.Dataset
	// Problems are the structural problems of its files.
	Problems []calibration.Problem
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
func (p *CalibrationPass) Report(f *source.File, span source.Span, path string, related []Related, format string, args ...any) {
	if !p.full(f.Path) {
		p.Add(Finding{Location: source.Locate(f, span), Path: path, Message: fmt.Sprintf(format, args...), Related: related})
	}
}

// ReportFile adds a finding about a file as a whole.
func (p *CalibrationPass) ReportFile(name, format string, args ...any) {
	if !p.full(name) {
		p.Add(Finding{Location: source.Location{File: name}, Message: fmt.Sprintf(format, args...)})
	}
}

// ReportRubric adds a finding where a rubric names its dataset.
func (p *CalibrationPass) ReportRubric(f *Facts, path string, related []Related, format string, args ...any) {
	if p.full(f.Path) {
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
		if problem.Code != code || p.full(problem.File.Path) {
			continue
		}
		f := findingOf(problem.File, problem.Problem)
		if len(problem.File.Data) == 0 {
			f.Location = source.Location{File: problem.File.Path}
		}
		p.Add(f)
	}
}

// calibration runs the dataset rules on one dataset after the other: each is dropped
// before the next is read. It also returns the ignores in the datasets.
func (e *engine) calibration(facts []*Facts) (findings []Finding, ignores []*Ignore, err error) {
	beside := &CalibrationPass{Problems: calibration.Strays(e.files.fsys)}
	if err := e.calibrationRules(beside); err != nil {
		return nil, nil, err
	}
	findings = beside.findings
	names, err := calibration.Names(e.files.fsys)
	if err != nil || len(names) == 0 {
		return findings, nil, nil // the pass above reports why the folder can't be read
	}
	shared := CalibrationPass{
		Facts: facts, Documents: map[string]*Facts{}, Unread: e.unread, Settings: e.config.Calibration, memory: &memory{}, places: places{content: e.content},
	}
	naming := map[string][]*Facts{} // the rubrics that name a dataset, by its name
	for _, f := range facts {
		if shared.Documents[f.ID] == nil {
			shared.Documents[f.ID] = f
		}
		if f.Calibrated != nil {
			naming[f.Calibrated.Dataset] = append(naming[f.Calibrated.Dataset], f)
		}
	}
	for _, name := range names {
		if !calibration.IsName(name) {
			continue // and that it is not a dataset
		}
		p := shared
		p.Naming = naming[name]
		e.dataset(&p, name)
		if err := e.calibrationRules(&p); err != nil {
			return nil, nil, err
		}
		if p.Dataset != nil {
			own := parseIgnores(p.Dataset.Head)
			ignores, p.findings = append(ignores, own...), e.suppress(p.findings, own, p.Dataset.Head)
		}
		findings = append(findings, p.findings...)
	}
	return findings, ignores, nil
}

// dataset reads a dataset and joins it with its rubrics.
func (e *engine) dataset(p *CalibrationPass, name string) {
	d, problems, err := calibration.Load(e.files.fsys, name)
	if err != nil {
		file := path.Join(calibration.Root, name, calibration.DatasetFile)
		problems = append(problems, calibration.Unreadable(file, err))
	}
	p.Problems = problems
	if slices.ContainsFunc(problems, calibration.Problem.IsPointer) {
		p.keepPointers()
		e.pointers[name] = true
		return
	}
	if err != nil {
		return
	}
	p.Dataset, p.Whole = d, true
	for _, hidden := range slices.Concat(hiddentext.Find(d.Head), hiddentext.NotNFC(d.Head)) {
		p.Problems = append(p.Problems, calibration.Problem{File: d.File, Problem: hidden})
	}
	for _, id := range d.AppliesTo {
		f := p.Documents[id]
		switch {
		case f == nil || !slices.Contains(p.Naming, f) || f.Calibrated.Criteria == nil:
			p.Whole = false
		case !slices.Contains(p.Joined, f):
			p.Joined = append(p.Joined, f)
		}
	}
}

// keepPointers removes the problems of a dataset that are not about pointers of Git LFS, because
// they can follow from these.
func (p *CalibrationPass) keepPointers() {
	p.Problems = slices.DeleteFunc(p.Problems, func(problem calibration.Problem) bool { return !problem.IsPointer() })
}

// calibrationRules runs the rules on one dataset. Its structural problems are findings
// of the lint rules that their codes name, of any family.
func (e *engine) calibrationRules(p *CalibrationPass) error {
	where := calibration.Root
	if p.Dataset != nil {
		where = p.Dataset.File.Path
	}
	err := runEach(e.rules, p, where, func(rule *Rule) func(*CalibrationPass) {
		return func(p *CalibrationPass) {
			p.reportProblems(rule.ID)
			if check, is := rule.Check.(OfDataset); is {
				check(p)
			}
		}
	})
	p.countHidden()
	return err
}

// OfLibrary checks the facts of all files, after they were all read.
type OfLibrary func(*LibraryPass)

func (OfLibrary) isCheck() {}

// LibraryPass is the view of a lint rule on the whole library.
type LibraryPass struct {
	// Facts has an entry for each document that could be parsed, by path.
	Facts []*Facts
	// Schemas are the files of schema/ that no bundle can have.
	Schemas []lib.Problem
	// Unread are the IDs, by their file names, of documents whose content is not known.
	Unread map[string]bool

	reporter
	places
}

// Facts is what is kept of a document after its tree is dropped.
type Facts struct {
	Path string
	Kind *document.Kind
	ID   string
	// At is the place of the ID.
	At source.Location
	// ReplacedBy is the replacement that the deprecation names, or nil.
	ReplacedBy *Reference
	// Calibrated is set if a rubric names a dataset of the library.
	Calibrated *Calibrated
	// Invalid says that the structure of the document is not valid.
	Invalid bool

	kept map[*Rule]any // what lint rules keep of the document
}

// keep stores what lint rules need of the document once its tree is dropped.
func (f *Facts) keep(p *DocumentPass, rules []*Rule) error {
	f.kept = map[*Rule]any{}
	return runEach(rules, p, f.Path, func(rule *Rule) func(*DocumentPass) {
		if rule.Keep == nil {
			return nil
		}
		return func(p *DocumentPass) { f.kept[rule] = rule.Keep(p) }
	})
}

// Reference is an ID that a document names, and its place.
type Reference struct {
	ID string
	At source.Location
}

// Report adds a finding at the ID of a document.
func (p *LibraryPass) Report(f *Facts, related []Related, format string, args ...any) {
	p.ReportAt(f, f.At, "/"+f.Kind.IDKey, f.Kind.IDKey, related, format, args...)
}

// ReportAt adds a finding at a place of a document.
func (p *LibraryPass) ReportAt(f *Facts, at source.Location, pointer, path string, related []Related, format string, args ...any) {
	p.Add(Finding{Location: at, ID: f.ID, Pointer: pointer, Path: path, Message: fmt.Sprintf(format, args...), Related: related})
}

// ReportFile adds a finding at a place of a file that is not a document, or about the file as a
// whole.
func (p *LibraryPass) ReportFile(name string, at source.Position, message string) {
	if !p.full(name) {
		p.Add(Finding{Location: source.Location{File: name, Start: at, End: at}, Message: message})
	}
}

// factsOf returns what the library rules need of a document.
func factsOf(d *document.Document) *Facts {
	if d == nil || d.Kind == nil || d.Kind.IDKey == "" {
		return nil
	}
	f := &Facts{
		Path: d.File.Path, Kind: d.Kind, ID: d.ID(), Invalid: !d.Valid(),
	}
	if n := d.Root().Get(d.Kind.IDKey); n != nil {
		f.At = source.Locate(d.File, n.Span)
	}
	if n := d.Root().Get("deprecated").Get("replaced_by"); n != nil {
		f.ReplacedBy = &Reference{ID: n.Value, At: source.Locate(d.File, n.Span)}
	}
	f.Calibrated = calibratedOf(d)
	return f
}
