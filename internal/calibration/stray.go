package calibration

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

// readme is a file for people, which may stand beside what is read.
const readme = "README.md"

// Strays are the files and folders below Root that nothing reads. Those in the
// folder of a dataset's judges are reported by Load.
func Strays(fsys fs.FS) []Problem {
	s := strays{fsys: fsys}
	for _, e := range s.list(Root) {
		name := path.Join(Root, e.Name())
		switch {
		case e.Name() == readme && e.Type().IsRegular():
		case e.Type()&fs.ModeSymlink != 0:
			s.report(name, CodeNotAFile, "Put the folder itself here instead of a link: what a link points to can change without a review.")
		case !e.IsDir():
			s.report(name, CodeStray, "Move this file out of %s/: only folders of datasets live there, so nothing reads it.", Root)
		case !IsName(e.Name()):
			s.report(name, CodeStray, "Rename this folder: a dataset has lower-case letters, digits and single underscores in its name and begins with a letter. Nothing reads it as it is.")
		default:
			s.dataset(name)
		}
	}
	return s.problems
}

type strays struct {
	fsys     fs.FS
	problems []Problem
}

func (s *strays) report(name, code, format string, args ...any) {
	s.problems = append(s.problems, Problem{source.NewFile(name, nil), source.Problem{Code: code, Message: fmt.Sprintf(format, args...)}})
}

// list is what stands in a folder, nothing if it is not there.
func (s *strays) list(name string) []fs.DirEntry {
	if info, err := fs.Lstat(s.fsys, name); err == nil && !info.IsDir() {
		s.report(name, CodeNotAFile, "Put a folder here, not a file or a link: datasets lie in folders.")
		return nil
	}
	entries, err := fs.ReadDir(s.fsys, name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.problems = append(s.problems, Problem{source.NewFile(name, nil), unreadable(err)})
	}
	return entries
}

// dataset looks at the folder of a dataset.
func (s *strays) dataset(dir string) {
	entries := s.list(dir)
	found := false
	for _, e := range entries {
		found = found || e.Name() == DatasetFile
	}
	if !found {
		s.report(dir, CodeStray, "Write %s/%s, or move this folder away: without that file it is no dataset, and nothing reads it.", dir, DatasetFile)
		return
	}
	for _, e := range entries {
		switch e.Name() {
		case DatasetFile, ItemsFile, HistoryFile, JudgesDir, readme:
		default:
			s.report(path.Join(dir, e.Name()), CodeStray, "Rename this, or move it away: in the folder of a dataset are %s, %s, %s, the folder %s and a %s. Nothing reads any other.",
				DatasetFile, ItemsFile, HistoryFile, JudgesDir, readme)
		}
	}
}
