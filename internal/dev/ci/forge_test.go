package ci_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// TestForge runs the workflows and the action with act, which interprets them itself.
// .ci/forge starts it.
func TestForge(t *testing.T) {
	f := newForge(t)
	asItIs := scripttest.Text(t, ".github/workflows/library-release.yml")
	t.Run("stop", func(t *testing.T) { f.stops(t, asItIs) })
	// act doesn't know job.workflow_*, which name the repository itself if it calls its own
	// workflow. .ci/run takes many minutes, and CI runs it anyway.
	f.merge(`sed -i -e 's/job\.workflow_repository/github.repository/' -e 's/job\.workflow_sha/github.sha/' \
			-e "s|job\.workflow_ref|format('{0}/.github/workflows/library-release.yml@{1}', github.repository, github.ref)|" .github/workflows/library-release.yml
		printf '#!/bin/sh\necho "instead of .ci/run $*"\n' >.ci/run`)
	t.Run("check", f.checks)
	t.Run("action", f.otherRepository)
	t.Run("release", f.releases)
}

const (
	onMain    = `"repository": {"default_branch": "main"}, "ref": "refs/heads/main"`
	pushed    = `{` + onMain + `}`
	byHand    = `{` + onMain + `, "inputs": {"first-release": "true", "linter": "last"}}`
	onPull    = `"repository": {"default_branch": "main"}, "number": 1, "pull_request": {"number": 1, "base": {"ref": "main"}, "head": {"ref": "topic"}}`
	opened    = `{` + onPull + `, "action": "opened"}`
	retitled  = `{` + onPull + `, "action": "edited", "changes": {"title": {"from": "old"}}}`
	queued    = `{"repository": {"default_branch": "main"}, "action": "checks_requested", "ref": "refs/heads/gh-readonly-queue/main/pr-1", "merge_group": {"base_sha": "BASE", "base_ref": "refs/heads/main", "head_ref": "refs/heads/gh-readonly-queue/main/pr-1"}}`
	rename    = `sed -i 's/^name: "\?/&New /' rubrics/prd/*.yaml`
	forgedTag = "library-v1.0.3"
)

// checks runs validate.yml on pull requests.
func (f *forge) checks(t *testing.T) {
	good := reword("prd_quality_v1", "1.0.2", "1.0.3")
	for _, test := range []struct {
		name, change, event string
		code                int
		says, summary       []string
	}{
		{
			"a good pull request", good, opened, 0,
			[]string{"instead of .ci/run --strict", "checks: true, library: success, test: success", "[validate/rubric-library] 🏁  Job succeeded"},
			[]string{"prd_quality_v1", "1.0.2"},
		},
		{
			"a text changed under its version", rename, opened, 1,
			[]string{"version-too-low", "checks: true, library: failure, test: success", "[validate/rubric-library] 🏁  Job failed"}, []string{"prd_quality_v1"},
		},
		{
			"a linter without findings", rename + ` && printf 'package main\n\nfunc main() {}\n' >cmd/rubric-lint/main.go`, opened, 1,
			[]string{"version-too-low", "checks: true, library: failure, test: success", "[validate/rubric-library] 🏁  Job failed"}, nil,
		},
		{
			"a good entry of the merge queue", good, queued, 0,
			[]string{"checks: true, library: success, test: success", "[validate/rubric-library] 🏁  Job succeeded"}, []string{"prd_quality_v1", "1.0.2"},
		},
		{
			"a bad entry of the merge queue", rename, queued, 1,
			[]string{"version-too-low", "[validate/rubric-library] 🏁  Job failed"}, nil,
		},
		{
			"a new title of a bad pull request", rename, retitled, 0,
			[]string{"new title or text", "checks: false, library: skipped, test: skipped"}, nil,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := f.on(t)
			kind, event := "pull_request", strings.Replace(test.event, "BASE", strings.TrimSpace(f.run(f.remote, "git rev-parse main")), 1)
			rev := f.pull(f.author, test.change)
			if test.event == queued {
				kind = "merge_group"
				f.run(f.remote, "git update-ref refs/heads/gh-readonly-queue/main/pr-1 refs/pull/1/merge")
			}
			f.workflow("o/r", rev, "validate.yml", kind, event).
				expect(t, test.code, test.says, test.summary)
		})
	}
}

// otherRepository runs the workflow of `rubric init` on pull requests of a library
// without programs: with those that the action builds, and with those of a release.
func (f *forge) otherRepository(t *testing.T) {
	f = f.on(t)
	commit := strings.TrimSpace(f.run(f.remote, "git rev-parse main"))
	f.provide(repository+"@"+commit, filepath.Join(t.TempDir(), "action"))
	f.run(f.remote, "git clone --quiet . "+strings.Split(f.act[len(f.act)-1], "=")[1])
	team := filepath.Join(t.TempDir(), "library")
	f.run(f.host, "git init --quiet --bare --initial-branch=main team/library && git clone --quiet team/library "+team+" && mkdir -p "+team+"/.github/workflows "+team+"/rubrics/prd")
	files := map[string]string{
		"rubrics/prd/a_v1.yaml": scripttest.Rubric("a_v1", "1.0.0", "prd"),
		authoring.Workflow:      starter(t, "github.yml", commit),
	}
	for name, text := range files {
		must.Do(t, os.WriteFile(filepath.Join(team, name), []byte(text), 0o666))
	}
	f.run(team, "git add . && git commit --quiet --message begin && git push --quiet origin HEAD:main")
	pulls := func(t *testing.T, from string, env ...string) {
		for name, test := range map[string]struct {
			change string
			code   int
			says   string
		}{
			"a good pull request": {rename + ` && sed -i 's/^version: "1.0.0"/version: "1.0.1"/' rubrics/prd/*.yaml`, 0, "1.0.1"},
			"a bad pull request":  {rename, 1, "version-too-low"},
		} {
			t.Run(name, func(t *testing.T) {
				f := f.on(t)
				f.workflow("team/library", f.pull(team, test.change), "rubrics.yml", "pull_request", opened, env...).
					expect(t, test.code, []string{from}, []string{test.says})
			})
		}
	}
	t.Run("from source", func(t *testing.T) { pulls(t, "The programs are built from the action's own commit.") })
	t.Run("of a release", func(t *testing.T) {
		f := f.on(t)
		archive := []byte(f.run(strings.TrimSpace(f.run(f.author, ".ci/build-tools HEAD")), "tar -cz -- *"))
		f.run(team, `printf '        with:\n          version: 1.2.0\n          checksum: `+sha(archive)+`\n' >>.github/workflows/rubrics.yml
			git commit --quiet --all --message 'a release' && git push --quiet origin HEAD:main`)
		j := &actionJob{env: map[string]string{}}
		s := &releaseServer{files: map[string][]byte{linuxArchive: archive}}
		s.serve(t, j)
		pulls(t, "rubric-lint", "CURL_HOME="+j.env["CURL_HOME"])
		if !s.served {
			t.Error("nothing was downloaded")
		}
	})
}

// releases runs release.yml on main. Each run builds on the ones before.
func (f *forge) releases(t *testing.T) {
	next := func(from, to string) func(*forge) {
		return func(f *forge) { f.merge(reword("prd_quality_v1", from, to)) }
	}
	v := func(n int) []string { return []string{"library-v1.0.0", "library-v1.0.1", "library-v1.0.2"}[:n] }
	for _, test := range []struct {
		name   string
		before func(*forge)
		event  string
		code   int
		says   string
		holds  []string // or nil if nothing may change
	}{
		{"none before the first one", nil, pushed, 0, "no release yet: start the first one by hand with first-release", nil},
		{"the first one", nil, byHand, 0, "library-v1.0.0: published", v(1)},
		{"the second one", next("1.0.2", "1.0.3"), pushed, 0, "library-v1.0.1: published", v(2)},
		{"one that fails after its tag", func(f *forge) {
			next("1.0.3", "1.0.4")(f)
			f.breakDown("PATCH releases/library-v1.0.2")
		}, pushed, 1, "Bad Gateway (HTTP 502)", nil},
		{"its rerun", nil, pushed, 0, "library-v1.0.2: published", v(3)},
		{"a rerun of a release", nil, pushed, 0, "Nothing changed since library-v1.0.2", nil},
		{"a forged tag of the next version", func(f *forge) {
			next("1.0.4", "1.0.5")(f)
			f.run(f.remote, "git update-ref refs/tags/"+forgedTag+" main")
		}, pushed, 1, "library-v1.0.3", nil},
		{"an environment for every branch", func(f *forge) {
			f.run(f.remote, "git update-ref -d refs/tags/"+forgedTag)
			f.run(f.state, `echo '{"deployment_branch_policy": null}' >environment`)
		}, pushed, 1, `the environment "release" is not restricted to the branch main`, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := f.on(t)
			if test.before != nil {
				test.before(f)
			}
			before := f.snapshot()
			kind := map[string]string{pushed: "push", byHand: "workflow_dispatch"}[test.event]
			rev := strings.TrimSpace(f.run(f.remote, "git rev-parse main"))
			f.workflow("o/r", rev, "release.yml", kind, test.event, "GH_REMOTE="+f.remote).
				expect(t, test.code, []string{test.says}, nil)
			if _, forged := f.try(f.remote, "git rev-parse --quiet --verify refs/tags/"+forgedTag); forged != 0 {
				f.run(f.state, "test -s artifacts/bundle-"+rev+"/rubrics.zip") // which the forged tag stops, too
			}
			if test.holds != nil {
				f.holds(test.holds...)
			} else if diff := cmp.Diff(before, f.snapshot()); diff != "" && !strings.Contains(test.name, "fails") {
				t.Errorf("something changed: %s", diff)
			}
		})
	}
}
