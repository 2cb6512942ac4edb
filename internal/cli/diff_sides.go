package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/rubric-library/rubric-library/internal/diff"
	"github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/repository/gitrepo"
)

// repository is the Git repository around the working folder, if there is one.
type repository struct {
	repo *gitrepo.Repo
	// missing is why there is none.
	missing error
	// root is the folder of the library around the working folder, "" if there
	// is none.
	root string
	// folder is that of the library, relative to the repository.
	folder string
}

// open looks for the library and the repository around the working folder.
func (r *repository) open() {
	dir := "."
	if l, err := findLibrary(nil, ""); err == nil {
		r.root, dir = l.root, l.root
	}
	r.repo, r.missing = gitrepo.Open(dir)
}

// close closes the repository. What was read is read, so an error says nothing.
func (r *repository) close() {
	if r.repo != nil {
		_ = r.repo.Close()
	}
}

// side is what an argument names.
type side struct {
	name string // without its prefix
	// dir is the folder and file the bundle; both are "" for a revision, which
	// commit is.
	dir, file string
	commit    gitrepo.Commit
}

// The prefixes that say what an argument is.
const (
	revPrefix  = "rev:"
	pathPrefix = "path:"
)

// parse finds out what an argument names.
func (r *repository) parse(arg string) (side, error) {
	if name, ok := strings.CutPrefix(arg, pathPrefix); ok {
		if isFile(name) {
			return side{name: name, file: name}, nil
		}
		return side{name: name, dir: filepath.Clean(name)}, nil
	}
	name, isRevision := strings.CutPrefix(arg, revPrefix)
	if !isRevision && isFile(name) {
		return r.parseFile(name)
	}
	isFolder := !isRevision && holdsLibrary(name)
	if r.repo == nil {
		if isFolder && notARepository(r.missing) {
			return side{name: name, dir: name}, nil
		}
		return side{}, fmt.Errorf("%w\nOnly folders can be compared then: %sFOLDER", r.missing, pathPrefix)
	}
	commit, err := r.repo.Resolve(name)
	unknown := isUnknown(err)
	switch {
	case err != nil && !unknown:
		return side{}, err
	case isFolder && err == nil:
		return side{}, fmt.Errorf("%q is a revision and a folder. Say which is meant: %s%s or %s%s", name, revPrefix, name, pathPrefix, name)
	case isFolder:
		return side{name: name, dir: name}, nil
	case unknown && !isRevision && isDir(name):
		return side{}, fmt.Errorf("%q is a folder that holds no %s/, and no revision", name, library.Root)
	case unknown && !isRevision:
		return side{}, fmt.Errorf("%w\nNor is there a folder of this name that holds %s/", err, library.Root)
	}
	return side{name: name, commit: commit}, err
}

// isUnknown tells whether an error says that a name is that of no revision. One
// that can mean several is not unknown.
func isUnknown(err error) bool {
	e, ok := errors.AsType[*gitrepo.RevisionError](err)
	return ok && len(e.Candidates) == 0
}

// parseFile is the side that the name of a file means. A file that is no zip can
// only be meant where there is no revision of its name.
func (r *repository) parseFile(name string) (side, error) {
	if r.repo == nil {
		return side{name: name, file: name}, nil
	}
	commit, err := r.repo.Resolve(name)
	switch {
	case isUnknown(err):
		return side{name: name, file: name}, nil
	case err == nil && isZip(name):
		return side{}, fmt.Errorf("%q is a revision and a file. Say which is meant: %s%s or %s%s", name, revPrefix, name, pathPrefix, name)
	}
	return side{name: name, commit: commit}, err
}

// isZip tells whether a file begins as a zip does.
func isZip(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	begin := make([]byte, 4)
	_, err = io.ReadFull(f, begin)
	return err == nil && string(begin) == "PK\x03\x04"
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

func notARepository(err error) bool {
	var missing *gitrepo.NotARepositoryError
	return errors.As(err, &missing) && missing.Reason == ""
}

func holdsLibrary(dir string) bool { return isDir(filepath.Join(dir, library.Root)) }

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// workingTree is the library around the working folder, with uncommitted edits.
func (r *repository) workingTree() (side, error) {
	if r.root != "" {
		return side{name: "the working tree", dir: r.root}, nil
	}
	if r.repo != nil && r.repo.WorkTree() == "" {
		return side{}, errors.New("this repository has no working tree. Name two revisions: rubric-diff BASE HEAD")
	}
	return side{}, fmt.Errorf("the working folder is in no library: neither it nor a folder above it holds %s/", library.Root)
}

// compare reads both sides and compares them.
func (d *diffCommand) compare(args []string) (*diff.Comparison, error) {
	d.open()
	var sides []side
	for _, arg := range args {
		s, err := d.parse(arg)
		if err != nil {
			return nil, err
		}
		sides = append(sides, s)
	}
	if len(sides) < 2 {
		head, err := d.workingTree()
		if err != nil {
			return nil, err
		}
		sides = append(sides, head)
	}
	head := sides[len(sides)-1]
	if err := d.locate(sides); err != nil {
		return nil, err
	}
	if head.dir != "" {
		abs, err := filepath.Abs(head.dir)
		if err != nil {
			return nil, err
		}
		d.prefix = prefixTo(abs)
	}
	if len(args) == 0 {
		return d.compareDefault(head)
	}
	return d.compareSides(sides[0], head)
}

// locate finds the library's folder in the repository: that of a folder that is
// compared, else that around the working folder, else where the commit has it.
func (d *diffCommand) locate(sides []side) error {
	if d.repo == nil {
		return nil
	}
	var commit gitrepo.Commit
	for _, s := range sides {
		if s.dir == "" && s.file == "" {
			commit = s.commit
		}
	}
	for _, s := range append(sides, side{dir: d.root}) {
		if s.dir == "" {
			continue
		}
		if folder, err := d.repo.Folder(s.dir); err == nil {
			d.folder = folder
			return nil
		}
	}
	if commit.IsZero() {
		return nil
	}
	folder, err := diff.Locate(d.repo, commit)
	d.folder = folder
	return err
}

// compareSides compares the two sides that were named.
func (d *diffCommand) compareSides(base, head side) (*diff.Comparison, error) {
	var before, after *diff.Library
	var err error
	if !base.commit.IsZero() && !head.commit.IsZero() {
		if before, after, err = diff.Between(d.repo, base.commit, head.commit, d.folder); err != nil {
			return nil, err
		}
		before.Name, after.Name = base.name, head.name
	} else {
		if before, err = d.read(base); err != nil {
			return nil, err
		}
		if after, err = d.read(head); err != nil {
			return nil, err
		}
	}
	if head.dir != "" && d.repo != nil {
		if commit, err := d.repo.Head(); err == nil {
			if folder, err := d.repo.Folder(head.dir); err == nil {
				after.Since(d.repo, commit, folder)
			}
		}
	}
	return diff.Compare([]*diff.Library{before}, before, after)
}

func (d *diffCommand) read(s side) (*diff.Library, error) {
	switch {
	case s.file != "":
		return readBundle(s)
	case s.dir != "":
		return diff.Folder(s.dir, s.name)
	}
	return diff.At(d.repo, s.commit, s.name, d.folder)
}

// readBundle is the library in a bundle: the latest version of each document
// that is not retired.
func readBundle(s side) (*diff.Library, error) {
	l, err := openLibrary(s.file)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	documents, others, err := l.Contents()
	if err != nil {
		return nil, fileError(s.file, err)
	}
	return diff.Packed(s.name, l.Version, documents, others, l.Ended()), nil
}

// compareDefault compares the working tree with the target, or with the last
// release where the library's version is asked for.
func (d *diffCommand) compareDefault(working side) (*diff.Comparison, error) {
	if d.repo == nil {
		return nil, fmt.Errorf("%w\nName two folders: rubric-diff path:BASE path:HEAD", d.missing)
	}
	head, err := d.read(working)
	if err != nil {
		return nil, err
	}
	if d.nextVersion || d.changelog {
		base, err := d.lastRelease()
		if err != nil {
			return nil, err
		}
		return diff.Compare([]*diff.Library{base}, base, head)
	}
	target, err := d.Streams.target(d.repo, "")
	if err != nil {
		return nil, err
	}
	return diff.Branch(d.repo, target, d.folder, head)
}

// lastRelease is the library as it was released last, without documents before
// the first release.
func (d *diffCommand) lastRelease() (*diff.Library, error) {
	nothing := diff.Nothing("nothing: this is the first release")
	head, err := d.repo.Head()
	if errors.Is(err, gitrepo.ErrNoCommit) {
		return nothing, nil
	}
	if err != nil {
		return nil, err
	}
	tag, commit, err := d.repo.LastRelease(head, lint.TagPrefix)
	if err != nil || tag == "" {
		return nothing, err
	}
	return diff.At(d.repo, commit, tag, d.folder)
}
