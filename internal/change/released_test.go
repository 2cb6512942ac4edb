package change

import (
	"testing"

	"github.com/rubric-library/rubric-library/internal/gitrepo"
)

// TestReleased asks about a draft of a library at HEAD, whose text is "now" and was another one
// before.
func TestReleased(t *testing.T) {
	const a = "rubrics/prd/a_v1.yaml"
	text := func(version, lowest string) map[string]string {
		return map[string]string{a: story("a_v1", version, lowest)}
	}
	draft := func(lowest string) map[string]string { return text("0.1.0", lowest) }
	tests := []struct {
		reason  string
		history func(r repo) // up to HEAD
		another bool         // a release carried another text of 0.1.0 than "now"
		ever    bool         // a release carried 0.1.0
	}{
		{"no release", func(r repo) {
			r.commit(draft("before"))
			r.commit(draft("now"))
		}, false, false},
		{"a release before the change", func(r repo) {
			r.commit(draft("before"))
			r.git("tag", "-a", "-m", "x", "library-v0.1.0")
			r.commit(draft("now"))
		}, true, true},
		{"a lightweight tag", func(r repo) {
			r.commit(draft("before"))
			r.git("tag", "library-v0.1.0")
			r.commit(draft("now"))
		}, true, true},
		{"the first parent of a release had it", func(r repo) {
			r.commit(draft("before"))
			r.commit(text("0.2.0", "before"))
			r.git("tag", "library-v0.1.0")
			r.commit(draft("now"))
		}, true, true},
		{"it was gone when a release was made", func(r repo) {
			r.commit(draft("before"))
			r.commit(map[string]string{a: "", "rubrics/prd/b_v1.yaml": story("b_v1", "1.0.0", "None.")})
			r.git("tag", "library-v0.1.0")
			r.commit(draft("now"))
		}, true, true},
		{"it was in another file", func(r repo) {
			r.commit(map[string]string{"rubrics/abc/x.yaml": story("a_v1", "0.1.0", "before")})
			r.git("tag", "library-v0.1.0")
			r.commit(map[string]string{"rubrics/abc/x.yaml": "", a: story("a_v1", "0.1.0", "now")})
		}, true, true},
		{"a release of a branch that was not merged", func(r repo) {
			r.commit(draft("before"))
			r.git("checkout", "-q", "-b", "other")
			r.commit(nil)
			r.git("tag", "library-v0.1.0")
			r.git("checkout", "-q", "main")
			r.commit(draft("now"))
		}, true, true},
		{"a release of an unrelated history", func(r repo) {
			r.commit(draft("now"))
			r.git("checkout", "-q", "--orphan", "other")
			r.commit(draft("before"))
			r.git("tag", "library-v0.1.0")
			r.git("checkout", "-q", "main")
		}, true, true},
		{"of an earlier number only", func(r repo) {
			r.commit(text("0.0.1", "before"))
			r.git("tag", "library-v0.1.0")
			r.commit(draft("now"))
		}, false, false},
		{"a release with today's text, elsewhere", func(r repo) {
			r.commit(draft("before"))
			r.git("checkout", "-q", "-b", "other")
			r.commit(draft("now"))
			r.git("tag", "library-v0.1.0")
			r.git("checkout", "-q", "main")
			r.commit(nil)
			r.commit(draft("now"))
		}, false, true},
		{"a release of the step itself", func(r repo) {
			r.commit(draft("before"))
			r.commit(draft("now"))
			r.git("tag", "library-v0.1.0")
		}, false, false},
		{"a release after the step, with a third text", func(r repo) {
			r.commit(draft("before"))
			r.commit(draft("now"))
			r.git("checkout", "-q", "-b", "later")
			r.commit(draft("later"))
			r.git("tag", "library-v0.1.0")
			r.git("checkout", "-q", "main")
		}, false, false},
		{"the release had the last of two texts", func(r repo) {
			r.commit(draft("before"))
			r.commit(draft("now"))
			r.git("tag", "library-v0.1.0")
			r.commit(nil)
		}, false, true},
		{"a tag that is not one of a release", func(r repo) {
			r.commit(draft("before"))
			r.git("tag", "library-v0.1.0-rc.1")
			r.git("tag", "v1.0.0")
			r.commit(draft("now"))
		}, false, false},
		{"what a tag carried was not valid", func(r repo) {
			r.commit(map[string]string{a: "rubric_id: a_v1\nversion: \"0.1.0\"\n"})
			r.git("tag", "library-v0.1.0")
			r.commit(draft("now"))
		}, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			r := newRepo(t)
			tt.history(r)
			repo := r.open()
			head, err := repo.Head()
			if err != nil {
				t.Fatal(err)
			}
			now, err := r.at(head, "").Find("a_v1")
			if err != nil {
				t.Fatal(err)
			}
			nothing := Nothing("")
			s := &Step{Comparison: &Comparison{Head: nothing, Tip: nothing}, past: Past{}, releases: releasesOf(repo, ""), reached: head.Hash}
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
	r := newRepo(t)
	r.commit(map[string]string{"x/rubrics/prd/a_v1.yaml": story(id, "0.1.0", "None."), "rubrics/prd/a_v1.yaml": story(id, "0.1.0", "None.")})
	r.git("tag", "x/library-v0.1.0")
	nothing := Nothing("")
	for folder, want := range map[string]bool{"x": true, "": false, "y": false} {
		s := &Step{Comparison: &Comparison{Head: nothing, Tip: nothing}, past: Past{}, releases: releasesOf(r.open(), folder)}
		if got, err := s.wasReleased(id, "0.1.0", ""); got != want || err != nil {
			t.Errorf("in the folder %q, it was released: %t, %v", folder, got, err)
		}
	}
}

func TestReleasedWithoutAHistory(t *testing.T) {
	library := Nothing("")
	bundle := Packed("x.zip", "1.0.0", nil, nil)
	known := releasesOf(&gitrepo.Repo{}, "") // which would be read
	tests := []struct {
		reason string
		step   *Step
	}{
		{"everything in a bundle is released", &Step{Comparison: &Comparison{Head: bundle, Tip: library}, releases: known}},
		{"and what is compared with one was", &Step{Comparison: &Comparison{Head: library, Tip: library, Bases: []*Library{bundle}}, releases: known}},
		{"without a history, nobody knows that it was not", &Step{Comparison: &Comparison{Head: library, Tip: library}}},
	}
	for _, tt := range tests {
		if released, err := tt.step.wasReleased("a_v1", "0.1.0", ""); err != nil || !released {
			t.Errorf("%s: %t, %v", tt.reason, released, err)
		}
	}
}
