package library_test

import (
	"bytes"
	"errors"
	"io/fs"
	"log/slog"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// logged collects what is logged until the end of the test.
func logged(t *testing.T) *bytes.Buffer {
	t.Helper()
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	t.Cleanup(func() { slog.SetDefault(before) })
	return &log
}

// TestFollowDirTakesUpWhatIsValid changes a folder step by step. Each step is checked twice, as
// a Live does that finds nothing new.
func TestFollowDirTakesUpWhatIsValid(t *testing.T) {
	const name = "rubrics/a/story_v1.yaml"
	fsys := folder(map[string]string{name: rubricOf("story_v1", "1.1.0")})
	live := must.Get(library.FollowDir(t.Context(), func() fs.FS { return fsys }, library.WithInterval(time.Hour)))(t)
	defer live.Close()
	for _, c := range []struct {
		reason  string
		files   map[string]string // all files
		version string            // of story_v1, then in use
		says    string            // the error, or "" for none
		log     string            // what is logged once, or "" for nothing
	}{
		{"nothing changed", map[string]string{name: rubricOf("story_v1", "1.1.0")}, "1.1.0", "", ""},
		{"a next version", map[string]string{name: rubricOf("story_v1", "1.2.0")}, "1.2.0", "", "the folder changed"},
		{"a lower version, as for another draft", map[string]string{name: rubricOf("story_v1", "0.1.0")}, "0.1.0", "", "the folder changed"},
		{"a broken document beside it", map[string]string{name: rubricOf("story_v1", "1.3.0"), "rubrics/a/b_v1.yaml": "rubric_id: b_v1\n"}, "0.1.0", "rubrics/a/b_v1.yaml:1:1: ", "keeping the last good content of the folder"},
		{"another broken document", map[string]string{name: rubricOf("story_v1", "1.3.0"), "rubrics/a/c_v1.yaml": "rubric_id: c_v1\n"}, "0.1.0", "rubrics/a/c_v1.yaml:1:1: ", "c_v1.yaml"},
		{"a ledger that retires what is used", map[string]string{name: rubricOf("story_v1", "1.3.0"), "rubrics/retired.yaml": "retired:\n  - {id: story_v1, kind: rubric, last_version: \"1.0.0\", reason: Gone.}\n"}, "0.1.0", "is retired", "is retired"},
		{"no documents", map[string]string{"rubrics/README.md": ""}, "0.1.0", "no documents in rubrics/", "no documents"},
		{"no folder", nil, "0.1.0", "the folder rubrics can't be read", "can't be read"},
		{"the fix", map[string]string{name: rubricOf("story_v1", "1.3.0")}, "1.3.0", "", "the folder changed"},
		{"a file that is no document", map[string]string{name: rubricOf("story_v1", "1.3.0"), "docs/x.yaml": "a: ["}, "1.3.0", "", ""},
	} {
		fsys = folder(c.files)
		log := logged(t)
		for range 2 {
			err := live.Check(t.Context())
			if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) || !errors.Is(live.Status().Err, err) {
				t.Errorf("%s: the error is %v, want %q", c.reason, err, c.says)
			}
			if d, err := live.Get(t.Context(), "story_v1", ""); err != nil || d.Rubric.Version != c.version {
				t.Errorf("%s: got %v, %v, want version %s", c.reason, d, err, c.version)
			}
		}
		lines := strings.Count(log.String(), "\n")
		if want := min(len(c.log), 1); lines != want || !strings.Contains(log.String(), c.log) {
			t.Errorf("%s: want %d lines with %q, logged is\n%s", c.reason, want, c.log, log)
		}
	}
	var invalid *library.InvalidError
	fsys = folder(map[string]string{name: "x: ["})
	if err := live.Check(t.Context()); !errors.As(err, &invalid) || library.Outcome(err) != "invalid" {
		t.Errorf("a broken document gives %T %v", err, err)
	}
}

// TestFollowDirReadsAllOrNothing replaces and moves files while the folder is read.
func TestFollowDirReadsAllOrNothing(t *testing.T) {
	const a, b = "rubrics/a/a_v1.yaml", "rubrics/a/b_v1.yaml"
	for reason, change := range map[string]func(fstest.MapFS){
		"a file is replaced": func(files fstest.MapFS) { files[a] = &fstest.MapFile{Data: []byte(rubricOf("a_v1", "1.2.0"))} },
		"a file is removed":  func(files fstest.MapFS) { delete(files, b) },
		"a file is touched":  func(files fstest.MapFS) { files[b].ModTime = time.Now() },
	} {
		moving := &movingFS{MapFS: folder(map[string]string{a: rubricOf("a_v1", "1.0.0"), b: rubricOf("b_v1", "1.0.0")})}
		live := must.Get(library.FollowDir(t.Context(), func() fs.FS { return moving }, library.WithInterval(time.Hour)))(t)
		moving.MapFS[a] = &fstest.MapFile{Data: []byte(rubricOf("a_v1", "1.1.0"))}
		moving.listed, moving.change = 0, change
		if err := live.Check(t.Context()); err == nil || !strings.Contains(err.Error(), "changed while they were read") {
			t.Errorf("%s: the error is %v", reason, err)
		}
		if _, err := live.Current().GetReference(t.Context(), "a_v1@1.0.0"); err != nil {
			t.Errorf("%s: what is in use is not what was whole: %v", reason, err)
		}
		want, _ := library.OpenDir(moving.MapFS)
		if err := live.Check(t.Context()); err != nil {
			t.Errorf("%s: at the next check, the error is %v", reason, err)
		}
		wanted, err := want.Search(library.Query{})
		got, other := live.Current().Search(library.Query{})
		if diff := cmp.Diff(wanted, got); diff != "" || err != nil || other != nil {
			t.Errorf("%s: %v, %v\n%s", reason, err, other, diff)
		}
		must.Do(t, live.Close())
	}
}

// movingFS is changed once, when the folder with the documents was listed for the second time:
// after its files were compared with those that were read last, and before they are read.
type movingFS struct {
	fstest.MapFS
	listed int
	change func(fstest.MapFS)
}

func (m *movingFS) ReadDir(name string) ([]fs.DirEntry, error) {
	all, err := m.MapFS.ReadDir(name)
	if name == "rubrics/a" {
		if m.listed++; m.listed == 2 && m.change != nil {
			m.change(m.MapFS)
		}
	}
	return all, err
}

func TestFollowDirRefuses(t *testing.T) {
	fsys := folder(map[string]string{"rubrics/a/story_v1.yaml": rubricOf("story_v1", "1.0.0")})
	data := consecutive("1.4.0")[0]
	for _, c := range []struct {
		reason string
		fsys   fs.FS
		opt    library.Option
		says   string
	}{
		{"a digest", fsys, library.WithDigest(data.digest), "no digest to compare with"},
		{"an empty digest", fsys, library.WithDigest(""), "no digest to compare with"},
		{"an earlier bundle", fsys, library.WithAfter(openData(t, data.data)), "can't continue a bundle"},
		{"downgrades", fsys, library.WithDowngrades(), "no releases"},
		{"a folder for bundles", fsys, library.WithLastGood(t.TempDir()), "only a bundle"},
		{"no interval", fsys, library.WithInterval(0), "above 0"},
		{"a broken document", folder(map[string]string{"rubrics/a/a_v1.yaml": "a: ["}), library.WithAnyDigest(), "rubrics/a/a_v1.yaml"},
		{"no library", fstest.MapFS{}, library.WithAnyDigest(), "the folder rubrics"},
	} {
		if live, err := library.FollowDir(t.Context(), func() fs.FS { return c.fsys }, c.opt); live != nil || err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, %v", c.reason, live, err)
		}
	}
}
