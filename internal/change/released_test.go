package change

import (
	"testing"

	"github.com/rubric-library/rubric-library/internal/change/comparison"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/dev/repotest"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
)

// TestReleased asks about a draft of a library at HEAD, whose text is "now" and was another one
// before.
func TestReleased(t *testing.T) {
	const a = "rubrics/prd/a_v1.yaml"
	text := func(version, lowest string) map[string]string {
		return map[string]string{a: repotest.Story("a_v1", version, lowest)}
	}
	draft := func(lowest string) map[string]string { return text("0.1.0", lowest) }
	tests := []struct {
		reason  string
		history func(r repotest.Repo) // up to HEAD
		another bool                  // a release carried another text of 0.1.0 than "now"
		ever    bool                  // a release carried 0.1.0
	}{
		{"no release", func(r repotest.Repo) {
			r.Commit(draft("before"))
			r.Commit(draft("now"))
		}, false, false},
		{"a release before the change", func(r repotest.Repo) {
			r.Commit(draft("before"))
			r.Git("tag", "-a", "-m", "x", "library-v0.1.0")
			r.Commit(draft("now"))
		}, true, true},
		{"a lightweight tag", func(r repotest.Repo) {
			r.Commit(draft("before"))
			r.Git("tag", "library-v0.1.0")
			r.Commit(draft("now"))
		}, true, true},
		{"the first parent of a release had it", func(r repotest.Repo) {
			r.Commit(draft("before"))
			r.Commit(text("0.2.0", "before"))
			r.Git("tag", "library-v0.1.0")
			r.Commit(draft("now"))
		}, true, true},
		{"it was gone when a release was made", func(r repotest.Repo) {
			r.Commit(draft("before"))
			r.Commit(map[string]string{a: "", "rubrics/prd/b_v1.yaml": repotest.Story("b_v1", "1.0.0", "None.")})
			r.Git("tag", "library-v0.1.0")
			r.Commit(draft("now"))
		}, true, true},
		{"it was in another file", func(r repotest.Repo) {
			r.Commit(map[string]string{"rubrics/abc/x.yaml": repotest.Story("a_v1", "0.1.0", "before")})
			r.Git("tag", "library-v0.1.0")
			r.Commit(map[string]string{"rubrics/abc/x.yaml": "", a: repotest.Story("a_v1", "0.1.0", "now")})
		}, true, true},
		{"a release of a branch that was not merged", func(r repotest.Repo) {
			r.Commit(draft("before"))
			r.Git("checkout", "-q", "-b", "other")
			r.Commit(nil)
			r.Git("tag", "library-v0.1.0")
			r.Git("checkout", "-q", "main")
			r.Commit(draft("now"))
		}, true, true},
		{"a release of an unrelated history", func(r repotest.Repo) {
			r.Commit(draft("now"))
			r.Git("checkout", "-q", "--orphan", "other")
			r.Commit(draft("before"))
			r.Git("tag", "library-v0.1.0")
			r.Git("checkout", "-q", "main")
		}, true, true},
		{"of an earlier number only", func(r repotest.Repo) {
			r.Commit(text("0.0.1", "before"))
			r.Git("tag", "library-v0.1.0")
			r.Commit(draft("now"))
		}, false, false},
		{"a release with today's text, elsewhere", func(r repotest.Repo) {
			r.Commit(draft("before"))
			r.Git("checkout", "-q", "-b", "other")
			r.Commit(draft("now"))
			r.Git("tag", "library-v0.1.0")
			r.Git("checkout", "-q", "main")
			r.Commit(nil)
			r.Commit(draft("now"))
		}, false, true},
		{"a release of the step itself", func(r repotest.Repo) {
			r.Commit(draft("before"))
			r.Commit(draft("now"))
			r.Git("tag", "library-v0.1.0")
		}, false, false},
		{"a release after the step, with a third text", func(r repotest.Repo) {
			r.Commit(draft("before"))
			r.Commit(draft("now"))
			r.Git("checkout", "-q", "-b", "later")
			r.Commit(draft("later"))
			r.Git("tag", "library-v0.1.0")
			r.Git("checkout", "-q", "main")
		}, false, false},
		{"the release had the last of two texts", func(r repotest.Repo) {
			r.Commit(draft("before"))
			r.Commit(draft("now"))
			r.Git("tag", "library-v0.1.0")
			r.Commit(nil)
		}, false, true},
		{"a tag that is not one of a release", func(r repotest.Repo) {
			r.Commit(draft("before"))
			r.Git("tag", "library-v0.1.0-rc.1")
			r.Git("tag", "v1.0.0")
			r.Commit(draft("now"))
		}, false, false},
		{"what a tag carried was not valid", func(r repotest.Repo) {
			r.Commit(map[string]string{a: "rubric_id: a_v1\nversion: \"0.1.0\"\n"})
			r.Git("tag", "library-v0.1.0")
			r.Commit(draft("now"))
		}, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			r := repotest.New(t)
			tt.history(r)
			repo := r.Open()
			head, err := repo.Head()
			if err != nil {
				t.Fatal(err)
			}
			l, err := holdings.At(repo, head, "")
			if err != nil {
				t.Fatal(err)
			}
			now, err := l.Find("a_v1")
			if err != nil {
				t.Fatal(err)
			}
			nothing := holdings.Nothing("")
			s := &Step{Comparison: &comparison.Comparison{Head: nothing, Tip: nothing}, past: holdings.Past{}, releases: holdings.ReleasesOf(repo, ""), stepPlace: stepPlace{reached: head.Hash}}
			another, err := s.wasReleased("a_v1", "0.1.0", now.Digest)
			if err != nil || another != tt.another {
				t.Errorf("another text was released: %t, %v", another, err)
			}
			if ever, err := s.wasReleased("a_v1", "0.1.0", ""); err != nil || ever != tt.ever {
				t.Errorf("it was released: %t, %v", ever, err)
			}
			if other, err := s.wasReleased("a_v1", "9.9.9", ""); err != nil || other {
				t.Errorf("a version that never existed was released: %t, %v", other, err)
			}
		})
	}
}

// TestReleasedInAFolder: the releases of another library carried nothing of this one.
func TestReleasedInAFolder(t *testing.T) {
	const id = "a_v1"
	r := repotest.New(t)
	r.Commit(map[string]string{"x/rubrics/prd/a_v1.yaml": repotest.Story(id, "0.1.0", "None."), "rubrics/prd/a_v1.yaml": repotest.Story(id, "0.1.0", "None.")})
	r.Git("tag", "x/library-v0.1.0")
	nothing := holdings.Nothing("")
	for folder, want := range map[string]bool{"x": true, "": false, "y": false} {
		s := &Step{Comparison: &comparison.Comparison{Head: nothing, Tip: nothing}, past: holdings.Past{}, releases: holdings.ReleasesOf(r.Open(), folder)}
		if got, err := s.wasReleased(id, "0.1.0", ""); got != want || err != nil {
			t.Errorf("in the folder %q, it was released: %t, %v", folder, got, err)
		}
	}
}

func TestReleasedWithoutAHistory(t *testing.T) {
	library := holdings.Nothing("")
	bundle := holdings.Packed("x.zip", "1.0.0", nil, nil)
	known := holdings.ReleasesOf(&gitrepo.Repo{}, "") // which would be read
	tests := []struct {
		reason string
		step   *Step
	}{
		{"everything in a bundle is released", &Step{Comparison: &comparison.Comparison{Head: bundle, Tip: library}, releases: known}},
		{"and what is compared with one was", &Step{Comparison: &comparison.Comparison{Head: library, Tip: library, Bases: []*holdings.Library{bundle}}, releases: known}},
		{"without a history, nobody knows that it was not", &Step{Comparison: &comparison.Comparison{Head: library, Tip: library}}},
	}
	for _, tt := range tests {
		if released, err := tt.step.wasReleased("a_v1", "0.1.0", ""); err != nil || !released {
			t.Errorf("%s: %t, %v", tt.reason, released, err)
		}
	}
}
