package gitrepo

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// physical returns a path in the form of WorkTree.
func physical(t *testing.T, path string) string {
	t.Helper()
	path = must.Get(filepath.EvalSymlinks(path))(t)
	return path
}

func TestOpenFindsTheRepository(t *testing.T) {
	main := newRepo(t)
	first := main.change("library/rubrics/a.yaml", "one")
	main.git("tag", "v1")
	main.git("branch", "topic")
	main.git("pack-refs", "--all")
	linked := at(t, filepath.Join(t.TempDir(), "linked"))
	main.git("worktree", "add", "-q", linked.dir, "topic")
	second := linked.change("library/rubrics/a.yaml", "two")
	bare := main.clone("--bare")
	apart := main.clone("--separate-git-dir", filepath.Join(t.TempDir(), "apart"))
	bareTree := at(t, filepath.Join(t.TempDir(), "tree"))
	bare.git("worktree", "add", "-q", bareTree.dir, "topic")
	toBare := at(t, t.TempDir())
	toBare.write(".git", "gitdir: "+bare.dir+"\n")
	moved := main.clone()
	moved.git("config", "core.worktree", filepath.Join("..", "..", filepath.Base(bareTree.dir)))
	must.Do(t, os.Mkdir(filepath.Join(filepath.Dir(moved.dir), filepath.Base(bareTree.dir)), 0o755))
	super := newRepo(t)
	super.git("submodule", "add", "-q", "file://"+main.dir, "sub")
	link := filepath.Join(t.TempDir(), "link")
	must.Do(t, os.Symlink(filepath.Join(main.dir, "library"), link))

	tests := []struct {
		reason, dir, workTree, branch, head string
	}{
		{"the root of a working tree", main.dir, main.dir, "main", first},
		{"a folder below the root", filepath.Join(main.dir, "library", "rubrics"), main.dir, "main", first},
		{"a file", filepath.Join(main.dir, "library", "rubrics", "a.yaml"), main.dir, "main", first},
		{"a symbolic link to a folder below the root", link, main.dir, "main", first},
		{"a linked working tree, its names packed in the main one", filepath.Join(linked.dir, "library"), linked.dir, "topic", second},
		{"a bare repository", bare.dir, "", "main", first},
		{"inside a bare repository", filepath.Join(bare.dir, "objects"), "", "main", first},
		{"a linked working tree of a bare repository", bareTree.dir, bareTree.dir, "topic", second},
		{"a .git file that leads to a bare repository", toBare.dir, "", "main", first},
		{"a repository that says where its working tree is", moved.dir, filepath.Join(filepath.Dir(moved.dir), "tree"), "main", first},
		{"a working tree whose .git is a file", apart.dir, apart.dir, "main", first},
		{"a submodule", filepath.Join(super.dir, "sub"), filepath.Join(super.dir, "sub"), "main", first},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			repo := at(t, tt.dir).open()
			if want := tt.workTree; want != "" && repo.WorkTree() != physical(t, want) || want == "" && repo.WorkTree() != "" {
				t.Errorf("WorkTree() = %q, want %q", repo.WorkTree(), want)
			}
			if branch, err := repo.Branch(); branch != tt.branch || err != nil {
				t.Errorf("Branch() = %q, %v, want %q", branch, err, tt.branch)
			}
			if head, err := repo.Head(); head.Hash != tt.head || err != nil {
				t.Errorf("Head() = %q, %v, want %q", head.Hash, err, tt.head)
			}
			if c, err := repo.Resolve("v1"); c.Hash != first || err != nil {
				t.Errorf("Resolve(v1) = %q, %v, want %q", c.Hash, err, first)
			}
		})
	}
}

func TestLinkedWorkingTreesHaveNamesOfTheirOwn(t *testing.T) {
	r := newRepo(t)
	first := r.commit("one")
	r.commit("two")
	linked := at(t, filepath.Join(t.TempDir(), "linked"))
	r.git("worktree", "add", "-q", "--detach", linked.dir)
	r.git("update-ref", "refs/worktree/own", "HEAD")
	linked.git("update-ref", "refs/worktree/own", first)
	r.git("update-ref", "refs/heads/shared", first)
	for _, rev := range []string{"refs/worktree/own", "shared", "HEAD"} {
		for _, tree := range []*testRepo{r, linked} {
			if got, want := tree.resolve(tree.open(), rev).Hash, tree.git("rev-parse", rev); got != want {
				t.Errorf("%s in %s is %s, and git says %s", rev, tree.dir, got, want)
			}
		}
	}
	if branch, err := linked.open().Branch(); branch != "" || err != nil {
		t.Errorf("on no branch: %q, %v", branch, err)
	}
}

func TestOpenReadsWhatGitCanWrite(t *testing.T) {
	t.Parallel()
	tests := []struct {
		reason  string
		prepare func(*testRepo)
	}{
		{"all objects in one pack, with a commit graph", func(r *testRepo) {
			r.git("gc", "-q", "--prune=now")
			r.git("commit-graph", "write", "--reachable")
		}},
		{"two packs under a multi-pack index with bitmap", func(r *testRepo) {
			r.git("repack", "-q", "-d")
			r.git("multi-pack-index", "write", "--bitmap")
		}},
		{"an index of version 4, split and with untracked cache", func(r *testRepo) {
			r.git("update-index", "--index-version", "4", "--split-index", "--untracked-cache")
		}},
		{"a configuration for each working tree", func(r *testRepo) {
			r.git("config", "extensions.worktreeConfig", "true")
			r.git("config", "--worktree", "core.sparseCheckout", "false")
		}},
		{"relative paths between working trees (Git 2.48)", func(r *testRepo) {
			r.git("config", "core.repositoryFormatVersion", "1")
			r.git("config", "extensions.relativeWorktrees", "true")
		}},
		{"extensions said to be what they are without them (Git 2.45)", func(r *testRepo) {
			r.write(".git/config", "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectFormat = sha1\n\trefStorage = files\n")
		}},
		{"a configuration with a byte order mark", func(r *testRepo) {
			r.write(".git/config", "\uFEFF[core]\n\trepositoryformatversion = 0\n")
		}},
		{"a configuration with a key on the line of its section", func(r *testRepo) {
			r.write(".git/config", "[core] bare = false\n")
		}},
		{"a switch that is set to nothing, which is off", func(r *testRepo) {
			r.write(".git/config", "[core]\n\tbare =\n\tsparseCheckout =\n")
		}},
		{"an extension that format 0 has no say in", func(r *testRepo) {
			r.write(".git/config", "[core]\n\trepositoryformatversion = 0\n[extensions]\n\tsomethingNew = true\n")
		}},
		{"packs that git maintenance makes, which go-git's storage does not list", func(r *testRepo) {
			r.git("maintenance", "run", "--quiet", "--task=loose-objects")
			r.git("prune-packed", "-q")
		}},
		{"a name in Latin-1 in the configuration, which go-git rejects", func(r *testRepo) {
			r.git("config", "user.name", "Jos\xe9")
		}},
		{"cruft packs and packs under other names", func(r *testRepo) {
			r.object("blob", "nobody needs this")
			r.git("repack", "-a", "-d", "-q", "--cruft")
			r.git("repack", "-a", "-d", "-q", "-k")
		}},
		{"objects and commits that are replaced, and grafts", func(r *testRepo) {
			r.git("replace", r.git("rev-parse", "HEAD:a"), r.object("blob", "9"))
			r.git("replace", "--graft", "HEAD~1")
			r.write(".git/info/grafts", r.git("rev-parse", "HEAD")+"\n")
		}},
		{"a partial clone that has everything", func(r *testRepo) {
			r.git("config", "remote.origin.promisor", "true")
			r.git("config", "remote.origin.partialclonefilter", "blob:none")
		}},
		{"a partial clone as old versions of Git mark it", func(r *testRepo) {
			r.git("config", "core.repositoryformatversion", "1")
			r.git("config", "extensions.partialClone", "origin")
		}},
		{"an empty list of cut-off commits", func(r *testRepo) { r.write(".git/shallow", "") }},
		{"a configuration with many things", func(r *testRepo) {
			r.git("config", "http.https://github.com/.extraheader", "AUTHORIZATION: basic x#;\"y")
			r.git("config", "includeIf.gitdir:~/x.path", "../no")
			r.git("config", "alias.x", "!f() { echo \"a\\b\"; }; f")
		}},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			r := newRepo(t)
			r.change("a", "1")
			r.change("a", "2")
			r.git("repack", "-q", "-d")
			r.change("a", "3")
			tt.prepare(r)
			if got := history(t, r, "a"); got != "321" {
				t.Errorf("a was %q, want 3, 2 and 1", got)
			}
		})
	}
}

// history returns the content of a file in HEAD and all its first parents.
func history(t *testing.T, r *testRepo, path string) string {
	t.Helper()
	repo := r.open()
	var all strings.Builder
	for c, err := range repo.FirstParents(r.resolve(repo, "HEAD")) {
		if err != nil {
			t.Fatal(err)
		}
		s := repo.Snapshot(c, "")
		data := must.Get(s.Read(path))(t)
		all.Write(data)
	}
	return all.String()
}

func TestOpenRefusesBrokenRepositories(t *testing.T) {
	tests := []struct {
		reason  string
		prepare func(dir string) error
		want    string
	}{
		{"no repository", func(string) error { return nil }, "is not in a Git repository"},
		{"an empty .git folder", func(dir string) error { return os.Mkdir(dir+"/.git", 0o755) }, "is not in a Git repository"},
		{"a .git folder that has lost its objects", func(dir string) error {
			return errors.Join(os.MkdirAll(dir+"/.git/refs", 0o755), os.WriteFile(dir+"/.git/HEAD", []byte("ref: refs/heads/main\n"), 0o644))
		}, "no folder objects or refs"},
		{"a list of folders with borrowed objects that is a folder", func(dir string) error {
			return errors.Join(os.MkdirAll(dir+"/.git/objects/info/alternates", 0o755), os.MkdirAll(dir+"/.git/refs", 0o755),
				os.WriteFile(dir+"/.git/HEAD", []byte("ref: refs/heads/main\n"), 0o644))
		}, "git clone URL FOLDER"},
		{"a .git file with something else", func(dir string) error {
			return os.WriteFile(dir+"/.git", []byte("hello"), 0o644)
		}, `does not start with "gitdir:"`},
		{"a working tree whose repository has moved", func(dir string) error {
			return os.WriteFile(dir+"/.git", []byte("gitdir: ../gone\n"), 0o644)
		}, "git worktree repair"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			dir := t.TempDir()
			must.Do(t, tt.prepare(dir))
			_, err := Open(dir)
			if err == nil || !strings.Contains(err.Error(), tt.want) || errors.Is(err, ErrNoRepository) != strings.Contains(tt.want, "is not in a") {
				t.Errorf("Open says %v, want %q", err, tt.want)
			}
		})
	}
	if _, err := Open(filepath.Join(t.TempDir(), "gone")); err == nil {
		t.Error("a folder that is not there was opened")
	}
}

func TestOpenRefusesDamagedFiles(t *testing.T) {
	tests := []struct{ reason, path, content string }{
		{"a configuration that is no configuration", ".git/config", "[core\n"},
		{"an empty HEAD, as a crash leaves it", ".git/HEAD", ""},
		{"a HEAD with a hash that is too short", ".git/HEAD", "12345\n"},
		{"a HEAD that stands for nothing", ".git/HEAD", "ref: \n"},
		{"a HEAD that stands for a file outside", ".git/HEAD", "ref: refs/../config\n"},
		{"a branch with zero bytes", ".git/refs/heads/main", strings.Repeat("\x00", 41)},
		{"a branch file that is empty", ".git/refs/heads/main", ""},
		{"a branch that stands for itself", ".git/refs/heads/main", "ref: refs/heads/main\n"},
		{"packed names with a broken line", ".git/packed-refs", "0123 refs/heads/other\n"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			r := newRepo(t)
			r.commit("first")
			r.git("tag", "v1")
			r.git("pack-refs", "--all")
			r.write(tt.path, tt.content)
			repo, err := Open(r.dir)
			if err == nil {
				_, err = repo.Head()
			}
			if err == nil || errors.Is(err, ErrNoCommit) {
				t.Errorf("Head says %v, want an error", err)
			}
		})
	}
}

func TestNoCommitYet(t *testing.T) {
	r := newRepo(t)
	r.write("a", "not committed")
	repo := r.open()
	if _, err := repo.Head(); !errors.Is(err, ErrNoCommit) {
		t.Errorf("Head says %v", err)
	}
	if _, err := repo.Resolve("HEAD~1"); !errors.Is(err, ErrNoCommit) {
		t.Errorf("Resolve(HEAD~1) says %v", err)
	}
	if branch, err := repo.Branch(); branch != "main" || err != nil {
		t.Errorf("Branch() = %q, %v", branch, err)
	}
}

func TestFolder(t *testing.T) {
	r := newRepo(t)
	r.change("library/rubrics/a.yaml", "a")
	repo := r.open()
	tests := []struct{ reason, dir, want string }{
		{"the root is empty", r.dir, ""},
		{"a folder below", filepath.Join(r.dir, "library", "rubrics"), "library/rubrics"},
	}
	for _, tt := range tests {
		if got, err := repo.Folder(tt.dir); got != tt.want || err != nil {
			t.Errorf("%s: Folder = %q, %v, want %q", tt.reason, got, err, tt.want)
		}
	}
	for _, outside := range []string{filepath.Dir(r.dir), t.TempDir(), filepath.Join(r.dir, "gone")} {
		if got, err := repo.Folder(outside); err == nil {
			t.Errorf("Folder(%q) = %q, want an error", outside, got)
		}
	}
	if got, err := r.clone("--bare").open().Folder(r.dir); err == nil {
		t.Errorf("in a bare repository: Folder = %q, want an error", got)
	}
}
