package repository_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/pkg/library"
)

// server is a throwaway repository as a team has it on GitHub: a bare remote with
// the sources of this one, and releases that testdata/bin/gh keeps as files.
type server struct {
	t      *testing.T
	remote string
	// state is where gh keeps releases and pull requests.
	state string
	// author is a clone in which changes are made.
	author string
}

func newServer(t *testing.T) *server {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds the commands")
	}
	t.Parallel()
	for _, tool := range []string{"git", "bash", "tar", "sha256sum", "tac", "unzip"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not there", tool)
		}
	}
	dir := t.TempDir()
	s := &server{t, filepath.Join(dir, "remote.git"), filepath.Join(dir, "state"), filepath.Join(dir, "author")}
	for _, folder := range []string{filepath.Join(s.state, "releases"), s.author} {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	s.run(dir, "git init --quiet --bare --initial-branch=main remote.git")
	// What only tests read would make each clone slower.
	list := "git ls-files -z --cached --others --exclude-standard -- ':!*_test.go' ':!*/testdata/*' ':!docs'"
	reads(t, "testdata/bin/gh")
	reads(t, strings.Split(strings.TrimSuffix(s.run(".", list), "\x00"), "\x00")...)
	s.run(".", list+" | xargs -0 tar -cf - 2>/dev/null | tar -xf - -C "+s.author)
	s.run(s.author, "git init --quiet --initial-branch=main . && ln -s "+builtTools+` .git/rubric-tools && git add --all && git commit --quiet --message begin
		git remote add origin ../remote.git && git push --quiet --set-upstream origin main`)
	return s
}

// reads tells `go test` which files a script reads. It can't see that by itself, and
// would show the result from before they were changed.
func reads(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := os.Stat(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
}

// run runs a script of bash that has to succeed.
func (s *server) run(dir, script string) string {
	s.t.Helper()
	out, code := s.try(dir, script)
	if code != 0 {
		s.t.Fatalf("%s\nexits with %d:\n%s", script, code, out)
	}
	return out
}

// try runs a script of bash as a step of a workflow runs it, and returns what it
// wrote and its exit code.
func (s *server) try(dir, script string, env ...string) (string, int) {
	s.t.Helper()
	path, err := filepath.Abs("testdata/bin")
	if err != nil {
		s.t.Fatal(err)
	}
	c := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script)
	c.Dir = dir
	c.Env = append(os.Environ(),
		"PATH="+path+string(filepath.ListSeparator)+os.Getenv("PATH"),
		"GH_STATE="+s.state,
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com",
		"GITHUB_ACTIONS=", "GITHUB_EVENT_NAME=", "GITHUB_OUTPUT=", "GITHUB_STEP_SUMMARY=")
	c.Env = append(c.Env, env...)
	out, err := c.CombinedOutput()
	if err != nil && c.ProcessState == nil {
		s.t.Fatal(err)
	}
	return string(out), c.ProcessState.ExitCode()
}

// clone is what a job of a workflow checks out.
func (s *server) clone(rev string) string {
	s.t.Helper()
	dir := filepath.Join(s.t.TempDir(), "job")
	s.run(".", "git clone --quiet "+s.remote+" "+dir+" && ln -s "+builtTools+" "+dir+"/.git/rubric-tools && git -C "+dir+" checkout --quiet --detach "+rev)
	return dir
}

// release does what the job "publish" of release.yml does, and returns what was
// written and the exit code of the step that failed.
func (s *server) release(rev string, options ...string) (string, int) {
	s.t.Helper()
	dir := s.clone(rev)
	out, code := s.try(dir, ".ci/release prepare "+strings.Join(options, " "))
	if code != 0 {
		return out, code
	}
	more, code := s.try(dir, ".ci/release publish")
	return out + more, code
}

// mustRelease fails the test if the release fails.
func (s *server) mustRelease(rev string, options ...string) string {
	s.t.Helper()
	out, code := s.release(rev, options...)
	if code != 0 {
		s.t.Fatalf("the release of %s exits with %d:\n%s", rev, code, out)
	}
	return out
}

// merge commits a change of the sources to main.
func (s *server) merge(change string) (rev string) {
	s.t.Helper()
	s.run(s.author, change+"\ngit commit --quiet --all --allow-empty --message change && git push --quiet origin main")
	return strings.TrimSpace(s.run(s.author, "git rev-parse HEAD"))
}

// reword gives a rubric another name and the version that this needs.
func reword(id, from, to string) string {
	file := "rubrics/*/" + id + ".yaml"
	return `sed -i -e 's/^version: "` + from + `"/version: "` + to + `"/' -e 's/^name: "\(.*\)"/name: "\1 ` + to + `"/' ` + file
}

// holds checks which releases there are, that none is a draft, and that each is
// whole, is tagged on the main line and holds the one before.
func (s *server) holds(want ...string) {
	s.t.Helper()
	entries, err := os.ReadDir(filepath.Join(s.state, "releases"))
	if err != nil {
		s.t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if !slices.Equal(got, want) {
		s.t.Fatalf("releases %q, want %q", got, want)
	}
	if tags := strings.Fields(s.run(s.remote, "git tag --list")); !slices.Equal(tags, want) {
		s.t.Errorf("tags %q, want %q", tags, want)
	}
	before := ""
	for _, tag := range want {
		dir := filepath.Join(s.state, "releases", tag)
		if _, err := os.Stat(filepath.Join(dir, "draft")); err == nil {
			s.t.Errorf("%s is still a draft", tag)
		}
		s.run(filepath.Join(dir, "files"), "sha256sum --quiet -c SHA256SUMS && test \"$(ls | tr '\\n' ' ')\" = 'SHA256SUMS rubric-bundle.mjs rubric_bundle.py rubrics.zip '")
		s.run(s.remote, "git merge-base --is-ancestor "+tag+" main")
		message := s.run(s.remote, "git tag --list --format='%(contents)' "+tag)
		_, digest, _ := strings.Cut(message, "digest: ")
		lib, err := library.Open(filepath.Join(dir, "files", "rubrics.zip"), library.WithDigest(strings.TrimSpace(digest)))
		if err != nil {
			s.t.Fatalf("%s: %v", tag, err)
		}
		if got := "library-v" + lib.Version(); got != tag {
			s.t.Errorf("the bundle of %s is %s", tag, got)
		}
		if got := s.previousOf(dir); got != before {
			s.t.Errorf("the bundle of %s follows %q, want %q", tag, got, before)
		}
		before = strings.TrimSpace(digest)
		_ = lib.Close()
	}
}

// previousOf is the digest of the bundle that a released one names as its previous.
func (s *server) previousOf(dir string) string {
	s.t.Helper()
	var manifest struct {
		Previous string `json:"previous"`
	}
	text := s.run(filepath.Join(dir, "files"), "unzip -p rubrics.zip manifest.json")
	if err := json.Unmarshal([]byte(text), &manifest); err != nil {
		s.t.Fatal(err)
	}
	return manifest.Previous
}

// snapshot is everything that the server holds.
func (s *server) snapshot() map[string]string {
	s.t.Helper()
	all := map[string]string{"refs": s.run(s.remote, "git for-each-ref")}
	err := filepath.WalkDir(filepath.Join(s.state, "releases"), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		all[path] = string(data)
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return all
}

// breakDown lets a call of gh fail, once.
func (s *server) breakDown(call string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.state, "fail"), []byte(call+"\n"), 0o666); err != nil {
		s.t.Fatal(err)
	}
}

func contains(t *testing.T, out string, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(out, w) {
			t.Errorf("the output lacks %q:\n%s", w, out)
		}
	}
}

// TestReleases is the life of a library's releases, in one repository because each
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

// has checks that a released bundle serves all of these.
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

// TestReleasesThatBrokeDown: wherever a run ends, the next one brings it to its end
// before it goes on.
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
		contains(t, s.mustRelease("main"), tag+" has no release: it is completed first", tag+": published")
		s.holds(tags...)
	}

	t.Log("another merge comes before the tag is completed")
	s.breakDown("before release create")
	if out, code := s.release(s.merge(reword("prd_quality_v1", "1.0.4", "1.0.5"))); code == 0 {
		t.Errorf("it exits with 0:\n%s", out)
	}
	s.merge(reword("test_plan_quality_v1", "1.0.1", "1.0.2"))
	out := s.mustRelease("main")
	contains(t, out, "library-v1.0.4 has no release: it is completed first", "library-v1.0.4: published", "library-v1.0.5: published")
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

// TestReleasesThatAreRefused: what must not be published is not, and nothing of it
// stays on the server.
func TestReleasesThatAreRefused(t *testing.T) {
	s := newServer(t)
	s.mustRelease("main", "--first-release")
	s.mustRelease(s.merge(reword("prd_quality_v1", "1.0.1", "1.0.2")))
	before := s.snapshot()

	// Other words under a version that is released, by a change that brings a linter
	// which finds nothing.
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
	refused("has another text", "--linter", "tip")
	s.merge("git checkout --quiet HEAD~1 -- " + file + " cmd/rubric-lint/main.go")

	// Who can change files of a release can't slip in a bundle.
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
}
