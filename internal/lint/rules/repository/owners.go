package repository

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/limits"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/repository/codeowners"
)

// owners is the file of owners of a repository.
type owners struct {
	// location is its path, relative to the repository; "" if there is none. file
	// is its content, nil if it could not be read.
	location string
	file     *source.File
	parsed   *codeowners.File
	// unusable says why nothing can be told of it; "" if it can.
	unusable string
	left     int // what is left of the budget
}

// ownersOf finds and reads the file of owners.
var ownersOf = lint.Once(readOwners)

// The most that is done with a file of owners. Whoever writes it and names the
// files must not be able to keep the check busy.
const (
	mostPatterns = 5000
	mostPaths    = 200_000
)

// matchBudget is how much matching is done at most: enough for 10,000 documents and
// 500 patterns that have to be tried on each. A test sets less.
var matchBudget = 500_000_000

func readOwners(p *lint.RepositoryPass) *owners {
	o := &owners{left: matchBudget}
	for _, name := range codeowners.Locations {
		info, err := p.Stat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		o.location = name
		if err == nil && !info.Mode().IsRegular() {
			o.unusable = "Put the file of owners itself here: this is none, and GitHub follows no link to it."
			return o
		}
		var data []byte
		if err == nil {
			data, err = limits.ReadFile(p.Files, name)
		}
		file, err := source.Read(p.FromLibrary(name), data, err)
		if err != nil {
			o.unusable = fmt.Sprintf("The file of owners could not be read: %s. Check who may read it.", safefile.Reason(err))
			return o
		}
		o.file = file
		o.parsed = codeowners.Parse(file)
		if n := len(o.parsed.Rules); n > mostPatterns {
			o.unusable = fmt.Sprintf("Write fewer patterns: this file has %d, and with more than %d nobody can tell who owns what.", n, mostPatterns)
		}
		return o
	}
	return o
}

// judgeable tells whether there is a file of owners that GitHub reads.
func (o *owners) judgeable() bool {
	return o.parsed != nil && o.unusable == "" && o.file.Size() <= codeowners.MaxBytes
}

// spend takes from the budget what it can cost to match a path with patterns of
// that many bytes and tells whether it was left. A wildcard can make a name be
// looked at again from each of its characters.
func (o *owners) spend(patterns, bytes int, name string) bool {
	o.left -= bytes + patterns*(len(name)+len(name)*len(name)/16)
	return o.left >= 0
}

// report adds a finding at a place in the file of owners.
func (o *owners) report(p *lint.RepositoryPass, span source.Span, key, format string, args ...any) {
	p.Report(source.Locate(o.file, span), key, format, args...)
}
