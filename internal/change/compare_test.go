package change

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
)

// repo is a real repository with a library.
type repo struct {
	*testing.T
	dir string
}

func newRepo(t *testing.T) repo {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed, and these tests make real repositories with it")
	}
	r := repo{t, t.TempDir()}
	r.git("init", "-q", "-b", "main")
	return r
}

func (r repo) git(args ...string) {
	r.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=Ann", "-c", "user.email=ann@example.org"}, args...)...)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		r.Fatalf("git %s: %v\n%s", args, err, out)
	}
}

func (r repo) write(name, content string) {
	r.Helper()
	file := filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		r.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		r.Fatal(err)
	}
}

// heap is how much of it is in use.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// A library can be much larger than what is said of it.
func TestAComparisonKeepsNoText(t *testing.T) {
	const documents, size = 200, 100_000
	r := newRepo(t)
	var files []File
	filler := strings.Repeat("x", size)
	each := func(level string, do func(name, id, content string)) {
		for i := range documents {
			id := fmt.Sprintf("d%03d_v1", i)
			content := strings.Replace(scripttest.Rubric(id, "1.0.0", "prd"), "Neither actor nor action", level, 1)
			do("rubrics/prd/"+id+".yaml", id, content+"# "+filler+"\n")
		}
	}
	each("Nothing", func(name, _, content string) { r.write(name, content) })
	r.git("add", ".")
	r.git("commit", "-q", "-m", "base")
	each("None of it", func(name, id, content string) {
		r.write(name, content)
		files = append(files, File{Path: name, Hash: BlobHash([]byte(content)), ID: id, Known: true})
	})
	opened, err := gitrepo.Open(r.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	commit, err := opened.Head()
	if err != nil {
		t.Fatal(err)
	}
	base, err := At(opened, commit, "")
	if err != nil {
		t.Fatal(err)
	}

	before := heap()
	head := Working("the working tree", files, func(name string) ([]byte, error) {
		return os.ReadFile(filepath.Join(r.dir, name))
	})
	c, err := Compare(head, []*Library{base}, base, false)
	if err != nil {
		t.Fatal(err)
	}
	kept := heap() - before
	if d := c.Documents[0]; len(c.Documents) != documents || d.Base == nil || len(d.Changes) != 1 {
		t.Fatalf("the comparison found %d documents; the first is %+v", len(c.Documents), d)
	}
	if texts := int64(2 * documents * size); kept > texts/10 {
		t.Errorf("a comparison of %d KB keeps %d KB", texts>>10, kept>>10)
	}
	runtime.KeepAlive(c)
}
