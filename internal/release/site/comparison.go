package site

import (
	"cmp"
	"fmt"
	"html/template"
	"path"
	"slices"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/change/diff"
	"github.com/rubric-library/rubric-library/internal/change/diff/printer"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// allPairs is up to how many versions each is compared with each. With more, neighbors are
// compared, and the latest with each.
const allPairs = 8

// comparisons writes the comparisons of a document's versions.
func (b *builder) comparisons(e *entry) error {
	for i := range e.Versions {
		for _, before := range e.Versions[i].Others {
			if err := b.comparison(e, before, &e.Versions[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *builder) comparison(e *entry, before string, after *version) error {
	v := *after
	earlier := &e.Versions[slices.IndexFunc(e.Versions, func(v version) bool { return v.Version == before })]
	if before != v.Before {
		v.Before = before
		var err error
		if v.changed, err = compared(e.Entry, earlier, &v); err != nil {
			return err
		}
		v.changed.TooLow = false // the number is about the version before
	}
	changes, err := printer.Changes(v.changed)
	if err != nil {
		return err
	}
	verdicts, err := b.verdicts(e, &v)
	if err != nil {
		return err
	}
	name := path.Join(e.Folder, v.Comparison())
	p := b.newPage(name, fmt.Sprintf("%s: %s → %s", e.Name, v.Before, v.Version))
	p.Summary = fmt.Sprintf("What changed in %s from %s to %s: %s", e.ID, v.Before, v.Version,
		cmp.Or(v.Effect(), v.Class()+"."))
	return b.putPage("comparison.html", struct {
		page
		Entry             *entry
		Earlier, Version  *version
		Verdicts, Changes template.HTML
	}{p, e, earlier, &v, verdicts, changes}, name)
}

func compared(line *library.Entry, before, after *version) (*diff.DocumentDiff, error) {
	packed := func(v *version) *holdings.Library {
		return holdings.Packed(v.Version, v.Version,
			map[string][]byte{bundlefile.DocumentPath(string(line.Kind), line.ID, v.Version): v.data}, nil)
	}
	judged, err := change.Versus([]*holdings.Library{packed(before)}, packed(before), packed(after), true)
	if err != nil {
		return nil, err
	}
	c := diff.Of(judged)
	if len(c.Documents) == 0 {
		return nil, fmt.Errorf("it has the same content as %s", before.Version)
	}
	return &c.Documents[0], nil
}
