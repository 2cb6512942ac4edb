package gitrepo

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/gitrepo/objects"
)

// TestHostileCommitsTakeNoMemory reads a commit with millions of lines of a signature,
// for which go-git's own reader allocates terabytes.
func TestHostileCommitsTakeNoMemory(t *testing.T) {
	head := "tree " + strings.Repeat("0", 40) + "\nparent " + strings.Repeat("1", 40) + "\ncommitter A <a@b> 1700000000 +0000\ngpgsig x\n"
	data := []byte(head + strings.Repeat(" \n", (safefile.MaxCommit-len(head))/2-1) + "\nx")
	h, _ := objects.ParseHash(strings.Repeat("2", 40))
	allocated := allocates(func() {
		if c, err := parseCommit(h, data); err != nil || len(c.Parents) != 1 || c.When.Unix() != 1700000000 {
			t.Errorf("%+v, %v", c, err)
		}
	})
	if allocated > 16<<20 {
		t.Errorf("%d MiB were allocated", allocated>>20)
	}
}

// TestHugeCommitsTagsAndFolders reads objects other than files.
func TestHugeCommitsTagsAndFolders(t *testing.T) {
	r := newRepo(t)
	r.change("rubrics/a.yaml", "a")
	long := strings.Repeat("word ", safefile.MaxCommit/5)
	r.gitInput(long, "tag", "-a", "-F", "-", "long")
	r.gitInput("short", "tag", "-a", "-F", "-", "short")
	r.gitInput(long, "commit", "-q", "--allow-empty", "-F", "-")
	raw := string(rawHash(t, r.git("rev-parse", "HEAD:rubrics/a.yaml")))
	var tree strings.Builder
	for i := range safefile.MaxTree/45 + 1 {
		fmt.Fprintf(&tree, "100644 file_%012d\x00%s", i, raw)
	}
	folder := r.object("tree", tree.String())
	r.git("branch", "wide", r.git("commit-tree", "-m", "wide", folder))
	repo := r.open()
	check := func(what string, err error) {
		t.Helper()
		if !safefile.IsTooLarge(err) || !strings.Contains(err.Error(), what) {
			t.Errorf("%v, want that %s is too large", err, what)
		}
	}
	_, err := repo.Head()
	check("the commit "+r.git("rev-parse", "HEAD"), err)
	_, err = repo.Resolve("long")
	check("the tag "+r.git("rev-parse", "long"), err)
	s := repo.Snapshot(r.resolve(repo, "wide"), "")
	_, err = s.Entries()
	check("the tree "+folder, err)
	r.resolve(repo, "short")
}

// TestObjectsAreWhatGitReads reads every object of repositories that are packed in
// several ways.
func TestObjectsAreWhatGitReads(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	text := strings.Repeat("a line of a text that changes a little with every commit\n", 200)
	for i := range 60 {
		r.write("rubrics/a.yaml", text[:len(text)-i*40]+fmt.Sprint(i)+text[i*7:])
		r.write("empty", "")
		r.commit("change")
	}
	r.git("tag", "-a", "-m", "x", "v1")
	packings := []struct {
		reason string
		args   []string
	}{
		{"loose", nil},
		{"long chains", []string{"repack", "-adfq", "--depth=60", "--window=60"}},
		{"differences to hashes", []string{"-c", "repack.usedeltabaseoffset=false", "repack", "-adfq", "--depth=60", "--window=60"}},
		{"no differences", []string{"repack", "-adfq", "--depth=0"}},
	}
	for _, p := range packings {
		if p.args != nil {
			r.git(p.args...)
		}
		agree(t, r, p.reason)
	}
	pack, err := filepath.Glob(filepath.Join(r.dir, ".git/objects/pack/*.pack"))
	if err != nil || len(pack) != 1 {
		t.Fatal(pack, err)
	}
	index := strings.TrimSuffix(pack[0], ".pack") + ".idx"
	must.Do(t, os.Remove(index))
	r.git("index-pack", "--index-version=2,0x40", "-o", index, pack[0])
	agree(t, r, "an index with offsets of 8 bytes")
}

// agree compares all objects with git's output.
func agree(t *testing.T, r *testRepo, reason string) {
	t.Helper()
	repo := r.open()
	all := strings.Split(r.git("cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype) %(objectsize)"), "\n")
	if len(all) < 100 {
		t.Fatalf("%s: only %d objects", reason, len(all))
	}
	for _, line := range all {
		var name, kind string
		var size int64
		must.Get(fmt.Sscan(line, &name, &kind, &size))(t)
		h, _ := objects.ParseHash(name)
		got, n, err := repo.objects.Stat(h)
		if err != nil || got.String() != kind || n != size {
			t.Errorf("%s: %s is a %s of %d bytes, %v, want a %s of %d", reason, name, got, n, err, kind, size)
		}
		start := repo.objects.Start(h, startSize)
		data, err := repo.objects.Read(h, got, size)
		if err != nil || int64(len(data)) != size {
			t.Errorf("%s: %s was read as %d bytes, %v, want %d", reason, name, len(data), err, size)
		}
		isDelta := reason != "loose" && reason != "no differences" // of which the start may not be known
		if !bytes.HasPrefix(data, start) || len(start) > startSize || len(start) == 0 && size > 0 && !isDelta {
			t.Errorf("%s: %s starts with %q, got %q", reason, name, data[:min(startSize, len(data))], start)
		}
		if _, err := repo.objects.Read(h, got, size-1); size > 0 && !safefile.IsTooLarge(err) {
			t.Errorf("%s: %s with a limit below its size: %v", reason, name, err)
		}
	}
}

// allocates returns the number of bytes that a function allocates.
func allocates(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
