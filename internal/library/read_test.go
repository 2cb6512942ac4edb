package library

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

const ruleSet = `ruleset_id: api_v1
name: API
version: "1.0.0"
artifact_type: api
description: An API.
rules:
  - id: a.correctness.endpoints
    description: Every endpoint is listed.
    severity: fail
    check: Look at the list.
scoring:
  pass_threshold: 0.8
`

func renamed(id string) string { return strings.Replace(ruleSet, "api_v1", id, 1) }

func files(texts map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range texts {
		fsys[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
	}
	return fsys
}

func TestReadPassesEveryDocument(t *testing.T) {
	fsys := files(map[string]string{
		"rubrics/api/api_v1.yaml": ruleSet, "rubrics/other_v1.YML": renamed("other_v1"), "rubrics/x.yaml/deep_v1.yaml": renamed("deep_v1"),
		"rubrics/README.md": "x", "rubrics/exceptions.yaml": "exceptions: []\n", "drafts/draft_v1.yaml": "a: [",
		"rubrics/retired.yaml": "retired:\n  - {id: gone_v1, kind: rubric, last_version: \"1.0.0\", reason: Nobody uses it.}\n",
	})
	var ids []string
	ledger, err := Read(fsys, func(d *document.Document) error {
		ids = append(ids, d.ID())
		return nil
	})
	if want := []string{"api_v1", "other_v1", "deep_v1"}; err != nil || !slices.Equal(ids, want) {
		t.Errorf("the documents are %v, %v; want %v", ids, err, want)
	}
	if retired := ledger.Retired; len(retired) != 1 || retired[0].ID != "gone_v1" {
		t.Errorf("the ledger has %v", retired)
	}
	failed := errors.New("failed")
	if _, err := Read(fsys, func(*document.Document) error { return failed }); !errors.Is(err, failed) {
		t.Errorf("the error of use is lost: %v", err)
	}
}

func TestReadNamesAllThatIsWrong(t *testing.T) {
	fsys := files(map[string]string{
		"rubrics/api/api_v1.yaml":    ruleSet,
		"rubrics/api/copy.yml":       "# a copy\n" + ruleSet,
		"rubrics/api/broken_v1.yaml": strings.Replace(renamed("broken_v1"), "severity: fail", "severity: bad", 1),
		"rubrics/api/gone_v1.yaml":   renamed("gone_v1"),
		"rubrics/api/large_v1.yaml":  renamed("large_v1") + strings.Repeat("#", 256<<10),
		"rubrics/retired.yaml":       "retired:\n  - {id: gone_v1, kind: rule_set, last_version: \"1.0.0\", reason: Nobody uses it.}\n",
	})
	fsys["rubrics/api/link_v1.yaml"] = &fstest.MapFile{Data: []byte("api_v1.yaml"), Mode: fs.ModeSymlink}
	_, err := Read(fsys, func(*document.Document) error { return nil })
	invalid, ok := errors.AsType[*InvalidError](err)
	if !ok {
		t.Fatalf("the error is %v", err)
	}
	twice := invalid.Problems[1]
	blank := func(problems []FolderProblem) []FolderProblem {
		for i := range problems {
			if problems[i].Message == "" {
				t.Errorf("%s has no message", problems[i].Path)
			}
			problems[i].Message = ""
		}
		return problems
	}
	want := []FolderProblem{
		{Path: "rubrics/api/broken_v1.yaml", Line: 9, Column: 15, ID: "broken_v1"}, {Path: "rubrics/api/copy.yml", Line: 2, Column: 13, ID: "api_v1", Other: "rubrics/api/api_v1.yaml"},
		{Path: "rubrics/api/gone_v1.yaml", Line: 1, Column: 13, ID: "gone_v1"},
		{Path: "rubrics/api/large_v1.yaml"}, {Path: "rubrics/api/link_v1.yaml"},
	}
	if d := cmp.Diff(want, blank(invalid.Problems)); d != "" {
		t.Errorf("the problems (-want +got):\n%s", d)
	}
	first := "rubrics/api/copy.yml:2:13: The ID \"api_v1\" is already used in rubrics/api/api_v1.yaml. Give one of the two documents another ID."
	both := &InvalidError{Problems: []FolderProblem{twice, {Path: "rubrics/api/large_v1.yaml", Message: "Too large."}}}
	if got, want := both.Error(), "the library is not valid. Fix these problems:\n"+first+"\nrubrics/api/large_v1.yaml: Too large."; got != want {
		t.Errorf("the error says %s, want %s", got, want)
	}
	if got, want := FirstOf(both.Problems, "lib").Error(), "lib/"+first+" Run `rubric lint` to see all problems."; got != want {
		t.Errorf("the error of a command says %s, want %s", got, want)
	}
}

// damagedFS is a file system that is damaged as a whole.
type damagedFS struct{ fs.FS }

var errDamaged = errors.New("an object is missing")

func (damagedFS) Err() error { return errDamaged }

// TestDamageIsNeverAbsence: what can't be read in a damaged file system may be there.
func TestDamageIsNeverAbsence(t *testing.T) {
	fsys := damagedFS{files(map[string]string{"rubrics/prd/bad.yaml": "rubric_id: [\n"})}
	if root, ok, err := FindIn(fsys, "lib/rubrics"); ok || !errors.Is(err, errDamaged) {
		t.Errorf("the library of a damaged file system is %q, %v, %v", root, ok, err)
	}
	sound, problems, err := Sound(fsys)
	if err != nil || len(problems) == 0 || !errors.Is(safefile.Unreadable(sound), errDamaged) {
		t.Errorf("the damage is forgotten: %v, %v", problems, err)
	}
}

func TestFind(t *testing.T) {
	fsys := files(map[string]string{"lib./rubrics/a/b.yaml": "", "file/rubrics": "", "x": ""})
	for folder, want := range map[string]string{"lib.": "lib.", "lib./rubrics/a": "lib.", "lib./calibration/x": "lib.", "file": "none", "": "none"} {
		root, ok, err := FindIn(fsys, folder)
		must.Do(t, err)
		if !ok {
			root = "none"
		}
		if root != want {
			t.Errorf("the library of %q is %q, want %q", folder, root, want)
		}
	}
	fsys["rubrics/a.yaml"] = &fstest.MapFile{}
	if root, ok, err := FindIn(fsys, "file/deep"); root != "" || !ok || err != nil {
		t.Errorf("the library at the root is not found: %q, %v", root, err)
	}
	dir := t.TempDir()
	if root, ok := Find(filepath.Join(dir, "rubrics", "prd")); ok {
		t.Errorf("a library is found in %s, where there is none", root)
	}
}
