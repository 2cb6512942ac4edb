package replay

import (
	"fmt"
	"io/fs"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/render"
)

// Step has both sides of a changed rubric. Both must be valid. If the IDs differ, the
// head replaces the base.
type Step struct{ Base, Head *document.Document }

// Library replays changes with the datasets of the head. It reads only the datasets of
// changed rubrics, and returns an error if one is invalid. name names the head in
// messages. If fsys is nil, there is no calibration data.
func Library(fsys fs.FS, name string, changes []Step) (out *Replay, err error) {
	if len(changes) == 0 {
		return &Replay{Missing: "no rubric changed"}, nil
	}
	var names []string
	if fsys != nil {
		if names, err = calibration.Names(fsys); err != nil {
			return nil, fmt.Errorf("can't read the datasets of %s: %w", name, err)
		}
	}
	if len(names) == 0 {
		return &Replay{
			Missing: optional("%s has no datasets in %s/, so there are no recorded scores", name, calibration.Root),
		}, nil
	}
	find := func(dataset string) (*calibration.Dataset, string, error) {
		if !slices.Contains(names, dataset) {
			return nil, fmt.Sprintf("the dataset %s/%s does not exist", calibration.Root, dataset), nil
		}
		d, err := load(fsys, dataset)
		return d, "", err
	}
	out = &Replay{Rubrics: make([]Rubric, len(changes))}
	for i, c := range changes {
		r, err := With(find, c)
		if err != nil {
			return nil, err
		}
		out.Rubrics[i] = *r
	}
	return out, nil
}

// With replays a change with the dataset that the head names. find returns a valid dataset by its
// name, or why there is none.
func With(find func(name string) (d *calibration.Dataset, missing string, err error), c Step) (*Rubric, error) {
	base, err := calibration.NewSubject(c.Base)
	if err != nil {
		return nil, err
	}
	head, err := calibration.NewSubject(c.Head)
	if err != nil {
		return nil, err
	}
	dataset := calibration.NameOf(head.Rubric.CalibrationDataset)
	r := &Rubric{ID: head.Rubric.ID, Dataset: render.Optional(dataset), Reworded: base.Digest != head.Digest}
	if base.Rubric.ID != r.ID {
		r.Replaces = render.Optional(base.Rubric.ID)
	}
	switch named := head.Rubric.CalibrationDataset; {
	case named == "":
		r.Missing = "it has no calibration_dataset"
		return r, nil
	case dataset == "":
		r.Missing = optional("its calibration_dataset is not in this library: %s", schema.Quote(named))
		return r, nil
	}
	d, missing, err := find(dataset)
	switch {
	case err != nil:
		return nil, err
	case d == nil:
		r.Missing = render.Optional(missing)
	case d.Joins(head):
		r.replay(base, head, d)
	default:
		r.Missing = optional("%s/%s does not list it in applies_to", calibration.Root, d.Name)
	}
	return r, nil
}

func optional(format string, args ...any) render.Optional {
	return render.Optional(fmt.Sprintf(format, args...))
}

func load(fsys fs.FS, name string) (*calibration.Dataset, error) {
	d, problems, err := calibration.Load(fsys, name)
	if err != nil {
		return nil, fmt.Errorf("can't read the dataset %s/%s: %w", calibration.Root, name, err)
	}
	if len(problems) > 0 {
		p := problems[0]
		at := p.File.Position(p.Span.Start)
		return nil, fmt.Errorf("nothing was replayed, because a dataset has %s, first:\n%s:%d:%d: %s",
			render.Count(len(problems), "problem"), p.File.Path, at.Line, at.Column, p.Message)
	}
	return d, nil
}

// replay replays the recorded scores of a dataset that joins the head. For each judge, it
// uses the newest run for the wording of the head, or else of the base, or else of any
// wording. Nothing is replayed if a side can't be applied or an item can't be searched,
// which lint reports too.
func (r *Rubric) replay(base, head *calibration.Subject, d *calibration.Dataset) {
	var c comparison
	var err error
	if c.base, err = newSide("base", base, d.Items); err == nil {
		c.head, err = newSide("head", head, d.Items)
	}
	if err != nil {
		r.Missing = render.Optional(err.Error())
		return
	}
	add := func(rec Recording, scores recorded) {
		c.replay(&rec, d.Items, scores)
		r.Recordings = append(r.Recordings, rec)
	}
	for i := range d.Judges {
		j := &d.Judges[i]
		if run := j.NewestRun(head.Digest, base.Digest); run != nil {
			rec := Recording{
				Source: Judge, Name: j.Name, Run: render.Optional(run.Name), Model: render.Optional(run.Model),
				Indication: oldWords(run, base, head),
			}
			if rec.Indication != "" {
				r.Repeat = append(r.Repeat, Run{j.Name, run.Name, run.Model})
			}
			add(rec, answered(run))
		}
	}
	if labels := labeled(d); len(labels) > 0 {
		add(Recording{Source: Labels, Name: string(d.LabeledBy), Indication: staleLabels(d, labels, head)}, labels)
	}
	if len(r.Recordings) == 0 {
		r.Missing = optional("%s/%s has no recorded scores yet", calibration.Root, d.Name)
	}
}
