package calibration

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

// readme is a file for people, allowed next to the files that commands read.
const readme = "README.md"

// Strays reports the files and folders below Root that no command reads. Load reports
// those in the judges folder of a dataset.
func Strays(fsys fs.FS) []Problem {
	l := &loader{fsys: fsys}
	for _, e := range l.list(Root, datasetsInFolders) {
		name := path.Join(Root, e.Name())
		switch {
		case e.Name() == readme && e.Type().IsRegular():
		case e.Type()&fs.ModeSymlink != 0:
			l.reportAt(name, CodeNotAFile, "This is a link, whose target can change without a review. Replace it with the folder itself.")
		case !e.IsDir():
			l.reportAt(name, CodeStray, "This file is not in the folder of a dataset, so no command reads it. Move it out of %s/.", Root)
		case !IsName(e.Name()):
			l.reportAt(name, CodeStray, "This is not a valid name of a dataset, so no command reads this folder. Rename it: use lowercase letters, digits, and single underscores, and start with a letter.")
		default:
			l.strays(name)
		}
	}
	return l.problems
}

// reportAt reports a file or folder as a whole.
func (l *loader) reportAt(name, code, format string, args ...any) {
	l.report(source.NewFile(name, nil), source.Problem{Code: code, Message: fmt.Sprintf(format, args...)})
}

const datasetsInFolders = "This must be a folder, not a file or a link. Replace it with a folder."

// list returns the entries of a folder, or nil if it does not exist. If it is not a
// folder, list reports notAFolder.
func (l *loader) list(name, notAFolder string) []fs.DirEntry {
	if info, err := fs.Lstat(l.fsys, name); err == nil && !info.IsDir() {
		l.reportAt(name, CodeNotAFile, "%s", notAFolder)
		return nil
	}
	entries, err := fs.ReadDir(l.fsys, name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		l.report(source.NewFile(name, nil), unreadable(err))
	}
	return entries
}

func (l *loader) strays(dir string) {
	entries := l.list(dir, datasetsInFolders)
	if !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == DatasetFile }) {
		l.reportAt(dir, CodeStray, "This folder has no %[2]s, so it is not a dataset and no command reads it. Add %[1]s/%[2]s, or move the folder elsewhere.", dir, DatasetFile)
		return
	}
	for _, e := range entries {
		switch e.Name() {
		case DatasetFile, ItemsFile, HistoryFile, JudgesDir, readme:
		default:
			l.reportAt(path.Join(dir, e.Name()), CodeStray, "No command reads this: a dataset consists of %s, %s, %s, the folder %s, and an optional %s. Rename it or move it elsewhere.",
				DatasetFile, ItemsFile, HistoryFile, JudgesDir, readme)
		}
	}
}
