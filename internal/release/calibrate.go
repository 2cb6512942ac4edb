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
	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/limits"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

// statisticsFile is the entry below calibration/NAME/ with the computed statistics.
const statisticsFile = "statistics.json"

// measured is a dataset with the reports of its rubrics.
type measured struct {
	*calibration.Dataset
	reports []*calibration.Report
}

// calibrate computes how well judges agree with people, for the latest version of each
// rubric in the library, and adds the datasets to the bundle.
func (b *builder) calibrate() error {
	fsys := b.head.Files
	if !b.has(calibration.Root) {
		return b.calibrateRubrics(nil)
	}
	known, err := b.readDatasets(fsys)
	if err != nil {
		return err
	}
	if err := b.calibrateRubrics(known); err != nil {
		return err
	}
	for _, name := range sortedKeys(known) {
		if err := b.layDataset(fsys, known[name]); err != nil {
			return err
		}
	}
	return nil
}

// readDatasets reads the datasets of the commit by name. Each error in a dataset is a
// problem, and the dataset is omitted: statistics of half a dataset would mislead.
func (b *builder) readDatasets(fsys fs.FS) (map[string]*measured, error) {
	names, err := calibration.Names(fsys)
	if err != nil {
		return nil, err
	}
	known := map[string]*measured{}
	for _, name := range names {
		d, problems, err := calibration.Load(fsys, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path.Join(calibration.Root, name), err)
		}
		for _, p := range problems {
			at := p.File.Position(p.Span.Start)
			b.problem(key{}, "%s:%d:%d can't be in a bundle: %s", p.File.Path, at.Line, at.Column, p.Message)
		}
		if len(problems) == 0 {
			known[name] = &measured{Dataset: d}
		}
	}
	return known, nil
}

// calibrateRubrics adds to the index how well judges agree with people.
func (b *builder) calibrateRubrics(known map[string]*measured) error {
	for i := range b.Index {
		line := &b.Index[i]
		if line.Kind != bundlefile.KindRubric || line.Retired {
			continue
		}
		var err error
		if line.Calibration, err = b.calibration(b.chosen[key{line.ID, line.Latest}], known); err != nil {
			return fmt.Errorf("%s %s: %w", line.ID, line.Latest, err)
		}
	}
	return nil
}

// calibration is the calibration of a rubric, or nil if it names no labeled items.
func (b *builder) calibration(c *content, known map[string]*measured) (*bundlefile.Calibration, error) {
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
	subject, err := calibration.NewSubject(document.ParseRun(source.NewFile(bundlefile.DocumentPath(c.kind, c.id, c.version), c.data), &document.Rubric))
	if err != nil {
		return nil, err
	}
	out := &bundlefile.Calibration{Path: path.Join(calibration.Root, d.Name, statisticsFile)}
	if !d.Joins(subject) {
		out.Rank, out.Gate = bundlefile.NotMet, bundlefile.NotMet
		out.Reason = fmt.Sprintf("The dataset %s does not list this rubric in applies_to.", d.Name)
		return out, nil
	}
	reports := d.Reports(subject, calibration.Options{Settings: b.Calibration, Seed: calibration.Seed, AsOf: b.changed.When.Format(time.DateOnly)})
	d.reports = append(d.reports, reports...)
	best := calibration.Best(reports)
	out.Rank, out.Gate, out.Reason = string(best.Rank.Outcome), string(best.Gate.Outcome), best.Obstacle()
	if best.Measured() {
		out.Judge, out.Date = best.Judge.Name, best.Judge.Date
		if best.Overall.Minimum.Defined() {
			out.Correlation = &best.Overall.Minimum.Number
		}
	}
	return out, nil
}

// layDataset adds the entries of a dataset: its statistics, and if it shares them, its
// items and answers as they are in the library.
func (b *builder) layDataset(fsys fs.FS, d *measured) error {
	removed := map[string]bool{}
	for _, e := range b.exceptions {
		there := func(item calibration.Item) bool { return item.ID == e.Item }
		isFile := e.Item == calibration.DatasetFile || e.Item == calibration.HistoryFile
		if e.Rule == change.EvidenceChanged && e.ID == d.Name && !isFile && !slices.ContainsFunc(d.Items, there) {
			removed[e.Item] = true
		}
	}
	folder := path.Join(calibration.Root, d.Name)
	before, err := b.removedBefore(path.Join(folder, statisticsFile))
	if err != nil {
		return err
	}
	statistics, err := d.Statistics(d.reports, max(before, len(removed))).Encode()
	if err != nil {
		return err
	}
	b.files = append(b.files, bundlefile.File{Path: path.Join(folder, statisticsFile), Data: statistics})
	if d.Share != calibration.ShareFull {
		return nil
	}
	names := []string{path.Join(folder, calibration.DatasetFile), path.Join(folder, calibration.ItemsFile)}
	for i := range d.Judges {
		for _, f := range d.Judges[i].Files {
			names = append(names, f.Path)
		}
	}
	for _, name := range names {
		data, err := limits.ReadFile(fsys, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // a dataset need not have items
		}
		if err != nil {
			return err
		}
		b.files = append(b.files, bundlefile.File{Path: name, Data: data})
	}
	return nil
}

// removedBefore is how many items of a dataset had been removed in the previous bundle. The
// exceptions for them may be gone by now.
func (b *builder) removedBefore(name string) (int, error) {
	if b.Previous == nil || b.Previous.EntryDigest(name) == "" {
		return 0, nil
	}
	data, err := b.Previous.Read(name)
	if err != nil {
		return 0, err
	}
	var s calibration.Statistics
	err = json.Unmarshal(data, &s)
	return s.Dataset.Removed, err
}
