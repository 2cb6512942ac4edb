package cli

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// TestMissingObjects removes each Git object of a repository in turn: a command ends with exit
// code 2, or with the answer that it gives with all objects. A missing object is never an
// absent file, nor one with a problem of its own.
func TestMissingObjects(t *testing.T) {
	everyKindOfFile(t)
	for _, c := range []struct {
		command string
		code    int
	}{
		{"lint --rev HEAD", 1},
		{"lint --rev HEAD --format json", 1},
		{"lint --rev HEAD --format github", 1},
		{"lint --rev HEAD --audit", 1},
		{"lint --rev HEAD --base main~1", 1},
		{"lint --rev main", 1},
		{"lint --rev second library", 0},
		{"lint --range main~1..HEAD", 1},
		{"lint", 1},
		{"diff main HEAD", 0},
		{"diff --check", 1},
		{"diff main~1 HEAD --replay --format json", 0},
		{"diff --next-version", 0},
		{"diff --changelog", 0},
		{"build second -o bundle.zip --version 2.0.0", 0},
		{"lint --rev second --base none", 1},
	} {
		t.Run(c.command, func(t *testing.T) {
			withoutEachObject(t, c.code, strings.Fields(c.command)...)
		})
	}
}

// withoutEachObject runs a command, which has an exit code, and runs it again without each of
// the loose objects of the repository in the working folder.
func withoutEachObject(t *testing.T, code int, args ...string) {
	t.Helper()
	got, whole := runWords(args...)
	if got != code {
		t.Fatalf("with all objects: %d, want %d\n%s", got, code, whole)
	}
	needed := 0
	for _, file := range must.Get(filepath.Glob(".git/objects/??/*"))(t) {
		aside := filepath.Join(t.TempDir(), "object")
		must.Do(t, os.Rename(file, aside))
		got, out := runWords(args...)
		switch {
		case got == command.ExitFailure:
			needed++
		case got != code || out != whole:
			t.Errorf("without %s: %d, want 2, or %d with the same output", described(t, aside), got, code)
		}
		must.Do(t, os.Rename(aside, file))
	}
	if needed < 5 {
		t.Errorf("only %d objects are needed", needed)
	}
}

// described is the beginning of a loose object in a file.
func described(t *testing.T, file string) string {
	t.Helper()
	r := must.Get(zlib.NewReader(bytes.NewReader(must.Get(os.ReadFile(file))(t))))(t)
	return fmt.Sprintf("%.100q", must.Get(io.ReadAll(r))(t))
}

// everyKindOfFile makes the working folder a repository whose commits have every kind of file
// that a check reads: main has one library, and the topic, which is checked out, changes it. On
// the branch second, a library in a folder is new.
func everyKindOfFile(t *testing.T) {
	t.Helper()
	d := newDepot(t)
	t.Chdir(d.dir)
	released := map[string]string{
		"rubrics/prd/good_v1.yaml":           strings.ReplaceAll(hostileRubric, "EVIL", "good"),
		"rubrics/prd/odd_v1.yaml":            strings.ReplaceAll(oddRubric, "calibration/notes/dataset.yaml", "https://labels.example.org/odd.jsonl"),
		"rubrics/retired.yaml":               "retired: []\n",
		"rubrics/exceptions.yaml":            "exceptions: []\n",
		"calibration/notes/dataset.yaml":     strings.ReplaceAll(hostileDataset, "EVIL", "good"),
		"calibration/notes/items.jsonl":      `{"id":"i1","artifact":"x","labels":{"r1":{"clarity":3}}}` + "\n",
		"calibration/notes/history.jsonl":    `{"note":1}` + "\n",
		"calibration/notes/judges/j.jsonl":   `{"run":"2026-11-21","item":"i1","repeat":1,"model":"m","date":"2026-11-21","digest":"sha256:42338583db3d74e989f7707196775d5092ee21fa509684ec2623428c80afcae3","scores":{"clarity":3}}` + "\n",
		"schema/rubric.schema.json":          "{}\n",
		".rubric-lint.yaml":                  "severity: {no-essential: error}\n",
		".rubric-lint-baseline.json":         `{"schema_version": 1, "findings": [{"rule": "anchor-repeated", "id": "good_v1", "count": 2}]}` + "\n",
		".github/CODEOWNERS":                 "* @acme/q\n",
		".github/workflows/check.yml":        "on: pull_request\n",
		".github/workflows/nested/README.md": "not a workflow\n",
	}
	changed := maps.Clone(released)
	for name, edit := range map[string][2]string{
		"rubrics/prd/good_v1.yaml":         {"Actor and action are named.", "Actor and action are there."},
		"rubrics/prd/odd_v1.yaml":          {`"1.0.0"`, `"1.0.1"`},
		"rubrics/exceptions.yaml":          {"[]", "\n  - {rule: major-change, id: odd_v1, version: \"1.0.1\", reason: none}"},
		"calibration/notes/items.jsonl":    {`"x"`, `"y"`},
		"calibration/notes/judges/j.jsonl": {`"clarity":3`, `"clarity":4`},
		".rubric-lint.yaml":                {"error", "note"},
		".rubric-lint-baseline.json":       {"2", "3"},
		".github/CODEOWNERS":               {"/q", "/p"},
		".github/workflows/check.yml":      {"pull_request", "push"},
	} {
		changed[name] = strings.Replace(released[name], edit[0], edit[1], 1)
	}
	second := maps.Clone(released)
	second["library/rubrics/prd/third_v1.yaml"] = strings.ReplaceAll(released["rubrics/prd/odd_v1.yaml"], "odd_v1", "third_v1")
	first := d.commit(map[string]string{"README.md": "x\n", "rubrics/prd/odd_v1.yaml": released["rubrics/prd/odd_v1.yaml"]})
	main := d.commit(released, first)
	topic := d.commit(changed, main)
	d.refs("refs/heads/topic", map[string]string{
		"refs/heads/main": main, "refs/heads/topic": topic, "refs/heads/second": d.commit(second, main),
		"refs/tags/library-v1.0.0": d.release("library-v1.0.0", first, "sha256:"+strings.Repeat("0", 64)),
	})
	d.checkOut(changed)
}
