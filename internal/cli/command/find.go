package command

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/change/diff"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library"
)

// Located is the library of a command, and the files in it that the arguments name. ReadLibrary
// reads its documents.
type Located struct {
	// Root is the folder that contains rubrics/, or "" in a bundle and in a commit.
	Root string
	// Bundle is the file of a bundle, or "".
	Bundle string
	// Prefix is the path from the working folder to the library, slash-separated.
	Prefix string
	// Only are the named files and folders, relative to the library. Empty means the
	// whole library.
	Only []string
	// Commit is the commit that the library is in; nil for a folder and a bundle.
	Commit *Committed

	argument string // that named a folder or a bundle, or ""
}

// Name is the name of a bundle or a folder in messages.
func (l *Located) Name() string { return cmp.Or(l.Bundle, l.Prefix, ".") }

// listCommand is the command that lists the documents, which takes FROM only in some forms.
func (l *Located) listCommand() string {
	if l.argument == "" {
		return "rubric list"
	}
	if from, _ := SplitFrom([]string{l.argument}); from == "" {
		return "rubric list ./" + l.argument
	}
	return "rubric list " + l.argument
}

// OpenWorkspace opens the Git repository around the library that contains the working folder, or
// around the working folder if that is in no library.
func OpenWorkspace() *diff.Workspace {
	here, err := FindLibrary(Place{Anywhere: true}, nil)
	if err != nil {
		return &diff.Workspace{Missing: err}
	}
	w := &diff.Workspace{Root: here.Root}
	w.Repo, w.Missing = gitrepo.Open(cmp.Or(here.Root, "."))
	return w
}

// InRepository is the path to the library from the root of its repository, or outside
// a repository from the working folder.
func (l *Located) InRepository() string {
	if l.Commit != nil {
		return l.Commit.Folder
	}
	if _, folder, found := l.Repository(); found {
		return folder
	}
	return l.Prefix
}

// Repository is the root of the working tree that the library is in, and the path from
// there to the library, slash-separated and "" if they are the same.
func (l *Located) Repository() (root, folder string, found bool) {
	for dir := l.Root; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			relative, err := filepath.Rel(dir, l.Root)
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

// File is the path of a library's file for the operating system.
func (l *Located) File(name string) string {
	return filepath.Join(l.Root, filepath.FromSlash(path.Clean(name)))
}

// Committed is a repository whose head is the commit to check. Nothing is read
// from the working tree.
type Committed struct {
	Repo *gitrepo.Repo
	// Files is the root folder of the commit, and folder the library's folder in it.
	Files  fs.FS
	Folder string
}

// Place is where a command looks for its library: in From, in Commit, or with neither of them
// around the named files, or around the working folder if none are named.
type Place struct {
	// From is a folder that contains rubrics/, or a bundle.
	From string
	// Commit has the library, of which nothing is read from the working tree. Here is the
	// working folder, relative to the repository.
	Commit *Committed
	Here   string
	// Unsaved is the only named file that does not need to be in the working tree.
	Unsaved string
	// Advice says what to do if the working folder is in no library. The default is to create one.
	Advice string
	// Anywhere accepts a working folder that is in no library. The result is then empty.
	Anywhere bool
}

// FindLibrary finds the library of a command. That of the named files and folders is the folder
// itself if it contains rubrics/, or else the nearest parent that does. A folder or a bundle that
// Place names is not read, so its errors are those of ReadLibrary.
func FindLibrary(in Place, names []string) (*Located, error) {
	if in.From != "" {
		return in.namedLibrary(), nil
	}
	l := &Located{Commit: in.Commit}
	if in.Commit == nil {
		err := l.choose(names, in.findOnDisk)
		if l.Root != "" {
			l.Prefix = PrefixTo(l.Root)
		}
		return l, err
	}
	if err := l.choose(names, in.findInCommit); err != nil {
		return nil, err
	}
	in.Commit.Folder, l.Root = l.Root, ""
	prefix, err := filepath.Rel(filepath.FromSlash(in.Here), filepath.FromSlash(in.Commit.Folder))
	l.Prefix = filepath.ToSlash(prefix)
	return l, err
}

// namedLibrary returns the library in From. What is not a folder is taken for a bundle.
func (in Place) namedLibrary() *Located {
	if info, err := os.Stat(in.From); err == nil && info.IsDir() {
		return &Located{Root: in.From, Prefix: filepath.ToSlash(in.From), argument: in.From}
	}
	return &Located{Bundle: in.From, argument: in.From}
}

// choose sets the named files and folders of a library, and its root. find returns the root of the
// library that a file or folder is in, and the path in it. If nothing is named, that is the working
// folder, and the whole library is meant.
func (l *Located) choose(names []string, find func(name string, named bool) (root, relative string, err error)) error {
	whole := len(names) == 0
	if whole {
		names = []string{"."}
	}
	named := !whole
	for i, name := range names {
		root, relative, err := find(name, named)
		switch {
		case err != nil:
			return err
		case i > 0 && l.Root != root:
			return fmt.Errorf("%s and %s are in different libraries. Check them separately", names[0], name)
		case relative == "" || relative == "." || relative == library.Root:
			whole = true
		case !whole && !isPart(relative):
			return fmt.Errorf("%s is not part of the library: expected a path in %s/ or %s/",
				name, library.Root, calibration.Root)
		}
		l.Root = root
		l.Only = append(l.Only, relative)
	}
	if whole {
		l.Only = nil
	}
	return nil
}

func (in Place) findOnDisk(name string, named bool) (root, relative string, err error) {
	abs, isDir, err := Locate(name)
	switch {
	case err == nil || name == in.Unsaved:
	case name == ".":
		return "", "", fmt.Errorf("the working folder can't be read: %w", safefile.Reason(err))
	default:
		return "", "", missing(name, err)
	}
	dir := abs
	if !isDir {
		dir = filepath.Dir(abs)
	}
	root, ok := library.Find(dir)
	switch {
	case ok:
	case in.Anywhere:
		return "", "", nil
	case in.Advice != "": // the command is about a library, not about the files in a folder
		return "", "", notInside("", dir, in.Advice)
	default:
		return "", "", notInside(name, dir, "`rubric init` creates a library")
	}
	relative, err = filepath.Rel(root, abs)
	if relative = filepath.ToSlash(relative); named && isDir && isPart(relative) && !holdsFile(abs) {
		err = fmt.Errorf("%s contains no files: there is nothing to check", name)
	}
	return root, relative, err
}

// findInCommit is findOnDisk in a commit. At the root of a repository, a single library does not need
// to be named.
func (in Place) findInCommit(name string, named bool) (folder, relative string, err error) {
	at := path.Join(in.Here, name)
	if path.IsAbs(name) || at == ".." || strings.HasPrefix(at, "../") {
		return "", "", fmt.Errorf("%s is not inside the repository: expected a file or folder of the commit, relative to the working folder", name)
	}
	there, err := safefile.Find(in.Commit.Files, at)
	if err != nil {
		return "", "", err
	}
	switch {
	case there == nil && named:
		return "", "", fmt.Errorf("%s does not exist in this commit", name)
	case !named:
		name = in.Here
	}
	if at == "." {
		at = ""
	}
	folder, found, err := library.FindIn(in.Commit.Files, at)
	if err != nil {
		return "", "", err
	}
	switch {
	case !found && name == "":
		head, err := in.Commit.Repo.Head()
		if err == nil {
			folder, err = holdings.Locate(in.Commit.Repo, head)
		}
		return folder, "", err
	case !found:
		return "", "", fmt.Errorf("%s is not inside a library in this commit: no %s/ folder there or in any parent",
			name, library.Root)
	}
	return folder, strings.TrimPrefix(strings.TrimPrefix(at, folder), "/"), nil
}
