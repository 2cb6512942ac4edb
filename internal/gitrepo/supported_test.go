package gitrepo

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/gitrepo/objects"
)

func TestOpenSaysWhatItCanNotRead(t *testing.T) {
	t.Parallel()
	origin := newRepo(t)
	origin.git("config", "uploadpack.allowFilter", "true")
	origin.change("rubrics/a.yaml", "1")
	origin.change("rubrics/a.yaml", "2")
	origin.change("rubrics/a.yaml", "3")

	tests := []struct {
		reason string
		make   func() *testRepo
		detail string
		mends  bool // the advice is a command that works with this Git
	}{
		{"a history that is cut off", func() *testRepo { return origin.clone("--depth=1") }, "is a shallow clone", true},
		{"a sparse working tree", func() *testRepo {
			r := origin.clone()
			r.git("sparse-checkout", "set", "none")
			return r
		}, "is a sparse checkout", true},
		{"a sparse working tree as old versions of Git mark it", func() *testRepo {
			r := origin.clone()
			r.git("config", "core.sparseCheckout", "true")
			r.write(".git/info/sparse-checkout", "/none/\n")
			return r
		}, "is a sparse checkout", true},
		{"a sparse linked working tree", func() *testRepo {
			r := origin.clone()
			linked := at(t, filepath.Join(t.TempDir(), "linked"))
			r.git("worktree", "add", "-q", linked.dir)
			linked.git("sparse-checkout", "set", "none")
			return linked
		}, "is a sparse checkout", true},
		{"SHA-256", func() *testRepo { return newRepo(t, "--object-format=sha256") }, "only SHA-1 is supported", false},
		{"branches in tables", func() *testRepo { return faked(t, "\trefStorage = reftable\n") }, "only \"files\" is supported", false},
		{"an extension that is not known", func() *testRepo { return faked(t, "\tcompatObjectFormat = sha256\n") }, "supported", false},
		{"a format that is not known", func() *testRepo {
			r := newRepo(t)
			r.write(".git/config", "[core]\n\trepositoryformatversion = 2\n")
			return r
		}, "supported", false},
		{"objects borrowed from a repository that is gone", func() *testRepo {
			r := newRepo(t)
			r.write(".git/objects/info/alternates", "../../../gone/objects\n")
			return r
		}, "it borrows objects from", false},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			r := tt.make()
			_, err := Open(r.dir)
			detail, advice, _ := strings.Cut(fmt.Sprint(err), ". To fix this, run: ")
			if !strings.Contains(detail, tt.detail) || advice == "" {
				t.Fatalf("Open says %v, want %q in it", err, tt.detail)
			}
			if commits, err := OpenCommits(r.dir); (err == nil) != strings.Contains(tt.detail, "sparse") {
				t.Errorf("OpenCommits says %v", err)
			} else if err == nil {
				r.resolve(commits, "HEAD")
				_ = commits.Close()
			}
			if !tt.mends {
				return
			}
			if out, err := r.command("sh", "-ec", advice).CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", advice, err, out)
			}
			if got := history(t, r, "rubrics/a.yaml"); got != "321" {
				t.Errorf("after the advice the file was %q, want 3, 2 and 1", got)
			}
		})
	}
}

// TestPartialClones: missing objects matter only when they are read. The error says
// how to fetch them.
func TestPartialClones(t *testing.T) {
	t.Parallel()
	origin := newRepo(t)
	origin.git("config", "uploadpack.allowFilter", "true")
	for i := range 3 {
		origin.write("rubrics/b.yaml", "the same")
		origin.change("rubrics/a.yaml", fmt.Sprint(i+1))
	}
	for reason, args := range map[string][]string{
		"files that are left out":                              {"--filter=blob:none"},
		"folders that are left out":                            {"--filter=tree:0"},
		"a remote whose name a shell would not read as a word": {"--filter=blob:none", "--origin", "it's"},
	} {
		t.Run(reason, func(t *testing.T) {
			r := origin.clone(args...)
			repo := r.open()
			head := r.resolve(repo, "HEAD")
			s := repo.Snapshot(head, "rubrics")
			if data, err := s.Read("a.yaml"); string(data) != "3" || err != nil {
				t.Errorf("what was checked out: %q, %v", data, err)
			}
			err := readAll(repo)
			e, ok := errors.AsType[*objects.Error](err)
			if !ok || !e.Missing || !strings.Contains(err.Error(), "partial clone") {
				t.Fatalf("what is left out: %v", err)
			}
			_, command, _ := strings.Cut(err.Error(), "run: ")
			if out, err := r.command("sh", "-ec", command).CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", command, err, out)
			}
			if err := readAll(r.open()); err != nil {
				t.Errorf("after %s: %v", command, err)
			}
		})
	}
	if _, err := origin.clone("--filter=blob:none").open().Resolve(strings.Repeat("12", 20)); !errors.As(err, new(*RevisionError)) {
		t.Errorf("a hash that nobody has: %v", err)
	}
}

// faked returns a repository of format 1 with a line under [extensions], as a later
// version of Git might create it.
func faked(t *testing.T, extension string) *testRepo {
	r := newRepo(t)
	r.write(".git/config", "[core]\n\trepositoryformatversion = 1\n[extensions]\n"+extension)
	return r
}

func FuzzParseConfig(f *testing.F) {
	f.Add([]byte("[core]\n\tsparseCheckout\n[extensions]\n\tworktreeConfig = true\n[remote \"a b\"]\n\tpromisor = on # c\n"))
	f.Add([]byte("[extensions]\nobjectFormat = \"sha256\" ; c\n[core] bare = \\\n true"))
	f.Fuzz(func(t *testing.T, data []byte) {
		config, err := parseConfig(string(data))
		if err != nil {
			return
		}
		s := config
		if err := errors.Join(s.checkFormat(), s.checkSparse(location{workTree: "/x"})); err != nil && err.Error() == "" {
			t.Error("an error without a text")
		}
		if s.isTrue("extensions.worktreeconfig") && !strings.Contains(strings.ToLower(string(data)), "worktreeconfig") {
			t.Error("a switch is on that is not there")
		}
	})
}
