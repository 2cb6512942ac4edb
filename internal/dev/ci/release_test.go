package ci_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// TestReleases is the sequence of a library's releases, in one repository because each
// step builds on the one before.
func TestReleases(t *testing.T) {
	weekly(t)
	s := newServer(t)
	contains(t, s.mustRelease("main"), "no release yet: start the first one by hand with first-release")
	s.holds()

	out := s.mustRelease("main", first)
	contains(t, out, "library-v1.0.0: published")
	s.holds("library-v1.0.0")

	site := s.clone("main")
	s.run(site, "export GITHUB_REPOSITORY=o/r GITHUB_REF=refs/heads/main SIGNER="+signer+"; .ci/site https://example.org/rubrics/ && grep -q prd_quality_v1 dist/site/index.html && grep -q https://example.org/rubrics/ dist/site/feed.xml")
	index := string(must.Get(os.ReadFile(filepath.Join(site, "dist/site/index.json")))(t))
	for _, want := range []string{`"pull_request":"https://forge.example/pull/7","approved_by":["ann"]`, `"valid":[{"from":"2026-11-25T10:00:00Z"}]`, `"valid_by":"release"`} {
		contains(t, index, want)
	}
	contains(t, string(must.Get(os.ReadFile(filepath.Join(site, "dist/site/releases.html")))(t)), `https://forge.example/releases/download/library-v1.0.0/release.sigstore.json`)

	before := s.snapshot()
	contains(t, s.mustRelease("main"), "Nothing changed since library-v1.0.0")
	s.merge("echo >>README.md")
	contains(t, s.mustRelease("main"), "Nothing changed since library-v1.0.0")
	after := s.snapshot()
	delete(before, "refs")
	delete(after, "refs") // main went on
	if diff := cmp.Diff(slices.Sorted(maps.Keys(before)), slices.Sorted(maps.Keys(after))); diff != "" || !maps.Equal(before, after) {
		t.Errorf("a second run and a merge without consequence change the releases: %s", diff)
	}

	t.Log("two merges, released in their order")
	one := s.merge(reword("prd_quality_v1", "1.0.2", "1.0.3"))
	s.mustRelease(one)
	two := s.merge(reword("test_plan_quality_v1", "1.1.0", "1.1.1"))
	s.mustRelease(two)
	s.holds("library-v1.0.0", "library-v1.0.1", "library-v1.0.2")

	t.Log("two merges at once, of which the later one's run comes first")
	one = s.merge(reword("prd_quality_v1", "1.0.3", "1.0.4"))
	two = s.merge(reword("test_plan_quality_v1", "1.1.1", "1.1.2"))
	s.mustRelease(two)
	contains(t, s.mustRelease(one), "library-v1.0.3 was released from a later commit: there is nothing to release")
	s.holds("library-v1.0.0", "library-v1.0.1", "library-v1.0.2", "library-v1.0.3")
	s.has(s.released("library-v1.0.3"), "prd_quality_v1@1.0.3", "prd_quality_v1@1.0.4", "test_plan_quality_v1@1.1.1", "test_plan_quality_v1@1.1.2")
}

// released returns the bundle of a release.
func (s *server) released(tag string) string {
	return filepath.Join(s.state, "releases", tag, "files", "rubrics.zip")
}

// has checks that a bundle has all of these versions.
func (s *server) has(file string, references ...string) {
	s.t.Helper()
	lib := must.Get(library.Open(file))(s.t)
	defer func() { _ = lib.Close() }()
	for _, reference := range references {
		id, version, _ := strings.Cut(reference, "@")
		if _, err := lib.Rubric(s.t.Context(), id, version); err != nil {
			s.t.Errorf("%s lacks %s: %v", file, reference, err)
		}
	}
}

// first is the input of the first release.
const first = "FIRST_RELEASE=true"

// TestReleasesThatBrokeDown: wherever a run was interrupted, a second run of the same
// commit completes it, and another commit never does.
func TestReleasesThatBrokeDown(t *testing.T) {
	weekly(t)
	s := newServer(t)
	s.mustRelease("main", first)
	tags := []string{"library-v1.0.0"}
	for i, call := range []string{
		"POST uploads/%s/assets", // a draft without files
		"POST git/refs",          // a draft with all files
		"PATCH releases/%s",      // a draft, and its tag
	} {
		tag := fmt.Sprintf("library-v1.0.%d", i+1)
		rev := s.merge(reword("prd_quality_v1", fmt.Sprintf("1.0.%d", i+2), fmt.Sprintf("1.0.%d", i+3)))
		s.breakDown(strings.Replace(call, "%s", tag, 1))
		if out, code := s.release(rev); code == 0 {
			t.Errorf("%s failed, and the release exits with 0:\n%s", call, out)
		}
		if i == 2 {
			t.Log("another merge comes before the run is repeated")
			out, code := s.release(s.merge(reword("test_plan_quality_v1", "1.1.0", "1.1.1")))
			if code != 2 {
				t.Errorf("it exits with %d", code)
			}
			contains(t, out, "the tag "+tag+" already exists, and it is not the tag of this release")
		}
		contains(t, s.mustRelease(rev), tag+": published")
		tags = append(tags, tag)
		s.holds(tags...)
		if more, code := s.publish(rev); code != 0 || !strings.Contains(more, "already published") {
			t.Errorf("the job is repeated after its success: it exits with %d:\n%s", code, more)
		}
	}

	t.Log("the server is asked and does not answer")
	rev := s.merge(reword("prd_quality_v1", "1.0.5", "1.0.6"))
	before := s.snapshot()
	for _, call := range []string{"GET releases", "GET environments/release", "GET git/ref/tags/library-v1.0.4"} {
		s.breakDown(call)
		if out, code := s.release(rev); code == 0 {
			t.Errorf("%s fails, and the release exits with 0:\n%s", call, out)
		}
	}
	// An attestation exists, and none of any workflow can be verified.
	sum := strings.Fields(s.run(s.state, "sha256sum releases/library-v1.0.3/files/rubrics.zip"))[0]
	s.run(s.state, "mv attestations/"+sum+" kept && touch attestations/"+sum)
	if out, code := s.release(rev); code != 2 || !strings.Contains(out, "could be verified, not even one of another workflow") {
		t.Errorf("it exits with %d:\n%s", code, out)
	}
	s.run(s.state, "mv kept attestations/"+sum)
	if diff := cmp.Diff(before, s.snapshot()); diff != "" {
		t.Errorf("something changed: %s", diff)
	}
}

// TestReleasesThatAreRefused: a rejected release is not published, and leaves nothing
// on the server.
func TestReleasesThatAreRefused(t *testing.T) {
	s := newServer(t)
	s.mustRelease("main", first)
	s.mustRelease(s.merge(reword("prd_quality_v1", "1.0.2", "1.0.3")))
	before := s.snapshot()

	// Different words in a released version, in a change that also brings a linter
	// without findings.
	file := "rubrics/prd/prd_quality_v1.yaml"
	reused := `sed -i 's/^name: "\(.*\)"/name: "Other"/' ` + file
	blind := `printf 'package main\n\nfunc main() {}\n' >cmd/rubric-lint/main.go`
	s.merge(reused + "\n" + blind)
	refused := func(want string, options ...string) {
		t.Helper()
		out, code := s.release("main", options...)
		if code == 0 {
			t.Errorf("it was released:\n%s", out)
		}
		contains(t, out, want)
		after := s.snapshot()
		after["refs"] = before["refs"] // main went on
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("something of it is on the server: %s", diff)
		}
	}
	refused("error[")
	refused("Change version 1.0.3 to 1.0.4", "LINTER=tip")
	undo := func(commits string) {
		s.run(s.author, "git reset --quiet --hard "+commits+" && git push --quiet --force origin main")
	}
	undo("HEAD~1")

	// A branch reaches main by a rebase merge. Its first commit makes the rubric stricter
	// as a patch, and its second one makes it more lenient: the two ends fit, but the bundle
	// would have both versions. A tag of the first commit hides nothing.
	for _, linter := range []string{"LINTER=last", "LINTER=tip"} {
		s.merge(reword("prd_quality_v1", "1.0.3", "1.0.4") + ` && sed -i 's/pass_threshold: 3.5/pass_threshold: 3.6/' ` + file)
		s.merge(reword("prd_quality_v1", "1.0.4", "1.1.0") + ` && sed -i 's/pass_threshold: 3.6/pass_threshold: 3.4/' ` + file)
		refused("This is already in the history: accept it in", linter)
		s.run(s.author, "git tag -a -m 'digest: sha256:"+strings.Repeat("0", 64)+"' library-v1.0.2 HEAD~1 && git push --quiet origin refs/tags/library-v1.0.2")
		refused("This is already in the history: accept it in", linter)
		s.run(s.author, "git push --quiet origin :refs/tags/library-v1.0.2 && git tag -d library-v1.0.2")
		undo("HEAD~2")
	}

	// A bundle that was replaced is not the one that the workflow signed, and no
	// release follows it.
	s.run(s.state, "cp releases/library-v1.0.0/files/rubrics.zip releases/library-v1.0.1/files/")
	s.merge(reword("prd_quality_v1", "1.0.3", "1.0.4"))
	before = s.snapshot()
	refused("library-v1.0.1 is not a release of this workflow on main, so it does not count")
}
