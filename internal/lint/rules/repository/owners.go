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

// owners is the CODEOWNERS file of a repository.
type owners struct {
	host codeowners.Host
	// location is its path, relative to the repository; "" if there is none. file is
	// its content, nil if it can't be read.
	location string
	file     *source.File
	parsed   *codeowners.File
	// unusable is the message why the file can't be used, or "".
	unusable string
	left     int // the rest of the budget
}

// ownersOf finds and reads the CODEOWNERS file.
var ownersOf = lint.Once(readOwners)

// Limits for a CODEOWNERS file. The author of the file and of the file names must not be
// able to keep the check busy.
const (
	mostPatterns = 5000
	mostPaths    = 200_000
)

// matchBudget limits the matching: enough for 10,000 documents and 500 patterns that
// must be tried on each. A test sets a lower limit.
var matchBudget = 500_000_000

func readOwners(p *lint.RepositoryPass) *owners {
	o := &owners{left: matchBudget}
	o.host = codeowners.HostOf(p.Holds)
	for _, name := range o.host.Locations() {
		info, err := p.Stat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		o.location = name
		if err == nil && !info.Mode().IsRegular() {
			o.unusable = "Replace this with the CODEOWNERS file itself: it is not a regular file, and no host follows links."
			return o
		}
		var data []byte
		if err == nil {
			data, err = limits.ReadFile(p.Files, name)
		}
		file, err := source.Read(p.FromLibrary(name), data, err)
		if err != nil {
			o.unusable = fmt.Sprintf("The CODEOWNERS file can't be read: %s. Check its permissions.", safefile.Reason(err))
			return o
		}
		o.file = file
		o.parsed = o.host.Parse(file)
		if n := len(o.parsed.Rules); n > mostPatterns {
			o.unusable = fmt.Sprintf("Write fewer patterns: this file has %d, and owners are checked for at most %d.", n, mostPatterns)
		}
		return o
	}
	return o
}

// judgeable reports whether there is a CODEOWNERS file that the host reads.
func (o *owners) judgeable() bool {
	return o.parsed != nil && o.unusable == "" && o.file.Size() <= codeowners.MaxBytes
}

// spend subtracts from the budget the maximum cost of matching a path with patterns of
// that many bytes, and reports whether the budget was sufficient. A wildcard can restart
// the match at each character of a name.
func (o *owners) spend(patterns, bytes int, name string) bool {
	o.left -= bytes + patterns*(len(name)+len(name)*len(name)/16)
	return o.left >= 0
}

// report adds a finding at a place in the CODEOWNERS file.
func (o *owners) report(p *lint.RepositoryPass, span source.Span, key, format string, args ...any) {
	p.Report(source.Locate(o.file, span), key, format, args...)
}
