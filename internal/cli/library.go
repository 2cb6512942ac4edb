package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
)

// libraryPaths is the library that the arguments of a command name.
type libraryPaths struct {
	// root is the folder that contains rubrics/.
	root string
	// prefix is the path from the working folder to root, slash-separated.
	prefix string
	// only are the named files and folders, relative to root. Empty means the
	// whole library.
	only []string
	// commit is the commit that the library is in; nil for the working tree.
	commit *committed
}

// choose sets the named files and folders of a library. find returns the root of the library
// that a name is in, and the path in it. Without names, it is the library of the working folder.
func (l *libraryPaths) choose(names []string, find func(name string) (root, relative string, err error)) error {
	whole := len(names) == 0
	if whole {
		names = []string{"."}
	}
	for i, name := range names {
		root, relative, err := find(name)
		switch {
		case err != nil:
			return err
		case i > 0 && l.root != root:
			return fmt.Errorf("%s and %s are in different libraries. Check them separately", names[0], name)
		case relative == "" || relative == "." || relative == library.Root:
			whole = true
		case !whole && !isPart(relative):
			return fmt.Errorf("%s is not part of the library: expected a path in %s/ or %s/", name, library.Root, calibration.Root)
		}
		l.root = root
		l.only = append(l.only, relative)
	}
	if whole {
		l.only = nil
	}
	return nil
}

// findLibrary finds the library of the named files and folders: the folder itself if
// it contains rubrics/, or else the nearest parent that does. The default is the
// working folder. Only the file unsaved does not need to exist.
func findLibrary(names []string, unsaved string) (*libraryPaths, error) {
	l := &libraryPaths{}
	err := l.choose(names, func(name string) (root, relative string, err error) {
		abs, isDir, err := locate(name)
		if err != nil && name != unsaved {
			return "", "", fmt.Errorf("%s can't be read: %w", cmp.Or(name, `""`), safefile.Reason(err))
		}
		dir := abs
		if !isDir {
			dir = filepath.Dir(abs)
		}
		root, ok := library.Find(dir)
		if !ok {
			return "", "", fmt.Errorf("%s is not inside a library: no %s/ folder there or in any parent. `rubric init` creates a library", name, library.Root)
		}
		relative, err = filepath.Rel(root, abs)
		if relative = filepath.ToSlash(relative); len(names) > 0 && isDir && isPart(relative) && !holdsFile(abs) {
			err = fmt.Errorf("%s contains no files: there is nothing to check", name)
		}
		return root, relative, err
	})
	l.prefix = prefixTo(l.root)
	return l, err
}

// nearest is the root of the library that contains the working folder, or "".
func nearest() string {
	l, err := findLibrary(nil, "")
	if err != nil {
		return ""
	}
	return l.root
}

// isPart reports whether a path of a library can be a document or a dataset.
func isPart(relative string) bool {
	return strings.HasPrefix(relative, library.Root+"/") || relative == calibration.Root || strings.HasPrefix(relative, calibration.Root+"/")
}

// locate is the absolute path of a name. It resolves links, except one at the end of a
// file's path: a link instead of a document is a finding. The error is that the name
// does not exist.
func locate(name string) (abs string, isDir bool, err error) {
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

// prefixTo is the path from the working folder to root, "" if they are the same.
func prefixTo(root string) string {
	wd, _, err := locate(".")
	relative, unrelated := filepath.Rel(wd, root)
	if err != nil || unrelated != nil || relative == "." {
		return ""
	}
	return filepath.ToSlash(relative)
}

// inRepository is the path to the library from the root of its repository, or outside
// a repository from the working folder.
func (l *libraryPaths) inRepository() string {
	if l.commit != nil {
		return l.commit.folder
	}
	if _, folder, found := l.repository(); found {
		return folder
	}
	return l.prefix
}

// repository is the root of the working tree that the library is in, and the path from
// there to the library, slash-separated and "" if they are the same.
func (l *libraryPaths) repository() (root, folder string, found bool) {
	for dir := l.root; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			relative, err := filepath.Rel(dir, l.root)
			if err != nil || relative == "." {
				relative = ""
			}
			return dir, filepath.ToSlash(relative), true
		}
		if dir == filepath.Dir(dir) {
			return "", "", false
		}
	}
}

// file is the path of a library's file for the operating system.
func (l *libraryPaths) file(name string) string {
	return filepath.Join(l.root, filepath.FromSlash(path.Clean(name)))
}

// noBase is the value of --base that compares with nothing.
const noBase = "none"

// compareWith finds the library's repository and the target of the change, and takes the
// configuration (unless --config names one) and the baseline from the target: a change must
// not choose its own rules.
func (l *lintCommand) compareWith() error {
	if l.base == noBase {
		if l.audit {
			return errors.New("--audit checks the history, which --base none ignores: remove one of them")
		}
		return nil
	}
	repo, folder, files, err := l.repository()
	if err != nil || repo == nil {
		return err
	}
	commit, err := headOf(repo)
	if err != nil {
		return err
	}
	target := gitrepo.Target{}
	if l.span != nil {
		target.Commit = l.span.Old // the configuration is that of the commit before the push
	} else if target, err = l.Streams.target(repo, l.base); err != nil {
		return err
	}
	l.opts.History = &change.Question{Repo: repo, Folder: folder, Files: files, Commit: commit, Target: target, Range: l.span, Audit: l.audit}
	l.opts.Own = l.opts.Config
	// They become annotations of the change.
	l.opts.Lines = slices.ContainsFunc(l.outputs, func(o output) bool { return o.format == "github" })
	tip, err := l.opts.History.Deciding()
	if err != nil || tip == nil {
		return err
	}
	if l.config == "" {
		if l.opts.Config, err = lint.ConfigAt(tip, rules.All()); err != nil {
			return err
		}
	}
	return l.opts.LimitBaseline(tip, l.fsys)
}

// repository is the library's repository, with the folder of the library in it and
// the files at its root. It is nil if there is no repository and none is needed.
func (l *lintCommand) repository() (repo *gitrepo.Repo, folder string, files fs.FS, err error) {
	if c := l.library.commit; c != nil {
		return c.repo, c.folder, c.files, nil
	}
	repo, err = gitrepo.Open(l.library.root)
	// A requested check, or a check of a change in CI, must not pass because there is
	// no history.
	if gitrepo.IsNoRepository(err) && l.base == "" && !l.audit && !gitrepo.ForChange(l.Getenv) {
		return nil, "", nil, nil
	}
	if err != nil {
		return nil, "", nil, fmt.Errorf("%w\n`--base none` checks the library without its history", err)
	}
	folder, err = repo.Folder(l.library.root)
	return repo, folder, safefile.DirFS(repo.WorkTree()), err
}

// target is the target of a change: the revision base, or by default the one that the
// repository and the CI event determine.
func (s Streams) target(repo *gitrepo.Repo, base string) (gitrepo.Target, error) {
	if base == "" {
		env := s.environment()
		env.BeforeHead = true
		return repo.Target(env)
	}
	head, err := headOf(repo)
	if err != nil {
		return gitrepo.Target{}, err
	}
	return change.TargetOf(repo, head, base, "from --base")
}

// headOf is the last commit, or zero before the first one.
func headOf(repo *gitrepo.Repo) (gitrepo.Commit, error) {
	c, err := repo.Head()
	if errors.Is(err, gitrepo.ErrNoCommit) {
		err = nil
	}
	return c, err
}

// environment is what determines the target of a change in CI.
func (s Streams) environment() gitrepo.Env {
	return gitrepo.Env{Getenv: s.Getenv, ReadFile: os.ReadFile}
}
