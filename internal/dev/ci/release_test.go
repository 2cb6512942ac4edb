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

	"github.com/rubric-library/rubric-library/pkg/library"
)

// TestReleases is the sequence of a library's releases, in one repository because each
// step builds on the one before.
func TestReleases(t *testing.T) {
	s := newServer(t)
	out, code := s.release("main")
	if code != 2 {
		t.Errorf("a first release that nobody asked for exits with %d", code)
	}
	contains(t, out, "add --first-release")
	s.holds()

	out = s.mustRelease("main", "--first-release")
	contains(t, out, "library-v1.0.0: published")
	s.holds("library-v1.0.0")

	site := s.clone("main")
	s.run(site, ".ci/site https://example.org/rubrics/ && grep -q prd_quality_v1 dist/site/index.html && grep -q https://example.org/rubrics/ dist/site/feed.xml")

	before := s.snapshot()
	contains(t, s.mustRelease("main"), "nothing changed since library-v1.0.0")
	s.merge("echo >>README.md")
	contains(t, s.mustRelease("main"), "nothing changed since library-v1.0.0")
	after := s.snapshot()
	delete(before, "refs")
	delete(after, "refs") // main went on
	if diff := cmp.Diff(slices.Sorted(maps.Keys(before)), slices.Sorted(maps.Keys(after))); diff != "" || !maps.Equal(before, after) {
		t.Errorf("a second run and a merge without consequence change the releases: %s", diff)
	}

	t.Log("two merges, released in their order")
	first := s.merge(reword("prd_quality_v1", "1.0.1", "1.0.2"))
	s.mustRelease(first)
	second := s.merge(reword("test_plan_quality_v1", "1.0.1", "1.0.2"))
	s.mustRelease(second)
	s.holds("library-v1.0.0", "library-v1.0.1", "library-v1.0.2")

	t.Log("two merges at once, of which the later one's run comes first")
	first = s.merge(reword("prd_quality_v1", "1.0.2", "1.0.3"))
	second = s.merge(reword("test_plan_quality_v1", "1.0.2", "1.0.3"))
	s.mustRelease(second)
	contains(t, s.mustRelease(first), "nothing changed since library-v1.0.3")
	s.holds("library-v1.0.0", "library-v1.0.1", "library-v1.0.2", "library-v1.0.3")
	s.has("library-v1.0.3", "prd_quality_v1@1.0.2", "prd_quality_v1@1.0.3", "test_plan_quality_v1@1.0.2", "test_plan_quality_v1@1.0.3")
}

// has checks that a released bundle has all of these versions.
func (s *server) has(tag string, references ...string) {
	s.t.Helper()
	lib, err := library.Open(filepath.Join(s.state, "releases", tag, "files", "rubrics.zip"))
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = lib.Close() }()
	for _, reference := range references {
		id, version, _ := strings.Cut(reference, "@")
		if _, err := lib.Rubric(s.t.Context(), id, version); err != nil {
			s.t.Errorf("%s lacks %s: %v", tag, reference, err)
		}
	}
}

// TestReleasesThatBrokeDown: wherever a run was interrupted, the next one completes it
// before it continues.
func TestReleasesThatBrokeDown(t *testing.T) {
	s := newServer(t)
	s.mustRelease("main", "--first-release")
	tags := []string{"library-v1.0.0"}
	for i, call := range []string{
		"before release create", // the tag is there, and nothing else
		"release create",        // a draft with some of the files
		"release edit",          // a draft with all files
	} {
		s.breakDown(call)
		rev := s.merge(reword("prd_quality_v1", fmt.Sprintf("1.0.%d", i+1), fmt.Sprintf("1.0.%d", i+2)))
		if out, code := s.release(rev); code == 0 {
			t.Errorf("%s failed, and the release exits with 0:\n%s", call, out)
		}
		tag := fmt.Sprintf("library-v1.0.%d", i+1)
		tags = append(tags, tag)
		contains(t, s.mustRelease("main"), tag+" has no release: completing it first", tag+": published")
		s.holds(tags...)
	}

	t.Log("another merge comes before the tag is completed")
	s.breakDown("before release create")
	if out, code := s.release(s.merge(reword("prd_quality_v1", "1.0.4", "1.0.5"))); code == 0 {
		t.Errorf("it exits with 0:\n%s", out)
	}
	s.merge(reword("test_plan_quality_v1", "1.0.1", "1.0.2"))
	out := s.mustRelease("main")
	contains(t, out, "library-v1.0.4 has no release: completing it first", "library-v1.0.4: published", "library-v1.0.5: published")
	s.holds(append(tags, "library-v1.0.4", "library-v1.0.5")...)

	t.Log("the server is asked and does not answer")
	before := s.snapshot()
	s.breakDown("release view")
	if out, code := s.release("main"); code != 2 || !strings.Contains(out, "nothing was done") {
		t.Errorf("it exits with %d:\n%s", code, out)
	}
	if diff := cmp.Diff(before, s.snapshot()); diff != "" {
		t.Errorf("that changed something: %s", diff)
	}
}

// TestReleasesThatAreRefused: a rejected release is not published, and leaves nothing
// on the server.
func TestReleasesThatAreRefused(t *testing.T) {
	s := newServer(t)
	s.mustRelease("main", "--first-release")
	s.mustRelease(s.merge(reword("prd_quality_v1", "1.0.1", "1.0.2")))
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
	refused("a different text for this version", "--linter", "tip")
	s.merge("git checkout --quiet HEAD~1 -- " + file + " cmd/rubric-lint/main.go")

	// Someone who can change the files of a release can't replace a bundle.
	zip := filepath.Join(s.state, "releases", "library-v1.0.1", "files", "rubrics.zip")
	right, err := os.ReadFile(zip)
	if err != nil {
		t.Fatal(err)
	}
	other, err := os.ReadFile(filepath.Join(s.state, "releases", "library-v1.0.0", "files", "rubrics.zip"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(zip, other, 0o666); err != nil {
		t.Fatal(err)
	}
	before = s.snapshot()
	s.merge(reword("prd_quality_v1", "1.0.2", "1.0.3"))
	refused("digest")
	if err := os.WriteFile(zip, right, 0o666); err != nil {
		t.Fatal(err)
	}
	s.mustRelease("main")
	s.holds("library-v1.0.0", "library-v1.0.1", "library-v1.0.2")

	// A tag without a digest does not disable the check of its bundle.
	s.run(s.author, `git fetch --quiet --tags
		git tag --force --annotate --message 'made by hand' library-v1.0.2 'library-v1.0.2^{commit}'
		git push --quiet --force origin refs/tags/library-v1.0.2`)
	s.merge(reword("prd_quality_v1", "1.0.3", "1.0.4"))
	before = s.snapshot()
	refused("contains no digest")
	out, code := s.try(s.clone("main"), ".ci/site https://example.org/rubrics/")
	if code != 2 {
		t.Errorf(".ci/site exits with %d", code)
	}
	contains(t, out, "library-v1.0.2 contains no digest")
}
