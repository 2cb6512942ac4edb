package gitrepo

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	_ "github.com/rubric-library/rubric-library/internal/dev/quick"
)

// testRepo is a real repository, created with the git command.
type testRepo struct {
	t       testing.TB
	dir     string
	commits int // made so far; each is a minute later than the last
}

// newRepo creates an empty repository with the branch main.
func newRepo(t testing.TB, initArgs ...string) *testRepo {
	t.Helper()
	r := at(t, filepath.Join(t.TempDir(), "repo"))
	must.Do(t, os.Mkdir(r.dir, 0o755))
	r.git(append([]string{"init", "-q", "-b", "main"}, initArgs...)...)
	return r
}

// at returns the repository in an existing folder.
func at(t testing.TB, dir string) *testRepo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed, and these tests make real repositories with it")
	}
	return &testRepo{t: t, dir: dir}
}

// clone runs git clone with the arguments, from r by a file: address.
func (r *testRepo) clone(args ...string) *testRepo {
	r.t.Helper()
	c := at(r.t, filepath.Join(r.t.TempDir(), "clone"))
	r.git(append(append([]string{"clone", "-q"}, args...), "file://"+r.dir, c.dir)...)
	return c
}

// command returns a command in the repository's folder that depends only on git, not
// on the machine.
func (r *testRepo) command(name string, args ...string) *exec.Cmd {
	date := time.Date(2024, 1, 1, 12, 0, 0, 0, time.UTC).Add(time.Duration(r.commits) * time.Minute).Format(time.RFC3339)
	cmd := exec.Command(name, args...)
	cmd.Dir = r.dir
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + r.dir, "LC_ALL=C", "TZ=UTC",
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=Ann", "GIT_AUTHOR_EMAIL=ann@example.org", "GIT_AUTHOR_DATE=" + date,
		"GIT_COMMITTER_NAME=Ann", "GIT_COMMITTER_EMAIL=ann@example.org", "GIT_COMMITTER_DATE=" + date,
		"GIT_CONFIG_COUNT=3",
		"GIT_CONFIG_KEY_0=protocol.file.allow", "GIT_CONFIG_VALUE_0=always",
		"GIT_CONFIG_KEY_1=gc.auto", "GIT_CONFIG_VALUE_1=0",
		"GIT_CONFIG_KEY_2=core.fsync", "GIT_CONFIG_VALUE_2=none",
	}
	return cmd
}

// git runs git and returns its output without the last line end.
func (r *testRepo) git(args ...string) string {
	r.t.Helper()
	return r.gitInput("", args...)
}

// gitInput runs git with an input.
func (r *testRepo) gitInput(input string, args ...string) string {
	r.t.Helper()
	cmd := r.command("git", args...)
	cmd.Stdin = strings.NewReader(input)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		r.t.Fatalf("git %v: %v\n%s", args, err, &stderr)
	}
	return strings.TrimSuffix(string(out), "\n")
}

// write writes a file of the working tree, or under .git.
func (r *testRepo) write(path, content string) {
	r.t.Helper()
	full := filepath.Join(r.dir, filepath.FromSlash(path))
	must.Do(r.t, os.MkdirAll(filepath.Dir(full), 0o755))
	must.Do(r.t, os.WriteFile(full, []byte(content), 0o644))
}

// commit commits all changes, and returns the hash.
func (r *testRepo) commit(message string) string {
	r.t.Helper()
	r.git("add", "-A")
	r.commits++
	r.git("commit", "-q", "--allow-empty", "-m", message)
	return r.git("rev-parse", "HEAD")
}

// change commits a change of one file.
func (r *testRepo) change(path, content string) string {
	r.t.Helper()
	r.write(path, content)
	return r.commit("change " + path)
}

// merge creates a commit that merges branches into the current one and keeps its
// files, and returns the hash.
func (r *testRepo) merge(branches ...string) string {
	r.t.Helper()
	r.commits++
	args := []string{"commit-tree", "-m", "merge", "-p", "HEAD"}
	for _, b := range branches {
		args = append(args, "-p", b)
	}
	hash := r.git(append(args, "HEAD^{tree}")...)
	r.git("reset", "-q", "--hard", hash)
	return hash
}

// object stores an object with any content, and returns its hash.
// release tags a revision as a release.
func (r *testRepo) release(tag, rev string) {
	r.t.Helper()
	r.git("tag", "-a", "-m", releaseMessage, tag, rev)
}

var releaseMessage = "Library\n\ndigest: sha256:" + strings.Repeat("0", 64)

func (r *testRepo) object(kind, content string) string {
	r.t.Helper()
	return r.gitInput(content, "hash-object", "-w", "--literally", "-t", kind, "--stdin")
}

// loose returns the file of an object that is not packed.
func (r *testRepo) loose(hash string) string {
	return filepath.Join(r.dir, ".git", "objects", hash[:2], hash[2:])
}

// open opens the repository as the code under test does.
func (r *testRepo) open() *Repo {
	r.t.Helper()
	repo := must.Get(Open(r.dir))(r.t)
	r.t.Cleanup(func() {
		if err := repo.Close(); err != nil {
			r.t.Error(err)
		}
	})
	return repo
}

// resolve is Resolve for a revision that must exist.
func (r *testRepo) resolve(repo *Repo, rev string) Commit {
	r.t.Helper()
	return must.Get(repo.Resolve(rev))(r.t)
}

// snapshot returns the snapshot of a folder of HEAD.
func (r *testRepo) snapshot(folder string) *Snapshot {
	r.t.Helper()
	repo := r.open()
	return repo.Snapshot(r.resolve(repo, "HEAD"), folder)
}

// numbered returns fmt.Sprintf(format, i) for i from 0 to n-1.
func numbered(format string, n int) []string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf(format, i))
	}
	return all
}
