// Package hosts is the table of the hosts of Git repositories: how each is told apart, by the
// variables of its runs, by the files of a repository, and by its remote, and where it looks for the owners of
// a path. It is the only answer to "which host is this?".
package hosts

import (
	"path"
	"slices"
	"strings"
)

// Host is a host of Git repositories, with the variables of its CI. A condition is the name of
// a variable that is not empty, or NAME=PATTERN, where * matches anything but a slash.
type Host struct {
	// ID names the host in flags, Name in messages.
	ID, Name string
	// Noun is the host's term for a pull request.
	Noun string

	// Servers are the names of its servers, where * matches anything.
	Servers []string
	// Pipeline is the file of the CI or the folder of its files, which only a repository on
	// this host has. Signs are other such paths.
	Pipeline string
	Signs    []string
	// Owners are the places where the host looks for CODEOWNERS, relative to the repository.
	// Only the first that exists is read.
	Owners []string
	// Syntax is how it reads the file.
	Syntax Syntax
	// Annotates says that it shows the annotations and the summary of a run beside the change.
	Annotates bool

	// Runs are conditions of every run, Change those of a run for a pull request, and
	// Queue those of a run in a merge queue.
	Runs, Change, Queue []string
	// Push are the conditions of a run for a push. Before is the variable with the commit
	// before it, or "" if the event in GITHUB_EVENT_PATH names it.
	Push   []string
	Before string
	// Target, Branch, and Main are the variables with the target branch of a pull
	// request, the branch of any other build, and the main branch.
	Target, Branch, Main string
	// Merged are conditions under which HEAD can be a merge that the host itself made,
	// whose first parent is the target; Train, those under which it must be one.
	// Commit is the variable with its hash.
	Merged, Train []string
	Commit        string
	// Apart and Together are the settings in the event of a pull request that allow to put
	// each of its commits on the target by itself, or all of them at once.
	Apart, Together []string
	// Project is the variable with the target project of a pull request, and Here the
	// one with the project of the run.
	Project, Here string
	// Advice is the setting that makes the host fetch the whole history, and Checkout the one
	// that makes it check out the change of a pull request.
	Advice, Checkout string
}

// Syntax is a syntax of CODEOWNERS.
type Syntax uint8

// The syntaxes: patterns of which the last that matches decides; the same in sections, each of
// which has owners of its own; and regular expressions, all of which count.
const (
	OneOwner Syntax = iota
	Sections
	Expressions
)

// actions is GitHub Actions, which other hosts with its variables copy under their
// names.
var actions = Host{
	Noun:   "pull request",
	Change: []string{"GITHUB_EVENT_NAME=pull_request", "GITHUB_EVENT_NAME=pull_request_target", "GITHUB_BASE_REF"},
	Push:   []string{"GITHUB_EVENT_NAME=push"},
	Target: "GITHUB_BASE_REF", Branch: "GITHUB_REF", Commit: "GITHUB_SHA",
	Advice:   "Set fetch-depth: 0 for actions/checkout",
	Checkout: "start the workflow on pull_request or merge_group, not on pull_request_target, and set no ref for actions/checkout",
}

// Table has the supported hosts. docs/ci.md describes their variables.
var Table = []Host{
	gitHub(),
	{
		ID: "gitlab", Name: "GitLab", Noun: "merge request", Servers: []string{"gitlab.*"},
		Pipeline: ".gitlab-ci.yml", Signs: []string{".gitlab/CODEOWNERS"},
		Owners: []string{"CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"}, Syntax: Sections,
		Runs: []string{"GITLAB_CI"},
		Change: []string{
			"CI_PIPELINE_SOURCE=merge_request_event", "CI_MERGE_REQUEST_IID", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME",
		},
		Push: []string{"CI_PIPELINE_SOURCE=push"}, Before: "CI_COMMIT_BEFORE_SHA",
		Target: "CI_MERGE_REQUEST_TARGET_BRANCH_NAME", Branch: "CI_COMMIT_BRANCH", Main: "CI_DEFAULT_BRANCH",
		Merged: []string{"CI_MERGE_REQUEST_EVENT_TYPE=merge_train"},
		Train:  []string{"CI_MERGE_REQUEST_EVENT_TYPE=merge_train"}, Commit: "CI_COMMIT_SHA",
		Project: "CI_MERGE_REQUEST_PROJECT_ID", Here: "CI_PROJECT_ID",
		Checkout: "the commit that CI_COMMIT_SHA names, which GitLab checks out before the job",
	},
	gitea("gitea", "Gitea", "GITEA_ACTIONS"),
	forgejo(),
}

func gitHub() Host {
	h := actions
	h.ID, h.Name, h.Servers = "github", "GitHub", []string{"github.com"}
	h.Pipeline, h.Annotates = ".github/workflows", true
	h.Owners = []string{".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"}
	h.Runs = []string{"GITHUB_ACTIONS", "GITHUB_EVENT_NAME"}
	h.Queue = []string{"GITHUB_EVENT_NAME=merge_group"}
	h.Merged = []string{"GITHUB_REF=refs/pull/*/merge"}
	h.Apart, h.Together = []string{"allow_rebase_merge"}, []string{"allow_merge_commit", "allow_squash_merge"}
	return h
}

// gitea is Gitea, or a host that began as a copy of it.
func gitea(id, name, variable string) Host {
	h := actions
	h.ID, h.Name, h.Servers = id, name, []string{id + ".*"}
	h.Pipeline, h.Signs = "."+id+"/workflows", []string{"." + id}
	h.Owners, h.Syntax = []string{"CODEOWNERS", "docs/CODEOWNERS", ".gitea/CODEOWNERS"}, Expressions
	h.Runs = []string{variable}
	h.Apart = []string{"allow_rebase", "allow_fast_forward_only_merge"}
	h.Together = []string{"allow_merge_commits", "allow_rebase_explicit", "allow_squash_merge"}
	return h
}

func forgejo() Host {
	h := gitea("forgejo", "Forgejo", "FORGEJO_ACTIONS")
	h.Owners = append(slices.Clip(h.Owners), ".forgejo/CODEOWNERS")
	h.Servers = append(h.Servers, "codeberg.org")
	return h
}

// GitHub is the host of a repository that has nothing of another one.
func GitHub() Host { return Table[0] }

// Named returns the host with an ID.
func Named(id string) (h Host, found bool) {
	i := slices.IndexFunc(Table, func(h Host) bool { return h.ID == id })
	if i < 0 {
		return Host{}, false
	}
	return Table[i], true
}

// OfFiles returns the hosts that a repository can be on, by what is at a path in it: several if
// it has files of several, and none if it has no such file.
func OfFiles(holds func(name string) bool) (found []Host) {
	for _, h := range Table {
		if holds(h.Pipeline) || slices.ContainsFunc(h.Signs, holds) {
			found = append(found, h)
		}
	}
	return found
}

// OfRun returns the host of a run by its variables, or the zero Host. The variables of GitHub
// are also those of the hosts that copy it, which have one of their own.
func OfRun(getenv func(string) string) Host {
	copied := slices.Concat(Table[1:], Table[:1])
	for _, conditions := range []func(Host) []string{
		func(h Host) []string { return h.Runs },
		func(h Host) []string { return slices.Concat(h.Change, h.Queue) }, // if the host does not identify itself
	} {
		for _, h := range copied {
			if Holds(getenv, conditions(h)) {
				return h
			}
		}
	}
	return Host{}
}

// Holds reports whether one of the conditions holds.
func Holds(getenv func(string) string, conditions []string) bool {
	return slices.ContainsFunc(conditions, func(condition string) bool {
		name, pattern, _ := strings.Cut(condition, "=")
		value := getenv(name)
		ok, _ := path.Match(pattern, value) // the patterns are valid
		return value != "" && (pattern == "" || ok)
	})
}

// Proposes reports whether a run of the host is for a pull request or a merge queue.
func (h Host) Proposes(getenv func(string) string) bool {
	return Holds(getenv, h.Change) || Holds(getenv, h.Queue)
}
