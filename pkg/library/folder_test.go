package library_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/pkg/library"
)

func folder(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
	}
	return fsys
}

func TestOpenDir(t *testing.T) {
	l, err := library.OpenDir(folder(map[string]string{
		"rubrics/jira_tickets/story_v1.yaml": rubricOf("story_v1", "1.10.0"),
		"rubrics/jira_tickets/old_v1.yml":    rubricOf("old_v1", "1.0.1") + "deprecated:\n  reason: Too old.\n  replaced_by: story_v1\n",
		"rubrics/api_design/api_v1.yaml":     ruleSetOf("api_v1", "1.0.0"),
		"rubrics/retired.yaml":               ledgerYAML,
		"rubrics/exceptions.yaml":            "exceptions: []\n",
		"rubrics/README.md":                  "no document",
		"docs/else.yaml":                     "not: read",
	}))
	if err != nil {
		t.Fatal(err)
	}
	fromBundle := open(t)
	for _, id := range []string{"story_v1", "old_v1"} {
		got, err := l.Rubric(t.Context(), id, "")
		if err != nil {
			t.Fatal(err)
		}
		want, err := fromBundle.Rubric(t.Context(), id, "")
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("the folder has another %s than the bundle: %v\n%s", id, err, diff)
		}
		a, _ := l.Resolve(id, got.Version)
		b, err := fromBundle.Resolve(id, got.Version)
		if err != nil || a != b {
			t.Errorf("the folder refers to %v, the bundle to %v", a, b)
		}
		if _, err := l.Rubric(t.Context(), id, "^1"); err != nil {
			t.Errorf("%s by a constraint: %v", id, err)
		}
	}
	if s, err := l.RuleSet(t.Context(), "api_v1", "1.0.0"); err != nil || s.Rules[0].Weight != 2 {
		t.Errorf("the rule set is %v, %v", s, err)
	}
	var retired *library.RetiredError
	if _, err := l.Rubric(t.Context(), "gone_v1", ""); !errors.As(err, &retired) || retired.ReplacedBy != "story_v1" || retired.LastVersion != "1.1.0" {
		t.Errorf("a retired rubric gives %v", err)
	}
	var none *library.ConstraintError
	for _, constraint := range []string{"1.1.0", "~1"} {
		if _, err := l.Rubric(t.Context(), "gone_v1", constraint); !errors.As(err, &none) || !strings.Contains(err.Error(), "Use a bundle") {
			t.Errorf("a version of a retired rubric gives %v", err)
		}
	}
	if _, err := l.Rubric(t.Context(), "story_v1", "1.2.0"); !errors.As(err, &none) || !strings.Contains(err.Error(), "only the current version") {
		t.Errorf("an old version gives %v", err)
	}
	found, err := l.Search(library.Query{IncludeRetired: true})
	if err != nil || len(found) != 3 || found[1].ID != "gone_v1" {
		t.Errorf("found %v, %v", found, err)
	}
	if l.Digest() != "" || l.Version() != "" || l.Close() != nil {
		t.Error("a folder has a digest or a version, or does not close")
	}
}

func TestFolderRefuses(t *testing.T) {
	const name = "rubrics/a/story_v1.yaml"
	good := rubricOf("story_v1", "1.0.0")
	for _, c := range []struct {
		reason   string
		files    map[string]string
		problems []library.FolderProblem // places only
		says     string
	}{
		{"two rubrics with one ID", map[string]string{name: good, "rubrics/b/story_v1.yaml": good}, []library.FolderProblem{{Path: "rubrics/b/story_v1.yaml", Line: 1, Column: 12}}, "Give one of the two documents another ID"},
		{"a rubric and a rule set with one ID", map[string]string{name: good, "rubrics/b/story_v1.yaml": ruleSetOf("story_v1", "1.0.0")}, []library.FolderProblem{{Path: "rubrics/b/story_v1.yaml"}}, "already used in " + name},
		{
			"a duplicate that is broken, too", map[string]string{name: good, "rubrics/b/story_v1.yaml": "rubric_id: story_v1\nnames: x\n"},
			[]library.FolderProblem{{Path: "rubrics/b/story_v1.yaml", Line: 1, Column: 1}}, "already used in " + name,
		},
		{"an invalid threshold", map[string]string{name: strings.Replace(good, "threshold: 3.0", "threshold: 6", 1)}, []library.FolderProblem{{Path: name, Line: 10, Column: 16}}, "threshold"},
		{"no YAML", map[string]string{name: "a: [", "rubrics/b/b_v1.yaml": rubricOf("b_v1", "1.0.0")}, []library.FolderProblem{{Path: name}}, name},
		{"an empty file", map[string]string{name: ""}, []library.FolderProblem{{Path: name}}, name},
		{"a file that is too large", map[string]string{name: good + "#" + strings.Repeat("x", 1<<18)}, []library.FolderProblem{{Path: name}}, "Make it shorter"},
		{"an invalid ledger", map[string]string{name: good, "rubrics/retired.yaml": "retired: 3\n"}, []library.FolderProblem{{Path: "rubrics/retired.yaml"}}, "retired.yaml:1"},
		{"a document whose version is withdrawn", map[string]string{name: good, "rubrics/retired.yaml": "retired: []\nyanked:\n  - {id: story_v1, version: \"1.0.0\", reason: It named a customer., withdrawn: true}\n"}, []library.FolderProblem{{Path: name}}, "is withdrawn"},
		{"a document that is retired", map[string]string{"rubrics/a/gone_v1.yaml": rubricOf("gone_v1", "1.2.0"), "rubrics/retired.yaml": ledgerYAML}, []library.FolderProblem{{Path: "rubrics/a/gone_v1.yaml"}}, "is retired"},
	} {
		l, err := library.OpenDir(folder(c.files))
		if l != nil || err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %v, %v; want %s", c.reason, l, err, c.says)
			continue
		}
		var invalid *library.InvalidError
		if !errors.As(err, &invalid) {
			t.Errorf("%s: the error is %v", c.reason, err)
			continue
		}
		first, want := invalid.Problems[0], c.problems[0]
		if first.Path != want.Path || want.Line != 0 && (first.Line != want.Line || first.Column != want.Column) || first.Message == "" {
			t.Errorf("%s: the first problem is %v, want it at %v", c.reason, first, want)
		}
	}
}

func TestFolderThatIsNone(t *testing.T) {
	if _, err := library.OpenDir(fstest.MapFS{}); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "the folder rubrics") {
		t.Errorf("a folder without rubrics/: %v", err)
	}
	empty := folder(map[string]string{"rubrics/README.md": "none"})
	if _, err := library.OpenDir(empty); err == nil || !strings.Contains(err.Error(), "no documents in rubrics/") {
		t.Errorf("a folder without documents: %v", err)
	}
	link := folder(map[string]string{"rubrics/a/a_v1.yaml": rubricOf("a_v1", "1.0.0")})
	link["rubrics/a/b_v1.yaml"] = &fstest.MapFile{Data: []byte("a_v1.yaml"), Mode: fs.ModeSymlink}
	if _, err := library.OpenDir(link); err == nil || !strings.Contains(err.Error(), "This is a link") {
		t.Errorf("a link: %v", err)
	}
	data, digest := bundle(t, sample())
	good := folder(map[string]string{"rubrics/a/a_v1.yaml": rubricOf("a_v1", "1.0.0")})
	l := must.Get(library.OpenDir(good))(t)
	if _, err := library.NewReader(bytes.NewReader(data), int64(len(data)), library.WithAfter(l)); err == nil || !strings.Contains(err.Error(), "can't continue a folder") {
		t.Errorf("a bundle after a folder: %v", err)
	}
	if _, err := library.OpenDir(good, library.WithAfter(l)); err == nil || !strings.Contains(err.Error(), "a folder can't continue") {
		t.Errorf("a folder after a folder: %v", err)
	}
	if _, err := library.OpenDir(link, library.WithDigest(digest)); err == nil || !strings.Contains(err.Error(), "no digest") {
		t.Errorf("a digest: %v", err)
	}
}

// TestShippedLibrary opens the library of this repository.
func TestShippedLibrary(t *testing.T) {
	l, err := library.OpenDir(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	found, err := l.Search(library.Query{ArtifactType: "jira_tickets"})
	if err != nil || len(found) != 1 || found[0].ID != "user_story_quality_v1" {
		t.Errorf("found %v, %v", found, err)
	}
	one, err := l.Entry("user_story_quality_v1")
	if diff := cmp.Diff(found[0].Entry, one); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}
