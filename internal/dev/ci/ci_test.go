package ci_test

import (
	"slices"
	"strings"
	"testing"
)

// TestBundlesOfEveryMerge: each merge of a push has its bundle, also where the
// branch was not there before, where a person started the run, and where a later
// merge was released meanwhile.
func TestBundlesOfEveryMerge(t *testing.T) {
	s := newServer(t)
	before := strings.TrimSpace(s.run(s.author, "git rev-parse HEAD"))
	first := s.merge(reword("prd_quality_v1", "1.0.1", "1.0.2"))
	second := s.merge(reword("prd_quality_v1", "1.0.2", "1.0.3"))
	s.run(s.author, "digest=sha256:$(printf %064d 0); git tag -a -m \"digest: $digest\" library-v1.0.0 "+before+" && git tag -a -m \"digest: $digest\" library-v1.0.2 "+second+" && git push --quiet --tags origin")
	for _, test := range []struct {
		before, after string
		want          []string
	}{
		{before, second, []string{first, second}},
		{strings.Repeat("0", 40), second, []string{second}},
		{strings.Repeat("1", 40), second, []string{second}},
		{second, second, []string{second}},
		{before, first, []string{first}},
	} {
		dir := s.clone(test.after)
		out := s.run(dir, "mkdir -p dist/bundles && touch dist/bundles/of-another-run && .ci/bundles "+test.before+" "+test.after)
		if test.after == first {
			contains(t, out, "library 1.0.1,")
		}
		got := strings.Fields(s.run(dir, "ls dist/bundles"))
		want := slices.Clone(test.want)
		for i := range want {
			want[i] += ".zip"
		}
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("after %s: %q, want %q", test.before, got, want)
		}
	}
}

// TestToolsOfARevisionAreItsOwn: what lies in the working tree has no part in them.
func TestToolsOfARevisionAreItsOwn(t *testing.T) {
	s := newServer(t)
	rev := s.merge("printf '\n// A build of its own.\n' >>cmd/rubric-lint/main.go")
	dir := s.clone(rev)
	tools := s.run(dir, "printf 'go 1.22\nuse .\n' >go.work && GOFLAGS=-tags=other .ci/build-tools HEAD")
	s.run(dir, strings.TrimSpace(tools)+"/rubric-lint --version")
	out, code := s.try(dir, ".ci/build-tools 'no such'")
	if code != 2 {
		t.Errorf("a revision that is not there exits with %d", code)
	}
	contains(t, out, "git fetch --tags origin")
}
