package gitrepo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// environment returns an Env with these variables and this event.
func environment(vars map[string]string, event string) Env {
	return Env{
		Getenv: func(name string) string {
			if name == "GITHUB_EVENT_PATH" && event != "" {
				return "/event.json"
			}
			return vars[name]
		},
		ReadFile: func(path string) ([]byte, error) {
			if path != "/event.json" || event == "" {
				return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
			}
			return []byte(event), nil
		},
	}
}

// pullRequest returns a clone like that of actions/checkout: main has moved since the
// pull request was created, and GitHub has merged the two.
func pullRequest(t *testing.T) (r *testRepo, tip, merged string) {
	r = newRepo(t)
	r.commit("one")
	r.git("checkout", "-q", "-b", "topic")
	topic := r.commit("on the topic")
	r.git("checkout", "-q", "main")
	tip = r.commit("two")
	r.git("checkout", "-q", "--detach")
	merged = r.merge(topic)
	r.git("update-ref", "refs/remotes/pull/7/merge", merged)
	r.git("update-ref", "refs/remotes/origin/main", tip)
	r.git("branch", "-q", "-D", "main", "topic")
	return r, tip, merged
}

func TestTargetOfAPullRequest(t *testing.T) {
	r, tip, merged := pullRequest(t)
	topic := r.git("rev-parse", merged+"^2")
	event := map[string]string{"GITHUB_EVENT_NAME": "pull_request", "GITHUB_BASE_REF": "main", "GITHUB_REF": "refs/pull/7/merge", "GITHUB_SHA": merged}
	with := func(key, value string) map[string]string {
		vars := map[string]string{key: value}
		for k, v := range event {
			if k != key {
				vars[k] = v
			}
		}
		return vars
	}
	r.git("checkout", "-q", topic)
	backwards := r.merge(tip) // main merged into the topic
	r.git("update-ref", "refs/remotes/origin/older", tip+"~1")
	tests := []struct {
		reason, head string
		vars         map[string]string
		name, commit string
		fails        string
	}{
		{"GitHub's merge", merged, event, "main", tip, ""},
		{"GitHub's merge, whatever was fetched", merged, with("GITHUB_BASE_REF", "older"), "older", tip, ""},
		{"the pull request's own tip", topic, event, "origin/main", tip, ""},
		{"the pull request's own tip, which is a merge", backwards, event, "origin/main", tip, ""},
		{"code of the main branch that looks at a pull request", tip,
			map[string]string{"GITHUB_EVENT_NAME": "pull_request_target", "GITHUB_BASE_REF": "main", "GITHUB_REF": "refs/heads/main", "GITHUB_SHA": tip},
			"", "", "not on pull_request_target"},
		{"the target", tip, event, "", "", "is already in origin/main"},
		{"an ancestor of the target", tip + "~1", event, "", "", "is already in origin/main"},
		{"a branch whose name looks like GitHub's merge", merged, with("GITHUB_REF", "refs/heads/refs/pull/7/merge"), "origin/main", tip, ""},
		{"a branch that was not fetched", topic, with("GITHUB_BASE_REF", "release"), "", "", "fetch-depth: 0"},
		{"an event that does not say the branch", topic, with("GITHUB_BASE_REF", ""), "", "", "GITHUB_BASE_REF"},
		{"a branch with a name that can't be", topic, with("GITHUB_BASE_REF", "../../HEAD"), "", "", "is not a valid"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			r.git("checkout", "-q", tt.head)
			checkTarget(t, r, environment(tt.vars, ""), tt.name, tt.commit, tt.fails)
		})
	}
}

// checkTarget expects a target by name and hash, or an error with a text.
func checkTarget(t *testing.T, r *testRepo, env Env, name, commit, fails string) {
	t.Helper()
	target, err := r.open().Target("", env)
	switch {
	case fails != "":
		if err == nil || !strings.Contains(err.Error(), fails) {
			t.Errorf("%+v, %v, want an error with %q", target, err, fails)
		}
	case err != nil || target.Name != name || target.Commit.Hash != commit:
		t.Errorf("%+v, %v, want %q at %s", target, err, name, commit)
	case target.Why == "":
		t.Errorf("%+v does not say why", target)
	}
}

func TestTargetOfAMergeQueue(t *testing.T) {
	r := newRepo(t)
	base := r.commit("one")
	r.commit("two")
	queue := map[string]string{"GITHUB_EVENT_NAME": "merge_group", "GITHUB_REF": "refs/heads/gh-readonly-queue/main/pr-7-" + base}
	const name = "the base of the merge queue"
	tests := []struct{ reason, event, name, commit, fails string }{
		{"the base", `{"action":"checks_requested","merge_group":{"base_ref":"refs/heads/main","base_sha":"` + base + `"}}`, name, base, ""},
		{"the base is HEAD", `{"merge_group":{"base_sha":"` + r.git("rev-parse", "HEAD") + `"}}`, "", "", "Check the commit of the entry of the merge queue"},
		{"no event", "", "", "", "can't read"},
		{"an event that is not JSON", "{", "", "", "can't read"},
		{"an event of another kind", `{"before":"` + base + `"}`, "", "", "has no base"},
		{"a base that is a name", `{"merge_group":{"base_sha":"main"}}`, "", "", "has no base"},
		{"a base that was not fetched", `{"merge_group":{"base_sha":"` + strings.Repeat("1", 40) + `"}}`, "", "", "fetch-depth: 0"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			checkTarget(t, r, environment(queue, tt.event), tt.name, tt.commit, tt.fails)
		})
	}
	r.git("checkout", "-q", "--orphan", "other")
	other := r.commit("other")
	r.git("checkout", "-q", "main")
	for commit, queued := range map[string]bool{base: true, other: false} {
		target, err := r.open().Target("", environment(queue, `{"merge_group":{"base_sha":"`+commit+`"}}`))
		if err != nil || target.Queued != queued || target.OnMain {
			t.Errorf("a base at %s: %+v, %v, want queued: %t", commit, target, err, queued)
		}
	}
}

func TestTargetOfABranch(t *testing.T) {
	t.Parallel()
	const mainTip = "refs/remotes/origin/main"
	tests := []struct {
		reason  string
		history func(*testRepo) // ends where the check runs
		name    string
		rev     string // what the target must be
		fails   string
	}{
		{"the main branch of the server", func(r *testRepo) {
			r.git("update-ref", "refs/remotes/origin/develop", "main")
			r.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/develop")
			r.git("update-ref", mainTip, "main~1")
			r.git("checkout", "-q", "-b", "topic")
			r.commit("three")
		}, "origin/develop", "refs/remotes/origin/develop", ""},
		{"main on the server", func(r *testRepo) {
			r.git("update-ref", mainTip, "main~1")
			r.git("update-ref", "refs/remotes/origin/master", "main")
			r.git("checkout", "-q", "-b", "topic")
		}, "origin/main", mainTip, ""},
		{"master on the server", func(r *testRepo) {
			r.git("update-ref", "refs/remotes/origin/master", "main~1")
			r.git("checkout", "-q", "-b", "topic")
		}, "origin/master", "refs/remotes/origin/master", ""},
		{"main here", func(r *testRepo) {
			r.git("checkout", "-q", "-b", "topic")
			r.commit("three")
		}, "main", "refs/heads/main", ""},
		{"master here", func(r *testRepo) {
			r.git("branch", "-m", "master")
			r.git("checkout", "-q", "-b", "topic")
		}, "master", "refs/heads/master", ""},
		{"a new branch without a commit of its own", func(r *testRepo) {
			r.git("update-ref", mainTip, "main")
			r.git("checkout", "-q", "-b", "topic")
		}, "origin/main", mainTip, ""},
		{"a tag can't take the place of a branch", func(r *testRepo) {
			r.git("update-ref", mainTip, "main")
			r.git("tag", "origin/main", "main~1")
			r.git("tag", "main", "main~1")
			r.git("checkout", "-q", "-b", "topic")
		}, "origin/main", mainTip, ""},
		{"a branch without a commit, beside main", func(r *testRepo) {
			r.git("checkout", "-q", "--orphan", "topic")
		}, "main", "refs/heads/main", ""},
		{"main, with a release", func(r *testRepo) {
			r.release("library-v1.0.0", "main~1")
		}, "library-v1.0.0", "main~1", ""},
		{"main, as a check of a push has it", func(r *testRepo) {
			r.release("library-v1.0.0", "main~1")
			r.git("update-ref", mainTip, "main")
		}, "library-v1.0.0", "main~1", ""},
		{"the tip of main, on no branch", func(r *testRepo) {
			r.release("library-v1.0.0", "main~1")
			r.git("update-ref", mainTip, "main")
			r.git("checkout", "-q", "--detach")
		}, "library-v1.0.0", "main~1", ""},
		{"an older commit of main, on no branch", func(r *testRepo) {
			r.git("update-ref", mainTip, "main")
			r.git("checkout", "-q", "--detach", "main~1")
		}, "origin/main", mainTip, ""},
		{"main, before the first release", func(*testRepo) {}, "the parent of HEAD", "main~1", ""},
		{"main, with its first commit", func(r *testRepo) { r.git("reset", "-q", "--hard", "main~1") }, "", "", ""},
		{"main, with a release elsewhere", func(r *testRepo) {
			r.git("checkout", "-q", "--detach", "main~1")
			r.commit("elsewhere")
			r.release("library-v1.0.0", "HEAD")
			r.git("checkout", "-q", "main")
		}, "the parent of HEAD", "main~1", ""},
		{"main, with a tag that counts for nothing", func(r *testRepo) {
			r.git("tag", "library-v1.0.0")
		}, "the parent of HEAD", "main~1", ""},
		{"no main branch", func(r *testRepo) { r.git("branch", "-m", "trunk") }, "", "", "Add --base REV"},
		{"no main branch and no commit here", func(r *testRepo) {
			r.git("branch", "-m", "trunk")
			r.git("checkout", "-q", "--orphan", "main")
		}, "", "", "Add --base REV"},
		{"the server's main branch has another name by now", func(r *testRepo) {
			r.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/master")
			r.git("update-ref", mainTip, "main")
		}, "", "", "git remote set-head origin --auto"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			r := newRepo(t)
			r.commit("one")
			r.commit("two")
			tt.history(r)
			commit := ""
			if tt.rev != "" {
				commit = r.git("rev-parse", tt.rev+"^{commit}")
			}
			checkTarget(t, r, environment(map[string]string{"GITHUB_EVENT_NAME": "push"}, ""), tt.name, commit, tt.fails)
		})
	}
	t.Run("a repository without a commit", func(t *testing.T) {
		checkTarget(t, newRepo(t), environment(nil, ""), "", "", "")
	})
}

func TestTargetReadsTheRealEnvironment(t *testing.T) {
	r, tip, merged := pullRequest(t)
	path := filepath.Join(t.TempDir(), "event.json")
	must.Do(t, os.WriteFile(path, fmt.Appendf(nil, `{"merge_group":{"base_sha":%q}}`, tip), 0o644))
	t.Setenv("GITHUB_EVENT_NAME", "merge_group")
	t.Setenv("GITHUB_EVENT_PATH", path)
	env := Env{Getenv: os.Getenv, ReadFile: os.ReadFile}
	target, err := r.open().Target("", env)
	if err != nil || target.Commit.Hash != tip {
		t.Errorf("%+v, %v, want %s", target, err, tip)
	}
	t.Setenv("GITHUB_EVENT_PATH", path+".gone")
	if target, err := r.open().Target("", env); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%+v, %v, want that the event is not there", target, err)
	}
	t.Setenv("GITHUB_EVENT_NAME", "pull_request")
	t.Setenv("GITHUB_SHA", merged)
	t.Setenv("GITHUB_REF", "refs/pull/7/merge")
	if target, err := r.open().Target("", env); err != nil || target.Commit.Hash != tip {
		t.Errorf("%+v, %v, want %s", target, err, tip)
	}
}
