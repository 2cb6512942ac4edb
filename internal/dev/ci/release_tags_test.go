package ci_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTagsThatSomebodyPushed: pushing a tag releases nothing unreviewed, runs nothing
// with the rights of the release, and a tag that only looks like a release does not
// block releases of main.
func TestTagsThatSomebodyPushed(t *testing.T) {
	s := newServer(t)
	s.mustRelease("main", "--first-release")
	s.merge(reword("prd_quality_v1", "1.0.1", "1.0.2"))
	canary := filepath.Join(s.state, "canary")
	s.run(s.author, `git switch --quiet --create side
		sed -i 's|^set -euo pipefail|&; touch `+canary+`|' .ci/build-tools
		printf 'package main\n\nimport "os"\n\nfunc main() { _ = os.WriteFile("`+canary+`", nil, 0o666) }\n' >cmd/rubric-lint/main.go
		cp cmd/rubric-lint/main.go cmd/rubric/main.go
		git commit --quiet --all --message 'nobody reviewed this' && git switch --quiet main`)
	before := s.snapshot()
	for _, test := range []struct{ reason, tag, options, says string }{
		{"off main's line", "library-v9.9.9", "-a -m 'digest: sha256:0' library-v9.9.9 side", "not on the line of main"},
		{"made by hand", "library-v9.9.9", "library-v9.9.9 main", "contains no digest"},
		{"of no commit", "library-v9.9.9", "library-v9.9.9 main^{tree}", "marks no commit"},
	} {
		s.run(s.author, "git tag "+test.options+" && git push --quiet origin "+test.tag)
		dir := s.clone("main")
		out, code := s.try(dir, ".ci/release prepare")
		if code != 2 {
			t.Errorf("with a tag %s prepare exits with %d", test.reason, code)
		}
		contains(t, out, test.says, "delete it")
		out, code = s.try(dir, ".ci/release publish")
		if code != 2 {
			t.Errorf("after a prepare that failed publish exits with %d", code)
		}
		contains(t, out, "nothing is prepared")
		s.run(s.author, "git push --quiet origin :"+test.tag+" && git tag -d "+test.tag)
	}
	if found, _ := filepath.Glob(canary); len(found) > 0 {
		t.Error("what nobody reviewed was run")
	}
	if diff := cmp.Diff(before, s.snapshot()); diff != "" {
		t.Errorf("something of it is on the server: %s", diff)
	}

	// Other readers of tags, and a branch named like a tag, on main's commit.
	s.run(s.author, `git push --quiet origin main:refs/tags/library-v2.0.0-rc.1 main:refs/tags/library-v01.7.0 main:refs/tags/z/refs/tags/library-v1.0.1`)
	out := s.mustRelease("main")
	contains(t, out, "library-v1.0.1: published")
	s.run(s.remote, "git rev-parse --verify refs/tags/library-v1.0.1")
}

// TestReleaseOfHalfAHistory: in a shallow clone, the message does not blame a tag that
// seems to be outside of main.
func TestReleaseOfHalfAHistory(t *testing.T) {
	s := newServer(t)
	s.run(s.author, "git tag library-v1.0.0 && git push --quiet origin library-v1.0.0")
	s.merge(":")
	dir := filepath.Join(t.TempDir(), "a folder")
	s.run(".", "git clone --quiet --depth 1 'file://"+s.remote+"' '"+dir+"'")
	out, code := s.try(dir, ".ci/release prepare")
	if code != 2 {
		t.Errorf("it exits with %d", code)
	}
	contains(t, out, "git fetch --unshallow --tags")
}
