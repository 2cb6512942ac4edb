package authoring

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"

	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
)

// Create creates documents. The linter reports each place where the author has to write a text.
func (l *Local) Create(drafts ...Draft) (*Edit, error) {
	e, at, paths := &Edit{}, map[string]int{}, []string{}
	instead := map[string][]byte{}
	for i, d := range drafts {
		if err := d.begin(); err != nil {
			return nil, err
		}
		if err := l.check(&d); err != nil {
			return nil, err
		}
		f := d.file()
		if instead[f.Path] != nil {
			return nil, fmt.Errorf("two of the documents have the ID %s. Choose another ID", d.ID)
		}
		e.Files, paths, instead[f.Path], at[f.Path] = append(e.Files, f), append(paths, f.Path), f.After, i
	}
	if _, err := l.finish(e); err != nil {
		return nil, err
	}
	report, err := lint.Run(l.fsys, rules.All(), lint.Options{Only: paths, Instead: instead})
	if err != nil {
		return nil, err
	}
	places := make([]int, len(drafts))
	for _, found := range report.Findings {
		if n, isNew := at[found.File]; isNew && found.Severity != lint.Note {
			places[n]++
		}
	}
	for i, d := range drafts {
		e.Files[i].Note = fmt.Sprintf("%s %s%s, findings of `rubric lint`: %d", d.Kind.Noun,
			cmp.Or(d.version, firstVersion), d.origin(), places[i])
	}
	return e, l.begin(e)
}

// file is the file of a draft.
func (d *Draft) file() File {
	if d.old != nil {
		return File{Path: d.old.File.Path, Before: d.old.File.Data, After: d.text()}
	}
	return File{Path: documentPath(d.ArtifactType, d.ID), After: d.text()}
}

func (l *Local) check(d *Draft) error {
	err := errors.Join(Check(d.Kind, "name", d.Name), Check(d.Kind, "artifact_type", d.ArtifactType))
	if d.old == nil {
		err = errors.Join(l.CheckID(d.Kind, d.ID), err)
	}
	if len(d.Parts) > 0 {
		err = errors.Join(err, CheckParts(d.Kind, d.Parts))
	}
	return errors.Join(err, d.checkSize())
}

// checkSize returns an error for a document that is larger than those of a library.
func (d *Draft) checkSize() error {
	size := len(d.newText("sha256:" + strings.Repeat("0", 2*sha256.Size)))
	if size > safefile.MaxDocument {
		return fmt.Errorf("%s would have %d bytes: at most %d are allowed. Shorten its texts or split it",
			documentPath(d.ArtifactType, d.ID), size, safefile.MaxDocument)
	}
	return nil
}
