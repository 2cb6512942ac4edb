package site

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/bundle"
	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile/bundletest"
	"github.com/rubric-library/rubric-library/pkg/library"
)

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

// rebuild generates the site of the small library in a folder.
func rebuild(t *testing.T, dir string) error {
	t.Helper()
	library, o := open(t, small(t))
	_, err := Build(library, dir, o)
	return err
}

func TestASiteReplacesTheOneBefore(t *testing.T) {
	other := small(t)
	other.Documents = append(other.Documents, strings.Replace(text(t, "api_1.yaml"), "api_v1", "left_v1", 1))
	dir := build(t, other)
	write(t, filepath.Join(dir, "CNAME"), "example.org")
	write(t, filepath.Join(dir, "rubrics", "notes.txt"), "mine")
	if err := rebuild(t, dir); err != nil {
		t.Fatal(err)
	}
	want := files(t, build(t, small(t)))
	want["CNAME"], want["rubrics/notes.txt"] = "example.org", "mine"
	if diff := cmp.Diff(want, files(t, dir)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if _, err := os.Lstat(filepath.Join(dir, "rulesets", "left_v1")); err == nil {
		t.Error("the empty folder of a document that is gone stays")
	}
}

// TestABrokenSiteIsMended: a run was killed, or files were removed.
func TestABrokenSiteIsMended(t *testing.T) {
	dir := build(t, small(t))
	for _, name := range []string{"index.html", "rubrics/story_v1", "assets"} {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := rebuild(t, dir); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(files(t, build(t, small(t))), files(t, dir)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestTheBundleOfTheSiteBeforeCanBeTheSource(t *testing.T) {
	dir := build(t, small(t))
	want := files(t, dir)
	name := filepath.Join(dir, bundleName)
	opened, err := library.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	if _, err := Build(opened, dir, Options{Bundle: name}); err != nil {
		if runtime.GOOS == "windows" {
			t.Skipf("an open file can't be removed here: %v", err)
		}
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, files(t, dir)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestWhatIsNoSiteIsLeftAlone(t *testing.T) {
	for _, test := range []struct {
		reason string
		with   func(t *testing.T, dir string)
	}{
		{"a folder with something else", func(t *testing.T, dir string) { write(t, filepath.Join(dir, "index.html"), "mine") }},
		{"a list that is not ours", func(t *testing.T, dir string) { write(t, filepath.Join(dir, listName), "index.html\n") }},
		{"a list that leads out", func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, listName), listHead+"../outside\n")
		}},
		{"a list that is a link", func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, "list"), listHead+"list\n")
			link(t, "list", filepath.Join(dir, listName))
		}},
		{"an unrelated file in the way", func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, listName), listHead+listName+"\n")
			write(t, filepath.Join(dir, "index.html"), "mine")
		}},
		{"a link where a folder belongs", func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, listName), listHead+listName+"\n")
			write(t, filepath.Join(dir, "mine", "x"), "mine")
			link(t, "mine", filepath.Join(dir, "rubrics"))
		}},
	} {
		t.Run(test.reason, func(t *testing.T) {
			parent := t.TempDir()
			dir := filepath.Join(parent, "site")
			write(t, filepath.Join(parent, "outside"), "theirs")
			test.with(t, dir)
			before := files(t, parent)
			if err := rebuild(t, dir); err == nil || !strings.Contains(err.Error(), dir) {
				t.Fatalf("got the error %v, want one that names the folder", err)
			}
			if diff := cmp.Diff(before, files(t, parent)); diff != "" {
				t.Errorf("something changed (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAFolderBehindALinkIsNotWritten(t *testing.T) {
	parent := t.TempDir()
	if err := os.Mkdir(filepath.Join(parent, "real"), 0o777); err != nil {
		t.Fatal(err)
	}
	link(t, "real", filepath.Join(parent, "site"))
	for _, end := range []string{"", "/", "/.", "//"} {
		if err := rebuild(t, filepath.Join(parent, "site")+end); err == nil || !strings.Contains(err.Error(), "link") {
			t.Errorf("with %q behind it: got the error %v", end, err)
		}
	}
	if entries, err := os.ReadDir(filepath.Join(parent, "real")); err != nil || len(entries) > 0 {
		t.Errorf("the folder has %v (%v)", entries, err)
	}
}

func TestAFolderHasAName(t *testing.T) {
	library, o := open(t, small(t))
	t.Chdir(t.TempDir())
	if _, err := Build(library, "", o); err == nil || !strings.Contains(err.Error(), "name of the output folder is empty") {
		t.Errorf("got the error %v", err)
	}
	if entries, err := os.ReadDir("."); err != nil || len(entries) > 0 {
		t.Errorf("the folder here has %v (%v)", entries, err)
	}
}

// TestWhatTookThePlaceOfAFileIsInTheWay: a file of the previous site is now something else.
// This is detected before anything is removed.
func TestWhatTookThePlaceOfAFileIsInTheWay(t *testing.T) {
	for reason, put := range map[string]func(t *testing.T, name string){
		"a folder": func(t *testing.T, name string) { write(t, filepath.Join(name, "mine"), "mine") },
		"a link":   func(t *testing.T, name string) { link(t, "../mine", name) },
	} {
		t.Run(reason, func(t *testing.T) {
			dir := build(t, small(t))
			name := filepath.Join(dir, "types", "api_design", "index.html")
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
			put(t, name)
			before := files(t, dir)
			if err := rebuild(t, dir); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("got the error %v, want one that names %s", err, name)
			}
			if diff := cmp.Diff(before, files(t, dir)); diff != "" {
				t.Errorf("something changed (-want +got):\n%s", diff)
			}
		})
	}
}

// TestFilesOfTheSiteBehindALinkStay: a folder of the site was moved away and
// put a link there.
func TestFilesOfTheSiteBehindALinkStay(t *testing.T) {
	dir := build(t, small(t))
	if err := os.Rename(filepath.Join(dir, "types"), filepath.Join(dir, "moved")); err != nil {
		t.Fatal(err)
	}
	link(t, "moved", filepath.Join(dir, "types"))
	if err := rebuild(t, dir); err == nil {
		t.Fatal("it was written through a link")
	}
	if _, err := os.Lstat(filepath.Join(dir, "moved", "api_design", "index.html")); err != nil {
		t.Error(err)
	}
}

func TestNamesOfFoldersAreNotTrusted(t *testing.T) {
	opened, o := open(t, bundletest.Library{Documents: []string{text(t, "story_1.yaml")}})
	lines, err := bundle.Lines(opened)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", "..", "a/b", `a\b`, "a..b", "A", ".x", "a\x00", strings.Repeat("a", 200)} {
		lines[0].ArtifactType = name
		dir := filepath.Join(t.TempDir(), "site")
		b := &builder{library: opened, lines: lines, options: o, lists: listPages(lines)}
		if _, err := b.build(dir); err == nil {
			t.Errorf("a folder is named %q", name)
		}
		if _, err := os.Lstat(dir); err == nil {
			t.Errorf("%q: something was written before that was found", name)
		}
	}
}

// FuzzListsLeadNowhereElse prepares a folder with an arbitrary list of files.
func FuzzListsLeadNowhereElse(f *testing.F) {
	for _, names := range []string{"", "index.html", "../outside", "/outside", "a/../../outside", "..", ".", `..\outside`, "mine", "mine/x", "link", "link/outside"} {
		f.Add(listHead + names + "\n")
	}
	f.Fuzz(func(t *testing.T, list string) {
		parent := t.TempDir()
		dir := filepath.Join(parent, "site")
		write(t, filepath.Join(parent, "outside"), "theirs")
		write(t, filepath.Join(dir, "mine", "x"), "mine")
		write(t, filepath.Join(dir, listName), list)
		link(t, "..", filepath.Join(dir, "link"))
		if made, err := openFolder(dir, []string{"index.html"}); err == nil {
			if err := made.root.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if data, err := os.ReadFile(filepath.Join(parent, "outside")); err != nil || string(data) != "theirs" {
			t.Fatalf("the file outside is %q (%v)", data, err)
		}
	})
}

func link(t *testing.T, to, name string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(to, name); err != nil {
		t.Skipf("no links here: %v", err)
	}
}
