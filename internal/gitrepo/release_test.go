package gitrepo

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLastRelease: whoever can push can create a tag, so a tag that does not count never
// replaces the last release and never stops the next one.
func TestLastRelease(t *testing.T) {
	t.Parallel()
	const outside, notAnnotated = "its commit is not among the first parents of the released commit", "it is not annotated"
	tests := []struct {
		reason  string
		history func(*testRepo) // after a commit
		want    string          // the tag
		ignored []string        // the problems of higher tags
	}{
		{"none", func(*testRepo) {}, "", nil},
		{"a tag at HEAD", func(r *testRepo) { r.release("library-v1.0.0", "HEAD") }, "library-v1.0.0", nil},
		{"by version, not by text", func(r *testRepo) {
			r.release("library-v1.10.0", "HEAD")
			r.commit("two")
			r.release("library-v1.9.0", "HEAD")
			r.commit("three")
		}, "library-v1.10.0", nil},
		{"no version of a release", func(r *testRepo) {
			r.release("library-v1.0.0", "HEAD")
			for _, tag := range []string{"library-v3.0.0-rc.1", "library-v3.0.0+build.7", "library-v2", "library-vv3.0.0", "library-v03.0.0", "library-vnext", "v4.0.0", "old-library-v5.0.0"} {
				r.release(tag, "HEAD")
			}
		}, "library-v1.0.0", nil},
		{"on another branch, and on one that was merged", func(r *testRepo) {
			r.release("library-v1.0.0", "HEAD")
			r.git("checkout", "-q", "-b", "merged")
			r.commit("merged")
			r.release("library-v2.0.0", "HEAD")
			r.git("checkout", "-q", "-b", "other")
			r.commit("other")
			r.release("library-v3.0.0", "HEAD")
			r.git("checkout", "-q", "main")
			r.merge("merged")
		}, "library-v1.0.0", []string{outside, outside}},
		{"later than HEAD", func(r *testRepo) {
			r.commit("two")
			r.release("library-v2.0.0", "HEAD")
			r.git("checkout", "-q", "HEAD~1")
		}, "", []string{outside}},
		{"lightweight, of a commit and of a file", func(r *testRepo) {
			r.git("tag", "library-v2.0.0")
			r.git("tag", "library-v3.0.0", r.object("blob", "x"))
		}, "", []string{notAnnotated, notAnnotated}},
		{"annotated, of a file and of a tag", func(r *testRepo) {
			r.release("library-v1.0.0", "HEAD")
			r.release("library-v2.0.0", r.object("blob", "x"))
			r.release("library-v3.0.0", "library-v1.0.0")
		}, "library-v1.0.0", []string{"it does not mark a commit", "it does not mark a commit"}},
		{"without a digest, with half of one, and with two", func(r *testRepo) {
			r.git("tag", "-a", "-m", "made by hand", "library-v2.0.0")
			r.git("tag", "-a", "-m", "digest: sha256:0", "library-v2.1.0")
			r.git("tag", "-a", "-m", releaseMessage+"\n"+strings.ReplaceAll(releaseMessage, "0", "1"), "library-v2.2.0")
		}, "", []string{digestProblem, digestProblem, digestProblem}},
		{"with an endless message", func(r *testRepo) {
			r.write("message", releaseMessage+strings.Repeat("\nmore", 1<<20))
			r.git("tag", "-a", "-F", "message", "library-v2.0.0")
		}, "", []string{"its message is too large"}},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			r := newRepo(t)
			r.commit("one")
			tt.history(r)
			repo := r.open()
			last, ignored, err := repo.LastRelease("", r.resolve(repo, "HEAD"))
			if err != nil {
				t.Fatal(err)
			}
			var problems []string
			for _, tag := range ignored {
				problems = append(problems, tag.Problem)
			}
			if diff := cmp.Diff(tt.ignored, problems); last.Name != tt.want || diff != "" {
				t.Errorf("the last release is %q, want %q; ignored (-want +got):\n%s", last.Name, tt.want, diff)
			}
			if last.Name != "" && (last.Commit.Hash != r.git("rev-parse", last.Name+"^{commit}") || !strings.HasSuffix(releaseMessage, last.Digest)) {
				t.Errorf("%s is at %s with %s", last.Name, last.Commit.Hash, last.Digest)
			}
		})
	}
}

const digestProblem = "its message does not name the digest of one bundle"

// TestReplacedHistory: a history that begins anew beside releases is an error, which nobody can
// cause by pushing a tag where a release counts.
func TestReplacedHistory(t *testing.T) {
	t.Parallel()
	begin := func(r *testRepo) {
		r.git("checkout", "-q", "--orphan", "new")
		r.commit("new")
	}
	for _, tt := range []struct {
		reason  string
		history func(*testRepo) // after a commit on main, which is released
		folder  string
		fails   bool
	}{
		{"a new first commit", begin, "", true},
		{"and commits after it", func(r *testRepo) { begin(r); r.commit("two") }, "", true},
		{"and a merge of the old history", func(r *testRepo) { begin(r); r.merge("main") }, "", true},
		{"the release is not the highest tag", func(r *testRepo) { r.git("tag", "library-v2.0.0", r.object("blob", "x")); begin(r) }, "", true},
		{"its tag became lightweight", func(r *testRepo) { r.git("tag", "-f", "library-v1.0.0", "main"); begin(r) }, "", true},
		{"releases of another library", begin, "x", false},
		{"a branch of the same history", func(r *testRepo) { r.git("checkout", "-q", "-b", "side", "main~1"); r.commit("side") }, "", false},
		{"a forged tag beside a release that counts", func(r *testRepo) {
			begin(r)
			r.release("library-v9.9.9", "HEAD")
			r.git("checkout", "-q", "main")
		}, "", false},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			r := newRepo(t)
			r.commit("zero")
			r.commit("one")
			r.release("library-v1.0.0", "HEAD")
			tt.history(r)
			repo := r.open()
			last, _, err := repo.LastRelease(tt.folder, r.resolve(repo, "HEAD"))
			if replaced := (*ReplacedError)(nil); errors.As(err, &replaced) != tt.fails {
				t.Errorf("the last release is %q, %v", last.Name, err)
			}
			if err != nil && (!strings.Contains(err.Error(), "library-v1.0.0 is not in this history") || !strings.Contains(err.Error(), r.git("rev-parse", "main")[:12])) {
				t.Errorf("the message is %q", err)
			}
		})
	}
}

// TestUnreadableReleaseTag: a damaged repository is an error, and not one release less.
func TestUnreadableReleaseTag(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.commit("one")
	r.release("library-v1.0.0", "HEAD")
	r.write(".git/refs/tags/library-v2.0.0", "x")
	repo := r.open()
	if last, _, err := repo.LastRelease("", r.resolve(repo, "HEAD")); err == nil {
		t.Errorf("the last release is %q", last.Name)
	}
}

// TestReleased: a bundle can exist of whatever a release tag marks, so tags that don't count as
// releases are listed too.
func TestReleased(t *testing.T) {
	t.Parallel()
	tests := []struct {
		reason  string
		history func(*testRepo) // after a commit
		want    []string        // revisions
	}{
		{"none", func(*testRepo) {}, nil},
		{"a tag that counts", func(r *testRepo) { r.release("library-v1.0.0", "HEAD") }, []string{"HEAD"}},
		{"lightweight", func(r *testRepo) { r.git("tag", "library-v1.0.0") }, []string{"HEAD"}},
		{"without a digest", func(r *testRepo) { r.git("tag", "-a", "-m", "by hand", "library-v1.0.0") }, []string{"HEAD"}},
		{"a tag of a tag", func(r *testRepo) {
			r.release("inner", "HEAD")
			r.release("library-v1.0.0", "inner")
		}, []string{"HEAD"}},
		{"on a branch that was not merged", func(r *testRepo) {
			r.git("checkout", "-q", "-b", "other")
			r.commit("other")
			r.release("library-v1.0.0", "HEAD")
			r.git("checkout", "-q", "main")
		}, []string{"other"}},
		{"later than HEAD", func(r *testRepo) {
			r.commit("two")
			r.release("library-v1.0.0", "HEAD")
			r.git("checkout", "-q", "HEAD~1")
		}, []string{"main"}},
		{"several, the highest version first", func(r *testRepo) {
			r.release("library-v1.9.0", "HEAD")
			r.commit("two")
			r.release("library-v1.10.0", "HEAD")
		}, []string{"HEAD", "HEAD~1"}},
		{"names without a version of a release", func(r *testRepo) {
			for _, tag := range []string{"library-v3.0.0-rc.1", "library-v2", "v4.0.0", "old-library-v5.0.0"} {
				r.release(tag, "HEAD")
			}
		}, nil},
		{"of a file", func(r *testRepo) { r.git("tag", "library-v1.0.0", r.object("blob", "x")) }, nil},
		{"with an endless message, so that nobody can stop drafts with it", func(r *testRepo) {
			r.write("message", strings.Repeat("more\n", 1<<20))
			r.git("tag", "-a", "-F", "message", "library-v2.0.0")
		}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			r := newRepo(t)
			r.commit("one")
			tt.history(r)
			released, err := r.open().ReleasedCommits("")
			if err != nil {
				t.Fatal(err)
			}
			var got, want []string
			for _, c := range released {
				got = append(got, c.Hash)
			}
			for _, rev := range tt.want {
				want = append(want, r.git("rev-parse", rev+"^{commit}"))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestReleasedIsUnknownWithoutTags: what a clone does not fetch is not absent, and the advice
// fetches it, also if a tag of the clone differs from the server's.
func TestReleasedIsUnknownWithoutTags(t *testing.T) {
	t.Parallel()
	origin := newRepo(t)
	origin.commit("one")
	origin.release("library-v1.0.0", "HEAD")
	tests := []struct {
		reason string
		clone  func() *testRepo
	}{
		{"cloned without tags", func() *testRepo { return origin.clone("--no-tags") }},
		{"set later, in a section with another case", func() *testRepo {
			r := origin.clone()
			r.git("config", "REMOTE.origin.TAGOPT", "--no-tags")
			return r
		}},
		{"under a name with spaces", func() *testRepo {
			r := origin.clone("--no-tags")
			r.git("remote", "rename", "origin", "up-stream")
			r.git("config", "--rename-section", "remote.up-stream", "remote.it's up")
			return r
		}},
		{"with another tag of that name", func() *testRepo {
			r := origin.clone("--no-tags")
			r.git("tag", "library-v1.0.0")
			return r
		}},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			r := tt.clone()
			_, err := r.open().ReleasedCommits("")
			_, advice, _ := strings.Cut(fmt.Sprint(err), ". To fix this, run: ")
			if advice == "" {
				t.Fatalf("Released says %v", err)
			}
			if out, err := r.command("sh", "-ec", advice).CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", advice, err, out)
			}
			if released, err := r.open().ReleasedCommits(""); err != nil || len(released) != 1 {
				t.Errorf("after the advice: %v, %v", released, err)
			}
			if got, want := r.git("rev-parse", "library-v1.0.0"), origin.git("rev-parse", "library-v1.0.0"); got != want {
				t.Errorf("after the advice, the tag is %s, want %s", got, want)
			}
		})
	}
}
