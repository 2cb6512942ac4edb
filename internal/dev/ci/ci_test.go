package ci_test

import (
	"path/filepath"
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

// TestProgramsOfWhatNobodyReviewed: a tag beside main is not built, and no tag is not
// blamed on Git.
func TestProgramsOfWhatNobodyReviewed(t *testing.T) {
	s := newServer(t)
	dir := s.clone("main")
	s.run(dir, "git commit --quiet --allow-empty --message side && git tag v0.2.0 && git tag -a -m x v0.3.0")
	for tag, says := range map[string]string{
		"v0.2.0": "not on main", "v0.3.0": "not on main",
		"v0.4.0": "there is no tag v0.4.0", "--detach": "there is no tag --detach",
	} {
		out, code := s.try(dir, ".ci/programs "+tag+" linux/amd64")
		if code != 2 {
			t.Errorf("%s exits with %d", tag, code)
		}
		contains(t, out, says)
	}
}

// TestProgramsOfATag builds and publishes the commands for one system, twice.
func TestProgramsOfATag(t *testing.T) {
	s := newServer(t)
	s.run(s.author, "git tag v0.1.0 && git push --quiet origin v0.1.0")
	for range 2 {
		dir := s.clone("v0.1.0")
		s.run(dir, ".ci/programs v0.1.0 linux/amd64")
		s.run(dir, `.ci/publish v0.1.0 "Tools v0.1.0" dist/programs/notes.md dist/programs/files --latest=false`)
	}
	files := filepath.Join(s.state, "releases", "v0.1.0", "files")
	s.run(files, "sha256sum --quiet -c SHA256SUMS")
	got := s.run(files, "tar -tf rubric-tools_0.1.0_linux_amd64.tar.gz")
	if want := "README.md\nrubric\nrubric-diff\nrubric-lint\n"; got != want {
		t.Errorf("the archive holds\n%swant\n%s", got, want)
	}
	if large := s.run(files, "tar -tvf rubric-tools_0.1.0_linux_amd64.tar.gz | awk '$3 > 20000000'"); large != "" {
		t.Errorf("programs are larger than 20 MB:\n%s", large)
	}
	if got := strings.TrimSpace(s.run(filepath.Join(files, ".."), "cat latest")); got != "--latest=false" {
		t.Errorf("the tools are marked %q: the latest release is that of the library", got)
	}
}

// TestAPIOfATag: a version of the module that is too small for what changed is found.
func TestAPIOfATag(t *testing.T) {
	s := newServer(t)
	// The comparison takes long for what the script does not depend on.
	s.run(s.author, "git rm --quiet -- '*.go' && mkdir -p pkg/rubric && echo package rubric >pkg/rubric/rubric.go && git add pkg")
	tag := func(change, name string) (string, int) {
		s.run(s.author, change+"\ngit commit --quiet --all --allow-empty --message change && git tag "+name)
		return s.try(s.author, ".ci/api "+name)
	}
	add := `printf '\n// More is new.\nfunc More() {}\n' >>pkg/rubric/rubric.go`
	remove := `sed -i '/More/d' pkg/rubric/rubric.go`
	for _, test := range []struct {
		change, tag string
		code        int
		says        string
	}{
		{":", "v1.0.0", 0, "first version"},
		{add, "v1.0.1", 1, "next minor version"},
		{":", "v1.1.0", 0, "fits"},
		{remove, "v1.2.0", 1, "next major version"},
		{":", "v2.0.0", 0, "major version: any change fits"},
	} {
		out, code := tag(test.change, test.tag)
		if code != test.code {
			t.Errorf("%s exits with %d, want %d", test.tag, code, test.code)
		}
		contains(t, out, test.says)
		if test.code != 0 {
			s.run(s.author, "git tag -d "+test.tag)
		}
	}
}
