package gitrepo

import (
	"strings"
	"testing"
)

// TestTargetOfAPush: a push to the main branch is compared with the commit before it, unless
// the last release is older. If that commit is unknown, there is no target.
func TestTargetOfAPush(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	commits := []string{r.commit("one"), r.commit("two"), r.commit("three"), r.commit("four")}
	r.git("update-ref", "refs/remotes/origin/main", "main")
	r.git("checkout", "-q", "--detach", commits[1])
	aside := r.commit("aside")
	r.git("checkout", "-q", "main")
	zeros, unknown := strings.Repeat("0", 40), strings.Repeat("1", 40)
	github := func(before string) Env {
		return environment(map[string]string{"GITHUB_EVENT_NAME": "push", "GITHUB_REF": "refs/heads/main"}, `{"before":"`+before+`","ref":"refs/heads/main"}`)
	}
	gitea := func(before string) Env {
		return environment(map[string]string{"GITEA_ACTIONS": "true", "GITHUB_EVENT_NAME": "push", "GITHUB_REF": "refs/heads/main"}, `{"before":"`+before+`"}`)
	}
	gitlab := func(before string) Env {
		return environment(map[string]string{"GITLAB_CI": "true", "CI_PIPELINE_SOURCE": "push", "CI_DEFAULT_BRANCH": "main", "CI_COMMIT_BRANCH": "main", "CI_COMMIT_BEFORE_SHA": before}, "")
	}
	with := func(env Env, name, value string) Env {
		getenv := env.Getenv
		env.Getenv = func(n string) string {
			if n == name {
				return value
			}
			return getenv(n)
		}
		return env
	}
	const push, parent = "the commit before the push", "the parent of HEAD"
	for _, tt := range []struct {
		reason, release string // release is the commit of a release, or ""
		env             Env
		name, commit    string
		says            string // in Why, or in the error
	}{
		{"GitHub", "", github(commits[0]), push, commits[0], "this is where the push began"},
		{"Gitea", "", gitea(commits[0]), push, commits[0], "this is where the push began"},
		{"GitLab", "", gitlab(commits[0]), push, commits[0], "this is where the push began"},
		{"one commit", "", github(commits[2]), parent, commits[2], "has no release tag"},
		{"nothing new", "", github(commits[3]), parent, commits[2], "has no release tag"},
		{"an older release", commits[0], github(commits[1]), "library-v1.0.0", commits[0], "last release"},
		{"a release within the push", commits[2], github(commits[1]), push, commits[1], "this is where the push began"},
		{"a release where the push began", commits[1], github(commits[1]), "library-v1.0.0", commits[1], "last release"},
		{"a new branch", "", github(zeros), "", "", "which the push created"},
		{"a new branch, with a release", commits[0], gitlab(zeros), "", "", "which the push created"},
		{"a forced push", commits[0], github(aside), "", "", "is not among its first parents"},
		{"a forced push whose commit is gone", "", gitlab(unknown), "", "", "is not in this repository"},
		{"a push to another branch", "", with(github(zeros), "GITHUB_REF", "refs/heads/topic"), parent, commits[2], "has no release tag"},
		{"a push of a tag", "", with(github(zeros), "GITHUB_REF", "refs/tags/main"), parent, commits[2], "has no release tag"},
		{"a run by hand", "", with(github(zeros), "GITHUB_EVENT_NAME", "workflow_dispatch"), parent, commits[2], "has no release tag"},
		{"a schedule of GitLab", "", with(gitlab(zeros), "CI_PIPELINE_SOURCE", "schedule"), parent, commits[2], "has no release tag"},
		{"an event without the commit", "", github(""), "error", "", "before in the push event /event.json must be a full hash"},
		{"an event with a name", "", gitlab("main"), "error", "", "CI_COMMIT_BEFORE_SHA must be a full hash"},
		{"no event", "", with(github(zeros), "GITHUB_EVENT_PATH", "/gone.json"), "error", "", "can't read the push event"},
	} {
		if tt.release != "" {
			r.release("library-v1.0.0", tt.release)
		}
		target, err := r.open().Target("", tt.env)
		says := target.Why
		if err != nil {
			target.Name, says = "error", err.Error()
		}
		if target.Name != tt.name || target.Commit.Hash != tt.commit || !strings.Contains(says, tt.says) {
			t.Errorf("%s: %+v, %v, want %q at %s, with %q", tt.reason, target, err, tt.name, tt.commit, tt.says)
		}
		if err == nil && !target.OnMain {
			t.Errorf("%s: it is not on the main branch", tt.reason)
		}
		if tt.release != "" {
			r.git("tag", "-d", "library-v1.0.0")
		}
	}
}

// TestTargetOfABuiltCommit: what the host builds of the main branch is on it, wherever the
// fetched branch is, and nothing else is.
func TestTargetOfABuiltCommit(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	commits := []string{r.commit("one"), r.commit("two"), r.commit("three"), r.commit("four")}
	r.git("checkout", "-q", "-b", "topic", commits[1])
	aside := r.commit("aside")
	const push = "the commit before the push"
	for _, tt := range []struct {
		reason, checkout, fetched, sha string
		name, commit                   string
	}{
		{"the branch, and another push followed", "-B main " + commits[2], commits[3], commits[2], push, commits[0]},
		{"the same, of a host that names no commit", "-B main " + commits[2], commits[3], "", push, commits[0]},
		{"its commit, and another push followed", "--detach " + commits[2], commits[3], commits[2], push, commits[0]},
		{"a branch that was fetched before the push", "-B main " + commits[2], commits[0], commits[2], push, commits[0]},
		{"its commit, and a branch that was fetched before the push", "--detach " + commits[2], commits[0], commits[2], push, commits[0]},
		{"another commit", "--detach " + aside, commits[3], commits[3], "origin/main", commits[3]},
		{"another branch", "topic", commits[3], commits[3], "origin/main", commits[3]},
		{"another branch at the same commit", "-B topic " + commits[3], commits[3], commits[3], "origin/main", commits[3]},
		{"a commit that is not pushed", "-B main " + commits[3], commits[2], commits[2], "origin/main", commits[2]},
	} {
		r.git(append([]string{"checkout", "-q"}, strings.Fields(tt.checkout)...)...)
		r.git("update-ref", "refs/remotes/origin/main", tt.fetched)
		env := environment(map[string]string{"GITHUB_EVENT_NAME": "push", "GITHUB_REF": "refs/heads/main", "GITHUB_SHA": tt.sha}, `{"before":"`+commits[0]+`"}`)
		target, err := r.open().Target("", env)
		if err != nil || target.Name != tt.name || target.Commit.Hash != tt.commit || target.OnMain != (tt.name == push) {
			t.Errorf("%s: %+v, %v, want %q at %s", tt.reason, target, err, tt.name, tt.commit)
		}
	}
	r.git("update-ref", "refs/remotes/origin/main", commits[3])
	repo := r.open()
	for rev, want := range map[string]string{commits[1]: commits[0], commits[3]: commits[2], aside: commits[3]} {
		c, err := repo.Resolve(rev)
		if err != nil {
			t.Fatal(err)
		}
		target, err := repo.WithHead(c).Target("", environment(nil, ""))
		if err != nil || target.Commit.Hash != want || target.OnMain != (rev != aside) {
			t.Errorf("at %s, without a host: %+v, %v, want %s", rev, target, err, want)
		}
	}
}

// TestTargetOfAReleasedTip: a release at HEAD does not count where the step to HEAD is judged.
func TestTargetOfAReleasedTip(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	commits := []string{r.commit("one"), r.commit("two"), r.commit("three")}
	for _, tt := range []struct {
		head, releases, name, commit, why string
	}{
		{commits[2], commits[2], "the parent of HEAD", commits[1], "no release tag before HEAD"},
		{commits[2], commits[0] + " " + commits[2], "library-v1.0.0", commits[0], "last release before HEAD"},
		{commits[2], commits[2] + " " + commits[0], "library-v2.0.0", commits[0], "last release"},
		{commits[0], commits[0], "", "", "this is the first commit"},
	} {
		r.git("reset", "-q", "--hard", tt.head)
		releases := strings.Fields(tt.releases)
		for i, c := range releases {
			r.release([]string{"library-v1.0.0", "library-v2.0.0"}[i], c)
		}
		for _, beforeHead := range []bool{true, false} {
			env := environment(nil, "")
			env.BeforeHead = beforeHead
			target, err := r.open().Target("", env)
			if !beforeHead {
				tt.name, tt.commit, tt.why = []string{"library-v1.0.0", "library-v2.0.0"}[len(releases)-1], releases[len(releases)-1], "last release"
			}
			if err != nil || target.Name != tt.name || target.Commit.Hash != tt.commit || !strings.Contains(target.Why, tt.why) || !target.OnMain {
				t.Errorf("%s with releases at %s, %v: %+v, %v", tt.head, tt.releases, beforeHead, target, err)
			}
		}
		for i := range releases {
			r.git("tag", "-d", []string{"library-v1.0.0", "library-v2.0.0"}[i])
		}
	}
}
