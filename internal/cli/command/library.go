package command

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
)

// IsOutside reports whether a named file or folder is neither a library nor in its folders. The
// error is that it does not exist, unless it is unsaved.
func IsOutside(name, unsaved string) (bool, error) {
	root, relative, err := Place{Unsaved: unsaved, Anywhere: true}.findOnDisk(name, false)
	if err != nil || root == "" {
		return err == nil, err
	}
	return relative != "." && relative != library.Root && !isPart(relative), nil
}

// nearest is the root of the library that contains the working folder, or "".
func nearest() string {
	here, err := FindLibrary(Place{Anywhere: true}, nil)
	if err != nil {
		return ""
	}
	return here.Root
}

// isPart reports whether a path of a library can be a document or a dataset.
func isPart(relative string) bool {
	return strings.HasPrefix(relative, library.Root+"/") || relative == calibration.Root ||
		strings.HasPrefix(relative, calibration.Root+"/")
}

// Locate is the absolute path of a name. It resolves links, except one at the end of a
// file's path: a link instead of a document is a finding. The error is that the name
// does not exist.
func Locate(name string) (abs string, isDir bool, err error) {
	if name == "" {
		return "", false, fs.ErrNotExist
	}
	abs, err = filepath.Abs(name)
	if err != nil {
		return "", false, err
	}
	if info, err := os.Stat(abs); err == nil && info.IsDir() {
		abs, err = filepath.EvalSymlinks(abs)
		return abs, true, err
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(abs)); err == nil {
		abs = filepath.Join(dir, filepath.Base(abs))
	}
	_, err = os.Lstat(abs)
	return abs, false, err
}

// holdsFile reports whether a folder contains files. Unreadable entries count: the
// check reports them.
func holdsFile(dir string) bool {
	return filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			return fs.ErrExist // ends the walk
		}
		return err
	}) != nil
}

// PrefixTo is the path from the working folder to root, "" if they are the same.
func PrefixTo(root string) string {
	wd, _, err := Locate(".")
	relative, unrelated := filepath.Rel(wd, root)
	if err != nil || unrelated != nil || relative == "." {
		return ""
	}
	return filepath.ToSlash(relative)
}

// NoBase is the value of --base that compares with nothing.
const NoBase = "none"

// Target is the target of a change of the library in a folder: the revision base, or by
// default the one that the repository and the CI event determine.
func (s Streams) Target(repo *gitrepo.Repo, folder, base string) (gitrepo.Target, error) {
	if base == "" {
		env := s.Environment()
		env.BeforeHead = true
		return repo.Target(folder, env)
	}
	head, err := HeadOf(repo)
	if err != nil {
		return gitrepo.Target{}, err
	}
	t, err := change.TargetOf(repo, head, base, "from --base")
	if err != nil {
		return t, err
	}
	return t, repo.RequireProposal(t, s.Environment())
}

// Origin is the published state of the library with this root, by the target of a change of it.
func (s Streams) Origin(repo *gitrepo.Repo, root, base string) (*change.Origin, error) {
	folder, err := repo.Folder(root)
	if err != nil {
		return nil, err
	}
	target, err := s.Target(repo, folder, base)
	if err != nil {
		return nil, err
	}
	return change.OriginOf(repo, target, folder)
}

// HeadOf is the last commit, or zero before the first one.
func HeadOf(repo *gitrepo.Repo) (gitrepo.Commit, error) {
	c, err := repo.Head()
	if errors.Is(err, gitrepo.ErrNoCommit) {
		err = nil
	}
	return c, err
}

// Environment is what determines the target of a change in CI.
func (s Streams) Environment() gitrepo.Env {
	return gitrepo.Env{Getenv: s.Getenv, ReadFile: os.ReadFile}
}

// NoDataset is the error for a dataset that the library in root does not have.
func NoDataset(root, name string) error {
	names, _ := calibration.Names(safefile.DirFS(root))
	meant := suggest.Question(". Did you mean %s?", name, names)
	if meant == "" && len(names) > 0 {
		meant = ". The library has " + strings.Join(names[:min(len(names), 10)], ", ")
	}
	return fmt.Errorf("there is no dataset %s: %s does not exist%s", name,
		path.Join(calibration.Root, name, calibration.DatasetFile), meant)
}
