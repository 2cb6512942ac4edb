package gitrepo

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

func TestSnapshotEntries(t *testing.T) {
	r := newRepo(t)
	r.write("library/rubrics/prd/a.yaml", "a")
	r.write("library/rubrics/prd.yaml", "b") // sorts before prd/
	r.write("library/rubrics/prd/run.sh", "c")
	r.write("elsewhere/d", "d")
	r.git("add", "-A")
	r.git("update-index", "--chmod=+x", "library/rubrics/prd/run.sh")
	link := r.object("blob", "../../../etc/passwd")
	r.git("update-index", "--add", "--cacheinfo", "120000,"+link+",library/rubrics/prd/link.yaml")
	other := strings.Repeat("ab", 20)
	r.git("update-index", "--add", "--cacheinfo", "160000,"+other+",library/rubrics/sub")
	r.git("commit", "-q", "-m", "all modes")

	blob := func(path string) string { return r.git("rev-parse", "HEAD:library/rubrics/"+path) }
	got := must.Get(r.snapshot("library/rubrics").Entries())(t)
	want := []SnapshotEntry{
		{"prd.yaml", blob("prd.yaml"), Regular},
		{"prd/a.yaml", blob("prd/a.yaml"), Regular},
		{"prd/link.yaml", link, Symlink},
		{"prd/run.sh", blob("prd/run.sh"), Executable},
		{"sub", other, Submodule},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if !slices.IsSortedFunc(got, func(a, b SnapshotEntry) int { return strings.Compare(a.Path, b.Path) }) {
		t.Error("the entries are not sorted by path")
	}
}

func TestSnapshotKeepsHostileNames(t *testing.T) {
	names := []string{
		"esc\x1b[31m.yaml", "line\nend.yaml", "tab\t.yaml", "bell\a", "trailing blank ", " leading", `back\slash`,
		"latin1\xe9.yaml", "\xff\xfe", "con.yaml", "e\u0301.yaml", "\u00e9.yaml", "rtl\u202egnp.yaml", "::add-mask::x", "-rf", "...", ".git ",
		strings.Repeat("x", 3000), "'\"$(id)`", "%2e%2e", "C:", "~", "a/b/c/d/" + strings.Repeat("n/", 300) + "deep",
	}
	r := newRepo(t)
	content := r.object("blob", "content")
	var index strings.Builder
	for _, name := range names {
		fmt.Fprintf(&index, "100644 %s\t%s\x00", content, name)
	}
	r.gitInput(index.String(), "-c", "core.protectNTFS=false", "update-index", "-z", "--index-info")
	r.git("commit", "-q", "-m", "hostile")

	s := r.snapshot("")
	entries, err := s.Entries()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Path)
		if data, err := s.Read(e.Path); string(data) != "content" || err != nil {
			t.Errorf("Read(%q) = %q, %v", e.Path, data, err)
		}
	}
	slices.Sort(names)
	if diff := cmp.Diff(names, got); diff != "" {
		t.Error(diff)
	}
	var walked []string
	err = fs.WalkDir(s, ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			walked = append(walked, path)
		}
		return err
	})
	slices.Sort(walked)
	if diff := cmp.Diff(names, walked); diff != "" || err != nil {
		t.Errorf("fs.WalkDir: %v\n%s", err, diff)
	}
}

func TestSnapshotFolders(t *testing.T) {
	r := newRepo(t)
	r.write("library/a", "a")
	r.git("add", "-A")
	r.git("update-index", "--add", "--cacheinfo", "120000,"+r.object("blob", "library")+",link")
	r.git("update-index", "--add", "--cacheinfo", "160000,"+strings.Repeat("ab", 20)+",sub")
	r.git("commit", "-q", "-m", "x")
	repo := r.open()
	head := r.resolve(repo, "HEAD")
	tests := []struct {
		reason, folder string
		exists         bool
		want           string // in the error
	}{
		{"the whole commit", "", true, ""},
		{"a folder", "library", true, ""},
		{"a folder that is not there", "rubrics", false, ""},
		{"a folder in one that is not there", "rubrics/prd", false, ""},
		{"names differ by capitals", "Library", false, ""},
		{"a file", "library/a", false, `"library/a" is a file`},
		{"below a file", "library/a/b", false, `through "a", which is a file`},
		{"a symbolic link to a folder", "link", false, "is a symbolic link"},
		{"below a symbolic link", "link/x", false, "is a symbolic link"},
		{"a submodule", "sub", false, "is a submodule"},
		{"a path from the root", "/library", false, "is not a valid path"},
		{"a path that goes up", "library/../library", false, "is not a valid path"},
		{"a slash at the end", "library/", false, "is not a valid path"},
		{"a dot", ".", false, "is not a valid path"},
	}
	for _, tt := range tests {
		s := repo.Snapshot(head, tt.folder)
		if s.Commit().Hash != head.Hash {
			t.Errorf("%s: %v", tt.reason, s.Commit())
		}
		entries, err := s.Entries()
		if tt.want == "" && (err != nil || (len(entries) > 0) != tt.exists) {
			t.Errorf("%s: %v, %v", tt.reason, entries, err)
		} else if tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: %v, want %q", tt.reason, err, tt.want)
		}
		if !errors.Is(err, ErrNotAFolder) {
			continue
		}
		if lenient, err := repo.Snapshot(head, "").Subfolder(tt.folder).Entries(); err != nil || len(lenient) > 0 {
			t.Errorf("%s, below: %v, %v", tt.reason, lenient, err)
		}
	}
	if _, err := (&Snapshot{}).Read("a"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file of no folder: %v", err)
	}
	if _, err := repo.Snapshot(Commit{}, "").Entries(); err == nil {
		t.Error("a folder of no commit was read")
	}
}

func TestSnapshotRead(t *testing.T) {
	r := newRepo(t)
	large := strings.Repeat("0123456789abcdef\n", 1<<14)
	r.write("library/small", "small")
	r.write("library/large", large)
	r.git("add", "-A")
	r.git("update-index", "--add", "--cacheinfo", "120000,"+r.object("blob", "small")+",library/link")
	r.git("update-index", "--add", "--cacheinfo", "160000,"+strings.Repeat("ab", 20)+",library/sub")
	r.git("commit", "-q", "-m", "x")
	for _, state := range []string{"loose", "packed"} {
		s := r.snapshot("library")
		for path, want := range map[string]string{"small": "small", "large": large, "link": "small"} {
			if got, err := s.Read(path); string(got) != want || err != nil {
				t.Errorf("%s: Read(%q) = %.20q (%d bytes), %v", state, path, got, len(got), err)
			}
		}
		for path, absent := range map[string]bool{"gone": true, "gone/x": true, "small/x": false, "sub": false, ".": false, "": false, "../library/small": false} {
			if got, err := s.Read(path); err == nil || errors.Is(err, fs.ErrNotExist) != absent {
				t.Errorf("%s: Read(%q) = %.20q, %v", state, path, got, err)
			}
		}
		r.git("gc", "-q")
	}
	if _, err := r.snapshot("nowhere").Read("small"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("in a folder that is not there: %v", err)
	}
}

func TestManyGoroutinesReadOneRepository(t *testing.T) {
	r := newRepo(t)
	for i := range 5 {
		for _, name := range numbered("rubrics/f%d", 10) {
			r.write(name, fmt.Sprintf("%s %d", name, i))
		}
		r.commit("change all")
		if i == 2 {
			r.git("gc", "-q")
		}
	}
	repo := r.open()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if err := readAll(repo); err != nil {
				t.Error(err)
			}
			if c, err := repo.Target("", environment(nil, "")); err != nil || c.Commit.IsZero() {
				t.Error(c, err)
			}
		})
	}
	wg.Wait()
}
