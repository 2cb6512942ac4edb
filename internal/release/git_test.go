package release

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/calibration/decide"

	_ "github.com/rubric-library/rubric-library/internal/dev/quick"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// checkout is a working tree of a repository that depends on nothing of the
// machine.
type checkout struct {
	t   *testing.T
	dir string
	env []string // in addition to the fixed ones
}

func newRepository(t *testing.T) *checkout {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	c := &checkout{t: t, dir: t.TempDir()}
	c.git("init", "-q", "-b", "main")
	return c
}

func (c *checkout) git(args ...string) {
	c.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = c.dir
	cmd.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + c.dir, "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C", "TZ=UTC",
		"GIT_AUTHOR_NAME=Ann", "GIT_AUTHOR_EMAIL=ann@example.org", "GIT_AUTHOR_DATE=2024-01-01T12:00:00Z",
		"GIT_COMMITTER_NAME=Ann", "GIT_COMMITTER_EMAIL=ann@example.org", "GIT_COMMITTER_DATE=2024-01-01T12:00:00Z",
	}, c.env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		c.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func (c *checkout) write(name, text string) {
	c.t.Helper()
	file := filepath.Join(c.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		c.t.Fatal(err)
	}
}

func (c *checkout) remove(name string) {
	c.t.Helper()
	if err := os.Remove(filepath.Join(c.dir, filepath.FromSlash(name))); err != nil {
		c.t.Fatal(err)
	}
}

func (c *checkout) commit() {
	c.t.Helper()
	c.git("add", "-A")
	c.git("commit", "-q", "--allow-empty", "-m", "a change")
}

// head is the name of the commit that is checked out.
func (c *checkout) head() string {
	c.t.Helper()
	repo, commit := c.open()
	defer repo.Close()
	return commit.Hash
}

func (c *checkout) open() (*gitrepo.Repo, gitrepo.Commit) {
	c.t.Helper()
	repo, err := gitrepo.Open(c.dir)
	if err != nil {
		c.t.Fatal(err)
	}
	commit, err := repo.Head()
	if err != nil {
		c.t.Fatal(err)
	}
	return repo, commit
}

// build builds what is checked out as version 1.0.0 unless o says another.
func (c *checkout) build(o Options) *Build {
	c.t.Helper()
	repo, commit := c.open()
	defer repo.Close()
	if o.Version == "" {
		o.Version = "1.0.0"
	}
	o.Calibration = cmp.Or(o.Calibration, decide.Defaults())
	h, err := Read(repo, commit, "")
	if err != nil {
		c.t.Fatal(err)
	}
	b, err := New(h, o)
	if err != nil {
		c.t.Fatal(err)
	}
	return b
}

// bytes is the file of a build.
func (c *checkout) bytes(b *Build) []byte {
	c.t.Helper()
	var data bytes.Buffer
	if _, err := b.Write(&data); err != nil {
		c.t.Fatal(err)
	}
	return data.Bytes()
}

// release builds, whatever its problems, and opens the bundle.
func (c *checkout) release(o Options) *bundlefile.Bundle {
	c.t.Helper()
	return openBytes(c.t, c.bytes(c.build(o)))
}

func openBytes(t *testing.T, data []byte) *bundlefile.Bundle {
	t.Helper()
	b, err := bundlefile.Open(bytes.NewReader(data), int64(len(data)), bundlefile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// consume opens a bundle as a consumer does.
func consume(t testing.TB, data []byte) *library.Library {
	t.Helper()
	l, err := library.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// rubricText is a rubric whose question is the text.
func rubricText(id, version, text string) string {
	return fmt.Sprintf(`rubric_id: %s
name: Clarity
version: "%s"
artifact_type: prd
criteria:
  - name: clarity
    description: %s
    weight: essential
    threshold: 3.0
    anchors:
      1: Neither actor nor action is named.
      2: The actor or the action is named.
      3: Actor and action are named.
      4: Actor, action and object are named.
      5: Actor, action, object and reason are named.
    examples:
      score_1: Make it better.
      score_5: A clerk archives an invoice so that the audit finds it.
scoring:
  pass_threshold: 3.5
  essential_minimum: 3.0
`, id, version, text)
}

func ruleSetText(id, version string) string {
	return fmt.Sprintf(`ruleset_id: %s
name: API
version: "%s"
artifact_type: api
scoring:
  pass_threshold: 0.8
rules:
  - id: a.form.title
    description: The design has a title.
    severity: fail
    check: Look for a title.
`, id, version)
}

// rubric writes a rubric into its file.
func (c *checkout) rubric(id, version, text string) {
	c.t.Helper()
	c.write(path.Join("rubrics/prd", id+".yaml"), rubricText(id, version, text))
}
