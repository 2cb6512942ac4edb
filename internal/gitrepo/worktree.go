package gitrepo

import (
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/gitrepo/gitignore"
)

// WorkTree is a folder on disk as a file system, without the files that Git would not add to
// a commit because it ignores them, and without those that this program is writing. A tracked
// file is never left out, whatever its name is. Outside a repository, and in a folder that is
// itself ignored, Git ignores nothing. It is safe for concurrent use.
type WorkTree struct {
	files fs.FS // all files
	dir   string

	rules   func() (*workTreeRules, error)
	tracked func() (*trackedNames, error)

	mu      sync.Mutex
	ignored map[string]bool // what was left out; true for folders
	err     error
}

var _ interface {
	fs.ReadDirFS
	fs.StatFS
	fs.ReadLinkFS
} = (*WorkTree)(nil)

// NewWorkTree returns the file system of a folder. Nothing is read before it is needed.
func NewWorkTree(dir string) *WorkTree {
	w := &WorkTree{files: safefile.DirFS(dir), dir: dir, ignored: map[string]bool{}}
	w.rules = sync.OnceValues(w.readRules)
	w.tracked = sync.OnceValues(w.readTracked)
	return w
}

// workTreeRules are those of the working tree around a folder.
type workTreeRules struct {
	ignored  *gitignore.Rules
	loc      location
	folder   string // relative to the working tree
	hashSize int
	fold     bool // names that differ only in case are the same
	// anyForm says that names on disk can have another Unicode form than tracked ones.
	anyForm bool
}

// readRules finds the repository of the folder, and returns nil if Git ignores nothing there. A
// repository that can't be opened ignores nothing.
func (w *WorkTree) readRules() (*workTreeRules, error) {
	loc, err := locate(w.dir)
	if err != nil {
		return nil, nil
	}
	own, err := readSettings(loc)
	if err != nil {
		return nil, err
	}
	loc.workTree = own.workTree(loc)
	folder, err := (&Repo{workTree: loc.workTree}).Folder(w.dir)
	if err != nil {
		return nil, nil // not in the working tree
	}
	config, err := readUserConfig()
	if err != nil {
		return nil, err
	}
	maps.Copy(config, own)
	r := &workTreeRules{
		loc: loc, folder: folder, hashSize: 20,
		fold: config.isTrue(ignoreCase), anyForm: config.isTrue("core.precomposeunicode"),
	}
	if oneOf(config["extensions.objectformat"], "sha256") {
		r.hashSize = 32
	}
	if r.ignored, err = readIgnoreRules(loc, config); err != nil {
		return nil, err
	}
	if folder != "" {
		ignored, err := r.ignored.Ignores(folder, true)
		if ignored || err != nil {
			return nil, err
		}
	}
	return r, nil
}

func (w *WorkTree) readTracked() (*trackedNames, error) {
	r, err := w.rules()
	if r == nil || err != nil {
		return &trackedNames{}, err
	}
	return readTracked(r.loc.gitDir, r.folder, r.hashSize, r.fold)
}

// leavesOut reports whether a file or folder is left out.
func (w *WorkTree) leavesOut(name string, isFolder bool) (bool, error) {
	out, err := w.decide(name, isFolder)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil && w.err == nil {
		w.err = err
	}
	if out && !safefile.IsTemporary(name) {
		w.ignored[name] = isFolder
	}
	return out, err
}

func (w *WorkTree) decide(name string, isFolder bool) (out bool, err error) {
	r, err := w.rules()
	if err != nil || name == "." {
		return false, err
	}
	out = !isFolder && safefile.IsTemporary(name)
	if r == nil {
		return out, nil
	}
	full := path.Join(r.folder, name)
	if !out {
		out, err = r.ignored.Ignores(full, isFolder)
	}
	if !out || err != nil || r.anyForm && strings.ContainsFunc(name, func(c rune) bool { return c > 127 }) {
		return false, err
	}
	tracked, err := w.tracked()
	if err != nil {
		return false, err
	}
	return !tracked.has(full, isFolder), nil
}

// check returns an error for a file that is left out. A folder exists, even if everything in
// it is left out.
func (w *WorkTree) check(op, name string, info fs.FileInfo) error {
	if info.IsDir() {
		return nil
	}
	out, err := w.leavesOut(name, false)
	if out {
		err = fs.ErrNotExist
	}
	if err != nil {
		return &fs.PathError{Op: op, Path: name, Err: err}
	}
	return nil
}

// Open opens a file, or a folder, which only ReadDir lists without what is left out.
func (w *WorkTree) Open(name string) (fs.File, error) {
	f, err := w.files.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil {
		err = w.check("open", name, info)
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// ReadDir lists a folder, sorted by name.
func (w *WorkTree) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(w.files, name)
	if err != nil {
		return nil, err
	}
	kept := entries[:0]
	for _, e := range entries {
		out, err := w.leavesOut(path.Join(name, e.Name()), e.IsDir())
		if err != nil {
			return nil, &fs.PathError{Op: "readdir", Path: name, Err: err}
		}
		if !out {
			kept = append(kept, e)
		}
	}
	return kept, nil
}

// Stat describes a file or folder, or the target of a link.
func (w *WorkTree) Stat(name string) (fs.FileInfo, error) {
	info, err := fs.Stat(w.files, name)
	if err == nil {
		err = w.check("stat", name, info)
	}
	return info, err
}

// Lstat describes a file, a folder, or a link.
func (w *WorkTree) Lstat(name string) (fs.FileInfo, error) {
	info, err := fs.Lstat(w.files, name)
	if err == nil {
		err = w.check("lstat", name, info)
	}
	return info, err
}

// ReadLink returns the target of a link.
func (w *WorkTree) ReadLink(name string) (string, error) {
	if _, err := w.Lstat(name); err != nil {
		return "", err
	}
	return fs.ReadLink(w.files, name)
}

// IgnoredFiles returns the files that were left out so far because Git ignores them, sorted.
func (w *WorkTree) IgnoredFiles() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var names []string
	for name, isFolder := range w.ignored {
		if isFolder {
			names = append(names, w.listBelow(name)...)
		} else {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// listBelow returns the files in a folder and its folders, except those that can't be read.
func (w *WorkTree) listBelow(folder string) (names []string) {
	_ = fs.WalkDir(w.files, folder, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, name)
		}
		return nil
	})
	return names
}

// Err returns the first reason why it can't be known what Git ignores.
func (w *WorkTree) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}
