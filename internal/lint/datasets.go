package lint

import (
	"path"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/document"
)

// checkDatasets runs the dataset rules on one dataset after the other: each is dropped
// before the next is read. It also returns the ignores in the datasets.
func (e *engine) checkDatasets(facts []*Facts) (findings []Finding, ignores []*Ignore, err error) {
	beside := &CalibrationPass{Problems: calibration.Strays(e.files.fsys)}
	if err := e.checkDataset(beside); err != nil {
		return nil, nil, err
	}
	findings = beside.findings
	names, err := calibration.Names(e.files.fsys)
	if err != nil || len(names) == 0 {
		return findings, nil, nil // the pass above reports why the folder can't be read
	}
	shared := CalibrationPass{
		Facts: facts, Documents: map[string]*Facts{}, Unread: e.unread, Settings: e.opts.Config.Calibration,
		memory: &memory{}, places: places{files: e.files},
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
		p := shared
		p.Naming = naming[name]
		e.readDataset(&p, name)
		if err := e.checkDataset(&p); err != nil {
			return nil, nil, err
		}
		if p.Dataset != nil {
			own := parseIgnores(p.Dataset.Head)
			ignores, p.findings = append(ignores, own...), suppress(p.findings, own, p.Dataset.Head, e.opts.fails)
		}
		findings = append(findings, p.findings...)
	}
	return findings, ignores, nil
}

// readDataset reads a dataset and joins it with its rubrics.
func (e *engine) readDataset(p *CalibrationPass, name string) {
	d, problems, err := calibration.Load(e.files.fsys, name)
	if err != nil {
		file := path.Join(calibration.Root, name, calibration.DatasetFile)
		problems = append(problems, calibration.Unreadable(file, err))
	}
	p.Problems = problems
	if slices.ContainsFunc(problems, calibration.DatasetProblem.IsPointer) {
		p.keepPointers()
		e.pointers[name] = true
		return
	}
	if err != nil {
		return
	}
	p.Dataset, p.Whole = d, true
	for _, hidden := range slices.Concat(document.HiddenText(d.Head), document.NotNFC(d.Head)) {
		p.Problems = append(p.Problems, calibration.DatasetProblem{File: d.File, Problem: hidden})
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

// checkDataset runs the rules on one dataset. Its structural problems are findings
// of the lint rules that their codes name, of any family.
func (e *engine) checkDataset(p *CalibrationPass) error {
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
