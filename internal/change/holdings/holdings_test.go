package holdings

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/repotest"
	"github.com/rubric-library/rubric-library/internal/gitrepo"

	"github.com/google/go-cmp/cmp"
)

// What can't be used is replaced by what could be used last, so that breaking a
// document first hides nothing.
func TestABrokenBaseIsItsLastUsableContent(t *testing.T) {
	const a = "rubrics/prd/a_v1.yaml"
	r := repotest.New(t)
	right := r.Commit(map[string]string{a: repotest.Story("a_v1", "1.0.0", "None.")})
	broken := r.Commit(map[string]string{a: "rubric_id: [\n"})
	never := r.Commit(map[string]string{a: "", "rubrics/prd/b_v1.yaml": "rubric_id: ]\n"})
	l := libraryAt(r, broken, "")
	held, err := l.Edition(a)
	if err != nil || held == nil || held.Commit.Hash != right.Hash || held.Version != "1.0.0" {
		t.Errorf("a document that was broken is %+v, %v", held, err)
	}
	l = libraryAt(r, never, "")
	if held, err = l.Edition("rubrics/prd/b_v1.yaml"); held != nil || err != nil {
		t.Errorf("a document that never was usable is %+v, %v", held, err)
	}
}

func TestPublishedHasEveryVersionThatWasReplaced(t *testing.T) {
	const a = "rubrics/prd/a_v1.yaml"
	r := repotest.New(t)
	r.Commit(map[string]string{a: repotest.Story("a_v1", "1.0.0", "None."), "rubrics/prd/b_v1.yaml": repotest.Story("b_v1", "1.0.0", "None.")})
	r.Commit(map[string]string{a: repotest.Story("a_v1", "1.1.0", "Nothing.")})
	r.Commit(map[string]string{a: ""})
	last := r.Commit(map[string]string{a: repotest.Story("a_v1", "1.2.0", "Not one.")})
	past, err := Published(r.Open(), last, "", []string{"a_v1", "b_v1"})
	if err != nil {
		t.Fatal(err)
	}
	var versions []string
	for _, h := range past["a_v1"] {
		versions = append(versions, h.Version)
	}
	if diff := cmp.Diff([]string{"1.2.0", "1.1.0", "1.0.0"}, versions); diff != "" {
		t.Error(diff)
	}
	if len(past["b_v1"]) > 0 {
		t.Errorf("a document that nothing changed has a past: %v", past["b_v1"])
	}
}

func TestCheckGone(t *testing.T) {
	const one, two, ledger = "one/rubrics/prd/a_v1.yaml", "two/rubrics/prd/a_v1.yaml", "one/rubrics/retired.yaml"
	retired := "retired:\n  - {id: a_v1, kind: rubric, last_version: \"1.0.0\", reason: unused}\n"
	tests := []struct {
		reason string
		head   map[string]string
		folder string
		gone   bool
	}{
		{"it is there", nil, "two", false},
		{"a second library is added", map[string]string{two: repotest.Story("a_v1", "1.0.0", "None.")}, "two", false},
		{"it is deleted", map[string]string{one: ""}, "two", true},
		{"it is moved, so that everything in it would be new", map[string]string{one: "", two: repotest.Story("a_v1", "1.0.0", "None.")}, "two", true},
		{"its documents are retired", map[string]string{one: "", ledger: retired}, "two", false},
		{"it is the library that is checked, whose own rules say what is gone", map[string]string{one: ""}, "one", false},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			r := repotest.New(t)
			before := r.Commit(map[string]string{one: repotest.Story("a_v1", "1.0.0", "None.")})
			head := r.Commit(tt.head)
			err := CheckGone(r.Open(), before, head, os.DirFS(r.Dir), tt.folder)
			if gone := (*GoneError)(nil); errors.As(err, &gone) != tt.gone || err != nil && !tt.gone {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestLinksHideDocuments(t *testing.T) {
	r := repotest.New(t)
	r.Write("rubrics/prd/a_v1.yaml", repotest.Story("a_v1", "1.0.0", "None."))
	if err := os.Symlink("a_v1.yaml", filepath.Join(r.Dir, "rubrics/prd/b_v1.yaml")); err != nil {
		t.Skip("there are no symbolic links here:", err)
	}
	l := libraryAt(r, r.Commit(nil), "")
	names, err := l.Paths()
	if _, link := l.File("rubrics/prd/b_v1.yaml"); err != nil || !IsNoFile(link) || len(names) != 2 {
		t.Errorf("documents %v, %v, and the link is read with %v", names, err, link)
	}
}

// libraryAt is the library in a folder at a commit.
func libraryAt(r repotest.Repo, c gitrepo.Commit, folder string) *Library {
	r.Helper()
	l, err := At(r.Open(), c, folder)
	if err != nil {
		r.Fatal(err)
	}
	return l
}
