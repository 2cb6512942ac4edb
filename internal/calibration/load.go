package calibration

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// The codes of the problems that this package reports in addition to those of
// schema.Check and yamltree.
const (
	CodeDuplicate  = "duplicate-entry"        // an entry that repeats or contradicts another
	CodeUnknown    = "unknown-name"           // an item or a criterion that does not exist
	CodeMixedRun   = "mixed-run"              // a run with two models, dates, or rubrics
	CodeTooLong    = "line-too-long"          // a line or a file above the size limit
	CodeAddress    = "rater-address"          // a rater named by an email address
	CodeStray      = "stray-calibration-file" // a file that no command reads
	CodeNotAFile   = "not-a-file"             // a link, a folder, or a device instead of a file
	CodeUnreadable = "unreadable-file"        // a file that could not be read
)

// mostProblems is how many problems of one file of items or answers are listed. The last says how
// many there are.
const mostProblems = 100

// DatasetProblem is something wrong in a file of a dataset.
type DatasetProblem struct {
	// File is the whole file, even if the problem is in one line of a JSON Lines file.
	// It has no content if it could not be read.
	File *source.File
	source.Problem
}

// IsPointer reports whether the file is a pointer of Git LFS.
func (p DatasetProblem) IsPointer() bool { return p.Message == safefile.AboutPointers }

// Names lists the datasets of a library: the folders in Root that have a valid name and a
// dataset.yaml. Strays reports the others. A library without Root has no datasets.
func Names(fsys fs.FS) ([]string, error) {
	if err := folder(fsys, Root); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	entries, err := fs.ReadDir(fsys, Root)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() || !IsName(e.Name()) {
			continue
		}
		head, err := safefile.Find(fsys, path.Join(Root, e.Name(), DatasetFile))
		if err != nil {
			return nil, err
		}
		if head != nil {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// Load reads a dataset from a library. Each invalid part is a problem with its
// position, and the dataset has the valid parts: statistics must refuse a dataset with problems. The
// error says why nothing could be read; it is fs.ErrNotExist if the dataset does not exist. A file
// that can't be read is a problem, unless fsys remembers it as an error, as a commit does.
func Load(fsys fs.FS, name string) (*Dataset, []DatasetProblem, error) {
	if !IsName(name) {
		return nil, nil, fmt.Errorf("%q is not a valid name of a dataset: expected lowercase letters, digits, and single underscores, starting with a letter", name)
	}
	l := &loader{fsys: fsys, dir: path.Join(Root, name), dataset: &Dataset{Name: name}}
	for _, dir := range []string{Root, l.dir} {
		if err := folder(fsys, dir); err != nil {
			return nil, nil, err
		}
	}
	f, err := l.read(DatasetFile)
	if err != nil {
		return nil, nil, err
	}
	l.head(f)
	l.items()
	l.judges()
	if err := safefile.Unreadable(fsys); err != nil {
		return nil, nil, err
	}
	if len(l.problems) == 0 { // else a run could be missing because of these
		l.reportAccepted()
	}
	return l.dataset, l.problems, nil
}

type loader struct {
	fsys     fs.FS
	dir      string
	dataset  *Dataset
	problems []DatasetProblem
	// strayFiles counts the files that no command reads.
	strayFiles int
	// itemLines are the lines of the items by ID, nil if not all IDs are known.
	itemLines map[string]int
	criteria  map[string]bool // nil if their list could not be read
}

// folder returns an error unless name is a folder. A link could lead out of the
// library, and its target can change without a review.
func folder(fsys fs.FS, name string) error {
	info, err := fs.Lstat(fsys, name)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is a file or a link: expected a folder. Replace it with the folder itself", name)
	}
	return err
}

var errNotRegular = errors.New("is not a regular file. Replace it with the file itself")

// read reads a regular file. A link could lead out of the library, and a pipe might
// never end.
func (l *loader) read(name string) (*source.File, error) {
	name = path.Join(l.dir, name)
	info, err := fs.Lstat(l.fsys, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s %w", name, errNotRegular)
	}
	data, err := safefile.ReadFile(l.fsys, name)
	if err != nil {
		return nil, err
	}
	return source.NewFile(name, data), nil
}

// readOptional reads a file, or returns nil if it does not exist. If the file can't be
// read, it reports a problem and returns nil.
func (l *loader) readOptional(name string) *source.File {
	f, err := l.read(name)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return f
	}
	l.problems = append(l.problems, Unreadable(path.Join(l.dir, name), err))
	return nil
}

// Unreadable converts an error of Load for a file to a problem of that file.
func Unreadable(file string, err error) DatasetProblem {
	problem, tooLarge := unreadable(err), (*safefile.TooLargeError)(nil)
	switch {
	case errors.Is(err, errNotRegular):
		problem = source.Problem{
			Code:    CodeNotAFile,
			Message: "This is a link, a folder, or a device: only regular files are read. Replace it with the file itself.",
		}
	case safefile.IsPointer(err):
		problem = source.Problem{Code: CodeUnreadable, Message: safefile.AboutPointers}
	case errors.As(err, &tooLarge):
		problem = source.Problem{
			Code:    CodeTooLong,
			Message: fmt.Sprintf("The file is larger than the limit of %d KiB. Split the dataset.", tooLarge.Max>>10),
		}
	}
	return DatasetProblem{source.NewFile(file, nil), problem}
}

func unreadable(err error) source.Problem {
	return source.Problem{
		Code:    CodeUnreadable,
		Message: fmt.Sprintf("The file or folder can't be read: %v. Check its permissions.", safefile.Reason(err)),
	}
}

func (l *loader) report(f *source.File, problems ...source.Problem) {
	for _, p := range problems {
		l.problems = append(l.problems, DatasetProblem{f, p})
	}
}

// readme is a file for people, allowed next to the files that commands read.
const readme = "README.md"

// Strays reports the files and folders below Root that no command reads. Load reports
// those in the judges folder of a dataset.
func Strays(fsys fs.FS) []DatasetProblem {
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
			l.reportStrays(name)
		}
	}
	return l.problems
}

// mostStrays is how many of the files that no command reads are reported one by one.
const mostStrays = 1000

func (l *loader) reportAt(name, code, format string, args ...any) {
	if code == CodeStray {
		l.strayFiles++
		switch {
		case l.strayFiles == mostStrays:
			format, args = "There are more files like this, which are not listed. Move all of them elsewhere.", nil
		case l.strayFiles > mostStrays:
			return
		}
	}
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

func (l *loader) reportStrays(dir string) {
	entries := l.list(dir, datasetsInFolders)
	if !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == DatasetFile }) {
		l.reportAt(dir, CodeStray,
			"This folder has no %[2]s, so it is not a dataset and no command reads it. Add %[1]s/%[2]s, or move the folder elsewhere.",
			dir, DatasetFile)
		return
	}
	for _, e := range entries {
		switch e.Name() {
		case DatasetFile, ItemsFile, JudgesDir, readme, historyFile:
		default:
			l.reportAt(path.Join(dir, e.Name()), CodeStray,
				"No command reads this: a dataset consists of %s, %s, the folder %s, and an optional %s. Rename it or move it elsewhere.",
				DatasetFile, ItemsFile, JudgesDir, readme)
		}
	}
}
