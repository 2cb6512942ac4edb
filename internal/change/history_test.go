package change

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
)

const level1 = "Neither actor nor action is named."

// story is a rubric with an ID and a version whose lowest level has a text.
func story(id, version, lowest string) string {
	return strings.Replace(scripttest.Rubric(id, version, "prd"), level1, lowest, 1)
}

// commit commits all that is in the folder.
func (r repo) commit(files map[string]string) gitrepo.Commit {
	r.Helper()
	for name, content := range files {
		if content == "" {
			if err := os.RemoveAll(filepath.Join(r.dir, name)); err != nil {
				r.Fatal(err)
			}
			continue
		}
		r.write(name, content)
	}
	r.git("add", "--all", ".")
	r.git("commit", "-q", "--allow-empty", "-m", "step")
	c, err := r.open().Head()
	if err != nil {
		r.Fatal(err)
	}
	return c
}

func (r repo) open() *gitrepo.Repo {
	r.Helper()
	opened, err := gitrepo.Open(r.dir)
	if err != nil {
		r.Fatal(err)
	}
	r.Cleanup(func() { _ = opened.Close() })
	return opened
}

// at is the library in a folder at a commit.
func (r repo) at(c gitrepo.Commit, folder string) *Library {
	r.Helper()
	l, err := At(r.open(), c, folder)
	if err != nil {
		r.Fatal(err)
	}
	return l
}

// head is the working tree as something to compare.
func (r repo) head() *Library {
	r.Helper()
	l, err := Folder(r.dir, "the working tree")
	if err != nil {
		r.Fatal(err)
	}
	return l
}

// summary is a comparison in a line a document.
func summary(c *Comparison) []string {
	lines := []string{}
	version := func(name string, e *Edition) string {
		if e == nil {
			return ""
		}
		return fmt.Sprintf(" %s %s", name, e.Version)
	}
	for _, d := range c.Documents {
		lines = append(lines, d.Path+" "+d.ID+version("head", d.Head)+version("base", d.Base)+version("tip", d.Tip)+" "+d.Class().String())
	}
	return lines
}

func TestCompare(t *testing.T) {
	const a, b, moved = "rubrics/prd/a_v1.yaml", "rubrics/prd/b_v1.yaml", "rubrics/abc/a_v1.yaml"
	base := map[string]string{a: story("a_v1", "1.0.0", "None."), b: story("b_v1", "1.0.0", "None.")}
	tests := []struct {
		reason string
		tip    map[string]string // what the target changed since the base
		head   map[string]string // and what the branch did
		want   []string
	}{
		{"nothing differs", nil, nil, []string{}},
		{"a change of the branch", nil, map[string]string{a: story("a_v1", "1.1.0", "Nothing.")},
			[]string{a + " a_v1 head 1.1.0 base 1.0.0 tip 1.0.0 minor"}},
		{"a change of the target is not a change of the branch", map[string]string{a: story("a_v1", "1.1.0", "Nothing.")}, nil,
			[]string{a + " a_v1 head 1.0.0 base 1.0.0 tip 1.1.0 none"}},
		{"a new document", nil, map[string]string{"rubrics/prd/c_v1.yaml": story("c_v1", "1.0.0", "None.")},
			[]string{"rubrics/prd/c_v1.yaml c_v1 head 1.0.0 none"}},
		{"a document that is gone", nil, map[string]string{a: ""},
			[]string{a + " a_v1 tip 1.0.0 none"}},
		{"a document that was moved is known by its ID", nil, map[string]string{a: "", moved: story("a_v1", "1.1.0", "Nothing.")},
			[]string{moved + " a_v1 head 1.1.0 base 1.0.0 tip 1.0.0 minor"}},
		{"a broken document is not gone", nil, map[string]string{a: "rubric_id: [\n"}, []string{}},
		{"a copy has no identity of its own", nil, map[string]string{moved: base[a]}, []string{}},
		{"and neither has a document with the ID of another", nil, map[string]string{b: story("a_v1", "1.0.0", "None.")},
			[]string{b + " b_v1 tip 1.0.0 none"}},
		{"two documents swap their paths", nil, map[string]string{a: base[b], b: base[a]},
			[]string{a + " b_v1 head 1.0.0 base 1.0.0 tip 1.0.0 none", b + " a_v1 head 1.0.0 base 1.0.0 tip 1.0.0 none"}},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			r := newRepo(t)
			began := r.commit(base)
			tip := r.commit(tt.tip)
			r.git("checkout", "-q", began.Hash)
			for name, content := range tt.head {
				if content == "" {
					r.git("rm", "-q", name)
				} else {
					r.write(name, content)
				}
			}
			c, err := Compare(r.head(), []*Library{r.at(began, "")}, r.at(tip, ""), false)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, summary(c)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Of several merge bases, the one counts since which most changed.
func TestTheHighestClassOfAllBasesCounts(t *testing.T) {
	const a = "rubrics/prd/a_v1.yaml"
	r := newRepo(t)
	first := r.commit(map[string]string{a: story("a_v1", "1.0.0", "None.")})
	second := r.commit(map[string]string{a: story("a_v1", "1.1.0", "Nothing.")})
	r.write(a, story("a_v1", "1.1.0", "Nothing.")+"# a comment\n")
	c, err := Compare(r.head(), []*Library{r.at(second, ""), r.at(first, "")}, r.at(second, ""), false)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{a + " a_v1 head 1.1.0 base 1.0.0 tip 1.1.0 minor"}, summary(c)); diff != "" {
		t.Error(diff)
	}
}

// What can't be used is replaced by what could be used last, so that breaking a
// document first hides nothing.
func TestABrokenBaseIsItsLastUsableContent(t *testing.T) {
	const a = "rubrics/prd/a_v1.yaml"
	r := newRepo(t)
	right := r.commit(map[string]string{a: story("a_v1", "1.0.0", "None.")})
	broken := r.commit(map[string]string{a: "rubric_id: [\n"})
	never := r.commit(map[string]string{a: "", "rubrics/prd/b_v1.yaml": "rubric_id: ]\n"})
	l := r.at(broken, "")
	held, err := l.edition(a)
	if err != nil || held == nil || held.Commit.Hash != right.Hash || held.Version != "1.0.0" {
		t.Errorf("a document that was broken is %+v, %v", held, err)
	}
	l = r.at(never, "")
	if held, err = l.edition("rubrics/prd/b_v1.yaml"); held != nil || err != nil {
		t.Errorf("a document that never was usable is %+v, %v", held, err)
	}
}

func TestAComparisonOfCommitsListsOnlyWhatDiffers(t *testing.T) {
	r := newRepo(t)
	before := r.commit(map[string]string{
		"rubrics/prd/a_v1.yaml": story("a_v1", "1.0.0", "None."), "rubrics/prd/b_v1.yaml": story("b_v1", "1.0.0", "None."), "rubrics/prd/notes.md": "x",
	})
	after := r.commit(map[string]string{"rubrics/prd/a_v1.yaml": story("a_v1", "1.0.1", "None."), "rubrics/prd/notes.md": "y"})
	old, current, err := pair(r.open(), before, after, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Compare(current, []*Library{old}, old, false); err != nil {
		t.Fatal(err)
	}
	want := []string{"rubrics/prd/a_v1.yaml"}
	if diff := cmp.Diff([][]string{want, want}, [][]string{slices.Sorted(maps.Keys(old.files)), slices.Sorted(maps.Keys(current.files))}); diff != "" {
		t.Error(diff)
	}
}

func TestPublishedHasEveryVersionThatWasReplaced(t *testing.T) {
	const a = "rubrics/prd/a_v1.yaml"
	r := newRepo(t)
	r.commit(map[string]string{a: story("a_v1", "1.0.0", "None."), "rubrics/prd/b_v1.yaml": story("b_v1", "1.0.0", "None.")})
	r.commit(map[string]string{a: story("a_v1", "1.1.0", "Nothing.")})
	r.commit(map[string]string{a: ""})
	last := r.commit(map[string]string{a: story("a_v1", "1.2.0", "Not one.")})
	past, err := published(r.open(), last, "", []string{"a_v1", "b_v1"})
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
		{"a second library is added", map[string]string{two: story("a_v1", "1.0.0", "None.")}, "two", false},
		{"it is deleted", map[string]string{one: ""}, "two", true},
		{"it is moved, so that everything in it would be new", map[string]string{one: "", two: story("a_v1", "1.0.0", "None.")}, "two", true},
		{"its documents are retired", map[string]string{one: "", ledger: retired}, "two", false},
		{"it is the library that is checked, whose own rules say what is gone", map[string]string{one: ""}, "one", false},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			r := newRepo(t)
			before := r.commit(map[string]string{one: story("a_v1", "1.0.0", "None.")})
			head := r.commit(tt.head)
			err := CheckGone(r.open(), before, head, os.DirFS(r.dir), tt.folder)
			if gone := (*GoneError)(nil); errors.As(err, &gone) != tt.gone || err != nil && !tt.gone {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestLinksHideDocuments(t *testing.T) {
	r := newRepo(t)
	r.write("rubrics/prd/a_v1.yaml", story("a_v1", "1.0.0", "None."))
	if err := os.Symlink("a_v1.yaml", filepath.Join(r.dir, "rubrics/prd/b_v1.yaml")); err != nil {
		t.Skip("there are no symbolic links here:", err)
	}
	l := r.at(r.commit(nil), "")
	names, err := l.paths()
	if _, link := l.File("rubrics/prd/b_v1.yaml"); err != nil || !IsNoFile(link) || len(names) != 2 {
		t.Errorf("documents %v, %v, and the link is read with %v", names, err, link)
	}
}
