package ci_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// TestBundlesOfEveryMerge: each merge of a push has its bundle, also where the
// branch was not there before, where a person started the run, and where a later
// merge was released meanwhile.
func TestBundlesOfEveryMerge(t *testing.T) {
	s := newServer(t)
	before := strings.TrimSpace(s.run(s.author, "git rev-parse HEAD"))
	first := s.merge(reword("prd_quality_v1", "1.0.1", "1.0.2"))
	second := s.merge(reword("prd_quality_v1", "1.0.2", "1.0.3"))
	s.run(s.author, "git tag library-v1.0.0 "+before+" && git tag library-v1.0.2 "+second+" && git push --quiet --tags origin")
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

// TestCalibrationIsOffered: the history comes as a pull request, once a day, and a
// week without news asks for nothing.
func TestCalibrationIsOffered(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not there")
	}
	s := newServer(t)
	// This judge writes down which secrets it can see.
	seen := filepath.Join(t.TempDir(), "seen")
	judge := []string{
		"JUDGE=length", "MODEL=length-1", "GH_TOKEN=of-the-repository", "JUDGE_API_KEY=of-the-judge",
		"COMMAND=echo $GH_TOKEN $JUDGE_API_KEY >" + seen + "; python3 examples/judges/length_judge.py",
	}
	s.merge("sed -i '4,$d' calibration/*/items.jsonl") // an answer takes as long as it takes to start Python
	dir := s.clone("main")
	for _, date := range []string{"''", "2026-01-05:refs/heads/main", "--all"} {
		out, code := s.try(dir, ".ci/calibrate "+date, judge...)
		if code != 2 {
			t.Errorf("the date %s exits with %d", date, code)
		}
		contains(t, out, "the date must have the form")
	}
	out, code := s.try(dir, ".ci/calibrate 2026-01-05", judge...)
	if code > 1 {
		t.Fatalf("it exits with %d:\n%s", code, out)
	}
	if got := scripttest.Text(t, seen); got != "of-the-judge\n" {
		t.Errorf("the judge sees %q", got)
	}
	changed := s.run(dir, "git show --stat --format= HEAD")
	contains(t, changed, "history.jsonl", "judges/length.jsonl")
	s.run(s.remote, "git rev-parse --verify refs/heads/calibration/2026-01-05")
	if _, err := os.Stat(filepath.Join(s.state, "pulls", "calibration", "2026-01-05")); err != nil {
		t.Error(err)
	}
	s.run(s.remote, "git update-ref refs/heads/main calibration/2026-01-05")
	out, code = s.try(s.clone("main"), ".ci/calibrate 2026-01-12")
	if code > 1 {
		t.Fatalf("it exits with %d:\n%s", code, out)
	}
	contains(t, out, "nothing new to commit")
}
