package site

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/release"
)

func write(t *testing.T, name, content string) {
	t.Helper()
	must.Do(t, os.MkdirAll(filepath.Dir(name), 0o777))
	must.Do(t, os.WriteFile(name, []byte(content), 0o666))
}

// generate generates the site of the small library in a folder.
func generate(t *testing.T, dir string, change ...func(*Options)) error {
	t.Helper()
	library, o := open(t, small(t))
	for _, c := range change {
		c(&o)
	}
	_, err := Build(library, dir, o)
	return err
}

// names returns the sorted names in a folder.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries := must.Get(os.ReadDir(dir))(t)
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

func TestAFolderIsNewOrEmpty(t *testing.T) {
	for _, name := range []string{"new", "new/", "empty", "a/b/new"} {
		parent := t.TempDir()
		for _, dir := range []string{"empty", "like"} {
			must.Do(t, os.Mkdir(filepath.Join(parent, dir), 0o777))
		}
		dir := parent + "/" + name
		if err := generate(t, dir); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(files(t, build(t, small(t))), files(t, dir)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		got := must.Get(os.Stat(dir))(t)
		if like, err := os.Stat(filepath.Join(parent, "like")); err != nil || got.Mode() != like.Mode() {
			t.Errorf("%s has the mode %v, and another folder %v (%v)", name, got.Mode(), like.Mode(), err)
		}
		if left, err := filepath.Glob(filepath.Join(filepath.Dir(filepath.Clean(dir)), ".*")); err != nil || len(left) > 0 {
			t.Errorf("%s: %q is left (%v)", name, left, err)
		}
	}
}

func TestWhatIsThereStays(t *testing.T) {
	for _, test := range []struct {
		reason, want string
		with         func(t *testing.T, dir string)
	}{
		{"a folder with something else", "is not empty", func(t *testing.T, dir string) { write(t, filepath.Join(dir, "CNAME"), "mine") }},
		{"an earlier site", "is not empty", func(t *testing.T, dir string) {
			must.Do(t, generate(t, dir))
		}},
		{"a file", "is not a folder", func(t *testing.T, dir string) { write(t, dir, "mine") }},
	} {
		parent := t.TempDir()
		dir := filepath.Join(parent, "site")
		test.with(t, dir)
		before := files(t, parent)
		if err := generate(t, dir); err == nil || !strings.Contains(err.Error(), dir+" "+test.want) {
			t.Errorf("%s: got the error %v", test.reason, err)
		}
		if diff := cmp.Diff(before, files(t, parent)); diff != "" {
			t.Errorf("%s: something changed (-want +got):\n%s", test.reason, diff)
		}
	}
}

func TestAFolderBehindALinkIsNotWritten(t *testing.T) {
	parent := t.TempDir()
	must.Do(t, os.Mkdir(filepath.Join(parent, "real"), 0o777))
	if err := os.Symlink("real", filepath.Join(parent, "site")); err != nil {
		t.Skipf("no links here: %v", err)
	}
	for _, end := range []string{"", "/", "/.", "//"} {
		if err := generate(t, filepath.Join(parent, "site")+end); err == nil || !strings.Contains(err.Error(), "link") {
			t.Errorf("with %q behind it: got the error %v", end, err)
		}
	}
	if got := names(t, parent); !slices.Equal(got, []string{"real", "site"}) || len(names(t, filepath.Join(parent, "real"))) > 0 {
		t.Errorf("something was written: %q", got)
	}
}

// TestAFailureLeavesNothing: the bundle is read after the documents are written.
func TestAFailureLeavesNothing(t *testing.T) {
	parent := t.TempDir()
	empty := filepath.Join(parent, "empty")
	must.Do(t, os.Mkdir(empty, 0o777))
	for _, dir := range []string{empty, filepath.Join(parent, "new")} {
		if err := generate(t, dir, func(o *Options) { o.Bundle = filepath.Join(parent, "missing") }); err == nil {
			t.Errorf("%s was generated without its bundle", dir)
		}
		if got := names(t, parent); !slices.Equal(got, []string{"empty"}) || len(names(t, empty)) > 0 {
			t.Errorf("%s: there is %q", dir, got)
		}
	}
}

// TestAFolderThatIsUsedMeanwhileStays: another program writes to the folder before the site
// is complete.
func TestAFolderThatIsUsedMeanwhileStays(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	out := must.Get(newFolder(dir))(t)
	must.Do(t, out.put("a/index.html", strings.NewReader("ours")))
	if err := out.put("a/index.html", strings.NewReader("again")); err == nil {
		t.Error("a file was written twice")
	}
	write(t, filepath.Join(dir, "index.html"), "mine")
	if err := out.publish(); err == nil {
		t.Error("the folder was replaced")
	}
	if err := out.clean(); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(map[string]string{"site/index.html": "mine"}, files(t, filepath.Dir(dir))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestNamesOfFoldersAreNotTrusted(t *testing.T) {
	opened, o := open(t, bundletest.Library{Documents: []string{text(t, "story_1.yaml")}})
	lines := must.Get(release.Entries(opened))(t)
	for _, name := range []string{"", "..", "a/b", `a\b`, "a..b", "A", ".x", "a\x00", strings.Repeat("a", 200)} {
		lines[0].ArtifactType = name
		parent := t.TempDir()
		b := newBuilder(opened, lines, o)
		if _, err := b.build(filepath.Join(parent, "site")); err == nil || !strings.Contains(err.Error(), "not a valid folder name") {
			t.Errorf("a folder is named %q: %v", name, err)
		}
		if got := names(t, parent); len(got) > 0 {
			t.Errorf("%q: %q was written", name, got)
		}
	}
}

func TestTheSummaryCountsTheFiles(t *testing.T) {
	library, o := open(t, small(t))
	dir := filepath.Join(t.TempDir(), "site")
	s := must.Get(Build(library, dir, o))(t)
	if made := slices.Collect(maps.Keys(files(t, dir))); s != (Summary{Documents: 4, Versions: 5, Files: len(made)}) {
		t.Errorf("got %+v, want %d files", s, len(made))
	}
}
