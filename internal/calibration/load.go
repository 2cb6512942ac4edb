package calibration

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/limits"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// The problems that are reported here, besides those of schema.Check and yamltree.
const (
	CodeDuplicate  = "duplicate-entry"        // what says again, or otherwise, what another entry says
	CodeUnknown    = "unknown-name"           // an item or a criterion that does not exist
	CodeMixedRun   = "mixed-run"              // a run with two models, dates or rubrics
	CodeTooLong    = "line-too-long"          // a line or a file that is larger than what is read
	CodeAddress    = "rater-address"          // a rater who is named by an e-mail address
	CodeStray      = "stray-calibration-file" // a file that nothing reads
	CodeNotAFile   = "not-a-file"             // a link, a folder or a device in the place of a file
	CodeUnreadable = "unreadable-file"        // what could not be read
)

// mostProblems is how many problems of one file are reported one by one.
const mostProblems = 100

// Problem is something wrong in a file of a dataset.
type Problem struct {
	// File is the whole file, also for a line of a JSON Lines file; without content
	// where it could not be read.
	File *source.File
	source.Problem
}

var judgeName = regexp.MustCompile(`^[a-z0-9]+([_-][a-z0-9]+)*$`)

// IsName tells whether a dataset can have that name: the form of an ID.
func IsName(name string) bool { return bundlefile.IsID(name) }

// Names lists the datasets of a library: the folders below Root that hold a
// dataset.yaml. A library without Root has none.
func Names(fsys fs.FS) ([]string, error) {
	if err := folder(fsys, Root); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	entries, err := fs.ReadDir(fsys, Root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if _, err := fs.Lstat(fsys, path.Join(Root, e.Name(), DatasetFile)); e.IsDir() && err == nil {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// Load reads a dataset from a library. Whatever is wrong is a problem with its
// place, and the dataset has the rest. The error says why nothing could be read;
// it is fs.ErrNotExist where there is no such dataset.
func Load(fsys fs.FS, name string) (*Dataset, []Problem, error) {
	if !IsName(name) {
		return nil, nil, fmt.Errorf("%q is no name of a dataset: lower-case letters, digits and single underscores, beginning with a letter", name)
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
	l.history()
	return l.dataset, l.problems, nil
}

type loader struct {
	fsys     fs.FS
	dir      string
	dataset  *Dataset
	problems []Problem
	// itemLines are the lines of the items by ID, nil where not all IDs are known;
	// criteria are the places of the criteria in their list, nil where that could
	// not be read.
	itemLines, criteria map[string]int
}

// folder is the error that there is none of that name: a link could lead out of
// the library, and what it points to can change without a review.
func folder(fsys fs.FS, name string) error {
	info, err := fs.Lstat(fsys, name)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is a file or a link. Put the folder itself in its place", name)
	}
	return err
}

var errNotRegular = errors.New("is no regular file. Put the file itself in its place")

// read reads a file. A link could lead out of the library, and a pipe would never
// end, so only regular files are opened.
func (l *loader) read(name string) (*source.File, error) {
	name = path.Join(l.dir, name)
	info, err := fs.Lstat(l.fsys, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s %w", name, errNotRegular)
	}
	data, err := limits.ReadFile(l.fsys, name)
	if err != nil {
		return nil, err
	}
	return source.NewFile(name, data), nil
}

// readOptional reads a file that need not be there. What keeps it from being read
// is a problem, and then, as without the file, there is none.
func (l *loader) readOptional(name string) *source.File {
	f, err := l.read(name)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return f
	}
	l.problems = append(l.problems, Unreadable(path.Join(l.dir, name), err))
	return nil
}

const notRegularAdvice = "Put the file itself here: this is a link, a folder or a device, and only files are read."

// Unreadable says why a file could not be read as a problem of that file, such as
// the error of Load of dataset.yaml.
func Unreadable(file string, err error) Problem {
	problem, tooLarge := unreadable(err), (*limits.TooLargeError)(nil)
	switch {
	case errors.Is(err, errNotRegular):
		problem = source.Problem{Code: CodeNotAFile, Message: notRegularAdvice}
	case errors.As(err, &tooLarge):
		problem = source.Problem{Code: CodeTooLong, Message: fmt.Sprintf("The file has more than %d KiB, which is the most that is read. Split the dataset.", tooLarge.Max>>10)}
	}
	return Problem{source.NewFile(file, nil), problem}
}

func unreadable(err error) source.Problem {
	return source.Problem{Code: CodeUnreadable, Message: fmt.Sprintf("This could not be read: %v. Check who may read it.", safefile.Reason(err))}
}

func (l *loader) report(f *source.File, problems ...source.Problem) {
	for _, p := range problems {
		l.problems = append(l.problems, Problem{f, p})
	}
}

// history keeps the lines of history.jsonl that are JSON.
func (l *loader) history() {
	f := l.readOptional(HistoryFile)
	if f == nil {
		return
	}
	l.lines(f, func(text []byte, _ int) []source.Problem {
		if !json.Valid(text) {
			return []source.Problem{{
				Code: codeJSON, Span: source.Span{End: len(text)},
				Message: "This line is not JSON. Put it back as it was recorded, or remove it.",
			}}
		}
		l.dataset.History = append(l.dataset.History, slices.Clone(text))
		return nil
	})
}
