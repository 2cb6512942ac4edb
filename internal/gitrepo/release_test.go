package gitrepo

import (
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
			last, ignored, err := repo.LastRelease(r.resolve(repo, "HEAD"))
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

// TestUnreadableReleaseTag: a damaged repository is an error, and not one release less.
func TestUnreadableReleaseTag(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.commit("one")
	r.release("library-v1.0.0", "HEAD")
	r.write(".git/refs/tags/library-v2.0.0", "x")
	repo := r.open()
	if last, _, err := repo.LastRelease(r.resolve(repo, "HEAD")); err == nil {
		t.Errorf("the last release is %q", last.Name)
	}
}
