package calibration

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

// readme is a file for people, which may stand beside what is read.
const readme = "README.md"

// Strays are the files and folders below Root that nothing reads. Those in the
// folder of a dataset's judges are reported by Load.
func Strays(fsys fs.FS) []Problem {
	l := &loader{fsys: fsys}
	for _, e := range l.list(Root, datasetsInFolders) {
		name := path.Join(Root, e.Name())
		switch {
		case e.Name() == readme && e.Type().IsRegular():
		case e.Type()&fs.ModeSymlink != 0:
			l.reportAt(name, CodeNotAFile, "Put the folder itself here instead of a link: what a link points to can change without a review.")
		case !e.IsDir():
			l.reportAt(name, CodeStray, "Move this file out of %s/: only folders of datasets live there, so nothing reads it.", Root)
		case !IsName(e.Name()):
			l.reportAt(name, CodeStray, "Rename this folder: a dataset has lower-case letters, digits and single underscores in its name and begins with a letter. Nothing reads it as it is.")
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

const datasetsInFolders = "Put a folder here, not a file or a link: datasets lie in folders."

// list is what stands in a folder, nothing if it is not there. notAFolder is said
// of what stands there instead.
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

// strays looks at the folder of a dataset.
func (l *loader) strays(dir string) {
	entries := l.list(dir, datasetsInFolders)
	if !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == DatasetFile }) {
		l.reportAt(dir, CodeStray, "Write %s/%s, or move this folder away: without that file it is no dataset, and nothing reads it.", dir, DatasetFile)
		return
	}
	for _, e := range entries {
		switch e.Name() {
		case DatasetFile, ItemsFile, HistoryFile, JudgesDir, readme:
		default:
			l.reportAt(path.Join(dir, e.Name()), CodeStray, "Rename this, or move it away: in the folder of a dataset are %s, %s, %s, the folder %s and a %s. Nothing reads any other.",
				DatasetFile, ItemsFile, HistoryFile, JudgesDir, readme)
		}
	}
}
