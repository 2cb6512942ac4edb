package lint

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/limits"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/repository/codeowners"
	"github.com/rubric-library/rubric-library/internal/repository/gitrepo"
)

// Repository is the working tree that a library lies in.
type Repository struct {
	// Files is its root. Links are not followed.
	Files fs.FS
	// Folder is that of the library, relative to the root and slash-separated;
	// "" for the root itself.
	Folder string
	// Less and More are files of attributes outside of the repository's folders,
	// that count less and more than those in them.
	Less, More []gitrepo.AttributesFile
}

// lstat describes what is at a path. Nothing is behind a link.
func (r *Repository) lstat(name string) (fs.FileInfo, error) {
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

// holds tells whether anything is at a path. What can't be looked at counts.
func (r *Repository) holds(name string) bool {
	_, err := r.lstat(name)
	return !errors.Is(err, fs.ErrNotExist)
}

// fromLibrary is the way from the library to a path of the repository.
func (r *Repository) fromLibrary(name string) string {
	way, err := filepath.Rel(filepath.FromSlash(r.Folder), filepath.FromSlash(name))
	if err != nil {
		return name
	}
	return filepath.ToSlash(way)
}

// walk calls do with the path of each file below a folder, sorted, until it
// returns false. Links are files, and Git's own folder has none.
func (r *Repository) walk(folder string, do func(name string) bool) {
	if info, err := r.lstat(folder); err != nil || !info.IsDir() {
		return
	}
	_ = fs.WalkDir(r.Files, folder, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // what can't be read is left out; rules about files say so
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case !d.IsDir() && !do(name):
			return fs.SkipAll
		}
		return nil
	})
}

// RepositoryPass is what a lint rule sees of the repository around the library:
// its files, and who owns them.
type RepositoryPass struct {
	*Repository

	rule     *Rule
	findings []Finding
	counts   map[*Rule]int
	// location is the file of owners, relative to the repository; "" if there is
	// none. file is its content, nil if it could not be read.
	location string
	file     *source.File
	owners   *codeowners.File
	// unusable says why nothing can be told of the file of owners; "" if it can.
	unusable string
	left     int // what is left of the budget
}

// The most that is done with a file of owners. Whoever writes it and names the
// files must not be able to keep the check busy.
const (
	mostPatterns = 5000
	mostPaths    = 200_000
	matchBudget  = 500_000_000 // enough for 10,000 documents and 500 patterns that have to be tried on each
)

// readOwners finds and reads the file of owners.
func (p *RepositoryPass) readOwners() {
	for _, name := range codeowners.Locations {
		info, err := p.lstat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		p.location = name
		if err == nil && !info.Mode().IsRegular() {
			p.unusable = "Put the file of owners itself here: this is none, and GitHub follows no link to it."
			return
		}
		var data []byte
		if err == nil {
			data, err = limits.ReadFile(p.Files, name)
		}
		file, err := source.Read(p.fromLibrary(name), data, err)
		if err != nil {
			p.unusable = fmt.Sprintf("The file of owners could not be read: %s. Check who may read it.", safefile.Reason(err))
			return
		}
		p.file = file
		p.owners = codeowners.Parse(p.file)
		if n := len(p.owners.Rules); n > mostPatterns {
			p.unusable = fmt.Sprintf("Write fewer patterns: this file has %d, and with more than %d nobody can tell who owns what.", n, mostPatterns)
		}
		return
	}
}

// judgeable tells whether there is a file of owners that GitHub reads.
func (p *RepositoryPass) judgeable() bool {
	return p.owners != nil && p.unusable == "" && p.file.Size() <= codeowners.MaxBytes
}

// spend takes from the budget what it can cost to match a path with patterns of
// that many bytes and tells whether it was left. A wildcard can make a name be
// looked at again from each of its characters.
func (p *RepositoryPass) spend(patterns, bytes int, name string) bool {
	p.left -= bytes + patterns*(len(name)+len(name)*len(name)/16)
	return p.left >= 0
}

// Report adds a finding at a place in the file of owners; key tells it from
// others of its lint rule. No more than mostFindings of a lint rule are listed.
func (p *RepositoryPass) Report(span source.Span, key, format string, args ...any) {
	p.add(source.Locate(p.file, span), key, fmt.Sprintf(format, args...))
}

func (p *RepositoryPass) add(at source.Location, key, message string) {
	if p.counts[p.rule]++; p.counts[p.rule] > mostFindings {
		return
	}
	p.findings = append(p.findings, Finding{
		Rule: p.rule, Severity: p.rule.Severity, Location: at, Path: key, Message: message, Spec: p.rule.Spec,
	})
}

// repository runs the lint rules about the repository. A comment silences none of
// their findings: it would stand in the file of owners, which is no document.
func (e *engine) repository(r *Repository) ([]Finding, error) {
	p := &RepositoryPass{Repository: r, counts: map[*Rule]int{}, left: matchBudget}
	p.readOwners()
	for _, rule := range e.rules {
		if rule.Repository == nil {
			continue
		}
		p.rule = rule
		if err := guard(rule, "the repository", func() { rule.Repository(p) }); err != nil {
			return nil, err
		}
	}
	return p.findings, nil
}
