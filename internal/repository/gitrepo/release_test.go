package gitrepo

import (
	"errors"
	"strings"
	"testing"
)

func TestLastRelease(t *testing.T) {
	t.Parallel()
	tests := []struct {
		reason  string
		history func(*testRepo)
		want    string // the tag, or a part of the error's text
	}{
		{"none", func(r *testRepo) { r.commit("one") }, ""},
		{"a tag at HEAD", func(r *testRepo) {
			r.commit("one")
			r.git("tag", "library-v1.0.0")
		}, "library-v1.0.0"},
		{"by version, not by text", func(r *testRepo) {
			r.commit("one")
			r.git("tag", "library-v1.10.0")
			r.commit("two")
			r.git("tag", "library-v1.9.0")
			r.commit("three")
		}, "library-v1.10.0"},
		{"what is tried before a release is none, and has no bundle to count from", func(r *testRepo) {
			r.commit("one")
			r.git("tag", "library-v2.0.0")
			r.commit("two")
			r.git("tag", "library-v3.0.0-rc.1")
			r.git("tag", "library-v3.0.0+build.7")
		}, "library-v2.0.0"},
		{"what is no version counts for nothing", func(r *testRepo) {
			r.commit("one")
			r.git("tag", "library-v1.0.0")
			r.commit("two")
			for _, tag := range []string{"library-v2", "library-vv3.0.0", "library-v03.0.0", "library-vnext", "v4.0.0", "old-library-v5.0.0"} {
				r.git("tag", tag)
			}
		}, "library-v1.0.0"},
		{"a lower one on another branch does no harm", func(r *testRepo) {
			r.commit("one")
			r.git("checkout", "-q", "-b", "1.x")
			r.commit("fix")
			r.git("tag", "library-v1.0.1")
			r.git("checkout", "-q", "main")
			r.commit("two")
			r.git("tag", "-a", "-m", "x", "library-v2.0.0")
		}, "library-v2.0.0"},
		{"the highest one on another branch", func(r *testRepo) {
			r.commit("one")
			r.git("tag", "library-v1.0.0")
			r.git("checkout", "-q", "-b", "other")
			r.commit("elsewhere")
			r.git("tag", "library-v2.0.0")
			r.git("checkout", "-q", "main")
			r.commit("two")
		}, "the highest release tag library-v2.0.0"},
		{"the highest one on a branch that was merged", func(r *testRepo) {
			r.commit("one")
			r.git("checkout", "-q", "-b", "other")
			r.commit("elsewhere")
			r.git("tag", "library-v2.0.0")
			r.git("checkout", "-q", "main")
			r.merge("other")
		}, "the highest release tag library-v2.0.0"},
		{"the highest one later than HEAD", func(r *testRepo) {
			r.commit("one")
			r.commit("two")
			r.git("tag", "library-v2.0.0")
			r.git("checkout", "-q", "HEAD~1")
		}, "git pull"},
		{"the highest one at a file", func(r *testRepo) {
			r.commit("one")
			r.git("tag", "library-v2.0.0", r.object("blob", "x"))
		}, "release tag library-v2.0.0: not a commit"},
		{"the highest one damaged", func(r *testRepo) {
			r.commit("one")
			r.write(".git/refs/tags/library-v2.0.0", "x")
		}, "release tag library-v2.0.0: the file of"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			r := newRepo(t)
			tt.history(r)
			repo := r.open()
			tag, c, err := repo.LastRelease(r.resolve(repo, "HEAD"), "library-v")
			if err != nil {
				if tag != "" || !c.IsZero() || tt.want == "" || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("%q, %v, %v, want %q", tag, c, err, tt.want)
				}
				var off *OffLineError
				if strings.Contains(tt.want, "highest release") && !(errors.As(err, &off) && off.Tag == "library-v2.0.0") {
					t.Errorf("the error is a %T", err)
				}
				return
			}
			if tag != tt.want || tag == "" != c.IsZero() {
				t.Errorf("%q at %v, want %q", tag, c, tt.want)
			} else if tag != "" && c.Hash != r.git("rev-parse", tag+"^{commit}") {
				t.Errorf("%s at %s", tag, c.Hash)
			}
		})
	}
}
