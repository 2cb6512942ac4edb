package gitrepo

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// TestWorkTreeNeverLeavesOutTrackedFiles checks every form in which Git lists tracked files.
func TestWorkTreeNeverLeavesOutTrackedFiles(t *testing.T) {
	tests := []struct {
		reason string
		do     func(r *testRepo)
		want   []string
	}{
		{"version 2 of the index", func(*testRepo) {}, nil},
		{"version 3, with a file that is only intended to be added", func(r *testRepo) {
			r.write("rubrics/later.txt", "x")
			r.git("add", "-f", "-N", "rubrics/later.txt")
		}, []string{"rubrics/later.txt"}},
		{"version 4, in which names share their beginnings", func(r *testRepo) { r.git("update-index", "--index-version", "4") }, nil},
		{"a split index", func(r *testRepo) {
			r.git("update-index", "--split-index")
			r.write("rubrics/later.txt", "x")
			r.git("add", "-f", "rubrics/later.txt")
		}, []string{"rubrics/later.txt"}},
		{"an index with caches", func(r *testRepo) { r.git("update-index", "--untracked-cache", "--force-write-index") }, nil},
		{"a conflict", func(r *testRepo) {
			hash := r.git("hash-object", "-w", "rubrics/in.txt")
			r.gitInput("100644 "+hash+" 1\trubrics/new.txt\n100644 "+hash+" 2\trubrics/new.txt\n", "update-index", "--index-info")
		}, []string{"rubrics/new.txt"}},
		{"a name with every length around the padding", func(r *testRepo) {
			for n := range 20 {
				name := "rubrics/" + strings.Repeat("n", n+1)
				r.write(name, "x")
				r.git("add", "-f", name)
			}
		}, numberedNames(20)},
		{"a file in a submodule", func(r *testRepo) {
			hash := r.git("rev-parse", "HEAD")
			r.git("update-index", "--add", "--cacheinfo", "160000,"+hash+",rubrics/sub")
			r.write("rubrics/sub/x.txt", "x")
		}, []string{"rubrics/sub/x.txt"}},
		{"a file that was removed is not tracked", func(r *testRepo) {
			r.write("rubrics/removed.txt", "x")
			r.git("add", "-f", "rubrics/removed.txt")
			r.git("rm", "-q", "--cached", "rubrics/removed.txt")
		}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			r := newRepo(t)
			isolate(t, r.dir)
			r.write("rubrics/in.txt", "x")
			r.write("rubrics/deep/in.txt", "x")
			r.commit("base")
			r.write(".gitignore", "*\n")
			for _, name := range []string{"rubrics/new.txt", "rubrics/deep/new.txt", "rubrics/other/new.txt"} {
				r.write(name, "x")
			}
			tt.do(r)
			want := append([]string{"rubrics/deep/in.txt", "rubrics/in.txt"}, tt.want...)
			slices.Sort(want)
			if diff := cmp.Diff(want, listed(t, NewWorkTree(r.dir))); diff != "" {
				t.Errorf("the listed files (-want +got):\n%s", diff)
			}
		})
	}
}

func numberedNames(n int) (names []string) {
	for i := range n {
		names = append(names, "rubrics/"+strings.Repeat("n", i+1))
	}
	return names
}

// TestWorkTreeFindsTheRules checks where Git has the rules of a folder, and where it has none.
func TestWorkTreeFindsTheRules(t *testing.T) {
	tests := []struct {
		reason string
		do     func(r *testRepo) (dir string)
		want   []string
	}{
		{"a folder of the working tree", func(r *testRepo) string {
			r.write(".gitignore", "/lib/out.txt\n")
			return r.dir + "/lib"
		}, []string{"in.txt"}},
		{"a linked working tree has rules of its own, and info/exclude of all", func(r *testRepo) string {
			r.write(".git/info/exclude", "out.txt\n")
			r.commit("base")
			r.git("worktree", "add", "-q", "../linked")
			linked := at(r.t, filepath.Join(r.dir, "../linked"))
			linked.write("lib/out.txt", "x")
			linked.write("lib/own.txt", "x")
			linked.write("lib/.gitignore", "own.txt\n")
			return linked.dir + "/lib"
		}, []string{".gitignore", "in.txt"}},
		{"a file of .git that names another folder", func(r *testRepo) string {
			r.write(".git/info/exclude", "out.txt\n")
			must.Do(r.t, os.Rename(r.dir+"/.git", r.dir+"/../moved"))
			r.write(".git", "gitdir: ../moved\n")
			return r.dir + "/lib"
		}, []string{"in.txt"}},
		{"a folder that is itself ignored", func(r *testRepo) string {
			r.write(".gitignore", "lib/\n*.txt\n")
			return r.dir + "/lib"
		}, []string{"in.txt", "out.txt"}},
		{"no repository", func(r *testRepo) string {
			r.write("lib/.gitignore", "out.txt\n")
			must.Do(r.t, os.RemoveAll(r.dir+"/.git"))
			return r.dir + "/lib"
		}, []string{".gitignore", "in.txt", "out.txt"}},
		{"a bare repository", func(r *testRepo) string {
			r.write(".gitignore", "out.txt\n")
			r.git("config", "core.bare", "true")
			return r.dir + "/lib"
		}, []string{"in.txt", "out.txt"}},
		{"the default file of the user", func(r *testRepo) string {
			r.write(".config/git/ignore", "out.txt\n")
			return r.dir + "/lib"
		}, []string{"in.txt"}},
		{"the folder of the user for settings", func(r *testRepo) string {
			r.t.Setenv("XDG_CONFIG_HOME", r.dir+"/settings")
			r.write("settings/git/ignore", "out.txt\n")
			r.write(".config/git/ignore", "in.txt\n")
			return r.dir + "/lib"
		}, []string{"in.txt"}},
		{"a file that the configuration of the user names, in a file that it includes", func(r *testRepo) string {
			r.write(".gitconfig", "[core]\n\texcludesFile = no\n[include]\n\tpath = more/config\n")
			r.write("more/config", "[core]\n\texcludesFile = ~/mine\n")
			r.write("mine", "out.txt\n")
			r.write(".config/git/ignore", "in.txt\n")
			return r.dir + "/lib"
		}, []string{"in.txt"}},
		{"without a home folder, the working folder is not one", func(r *testRepo) string {
			r.write(".gitconfig", "[core]\n\texcludesFile = mine\n")
			r.write("mine", "in.txt\nout.txt\n")
			r.write(".config/git/ignore", "out.txt\n")
			r.t.Setenv("HOME", "")
			r.t.Chdir(r.dir)
			return r.dir + "/lib"
		}, []string{"in.txt", "out.txt"}},
		{"an empty name stands for no file", func(r *testRepo) string {
			r.write(".config/git/ignore", "out.txt\n")
			r.git("config", "core.excludesFile", "")
			return r.dir + "/lib"
		}, []string{"in.txt", "out.txt"}},
		{"a device stands for no file", func(r *testRepo) string {
			r.write(".config/git/ignore", "out.txt\n")
			r.git("config", "core.excludesFile", os.DevNull)
			return r.dir + "/lib"
		}, []string{"in.txt", "out.txt"}},
		{"SHA-256", func(r *testRepo) string {
			must.Do(r.t, os.RemoveAll(r.dir+"/.git"))
			r.git("init", "-q", "--object-format=sha256")
			r.write(".gitignore", "*.txt\n")
			r.git("add", "-f", "lib/in.txt")
			return r.dir + "/lib"
		}, []string{"in.txt"}},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			r := newRepo(t)
			isolate(t, r.dir)
			r.write("lib/in.txt", "x")
			r.git("add", "lib/in.txt")
			r.write("lib/out.txt", "x")
			w := NewWorkTree(tt.do(r))
			if diff := cmp.Diff(tt.want, listed(t, w)); diff != "" {
				t.Errorf("the listed files (-want +got):\n%s", diff)
			}
			_, err := w.Open("out.txt")
			if left := !slices.Contains(tt.want, "out.txt"); left != os.IsNotExist(err) || left != slices.Contains(w.IgnoredFiles(), "out.txt") {
				t.Errorf("out.txt can be opened (%v), and %v are ignored", err, w.IgnoredFiles())
			}
		})
	}
}

// TestWorkTreeRefusesToGuess checks that rules or an index that can't be read are an error.
func TestWorkTreeRefusesToGuess(t *testing.T) {
	tests := []struct {
		reason, file, content, want string
	}{
		{"an index that ends too soon", ".git/index", "DIRC\x00\x00\x00\x02\x00\x00\x00\x09", "it is damaged"},
		{"no index at all", ".git/index", "what?", "it is damaged"},
		{"a version of the index that may mean something else", ".git/index", "DIRC\x00\x00\x00\x05\x00\x00\x00\x00", "its version is 5"},
		{"a part of the index that must be understood", ".git/index", "DIRC\x00\x00\x00\x02\x00\x00\x00\x00new!\x00\x00\x00\x00" + strings.Repeat("h", 20), `the part "new!"`},
		{"a split index without its other part", ".git/index", "DIRC\x00\x00\x00\x02\x00\x00\x00\x00link\x00\x00\x00\x14" + strings.Repeat("h", 40), "sharedindex.6868"},
		{"a large file of rules", ".gitignore", strings.Repeat("#", 5<<20), ".gitignore can't be read"},
		{"a configuration that is not one", ".git/config", "[core", "line 1 is not valid"},
		{"an included configuration that is not one", ".gitconfig", "[user]\n[include]\n\tpath = .git/HEAD\n", "HEAD can't be read: line 1 is not valid"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			r := newRepo(t)
			isolate(t, r.dir)
			r.write(".git/info/exclude", "*.txt\n")
			r.write("out.txt", "x")
			r.write(tt.file, tt.content)
			w := NewWorkTree(r.dir)
			_, err := w.ReadDir(".")
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("ReadDir returns %v, want %q", err, tt.want)
			}
			if kept := safefile.Unreadable(w); kept == nil || !strings.Contains(kept.Error(), tt.want) {
				t.Errorf("the error is not kept: %v", kept)
			}
		})
	}
}

// TestADamagedIndexIsWrittenAgain runs the advice of the error.
func TestADamagedIndexIsWrittenAgain(t *testing.T) {
	r := newRepo(t)
	isolate(t, r.dir)
	r.change("in.txt", "x")
	r.write(".git/info/exclude", "*\n")
	r.write("out.txt", "x")
	r.write(".git/index", "damaged")
	_, err := NewWorkTree(r.dir).ReadDir(".")
	_, advice, found := strings.Cut(err.Error(), "run: git ")
	if !found {
		t.Fatalf("the error has no advice: %v", err)
	}
	r.git(strings.Fields(advice)...)
	if diff := cmp.Diff([]string{"in.txt"}, listed(t, NewWorkTree(r.dir))); diff != "" {
		t.Errorf("the listed files (-want +got):\n%s", diff)
	}
}

// TestWritersAreNotSeen lists a folder while files in it are replaced.
func TestWritersAreNotSeen(t *testing.T) {
	for _, inRepository := range []bool{false, true} {
		dir := t.TempDir()
		if inRepository {
			dir = newRepo(t).dir
		}
		isolate(t, dir)
		name, done := filepath.Join(dir, "a.yaml"), make(chan bool)
		must.Do(t, os.WriteFile(name, nil, 0o666))
		go func() {
			defer close(done)
			for range 300 {
				if err := safefile.Write(name, []byte("text"), 0o666); err != nil {
					t.Error(err)
				}
			}
		}()
		for writing := true; writing; {
			select {
			case <-done:
				writing = false
			default:
			}
			if got := listed(t, NewWorkTree(dir)); !slices.Equal(got, []string{"a.yaml"}) {
				t.Fatalf("the files are %v", got)
			}
		}
	}
}
