package release

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"time"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/decide"
	"github.com/rubric-library/rubric-library/internal/calibration/measure"
	"github.com/rubric-library/rubric-library/internal/calibration/report"
	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

// statisticsFile is the entry below calibration/NAME/ with the computed statistics.
const statisticsFile = "statistics.json"

// measured is a dataset with the decisions about its rubrics.
type measured struct {
	*calibration.Dataset
	decisions []*decide.Decision
}

// calibrated is the index with how well judges agree with people, and the entries of the datasets.
type calibrated struct {
	index []bundlefile.IndexLine
	laid
}

// calibrate computes how well judges agree with people, for the latest version of each
// rubric in the library.
func calibrate(h *History, d *documents, before *prior, settings decide.Settings) (out calibrated, err error) {
	known, said, err := readDatasets(h.head.Files)
	if err != nil {
		return out, err
	}
	out.remarks = said
	var datasets []*calibration.Dataset
	for _, name := range sortedKeys(known) {
		datasets = append(datasets, known[name].Dataset)
	}
	for _, name := range sortedKeys(known) {
		known[name].CountElsewhere(datasets)
		if err := known[name].learn(h, d.exceptions, before); err != nil {
			return out, err
		}
	}
	o := decide.Options{Settings: settings, Seed: measure.Seed, AsOf: h.past.changed.When.Format(time.DateOnly)}
	out.index, err = calibrateRubrics(d, known, o)
	if err != nil {
		return out, err
	}
	for _, name := range sortedKeys(known) {
		files, err := datasetEntries(h.head.Files, known[name])
		if err != nil {
			return out, err
		}
		out.files = append(out.files, files...)
	}
	return out, nil
}

// learn sets what exceptions, the previous bundle, and the history say about a dataset.
func (d *measured) learn(h *History, exceptions []*holdings.Exception, before *prior) error {
	earlier, err := removedBefore(before, path.Join(calibration.Root, d.Name, statisticsFile))
	if err != nil {
		return err
	}
	d.Removed = max(earlier, change.Removed(exceptions, d.Dataset))
	d.Together, err = holdings.Together(h.repo, h.commit, h.folder, d.Dataset)
	return err
}

// readDatasets reads the datasets of the commit by name. Each error in a dataset is a
// problem, and the dataset is omitted: statistics of half a dataset would mislead.
func readDatasets(fsys fs.FS) (known map[string]*measured, said remarks, err error) {
	info, err := safefile.Find(fsys, calibration.Root)
	if info == nil || err != nil || !info.IsDir() {
		return nil, said, err
	}
	names, err := calibration.Names(fsys)
	if err != nil {
		return nil, said, err
	}
	known = map[string]*measured{}
	for _, name := range names {
		d, problems, err := calibration.Load(fsys, name)
		if err != nil {
			return nil, said, fmt.Errorf("%s: %w", path.Join(calibration.Root, name), err)
		}
		for _, p := range problems {
			at := p.File.Position(p.Span.Start)
			said.problem(key{}, "%s:%d:%d can't be in a bundle: %s", p.File.Path, at.Line, at.Column, p.Message)
		}
		if len(problems) == 0 {
			known[name] = &measured{Dataset: d}
		}
	}
	return known, said, nil
}

// calibrateRubrics returns the index with how well judges agree with people.
func calibrateRubrics(d *documents, known map[string]*measured, o decide.Options) ([]bundlefile.IndexLine, error) {
	index := slices.Clone(d.index)
	for i := range index {
		line := &index[i]
		if line.Kind != bundlefile.KindRubric || line.Retired {
			continue
		}
		var err error
		if line.Calibration, err = calibrationOf(d.chosen[key{line.ID, line.Latest}].content, known, o); err != nil {
			return nil, fmt.Errorf("%s %s: %w", line.ID, line.Latest, err)
		}
	}
	return index, nil
}

// calibrationOf is the calibration of a rubric with every judge, or nil if it names no labeled
// items. It adds the decisions to the dataset.
func calibrationOf(c *content, known map[string]*measured, o decide.Options) (*bundlefile.Calibration, error) {
	var names struct {
		Dataset string `json:"calibration_dataset"`
	}
	if err := json.Unmarshal(c.data, &names); err != nil || names.Dataset == "" {
		return nil, err
	}
	d := known[calibration.NameOf(names.Dataset)]
	if d == nil {
		return &bundlefile.Calibration{Reason: "The labeled items are not in this library: " + names.Dataset}, nil
	}
	// The canonical form of a large rubric can exceed the limit of YAML files.
	file := source.NewFile(bundlefile.DocumentPath(c.kind, c.id, c.version), c.data)
	subject, err := calibration.NewSubject(document.ParseRun(file, &document.Rubric))
	if err != nil {
		return nil, err
	}
	out := &bundlefile.Calibration{
		LabeledBy: string(d.LabeledBy), Path: path.Join(calibration.Root, d.Name, statisticsFile),
	}
	if !d.Joins(subject) {
		out.Reason = fmt.Sprintf("The dataset %s does not list this rubric in applies_to.", d.Name)
		return out, nil
	}
	decisions := decide.On(d.Dataset, subject, o).All()
	d.decisions = append(d.decisions, decisions...)
	for _, r := range decisions {
		if r.Judge == nil {
			out.Reason = report.Of(r).Obstacle()
			continue
		}
		out.Judges = append(out.Judges, judgeOf(r))
	}
	return out, nil
}

// judgeOf is what a decision on the newest run of a judge says about it.
func judgeOf(r *decide.Decision) bundlefile.Judge {
	return bundlefile.Judge{
		Judge: r.Judge.Name, Model: r.Judge.Model, PromptDigest: r.Judge.PromptDigest, Repeats: r.Judge.Repeats,
		Run: r.Judge.Run, Date: r.Judge.Date,
		Rank: bundlefile.Answer(r.Rank.Answer), Gate: bundlefile.Answer(r.Gate.Answer),
		Correlation: correlationOf(r), Reason: report.Of(r).Obstacle(),
	}
}

// correlationOf is the lowest correlation over the criteria, or nil if none counts.
func correlationOf(r *decide.Decision) *bundlefile.Correlation {
	if !r.IsMeasured() {
		return nil
	}
	for i := range r.Criteria {
		c := &r.Criteria[i]
		if !c.Spearman.IsDefined() {
			return &bundlefile.Correlation{Criterion: c.Name, Undefined: c.Spearman.Undefined}
		}
	}
	at := slices.IndexFunc(r.Criteria, func(c measure.Criterion) bool { return c.Name == r.Overall.MinimumOf })
	lowest := r.Criteria[at].Spearman
	out := &bundlefile.Correlation{Criterion: r.Overall.MinimumOf, Value: new(bundlefile.Number(lowest.Number))}
	if lowest.Interval.IsDefined() {
		out.Low, out.High = new(bundlefile.Number(lowest.Interval.Low)), new(bundlefile.Number(lowest.Interval.High))
	}
	return out
}

// datasetEntries are the entries of a dataset: its statistics, and if it shares them, its
// items and answers as they are in the library.
func datasetEntries(fsys fs.FS, d *measured) ([]bundlefile.File, error) {
	folder := path.Join(calibration.Root, d.Name)
	statistics, err := report.StatisticsOf(d.Dataset, d.decisions).Encode()
	if err != nil {
		return nil, err
	}
	files := []bundlefile.File{{Path: path.Join(folder, statisticsFile), Data: statistics}}
	if d.Share != calibration.ShareFull {
		return files, nil
	}
	names := []string{path.Join(folder, calibration.DatasetFile), path.Join(folder, calibration.ItemsFile)}
	for i := range d.Judges {
		for _, f := range d.Judges[i].Files {
			names = append(names, f.Path)
		}
	}
	for _, name := range names {
		data, err := safefile.ReadFile(fsys, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // a dataset need not have items
		}
		if err != nil {
			return nil, err
		}
		files = append(files, bundlefile.File{Path: name, Data: data})
	}
	return files, nil
}

// removedBefore is how many items of a dataset had been removed in the previous bundle. The
// exceptions for them may be gone by now.
func removedBefore(before *prior, name string) (int, error) {
	if before.bundle == nil || before.bundle.EntryDigest(name) == "" {
		return 0, nil
	}
	data, err := before.bundle.Read(name)
	if err != nil {
		return 0, err
	}
	var s report.Statistics
	err = json.Unmarshal(data, &s)
	return s.Dataset.Removed, err
}
