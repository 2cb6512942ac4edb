package comparison

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/dev/repotest"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
)

// at is the library in a folder at a commit.
func at(r repotest.Repo, c gitrepo.Commit, folder string) *holdings.Library {
	r.Helper()
	l, err := holdings.At(r.Open(), c, folder)
	if err != nil {
		r.Fatal(err)
	}
	return l
}

// head is the working tree as something to compare.
func head(r repotest.Repo) *holdings.Library {
	r.Helper()
	l, err := holdings.Folder(r.Dir, "the working tree")
	if err != nil {
		r.Fatal(err)
	}
	return l
}

// summary is a comparison in a line a document.
func summary(c *Comparison) []string {
	lines := []string{}
	version := func(name string, e *holdings.Edition) string {
		if e == nil {
			return ""
		}
		return fmt.Sprintf(" %s %s", name, e.Version)
	}
	for _, d := range c.Changed {
		lines = append(lines, d.Path+" "+d.ID+version("head", d.Head)+version("base", d.Base)+version("tip", d.Tip)+" "+d.Class().String())
	}
	return lines
}

func TestCompare(t *testing.T) {
	const a, b, moved = "rubrics/prd/a_v1.yaml", "rubrics/prd/b_v1.yaml", "rubrics/abc/a_v1.yaml"
	base := map[string]string{a: repotest.Story("a_v1", "1.0.0", "None."), b: repotest.Story("b_v1", "1.0.0", "None.")}
	tests := []struct {
		reason string
		tip    map[string]string // what the target changed since the base
		head   map[string]string // and what the branch did
		want   []string
	}{
		{"nothing differs", nil, nil, []string{}},
		{"a change of the branch", nil, map[string]string{a: repotest.Story("a_v1", "1.1.0", "Nothing.")},
			[]string{a + " a_v1 head 1.1.0 base 1.0.0 tip 1.0.0 minor"}},
		{"a change of the target is not a change of the branch", map[string]string{a: repotest.Story("a_v1", "1.1.0", "Nothing.")}, nil,
			[]string{a + " a_v1 head 1.0.0 base 1.0.0 tip 1.1.0 none"}},
		{"a new document", nil, map[string]string{"rubrics/prd/c_v1.yaml": repotest.Story("c_v1", "1.0.0", "None.")},
			[]string{"rubrics/prd/c_v1.yaml c_v1 head 1.0.0 none"}},
		{"a document that is gone", nil, map[string]string{a: ""},
			[]string{a + " a_v1 tip 1.0.0 none"}},
		{"a document that was moved is known by its ID", nil, map[string]string{a: "", moved: repotest.Story("a_v1", "1.1.0", "Nothing.")},
			[]string{moved + " a_v1 head 1.1.0 base 1.0.0 tip 1.0.0 minor"}},
		{"a broken document is not gone", nil, map[string]string{a: "rubric_id: [\n"}, []string{}},
		{"a copy has no identity of its own", nil, map[string]string{moved: base[a]}, []string{}},
		{"and neither has a document with the ID of another", nil, map[string]string{b: repotest.Story("a_v1", "1.0.0", "None.")},
			[]string{b + " b_v1 tip 1.0.0 none"}},
		{"two documents swap their paths", nil, map[string]string{a: base[b], b: base[a]},
			[]string{a + " b_v1 head 1.0.0 base 1.0.0 tip 1.0.0 none", b + " a_v1 head 1.0.0 base 1.0.0 tip 1.0.0 none"}},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			r := repotest.New(t)
			began := r.Commit(base)
			tip := r.Commit(tt.tip)
			r.Git("checkout", "-q", began.Hash)
			for name, content := range tt.head {
				if content == "" {
					r.Git("rm", "-q", name)
				} else {
					r.Write(name, content)
				}
			}
			c, err := Compare(head(r), []*holdings.Library{at(r, began, "")}, at(r, tip, ""), false)
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
	r := repotest.New(t)
	first := r.Commit(map[string]string{a: repotest.Story("a_v1", "1.0.0", "None.")})
	second := r.Commit(map[string]string{a: repotest.Story("a_v1", "1.1.0", "Nothing.")})
	r.Write(a, repotest.Story("a_v1", "1.1.0", "Nothing.")+"# a comment\n")
	c, err := Compare(head(r), []*holdings.Library{at(r, second, ""), at(r, first, "")}, at(r, second, ""), false)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{a + " a_v1 head 1.1.0 base 1.0.0 tip 1.1.0 minor"}, summary(c)); diff != "" {
		t.Error(diff)
	}
}

func TestAComparisonOfCommitsListsOnlyWhatDiffers(t *testing.T) {
	r := repotest.New(t)
	before := r.Commit(map[string]string{
		"rubrics/prd/a_v1.yaml": repotest.Story("a_v1", "1.0.0", "None."), "rubrics/prd/b_v1.yaml": repotest.Story("b_v1", "1.0.0", "None."), "rubrics/prd/notes.md": "x",
	})
	after := r.Commit(map[string]string{"rubrics/prd/a_v1.yaml": repotest.Story("a_v1", "1.0.1", "None."), "rubrics/prd/notes.md": "y"})
	old, current, err := holdings.Pair(r.Open(), before, after, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Compare(current, []*holdings.Library{old}, old, false); err != nil {
		t.Fatal(err)
	}
	want := []string{"rubrics/prd/a_v1.yaml"}
	if diff := cmp.Diff([][]string{want, want}, [][]string{old.ListedPaths(), current.ListedPaths()}); diff != "" {
		t.Error(diff)
	}
}
