package authoring

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/files/hosts"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// module is the path of this module.
const module = "github.com/" + Project

// Project is the owner and the name of the repository of these programs.
const Project = "rubric-library/rubric-library"

// Page returns the address of a page of the documentation.
func Page(name string) string { return PageAt("", name) }

// PageAt returns the address of a page of the documentation at a release of these programs, or
// without one, on main.
func PageAt(release, name string) string {
	return "https://" + module + "/blob/" + cmp.Or(release, "main") + "/docs/" + name
}

// The hosts whose CI a new library can have, by their IDs, with special cases.
const (
	CIGitHub = "github"
	CINone   = "none"
)

// Workflow is the file of the check on GitHub.
const Workflow = ".github/workflows/rubrics.yml"

// starterCI is what a new library gets for the CI of a host: files, of which the first is the
// check, and the runner that they name.
type starterCI struct {
	runner string
	files  []ciFile
}

// ciFile is a file of the CI, in the folder of the host's workflows unless the host has only one
// file.
type ciFile struct{ name, text, note string }

// starterCIs has the files of each host by its ID.
var starterCIs = map[string]starterCI{
	CIGitHub: {files: []ciFile{
		{"rubrics.yml", "github.yml", ""},
		{"rubrics-release.yml", "github-release.yml", "the release of the library after a merge"},
		{"rubrics-weekly.yml", "github-weekly.yml", "the weekly report on the judges"},
	}},
	"gitlab":  {files: []ciFile{{"", "gitlab-ci.yml", ""}}},
	"gitea":   {runner: "ubuntu-latest", files: []ciFile{{"rubrics.yml", "gitea.yml", ""}}},
	"forgejo": {runner: "docker", files: []ciFile{{"rubrics.yml", "gitea.yml", ""}}},
}

// nameOn is the path of the file on its host, and its note.
func (f ciFile) nameOn(h hosts.Host) (name, note string) {
	return path.Join(h.Pipeline, f.name), cmp.Or(f.note, "the check on every "+h.Noun+", on "+h.Name)
}

// CINames are the hosts that Starter.CI can name, and CINone.
func CINames() []string {
	var names []string
	for _, h := range hosts.Table {
		names = append(names, h.ID)
	}
	return append(names, CINone)
}

// CheckCI returns why a text can't be the host of the CI.
func CheckCI(host string) error {
	if !slices.Contains(CINames(), host) {
		return fmt.Errorf("the CI must be %s, got %s. For another host, choose %s: %s shows what to run there",
			schema.Or(CINames(), "or"), schema.Quote(host), CINone, Page("ci.md"))
	}
	return nil
}

// FoundCI is the host of the CI that a repository has, or should have.
type FoundCI struct {
	// ID is one of CINames, or "" if the host of the remote is not known.
	ID string
	// Why says why it is this one.
	Why string
	// InFiles says that files of the repository say so.
	InFiles bool
}

// FindCI returns the host of which the repository has files, or that of its remote, whose address is
// "" if there is none, or else GitHub.
func (l *Local) FindCI(remote string) FoundCI {
	on := hosts.OfFiles(func(name string) bool { return l.Holds(name) })
	server, _ := hosts.ParseRemote(remote)
	named, known := hosts.OfRemote(remote)
	both := known && slices.ContainsFunc(on, func(h hosts.Host) bool { return h.ID == named.ID })
	switch {
	case len(on) > 0 && !both:
		return FoundCI{on[0].ID, "the repository has files of " + on[0].Name, true}
	case known:
		return FoundCI{named.ID, "the remote origin is on " + server.Server, both}
	case remote == "":
		return FoundCI{CIGitHub, "there is no remote origin", false}
	}
	return FoundCI{}
}

// UnknownHost is the error for a remote whose host is not known. It does not have the address, which can
// contain a password.
func UnknownHost(remote string) error {
	where, its := "a path on this machine", "its host"
	if server, ok := hosts.ParseRemote(remote); ok {
		where, its = "on "+schema.Quote(server.Server), "the host of "+server.Server
	}
	return fmt.Errorf("--ci is required, because the remote origin is %s, which is not a known host: add --ci %s for %s, or --ci %s if it has no CI",
		where, schema.Or(CINames()[:len(hosts.Table)], "or"), its, CINone)
}

// host returns the host of the CI, empty for CINone.
func (s *Starter) host() hosts.Host {
	h, _ := hosts.Named(s.CI)
	return h
}

// fillIn is what the author has to replace in the files of a program that does not know its
// commit, and how the comment on it begins.
const fillIn = "COMMIT # replace COMMIT with the full hash of "

// pin is what the workflows on GitHub refer to the programs by: their commit, with the release
// as a comment if there is one.
func (s *Starter) pin() string {
	switch {
	case s.Commit == "":
		return fillIn + s.missingCommit()
	case s.Release == "":
		return s.Commit
	}
	return s.Commit + " # " + s.Release
}

// plainBranch matches the names of branches that YAML reads as they are: yamlWord, those that it
// can read as something else.
var (
	plainBranch = lazy.Expr(`^[A-Za-z][A-Za-z0-9_/-]*$`)
	yamlWord    = lazy.Expr(`^(?i:y|n|yes|no|on|off|true|false|null)$`)
)

// branchPattern is the pattern for workflows on GitHub that matches one branch, as YAML.
func branchPattern(name string) string {
	if plainBranch().MatchString(name) && !yamlWord().MatchString(name) {
		return name
	}
	literal := strings.NewReplacer(`+`, `\+`, `!`, `\!`, `]`, `\]`).Replace(name) // Git allows no other special ones
	return "'" + strings.ReplaceAll(literal, "'", "''") + "'"
}

// missingCommit is the commit that the author has to fill in.
func (s *Starter) missingCommit() string {
	if s.Release == "" {
		return "a commit of " + Project
	}
	return "the commit of " + s.Release
}

// FillIn says in which files of an edit the author has to replace COMMIT, and with what, or is
// "".
func (s *Starter) FillIn(e *Edit) string {
	var names []string
	for _, f := range e.Files {
		if bytes.Contains(f.After, []byte(fillIn)) {
			names = append(names, f.Path)
		}
	}
	why := "this is an unreleased build that does not know its commit"
	if s.Release != "" {
		why = "`go install` does not record it"
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("replace COMMIT in %s with the full hash of %s, because %s. `git ls-remote https://%s %s` prints the hash",
		schema.Or(names, "and"), s.missingCommit(), why, module, cmp.Or(s.Release, "HEAD"))
}

// UnpublishedFiles says which files of an edit name the programs by a commit that may be in a clone
// only, or is "".
func (s *Starter) UnpublishedFiles(e *Edit) string {
	if s.Release != "" || s.Commit == "" {
		return ""
	}
	var names []string
	for _, f := range e.Files {
		if bytes.Contains(f.After, []byte(s.Commit)) {
			names = append(names, f.Path)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("open https://%[1]s/commit/%[2]s, because %[3]s name the programs by this commit. If there is no such page, or it says that the commit belongs to no branch, "+
		"the commit is only in the clone or the fork that this program was built from, where no workflow can fetch it: replace it in these files with the hash that `git ls-remote https://%[1]s HEAD` prints",
		module, s.Commit, schema.Or(names, "and"))
}
