package replay

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// Change has both sides of a changed rubric. Both must be valid. If the IDs differ, the
// head replaces the base.
type Change struct{ Base, Head *document.Document }

// Library replays changes with the datasets of the head. It reads only the datasets of
// changed rubrics, and returns an error if one is invalid. name names the head in
// messages. If fsys is nil, there is no calibration data.
func Library(fsys fs.FS, name string, changes []Change) (*Replay, error) {
	if len(changes) == 0 {
		return &Replay{Missing: "no rubric changed"}, nil
	}
	l := library{fsys: fsys, loaded: map[string]*calibration.Dataset{}}
	if fsys != nil {
		var err error
		if l.names, err = calibration.Names(fsys); err != nil {
			return nil, fmt.Errorf("can't read the datasets of %s: %w", name, err)
		}
	}
	if len(l.names) == 0 {
		return &Replay{Missing: fmt.Sprintf("%s has no datasets in %s/, so there are no recorded scores", name, calibration.Root)}, nil
	}
	out := &Replay{}
	for _, c := range changes {
		r, err := l.replay(c)
		if err != nil {
			return nil, err
		}
		out.Rubrics = append(out.Rubrics, *r)
	}
	return out, nil
}

// broken is the error for a dataset that is invalid. There is at least one problem.
func broken(problems []calibration.Problem) error {
	p := problems[0]
	at := p.File.Position(p.Span.Start)
	text := fmt.Sprintf("nothing was replayed, because a dataset is invalid:\n%s:%d:%d: %s", p.File.Path, at.Line, at.Column, p.Message)
	if more := len(problems) - 1; more == 1 {
		text += "\nThere is 1 more problem."
	} else if more > 1 {
		text += fmt.Sprintf("\nThere are %d more problems.", more)
	}
	return errors.New(text)
}

type library struct {
	fsys   fs.FS
	names  []string
	loaded map[string]*calibration.Dataset
}

func (l *library) replay(c Change) (*Rubric, error) {
	base, err := calibration.NewSubject(c.Base)
	if err != nil {
		return nil, err
	}
	head, err := calibration.NewSubject(c.Head)
	if err != nil {
		return nil, err
	}
	out := &Rubric{ID: head.Rubric.ID, Dataset: calibration.NameOf(head.Rubric.CalibrationDataset), Reworded: reworded(base, head)}
	if base.Rubric.ID != head.Rubric.ID {
		out.Replaces = base.Rubric.ID
	}
	if out.Missing = l.missing(head, out.Dataset); out.Missing != "" {
		return out, nil
	}
	d, err := l.load(out.Dataset)
	if err != nil {
		return nil, err
	}
	if !d.Joins(head) {
		out.Missing = fmt.Sprintf("%s/%s does not list it in applies_to", calibration.Root, d.Name)
		return out, nil
	}
	r, err := Of(base, head, d)
	if err != nil { // lint reports it too; the other rubrics can be replayed
		out.Missing = err.Error()
		return out, nil
	}
	r.Replaces = out.Replaces
	return r, nil
}

// missing returns why a rubric has no dataset in the library, or "" if it has one.
func (l *library) missing(s *calibration.Subject, name string) string {
	named := s.Rubric.CalibrationDataset
	switch {
	case named == "":
		return "it has no calibration_dataset"
	case name == "":
		return "its calibration_dataset is not in this library: " + schema.Quote(named)
	case !slices.Contains(l.names, name):
		return fmt.Sprintf("the dataset %s/%s does not exist", calibration.Root, name)
	}
	return ""
}

// load reads each dataset once.
func (l *library) load(name string) (*calibration.Dataset, error) {
	if d := l.loaded[name]; d != nil {
		return d, nil
	}
	d, problems, err := calibration.Load(l.fsys, name)
	if err != nil {
		return nil, fmt.Errorf("can't read the dataset %s/%s: %w", calibration.Root, name, err)
	}
	if len(problems) > 0 {
		return nil, broken(problems)
	}
	l.loaded[name] = d
	return d, nil
}
