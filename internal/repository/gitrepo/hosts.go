package gitrepo

import (
	"path"
	"slices"
	"strings"
)

// host is a CI host, as its variables say what a run is about. A condition is the
// name of a variable that is not empty, or NAME=PATTERN, where the star of a
// pattern stands for anything but a slash.
type host struct {
	name string
	noun string // what the host calls a pull request
	// runs are conditions that every run fulfills, change those of a run for a
	// pull request, and queue those of one in a merge queue.
	runs, change, queue []string
	// target, branch and main are the variables with the branch that a pull
	// request goes to, the branch that is built otherwise, and the main branch.
	target, branch, main string
	// merged are conditions under which HEAD is a merge that the host itself made,
	// so that its first parent is the target; train, that it has to be one. commit
	// is the variable with its hash.
	merged, train []string
	commit        string
	// project is the variable with the project that a pull request goes to, and
	// here that with the project that the run belongs to.
	project, here string
	// advice is the setting that lets the host fetch what is missing.
	advice string
}

// actions is GitHub Actions, and with other names the hosts that set its variables.
var actions = host{
	name: "GitHub", noun: "pull request",
	runs:   []string{"GITHUB_ACTIONS", "GITHUB_EVENT_NAME"},
	change: []string{"GITHUB_EVENT_NAME=pull_request", "GITHUB_EVENT_NAME=pull_request_target", "GITHUB_BASE_REF"},
	target: "GITHUB_BASE_REF", branch: "GITHUB_REF", commit: "GITHUB_SHA",
	advice: "set fetch-depth: 0 for actions/checkout",
}

// hosts is the table of the CI hosts whose variables are read. docs/git.md
// describes it.
var hosts = []host{
	actions.as("Gitea", "GITEA_ACTIONS"),
	actions.as("Forgejo", "FORGEJO_ACTIONS"),
	func() host {
		h := actions
		h.queue = []string{"GITHUB_EVENT_NAME=merge_group"}
		h.merged = []string{"GITHUB_REF=refs/pull/*/merge"}
		return h
	}(),
	{
		name: "GitLab", noun: "merge request",
		runs:   []string{"GITLAB_CI"},
		change: []string{"CI_PIPELINE_SOURCE=merge_request_event", "CI_MERGE_REQUEST_IID", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME"},
		target: "CI_MERGE_REQUEST_TARGET_BRANCH_NAME", branch: "CI_COMMIT_BRANCH", main: "CI_DEFAULT_BRANCH",
		merged: []string{"CI_MERGE_REQUEST_EVENT_TYPE=merge_train"}, train: []string{"CI_MERGE_REQUEST_EVENT_TYPE=merge_train"}, commit: "CI_COMMIT_SHA",
		project: "CI_MERGE_REQUEST_PROJECT_ID", here: "CI_PROJECT_ID",
	},
	{
		name: "Azure Pipelines", noun: "pull request",
		runs:   []string{"TF_BUILD"},
		change: []string{"BUILD_REASON=PullRequest", "SYSTEM_PULLREQUEST_PULLREQUESTID", "SYSTEM_PULLREQUEST_TARGETBRANCH"},
		target: "SYSTEM_PULLREQUEST_TARGETBRANCH", branch: "BUILD_SOURCEBRANCH",
		advice: "set fetchDepth: 0 for the checkout step",
	},
	{
		name: "Bitbucket", noun: "pull request",
		runs:   []string{"BITBUCKET_BUILD_NUMBER"},
		change: []string{"BITBUCKET_PR_ID", "BITBUCKET_PR_DESTINATION_BRANCH"},
		target: "BITBUCKET_PR_DESTINATION_BRANCH", branch: "BITBUCKET_BRANCH",
		advice: "set depth: full under clone",
	},
	{
		name: "Jenkins", noun: "pull request",
		runs:   []string{"JENKINS_URL", "JENKINS_HOME"},
		change: []string{"CHANGE_ID", "CHANGE_TARGET"},
		target: "CHANGE_TARGET", branch: "BRANCH_NAME",
	},
}

// as is the same host under another name, which a variable tells apart.
func (h host) as(name, variable string) host {
	h.name, h.runs = name, []string{variable}
	return h
}

// hostOf is the host of this run, or one that says nothing.
func hostOf(getenv func(string) string) host {
	for _, about := range []func(host) []string{
		func(h host) []string { return h.runs },
		func(h host) []string { return slices.Concat(h.change, h.queue) }, // where the host itself does not show
	} {
		for _, h := range hosts {
			if holds(getenv, about(h)) {
				return h
			}
		}
	}
	return host{}
}

// holds says whether one of the conditions is fulfilled.
func holds(getenv func(string) string, conditions []string) bool {
	return slices.ContainsFunc(conditions, func(condition string) bool {
		name, pattern, _ := strings.Cut(condition, "=")
		value := getenv(name)
		ok, _ := path.Match(pattern, value) // the patterns are right
		return value != "" && (pattern == "" || ok)
	})
}

// ForChange says whether the variables of a CI host say that this run decides
// about a pull request or a merge queue.
func ForChange(getenv func(string) string) bool {
	h := hostOf(getenv)
	return holds(getenv, h.change) || holds(getenv, h.queue)
}

// branchName is the name of a branch in a variable, which can be a full name;
// empty for that of something else, such as a tag.
func branchName(value string) string {
	if branch, ok := strings.CutPrefix(value, branchRefs); ok {
		return branch
	}
	if strings.HasPrefix(value, "refs/") {
		return ""
	}
	return value
}
