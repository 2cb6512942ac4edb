package authoring

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
)

// leaveDatasets removes a retired rubric from the datasets that list it. A dataset for
// only this rubric is removed with its labels, which Git keeps: without a rubric it is
// not valid.
func (r *Retirement) leaveDatasets(e *Edit) error {
	id, l := r.held.ID(), r.library
	names, err := calibration.Names(l.fsys)
	if err != nil {
		return err
	}
	for _, dataset := range names {
		name := path.Join(calibration.Root, dataset, calibration.DatasetFile)
		data, err := l.read(name)
		if err != nil {
			return err
		}
		d := parse(name, data)
		at := slices.Index(listed(d), id)
		if at < 0 {
			continue
		}
		if d.Valid() && len(listed(d)) == 1 {
			if err := r.removeDataset(e, path.Dir(name)); err != nil {
				return err
			}
			continue
		}
		if d.Valid() {
			d = withoutEntry(d, appliesTo, at)
		}
		if d != nil && d.Valid() {
			e.Files = append(e.Files, File{Path: name, Before: data, After: d.File.Data, Note: fmt.Sprintf("its labels are no longer for %s", id)})
		} else {
			e.Warnings = append(e.Warnings, fmt.Sprintf("%s: remove %s from %s, because it is retired", name, id, appliesTo))
		}
	}
	return nil
}

// removeDataset removes all files of a dataset, if the last commit has them.
func (r *Retirement) removeDataset(e *Edit, folder string) error {
	return fs.WalkDir(r.library.fsys, folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := r.library.read(name)
		if err != nil {
			return err
		}
		if err := r.library.committed(name, data); err != nil {
			return err
		}
		e.Files = append(e.Files, File{Path: name, Before: data, Note: "no other rubric uses this dataset; it stays in the Git history"})
		return nil
	})
}

// committed returns an error if a file differs from the last commit, because its content
// would be lost.
func (l *Library) committed(name string, data []byte) error {
	committed, err := l.past.Head.File(name)
	if err != nil {
		return err
	}
	unix := func(data []byte) []byte { return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")) }
	if committed == nil || !bytes.Equal(unix(committed), unix(data)) {
		return fmt.Errorf("%s has uncommitted edits, which would be lost. Commit them, or undo them with `git restore %s`", name, name)
	}
	return nil
}
