package clients_test

import (
	"archive/zip"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

var declared = regexp.MustCompile(`(?m)^export (?:async )?(?:function|class|const) (\w+)`)

// TestTypesNameWhatTheClientExports compares the values that the types declare with those
// of the module.
func TestTypesNameWhatTheClientExports(t *testing.T) {
	var names [2][]string
	for i, name := range []string{"javascript/rubric-bundle.mjs", "javascript/rubric-bundle.d.mts"} {
		data := must.Get(os.ReadFile(name))(t)
		for _, match := range declared.FindAllStringSubmatch(string(data), -1) {
			names[i] = append(names[i], match[1])
		}
		slices.Sort(names[i])
		names[i] = slices.Compact(names[i]) // a function can have several types
	}
	if diff := cmp.Diff(names[0], names[1]); diff != "" {
		t.Errorf("exports (-module +types):\n%s", diff)
	}
}

// TestTypeScript compiles a program with the strictest options and runs it.
func TestTypeScript(t *testing.T) {
	compiler := os.Getenv("TYPESCRIPT")
	if compiler == "" {
		t.Skip("TYPESCRIPT does not name tsc.js, so the types were not tested; .ci/run installs it")
	}
	dir := t.TempDir()
	compile := exec.Command("node", compiler, "--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes", "--target", "es2022",
		"--module", "nodenext", "--rootDir", "testdata", "--outDir", filepath.Join(dir, "testdata"), "testdata/types.mts")
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	must.Do(t, os.CopyFS(filepath.Join(dir, "javascript"), os.DirFS("javascript")))
	path, _, _ := openSample(t)
	out, err := exec.Command("node", filepath.Join(dir, "testdata", "types.mjs"), path).Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, err.(*exec.ExitError).Stderr)
	}
	var got map[string]any
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	want := map[string]any{
		"audited": 8.0, "again": true, "gate": "library_limits", "near": []any{"user_story_quality_v1"}, "passed": "boolean", "score": 1.0,
		"view": []any{"id", "version", "digest", "criteria"}, "schema": []any{"type", "properties", "required", "additionalProperties"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the program prints (-want +got):\n%s", diff)
	}
}

// TestWheelHasTypes builds the wheel, whose types a type checker uses only if it is a
// package with py.typed.
func TestWheelHasTypes(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command("python3", "-B", "-c", "import sys, wheel_backend; wheel_backend.build_wheel(sys.argv[1])", dir)
	cmd.Dir = "python"
	if exec.Command("python3", "-c", "import tomllib").Run() != nil {
		t.Skip("python3 is missing or older than 3.11, so the wheel was not built")
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	wheels, err := filepath.Glob(filepath.Join(dir, "*.whl"))
	if err != nil || len(wheels) != 1 {
		t.Fatalf("%v, %v: want one wheel", wheels, err)
	}
	wheel := must.Get(zip.OpenReader(wheels[0]))(t)
	defer wheel.Close()
	for _, name := range []string{"rubric_bundle/__init__.py", "rubric_bundle/py.typed"} {
		if _, err := fs.Stat(wheel, name); err != nil {
			t.Error(err)
		}
	}
}
