package comparison

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/dev/repotest"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
)

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
	r := repotest.New(t)
	var files []holdings.File
	filler := strings.Repeat("x", size)
	each := func(level string, do func(name, id, content string)) {
		for i := range documents {
			id := fmt.Sprintf("d%03d_v1", i)
			content := strings.Replace(scripttest.Rubric(id, "1.0.0", "prd"), "Neither actor nor action", level, 1)
			do("rubrics/prd/"+id+".yaml", id, content+"# "+filler+"\n")
		}
	}
	each("Nothing", func(name, _, content string) { r.Write(name, content) })
	r.Git("add", ".")
	r.Git("commit", "-q", "-m", "base")
	each("None of it", func(name, id, content string) {
		r.Write(name, content)
		files = append(files, holdings.File{Path: name, Hash: holdings.BlobHash([]byte(content)), ID: id, Known: true})
	})
	opened, err := gitrepo.Open(r.Dir)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	commit, err := opened.Head()
	if err != nil {
		t.Fatal(err)
	}
	base, err := holdings.At(opened, commit, "")
	if err != nil {
		t.Fatal(err)
	}

	before := heap()
	head := holdings.Working("the working tree", files, func(name string) ([]byte, error) {
		return os.ReadFile(filepath.Join(r.Dir, name))
	})
	c, err := Compare(head, []*holdings.Library{base}, base, false)
	if err != nil {
		t.Fatal(err)
	}
	kept := heap() - before
	if d := c.Changed[0]; len(c.Changed) != documents || d.Base == nil || len(d.Changes) != 1 {
		t.Fatalf("the comparison found %d documents; the first is %+v", len(c.Changed), d)
	}
	if texts := int64(2 * documents * size); kept > texts/10 {
		t.Errorf("a comparison of %d KB keeps %d KB", texts>>10, kept>>10)
	}
	runtime.KeepAlive(c)
}
