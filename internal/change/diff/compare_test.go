package diff

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// story is a rubric to be changed in one place.
const story = `rubric_id: story_v1
name: Story
version: "1.2.0"
artifact_type: prd
criteria:
  - name: clarity
    description: Whether the reader knows who does what.
    weight: essential
    threshold: 3.0
    anchors:
      1: Neither actor nor action is named.
      2: The actor or the action is named.
      3: Actor and action are named.
      4: Actor, action and object are named.
      5: Actor, action, object and reason are named.
    examples:
      score_1: Make it better.
      score_5: A clerk archives an invoice so that the audit finds it.
scoring:
  pass_threshold: 3.5
`

// edited is the story with pairs of texts replaced.
func edited(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(story) }

// library writes files into a folder and reads it.
func library(t *testing.T, files map[string]string) *holdings.Library {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	l, err := holdings.Folder(dir, dir)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// stories is a library of one rubric.
func stories(t *testing.T, text string) *holdings.Library {
	return library(t, map[string]string{"rubrics/prd/story_v1.yaml": text})
}

// compare compares libraries in folders.
func compare(before []*holdings.Library, tip, head *holdings.Library) (*Comparison, error) {
	j, err := change.Versus(before, tip, head, true)
	if err != nil {
		return nil, err
	}
	return Of(j), nil
}

func TestRequiredVersions(t *testing.T) {
	const (
		reworded = "Make it good."
		other    = "Make it new."
	)
	tests := []struct {
		reason          string
		base, tip, head string // texts of the only document; tip "" is the base
		want            string
		fits            bool
	}{
		{"a reworded example needs a minor step", story, "", edited("Make it better.", reworded), "1.3.0", false},
		{"a larger step fits", story, "", edited("Make it better.", reworded, "1.2.0", "2.0.0"), "1.3.0", true},
		{"a smaller step does not", story, "", edited("Make it better.", reworded, "1.2.0", "1.2.1"), "1.3.0", false},
		{"without a change the version stays", story, "", edited("name: Story", `name: "Story" # for people`, "1.2.0", "1.2.0"), "1.2.0", true},
		{"and does not go down", story, "", edited("1.2.0", "1.1.0"), "1.2.0", false},
		{"the step counts from the tip", story, edited("1.2.0", "1.3.0", "Make it better.", other), edited("Make it better.", reworded, "1.2.0", "1.3.0"), "1.4.0", false},
		{"the step from the tip fits", story, edited("1.2.0", "1.3.0", "Make it better.", other), edited("Make it better.", reworded, "1.2.0", "1.4.0"), "1.4.0", true},
		{"the tip has the same already", story, edited("Make it better.", reworded, "1.2.0", "1.3.0"), edited("Make it better.", reworded, "1.2.0", "1.3.0"), "1.3.0", true},
		{"the tip has the same with a comment", story, "# comment\n" + edited("Make it better.", reworded, "1.2.0", "1.3.0"), edited("Make it better.", reworded, "1.2.0", "1.3.0"), "1.3.0", true},
		{"a comment needs nothing, whatever the tip has", story, edited("1.2.0", "1.3.0", "Make it better.", other), "# comment\n" + story, "1.2.0", true},
		{"a version that the tip gave to another text", story, edited("1.2.0", "1.3.0", "Make it better.", other), edited("1.2.0", "1.3.0"), "1.3.1", false},
		{"a draft needs a minor step for a major change", edited("1.2.0", "0.2.0"), "", edited("1.2.0", "0.2.0", "threshold: 3.0", "threshold: 3.1"), "0.3.0", false},
	}
	for _, tt := range tests {
		base, head := stories(t, tt.base), stories(t, tt.head)
		tip := base
		if tt.tip != "" {
			tip = stories(t, tt.tip)
		}
		c, err := compare([]*holdings.Library{base}, tip, head)
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Documents) != 1 {
			t.Errorf("%s: %d documents differ, want 1", tt.reason, len(c.Documents))
			continue
		}
		if d := c.Documents[0]; string(d.Required) != tt.want || d.Fits != tt.fits {
			t.Errorf("%s: %s is required and fits is %v, want %s and %v", tt.reason, d.Required, d.Fits, tt.want, tt.fits)
		}
	}
}

func TestAddedOnBothSides(t *testing.T) {
	nothing := holdings.Nothing("nothing")
	tests := []struct {
		reason    string
		tip, head string
		want      string
		fits      bool
	}{
		{"nobody else added it", "", story, "", true},
		{"the target added it with other words", edited("Make it better.", "Make it new."), story, "1.3.0", false},
		{"the target added the same", "# comment\n" + story, story, "", true},
	}
	for _, tt := range tests {
		tip := nothing
		if tt.tip != "" {
			tip = stories(t, tt.tip)
		}
		c, err := compare([]*holdings.Library{nothing}, tip, stories(t, tt.head))
		if err != nil {
			t.Fatal(err)
		}
		if d := c.Documents[0]; d.Status != Added || string(d.Required) != tt.want || d.Fits != tt.fits {
			t.Errorf("%s: it is %s, %q is required and fits is %v; want %q and %v", tt.reason, d.Status, d.Required, d.Fits, tt.want, tt.fits)
		}
	}
}

// TestSeveralBases holds that of several bases the one counts from which the
// change is the largest.
func TestSeveralBases(t *testing.T) {
	reworded := stories(t, edited("Make it better.", "Make it good."))
	lower := stories(t, edited("threshold: 3.0", "threshold: 2.5"))
	other := library(t, map[string]string{"rubrics/prd/other_v1.yaml": edited("story_v1", "other_v1")})
	head := stories(t, story)
	for _, before := range [][]*holdings.Library{{reworded, lower, other}, {other, lower, reworded}, {lower, other, reworded}} {
		c, err := compare(before, reworded, head)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]schema.Class{}
		for _, d := range c.Documents {
			got[d.ID+" "+string(d.Status)] = d.Class
		}
		want := map[string]schema.Class{"story_v1 modified": schema.Major, "other_v1 removed": schema.Major}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}

// TestMatching holds how files are matched where an ID alone does not tell.
func TestMatching(t *testing.T) {
	const path = "rubrics/prd/story_v1.yaml"
	broken := edited("name: Story", "nam: Story")
	nameless := edited("rubric_id: story_v1", "rubric_id: [story_v1")
	tests := []struct {
		reason     string
		base, head map[string]string
		want       []string
	}{
		{"a file that moved", map[string]string{path: story}, map[string]string{"rubrics/x/y.yml": story}, []string{"story_v1 moved"}},
		{"a file that moved with a comment", map[string]string{path: story}, map[string]string{"rubrics/x/y.yml": "# c\n" + story}, []string{"story_v1 moved"}},
		{"another ID is another document", map[string]string{path: story}, map[string]string{path: edited("story_v1", "tale_v1")}, []string{"story_v1 removed", "tale_v1 added"}},
		{"two files that changed places", map[string]string{"rubrics/a.yaml": story, "rubrics/b.yaml": edited("story_v1", "tale_v1")},
			map[string]string{"rubrics/b.yaml": story, "rubrics/a.yaml": edited("story_v1", "tale_v1")}, []string{"story_v1 moved", "tale_v1 moved"}},
		{"a broken file with its ID", map[string]string{path: story}, map[string]string{path: broken}, []string{"story_v1 modified?"}},
		{"a broken file that moved, with its ID", map[string]string{path: story}, map[string]string{"rubrics/x.yaml": broken}, []string{"story_v1 modified?"}},
		{"a broken file in its place", map[string]string{path: story}, map[string]string{path: nameless}, []string{"story_v1 modified?"}},
		{"a broken file that has its name", map[string]string{path: story}, map[string]string{"rubrics/x/story_v1.yaml": nameless}, []string{"story_v1 modified?"}},
		{"a broken file that is new", map[string]string{path: story}, map[string]string{path: story, "rubrics/x/new.yaml": nameless}, []string{" added?"}},
		{"the document moved and a broken file took its place", map[string]string{path: story}, map[string]string{"rubrics/x.yaml": story, path: nameless}, []string{" added?", "story_v1 moved"}},
		{"a base that is broken", map[string]string{path: broken}, map[string]string{path: story}, []string{"story_v1 modified?"}},
		{"a base that is broken without an ID", map[string]string{path: nameless}, map[string]string{path: story}, []string{"story_v1 modified?"}},
		{"broken on both sides in the same way", map[string]string{path: broken}, map[string]string{path: broken, "rubrics/a.yaml": edited("story_v1", "a")}, []string{"a added"}},
		{"two files with one ID", map[string]string{path: edited("story_v1", "tale_v1")}, map[string]string{"rubrics/a.yaml": story, "rubrics/b.yaml": story},
			[]string{"story_v1 added?", "tale_v1 removed", "story_v1 added"}},
		{"too large to be a document", map[string]string{path: story}, map[string]string{path: story + strings.Repeat("#", 256<<10)}, []string{"story_v1 modified?"}},
	}
	for _, tt := range tests {
		base := library(t, tt.base)
		c, err := compare([]*holdings.Library{base}, base, library(t, tt.head))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, d := range c.Documents {
			text := d.ID + " " + string(d.Status)
			if d.IsUnreadable() {
				text += "?"
				if d.Fits || len(d.Changes) != 1 || d.Changes[0].Message == "" {
					t.Errorf("%s: an unreadable document is %+v", tt.reason, d)
				}
			}
			got = append(got, text)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

func TestFoldersThatAreNoLibrary(t *testing.T) {
	empty := t.TempDir()
	if err := os.MkdirAll(filepath.Join(empty, "rubrics", "prd"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ reason, dir, want string }{
		{"there is no such folder", filepath.Join(empty, "no"), "it has no folder rubrics/"},
		{"it holds no rubrics/", filepath.Join(empty, "rubrics"), "it has no folder rubrics/"},
		{"rubrics/ is empty", empty, "no documents to compare"},
	} {
		if _, err := holdings.Folder(tt.dir, "x"); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: the error is %v, want %q", tt.reason, err, tt.want)
		}
	}
}

// TestLinksAreNotFollowed checks that a link instead of a document hides it.
func TestLinksAreNotFollowed(t *testing.T) {
	base := stories(t, story)
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "rubrics"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "rubrics", "a.yaml"), []byte(edited("story_v1", "a")), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "rubrics", "a.yaml"), filepath.Join(dir, "rubrics", "story_v1.yaml")); err != nil {
		t.Skip("this system has no symbolic links for us")
	}
	head, err := holdings.Folder(dir, "x")
	if err != nil {
		t.Fatal(err)
	}
	c, err := compare([]*holdings.Library{base}, base, head)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Documents) != 2 || !c.Documents[0].IsUnreadable() || c.Documents[0].ID != "story_v1" || c.Documents[1].Status != Added {
		t.Errorf("the documents are %+v, want the story unreadable and a added", c.Documents)
	}
}
