package lint

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// Repository is the working tree that contains a library.
type Repository struct {
	// Files is its root. Links are not followed.
	Files fs.FS
	// Folder is the folder of the library, relative to the root and slash-separated;
	// "" for the root itself.
	Folder string
}

// Stat describes what is at a path. It does not follow links.
func (r *Repository) Stat(name string) (fs.FileInfo, error) {
	parts := strings.Split(name, "/")
	for i := range parts {
		info, err := fs.Lstat(r.Files, path.Join(parts[:i+1]...))
		if err != nil || i == len(parts)-1 {
			return info, err
		}
		if !info.IsDir() {
			break
		}
	}
	return nil, fs.ErrNotExist
}

// Holds reports whether anything is at a path. A path that can't be read counts.
func (r *Repository) Holds(name string) bool {
	_, err := r.Stat(name)
	return !errors.Is(err, fs.ErrNotExist)
}

// FromLibrary returns a path of the repository relative to the library.
func (r *Repository) FromLibrary(name string) string {
	way, err := filepath.Rel(filepath.FromSlash(r.Folder), filepath.FromSlash(name))
	if err != nil {
		return name
	}
	return filepath.ToSlash(way)
}

// Walk calls do with the path of each file below a folder, sorted, until it returns false.
// Links count as files, and the .git folder is skipped.
func (r *Repository) Walk(folder string, do func(name string) bool) {
	if info, err := r.Stat(folder); err != nil || !info.IsDir() {
		return
	}
	_ = fs.WalkDir(r.Files, folder, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // skip what can't be read; rules about files report it
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case !d.IsDir() && !do(name):
			return fs.SkipAll
		}
		return nil
	})
}

// RepositoryChange is a change of a repository, compared with what was before it.
type RepositoryChange struct {
	// Bases are the repositories that the change began with, and Tip is the target's.
	Bases []*Repository
	Tip   *Repository
	// After is the repository after the change, which is the checked one unless Commit names
	// an earlier step.
	After  *Repository
	Commit string
	// Done says that the step is on the guarded branch already.
	Done bool

	number int
}

// repositoryChanges are the changes of the repository that lead to the checked library: each
// step since the base, and the last one.
func (o *Options) repositoryChanges(j *change.Judgment) (all []*RepositoryChange) {
	at := func(files fs.FS) *Repository { return &Repository{Files: files, Folder: o.Repository.Folder} }
	root := o.History.Root
	first := 1
	for i, c := range j.Line {
		if c.Hash == j.Base.Tip {
			first = i + 1
		}
	}
	for i := first; i < len(j.Line); i++ {
		if before := j.Line[i-1]; !before.IsZero() {
			all = append(all, &RepositoryChange{
				Bases: []*Repository{at(root(before))}, Tip: at(root(before)), After: at(root(j.Line[i])), Commit: j.Line[i].Hash, Done: i < j.Settled, number: i,
			})
		}
	}
	last := &RepositoryChange{After: o.Repository}
	for _, base := range j.Last.Bases {
		if !base.Commit.IsZero() {
			last.Bases = append(last.Bases, at(root(base.Commit)))
		}
	}
	if tip := j.Last.Tip.Commit; !tip.IsZero() {
		last.Tip = at(root(tip))
		all = append(all, last)
	}
	return all
}

// unreadable returns the first error of reading a Git object of a side.
func (c *RepositoryChange) unreadable() error {
	for _, r := range append(c.Bases, c.Tip, c.After) {
		if err := safefile.Unreadable(r.Files); err != nil {
			return err
		}
	}
	return nil
}

// ReportChange adds a finding about a change of the repository; key distinguishes it from other
// findings of its lint rule. It is always listed, because it is for those who review the change.
// What was undone since is not an error if it is on the guarded branch already: nobody can change
// that step any more.
func (p *HistoryPass) ReportChange(c *RepositoryChange, undone bool, at source.Location, key, format string, args ...any) {
	if p.full(c.Commit) {
		return
	}
	f := Finding{Location: at, Path: key, Message: fmt.Sprintf(format, args...), Listed: true}
	if c.Commit != "" {
		f.Revision, f.step = c.Commit, c.number
	}
	switch {
	case c.Done && undone:
		f.Severity = min(p.rule.Severity, Warning)
	case c.Commit != "" && !c.Done:
		f.Message += eachIsPublished
	}
	p.Add(f)
}

// OfRepository checks the repository around the library. A comment can't suppress its findings.
type OfRepository func(*RepositoryPass)

func (OfRepository) isCheck() {}

// RepositoryPass is the view of a lint rule on the repository around the library.
type RepositoryPass struct {
	*Repository

	memory
	reporter
}

// Report adds a finding at a place in the repository; key distinguishes it from other
// findings of its lint rule. At most mostFindings per lint rule are listed.
func (p *RepositoryPass) Report(at source.Location, key, format string, args ...any) {
	if !p.full("") {
		p.Add(Finding{Location: at, Path: key, Message: fmt.Sprintf(format, args...)})
	}
}
