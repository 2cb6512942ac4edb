package authoring

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/lint/codeowners"
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

// The hosts whose CI a new library can have.
const (
	CIGitHub = "github"
	CINone   = "none"
	ciGitLab = "gitlab"
)

// Workflow is the file of the check on GitHub.
const Workflow = ".github/workflows/rubrics.yml"

// ciHost is a host, with the files of its CI. The first is the check.
type ciHost struct {
	name, title, runner string
	// owners are the places of CODEOWNERS, if the host can require a review by the owners
	// there.
	owners []string
	files  []ciFile
}

type ciFile struct{ path, text, note string }

const checkNote = "the check on every pull request, on "

var ciHosts = []ciHost{
	{name: CIGitHub, title: "GitHub", owners: codeowners.Locations, files: []ciFile{
		{Workflow, "github.yml", checkNote + "GitHub"},
		{".github/workflows/rubrics-release.yml", "github-release.yml", "the release of the library after a merge"},
		{".github/workflows/rubrics-weekly.yml", "github-weekly.yml", "the weekly report on the judges"},
	}},
	{name: ciGitLab, title: "GitLab", owners: []string{ownersFile, "docs/CODEOWNERS", ".gitlab/CODEOWNERS"}, files: []ciFile{{".gitlab-ci.yml", "gitlab-ci.yml", "the check on every merge request, on GitLab"}}},
	{name: "gitea", title: "Gitea", runner: "ubuntu-latest", files: []ciFile{{".gitea/workflows/rubrics.yml", "gitea.yml", checkNote + "Gitea"}}},
	{name: "forgejo", title: "Forgejo", runner: "docker", files: []ciFile{{".forgejo/workflows/rubrics.yml", "gitea.yml", checkNote + "Forgejo"}}},
}

// CINames are the hosts that Starter.CI can name, and CINone.
func CINames() []string {
	var names []string
	for _, h := range ciHosts {
		names = append(names, h.name)
	}
	return append(names, CINone)
}

// CheckCI returns why a text can't be the host of the CI.
func CheckCI(host string) error {
	if !slices.Contains(CINames(), host) {
		return fmt.Errorf("the CI must be %s, got %s. For another host, choose %s: %s shows what to run there", schema.Or(CINames(), "or"), schema.Quote(host), CINone, Page("ci.md"))
	}
	return nil
}

// FindCI returns the host of which the library already has the check, or "".
func (l *Local) FindCI() string {
	for _, h := range ciHosts {
		if l.Holds(h.files[0].path) {
			return h.name
		}
	}
	return ""
}

// host returns the host of the CI, empty for CINone.
func (s *Starter) host() ciHost {
	for _, h := range ciHosts {
		if h.name == s.CI {
			return h
		}
	}
	return ciHost{}
}

// fillIn is what the author has to replace in the files of a program that does not know its
// commit, and how the comment on it begins.
const fillIn = "COMMIT # replace COMMIT with the full hash of "

// pin is what the workflows on GitHub refer to the programs by: their commit, with the release
// as a comment if there is one.
func (s *Starter) pin() string {
	switch {
	case s.Commit == "":
		return fillIn + s.missing()
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

// missing is the commit that the author has to fill in.
func (s *Starter) missing() string {
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
		schema.Or(names, "and"), s.missing(), why, module, cmp.Or(s.Release, "HEAD"))
}

// Unpublished says which files of an edit name the programs by a commit that may be in a clone
// only, or is "".
func (s *Starter) Unpublished(e *Edit) string {
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
	return fmt.Sprintf("check that https://%s/commit/%s exists: %s name the programs by this commit, which may be only in the clone that they were built from, where no workflow can fetch it",
		module, s.Commit, schema.Or(names, "and"))
}
