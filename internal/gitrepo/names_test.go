package gitrepo

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

func TestNames(t *testing.T) {
	r := newRepo(t)
	one := r.commit("one")
	r.git("branch", "topic/a")
	r.git("tag", "v1.0.0")
	r.git("update-ref", "refs/remotes/origin/main", one)
	r.git("update-ref", "refs/pull/1/merge", one)
	r.git("pack-refs", "--all")
	r.git("tag", "v1.1.0")
	got := must.Get(r.open().Names())(t)
	want := []string{"main", "topic/a", "origin/main", "v1.0.0", "v1.1.0"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
