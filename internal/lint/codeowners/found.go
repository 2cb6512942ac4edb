package codeowners

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/hosts"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/lint"
)

// Found is the CODEOWNERS file that a host reads.
type Found struct {
	Host hosts.Host
	// Location is its path, relative to the repository; "" if there is none. File is
	// its content, nil if it can't be read.
	Location string
	File     *source.File
	// Parsed is nil if the file can't be used: Unusable is the message why, and At is the place.
	Parsed   *File
	Unusable string
	At       source.Span
}

// HostsOf returns the hosts that a repository can be on: those of which it has files, or if it has
// none, GitLab by the sections of its CODEOWNERS, which no other host has. Otherwise, it counts as
// on GitHub.
func HostsOf(r *lint.Repository) []hosts.Host {
	if all := hosts.OfFiles(r.Holds); len(all) > 0 {
		return all
	}
	gitLab, _ := hosts.Named("gitlab")
	if o := Find(r, gitLab); o.File != nil {
		if _, sections := Section(o.File); sections {
			return []hosts.Host{gitLab}
		}
	}
	return []hosts.Host{hosts.GitHub()}
}

// Find reads the CODEOWNERS file of a repository that a host would read.
func Find(r *lint.Repository, host hosts.Host) *Found {
	o := &Found{Host: host}
	for _, name := range host.Owners {
		info, err := r.Stat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		o.Location = name
		o.read(r, info, err)
		break
	}
	return o
}

// read reads the file at the location, of which an info is known, or an error.
func (o *Found) read(r *lint.Repository, info fs.FileInfo, err error) {
	if err == nil && !info.Mode().IsRegular() {
		o.Unusable = "Replace this with the CODEOWNERS file itself: it is not a regular file, and no host follows links."
		return
	}
	var data []byte
	if err == nil {
		data, err = safefile.ReadFile(r.Files, o.Location)
	}
	file, err := source.Read(r.FromLibrary(o.Location), data, err)
	if safefile.IsPointer(err) {
		o.Unusable = safefile.AboutPointers
		return
	}
	if err != nil {
		o.Unusable = fmt.Sprintf("The CODEOWNERS file can't be read: %s. Check its permissions.", safefile.Reason(err))
		return
	}
	o.File, o.At = file, file.LineSpan(1)
	heading, found := Section(file)
	if found {
		o.At = heading
	}
	if found && o.Host.Syntax == hosts.OneOwner {
		o.Unusable = "Remove the sections: " + o.Host.Name +
			" does not understand them, so the owners in this file are not checked."
		return
	}
	o.Parsed = Parse(file, o.Host.Syntax)
}

// Equal reports whether the host reads the same file at the same place.
func (o *Found) Equal(other *Found) bool {
	return o.Location == other.Location && (o.File == nil) == (other.File == nil) &&
		(o.File == nil || bytes.Equal(o.File.Data, other.File.Data))
}
