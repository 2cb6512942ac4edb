package site

import (
	"fmt"
	"html/template"
	"sync"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/replay"
	"github.com/rubric-library/rubric-library/internal/change/diff/printer"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

// verdicts returns the part of a comparison on the labeled texts whose verdict changes, or "" for
// a rule set. Without shared texts, it has counts only.
func (b *builder) verdicts(e *entry, v *version) (template.HTML, error) {
	if string(e.Kind) != bundlefile.KindRubric || v.changed.IsUnreadable() {
		return "", nil
	}
	shared := map[string]*calibration.Item{}
	find := func(name string) (*calibration.Dataset, string, error) {
		d, missing, err := b.dataset(name)
		if d != nil && d.Share == calibration.ShareFull {
			for i := range d.Items {
				shared[d.Items[i].ID] = &d.Items[i]
			}
		}
		return d, missing, err
	}
	r, err := replay.With(find, replay.Step{Base: v.changed.Base.Doc, Head: v.changed.Head.Doc})
	if err != nil {
		return "", err
	}
	if len(shared) == 0 {
		return printer.Verdicts(r, nil)
	}
	return printer.Verdicts(r, func(id string) printer.Labeled {
		if x := e.examples[id]; x != nil && x.Artifact == shared[id].Artifact {
			return printer.Labeled{Title: x.Title, Link: "index.html#example-" + id}
		}
		return printer.Labeled{Title: shortened(shared[id].Artifact)} // of another dataset, or not on the page
	})
}

// dataset returns a dataset of the repository, or without one of the bundle, or why it has none.
func (b *builder) dataset(name string) (d *calibration.Dataset, missing string, err error) {
	switch {
	case b.options.Datasets != nil:
		d = b.options.Datasets[name]
		missing = fmt.Sprintf("the dataset %s/%s does not exist, or has errors", calibration.Root, name)
	case b.options.Bundle == "":
		missing = "this preview of a folder has no recorded scores"
	default:
		d, err = b.packedDataset(name)
		missing = "the bundle has only the statistics of its labeled texts"
	}
	return d, missing, err
}

// packedDataset returns a dataset of the bundle, or nil if the bundle does not have its texts.
func (b *builder) packedDataset(name string) (*calibration.Dataset, error) {
	load := sync.OnceValues(func() (*calibration.Dataset, error) {
		return loadDataset(b.options.Bundle, b.library.Digest(), name)
	})
	first, _ := b.packed.LoadOrStore(name, load)
	return first.(func() (*calibration.Dataset, error))()
}
