package ci_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// server is a temporary repository like that of a team on GitHub: a bare remote with
// the sources of this one, and releases that internal/dev/ci/testdata/bin/gh stores as
// files.
type server struct {
	t      *testing.T
	remote string
	// state is the folder of gh's releases and pull requests.
	state string
	// author is a clone in which changes are made.
	author string
	// outputs are those of the last step that built a release.
	outputs map[string]string
	// programs is the repository whose workflow the remote calls, or "" for its own.
	programs string
	// folder is the folder of the library in the repository.
	folder string
	// unattested is true if the workflow says that its releases are not attested.
	unattested bool
}

func newServer(t *testing.T) *server {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds the commands")
	}
	if runtime.GOOS != "linux" {
		t.Skip("the workflows run these scripts on Linux")
	}
	t.Parallel()
	for _, tool := range []string{"git", "bash", "tar", "sha256sum", "jq", "unzip"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not there", tool)
		}
	}
	dir := t.TempDir()
	s := &server{t: t, remote: filepath.Join(dir, "remote.git"), state: filepath.Join(dir, "state"), author: filepath.Join(dir, "author")}
	must.Do(t, os.MkdirAll(filepath.Join(s.state, "releases"), 0o777))
	for name, text := range map[string]string{
		"environment": `{"deployment_branch_policy": {"protected_branches": false, "custom_branch_policies": true}}`,
		"policies":    `{"branch_policies": [{"name": "main", "type": "branch"}]}`,
	} {
		must.Do(t, os.WriteFile(filepath.Join(s.state, name), []byte(text), 0o666))
	}
	s.run(dir, "git clone --quiet --bare "+s.sources()+" remote.git && git clone --quiet remote.git author && ln -s "+builtTools+" author/.git/rubric-tools")
	return s
}

// committed is the repository from sources, created once for all tests.
var committed struct {
	sync.Mutex
	dir string
}

// sources returns a bare repository with one commit: the sources of this repository as
// they are on disk. It leaves out files that only tests read, because they would slow
// down each clone, and the exceptions, which accept changes of the real history.
func (s *server) sources() string {
	s.t.Helper()
	const which = " -- . ':!*_test.go' ':!*/testdata/*' ':!docs' ':!rubrics/exceptions.yaml'"
	reads(s.t, "internal/dev/ci/testdata/bin/gh")
	reads(s.t, strings.Split(strings.TrimSuffix(s.run(".", "git ls-files -z --cached --others --exclude-standard"+which), "\x00"), "\x00")...)
	committed.Lock()
	defer committed.Unlock()
	if committed.dir == "" {
		dir := filepath.Join(builtTools, "sources.git")
		git := "git --git-dir=" + dir
		s.run(".", "git init --quiet --bare --initial-branch=main "+dir+" && "+git+" --work-tree=. add"+which+" && "+
			git+" --work-tree=. commit --quiet --message begin && "+git+" repack -adq")
		committed.dir = dir
	}
	return committed.dir
}

// reads tells `go test` which files a script reads. Without that, it would show cached
// results after they change.
func reads(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := os.Stat(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
}

// run runs a bash script that must succeed.
func (s *server) run(dir, script string) string {
	s.t.Helper()
	out, code := s.try(dir, script)
	if code != 0 {
		s.t.Fatalf("%s\nexits with %d:\n%s", script, code, out)
	}
	return out
}

// try runs a bash script like a step of a workflow, and returns its output and its
// exit code.
func (s *server) try(dir, script string, env ...string) (string, int) {
	s.t.Helper()
	path, err := filepath.Abs("internal/dev/ci/testdata/bin")
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
		// Temporary repositories need neither housekeeping nor protection from power
		// cuts.
		"GIT_CONFIG_COUNT=3", "GIT_CONFIG_KEY_0=maintenance.auto", "GIT_CONFIG_VALUE_0=false",
		"GIT_CONFIG_KEY_1=receive.autogc", "GIT_CONFIG_VALUE_1=false", "GIT_CONFIG_KEY_2=core.fsync", "GIT_CONFIG_VALUE_2=none",
		"CGO_ENABLED=0", // as for the action, so that both share the compiled packages
		"GITHUB_ACTIONS=", "GITHUB_EVENT_NAME=", "GITHUB_OUTPUT=", "GITHUB_STEP_SUMMARY=")
	c.Env = append(c.Env, env...)
	out, err := c.CombinedOutput()
	if err != nil && c.ProcessState == nil {
		s.t.Fatal(err)
	}
	return string(out), c.ProcessState.ExitCode()
}

// clone returns the checkout of a workflow's job.
func (s *server) clone(rev string) string {
	s.t.Helper()
	dir := filepath.Join(s.t.TempDir(), "job")
	s.run(".", "git clone --quiet "+s.remote+" "+dir+" && ln -s "+builtTools+" "+dir+"/.git/rubric-tools && git -C "+dir+" checkout --quiet --detach "+rev)
	return dir
}

// merge commits a change of the sources to main.
func (s *server) merge(change string) (rev string) {
	s.t.Helper()
	s.run(s.author, change+"\ngit commit --quiet --all --allow-empty --message change && git push --quiet origin main")
	return strings.TrimSpace(s.run(s.author, "git rev-parse HEAD"))
}

// reword gives a rubric another name and the version that this requires.
func reword(id, from, to string) string {
	file := "rubrics/*/" + id + ".yaml"
	return `sed -i -e 's/^version: "` + from + `"/version: "` + to + `"/' -e 's/^name: "\(.*\)"/name: "\1 ` + to + `"/' ` + file
}

// holds checks which releases exist, that none is a draft, and that each is complete,
// is tagged on the main line, and contains the previous one.
func (s *server) holds(want ...string) {
	s.t.Helper()
	entries := must.Get(os.ReadDir(filepath.Join(s.state, "releases")))(s.t)
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
		attestation := "release.sigstore.json "
		if s.unattested {
			attestation = ""
		}
		s.run(filepath.Join(dir, "files"), "sha256sum --quiet -c SHA256SUMS && test \"$(ls | tr '\\n' ' ')\" = 'SHA256SUMS notes.md release.json "+attestation+"rubric-bundle.d.mts rubric-bundle.mjs rubric_bundle.py rubrics.zip '")
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

// previousOf returns the digest that a released bundle names as its previous one.
func (s *server) previousOf(dir string) string {
	s.t.Helper()
	var manifest struct {
		Previous string `json:"previous"`
	}
	text := s.run(filepath.Join(dir, "files"), "unzip -p rubrics.zip manifest.json")
	must.Do(s.t, json.Unmarshal([]byte(text), &manifest))
	return manifest.Previous
}

// snapshot returns everything on the server.
func (s *server) snapshot() map[string]string {
	s.t.Helper()
	all := map[string]string{"refs": s.run(s.remote, "git for-each-ref")}
	must.Do(s.t, filepath.WalkDir(filepath.Join(s.state, "releases"), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		all[path] = string(data)
		return err
	}))
	return all
}

// breakDown makes a call of gh fail once.
func (s *server) breakDown(call string) {
	s.t.Helper()
	must.Do(s.t, os.WriteFile(filepath.Join(s.state, "fail"), []byte(call+"\n"), 0o666))
}

func contains(t *testing.T, out string, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(out, w) {
			t.Errorf("the output lacks %q:\n%s", w, out)
		}
	}
}
