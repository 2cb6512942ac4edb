// Package repotest makes real repositories with a library, commit by commit, for tests.
package repotest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
)

// Level1 is the lowest level of the rubric that Story changes.
const Level1 = "Neither actor nor action is named."

// Story is a rubric with an ID and a version whose lowest level has a text.
func Story(id, version, lowest string) string {
	return strings.Replace(scripttest.Rubric(id, version, "prd"), Level1, lowest, 1)
}

// Repo is a repository in a folder. What fails in it fails the test.
type Repo struct {
	*testing.T
	Dir string
}

// New makes an empty repository.
func New(t *testing.T) Repo {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed, and these tests make real repositories with it")
	}
	r := Repo{t, t.TempDir()}
	r.Git("init", "-q", "-b", "main")
	return r
}

// Git runs a command of Git.
func (r Repo) Git(args ...string) {
	r.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=Ann", "-c", "user.email=ann@example.org"}, args...)...)
	cmd.Dir = r.Dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		r.Fatalf("git %s: %v\n%s", args, err, out)
	}
}

// Write writes a file.
func (r Repo) Write(name, content string) {
	r.Helper()
	file := filepath.Join(r.Dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		r.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		r.Fatal(err)
	}
}

// Commit writes files, removes those without a content, and commits all that is in the folder.
func (r Repo) Commit(files map[string]string) gitrepo.Commit {
	r.Helper()
	for name, content := range files {
		if content == "" {
			if err := os.RemoveAll(filepath.Join(r.Dir, name)); err != nil {
				r.Fatal(err)
			}
			continue
		}
		r.Write(name, content)
	}
	r.Git("add", "--all", ".")
	r.Git("commit", "-q", "--allow-empty", "-m", "step")
	c, err := r.Open().Head()
	if err != nil {
		r.Fatal(err)
	}
	return c
}

// Open opens the repository until the test ends.
func (r Repo) Open() *gitrepo.Repo {
	r.Helper()
	opened, err := gitrepo.Open(r.Dir)
	if err != nil {
		r.Fatal(err)
	}
	r.Cleanup(func() { _ = opened.Close() })
	return opened
}
