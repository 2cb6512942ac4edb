package gitrepo

import (
	"path"
	"slices"
	"strings"
)

// host describes the variables of a CI host. A condition is the name of a variable
// that is not empty, or NAME=PATTERN, where * matches anything but a slash.
type host struct {
	name string
	noun string // the host's term for a pull request
	// runs are conditions of every run, change those of a run for a pull request, and
	// queue those of a run in a merge queue.
	runs, change, queue []string
	// push are the conditions of a run for a push. before is the variable with the commit
	// before it, or "" if the event in GITHUB_EVENT_PATH names it.
	push   []string
	before string
	// target, branch, and main are the variables with the target branch of a pull
	// request, the branch of any other build, and the main branch.
	target, branch, main string
	// merged are conditions under which HEAD can be a merge that the host itself made,
	// whose first parent is the target; train, those under which it must be one.
	// commit is the variable with its hash.
	merged, train []string
	commit        string
	// apart and together are the settings in the event of a pull request that allow to put
	// each of its commits on the target by itself, or all of them at once.
	apart, together []string
	// project is the variable with the target project of a pull request, and here the
	// one with the project of the run.
	project, here string
	// advice is the setting that makes the host fetch the whole history, and checkout the one
	// that makes it check out the change of a pull request.
	advice, checkout string
}

// actions is GitHub Actions, which other hosts with its variables copy under their
// names.
var actions = host{
	name: "GitHub", noun: "pull request",
	runs:   []string{"GITHUB_ACTIONS", "GITHUB_EVENT_NAME"},
	change: []string{"GITHUB_EVENT_NAME=pull_request", "GITHUB_EVENT_NAME=pull_request_target", "GITHUB_BASE_REF"},
	push:   []string{"GITHUB_EVENT_NAME=push"},
	apart:  []string{"allow_rebase", "allow_fast_forward_only_merge"}, together: []string{"allow_merge_commits", "allow_rebase_explicit", "allow_squash_merge"},
	target: "GITHUB_BASE_REF", branch: "GITHUB_REF", commit: "GITHUB_SHA",
	advice:   "Set fetch-depth: 0 for actions/checkout",
	checkout: "start the workflow on pull_request or merge_group, not on pull_request_target, and set no ref for actions/checkout",
}

// hosts are the supported CI hosts. docs/git.md describes them.
var hosts = []host{
	actions.as("Gitea", "GITEA_ACTIONS"),
	actions.as("Forgejo", "FORGEJO_ACTIONS"),
	func() host {
		h := actions
		h.apart = []string{"allow_rebase_merge"}
		h.together = []string{"allow_merge_commit", "allow_squash_merge"}
		h.queue = []string{"GITHUB_EVENT_NAME=merge_group"}
		h.merged = []string{"GITHUB_REF=refs/pull/*/merge"}
		return h
	}(),
	{
		name: "GitLab", noun: "merge request",
		runs:   []string{"GITLAB_CI"},
		change: []string{"CI_PIPELINE_SOURCE=merge_request_event", "CI_MERGE_REQUEST_IID", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME"},
		push:   []string{"CI_PIPELINE_SOURCE=push"}, before: "CI_COMMIT_BEFORE_SHA",
		target: "CI_MERGE_REQUEST_TARGET_BRANCH_NAME", branch: "CI_COMMIT_BRANCH", main: "CI_DEFAULT_BRANCH",
		merged: []string{"CI_MERGE_REQUEST_EVENT_TYPE=merge_train"}, train: []string{"CI_MERGE_REQUEST_EVENT_TYPE=merge_train"}, commit: "CI_COMMIT_SHA",
		project: "CI_MERGE_REQUEST_PROJECT_ID", here: "CI_PROJECT_ID",
		checkout: "the commit that CI_COMMIT_SHA names, which GitLab checks out before the job",
	},
}

// as returns a copy of h with another name, which a variable identifies.
func (h host) as(name, variable string) host {
	h.name, h.runs = name, []string{variable}
	return h
}

// hostOf returns the host of this run, or the zero host.
func hostOf(getenv func(string) string) host {
	for _, about := range []func(host) []string{
		func(h host) []string { return h.runs },
		func(h host) []string { return slices.Concat(h.change, h.queue) }, // if the host does not identify itself
	} {
		for _, h := range hosts {
			if holds(getenv, about(h)) {
				return h
			}
		}
	}
	return host{}
}

func holds(getenv func(string) string, conditions []string) bool {
	return slices.ContainsFunc(conditions, func(condition string) bool {
		name, pattern, _ := strings.Cut(condition, "=")
		value := getenv(name)
		ok, _ := path.Match(pattern, value) // the patterns are valid
		return value != "" && (pattern == "" || ok)
	})
}

// ForChange reports whether this run is for a pull request or a merge queue, according
// to the variables of a CI host.
func ForChange(getenv func(string) string) bool {
	return hostOf(getenv).proposes(getenv)
}

// proposes reports whether a run is for a pull request or a merge queue of the host.
func (h host) proposes(getenv func(string) string) bool {
	return holds(getenv, h.change) || holds(getenv, h.queue)
}

// branchName returns the name of the branch in a variable, which can be a full name,
// or "" for anything else, such as a tag.
func branchName(value string) string {
	if branch, ok := strings.CutPrefix(value, branchRefs); ok {
		return branch
	}
	if strings.HasPrefix(value, "refs/") {
		return ""
	}
	return value
}
