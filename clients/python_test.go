package clients_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/pkg/library/libraryotel"
)

// TestPythonClient runs the tests in Python of what only a program in Python can do.
func TestPythonClient(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed, so this client was not tested")
	}
	releases := writeReleases(t)
	writeCertificates(t, releases)
	programs := must.Get(filepath.Glob("testdata/python/test_*.py"))(t)
	if len(programs) == 0 {
		t.Fatal("testdata/python has no tests")
	}
	for _, program := range programs {
		t.Run(strings.TrimSuffix(filepath.Base(program), ".py"), func(t *testing.T) {
			t.Parallel() // they mostly wait
			cmd := exec.Command(python, "-X", "dev", program)
			cmd.Env = append(os.Environ(), "RELEASES="+releases)
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.Contains(string(out), "\nOK") {
				t.Fatalf("%v\n%s", err, out)
			}
		})
	}
}

// TestFollowMetricsInPython collects what the Python client measures of a source.
func TestFollowMetricsInPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed, so its metrics were not tested")
	}
	dir := writeReleases(t)
	read := func(name string) []byte { return must.Get(os.ReadFile(filepath.Join(dir, name+".zip")))(t) }
	got := into[map[string]any](t, run(t, python, "testdata/run.py", []request{{"op": "follow_metrics", "first": read("1.4.0"), "other": read("other-1.5.0")}})[0])
	if got == nil {
		t.Skip("OpenTelemetry is not installed for python3, so its metrics were not tested")
	}
	want := map[string]any{
		libraryotel.BundleAge + " version=1.4.0": true, libraryotel.TotalCount + " ": 1.0,
		libraryotel.BundleChecks + " outcome=ok": 1.0, libraryotel.BundleChecks + " outcome=continuity": 1.0,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
}

// TestPythonTypes checks a program with the strictest rules of a type checker.
func TestPythonTypes(t *testing.T) {
	checker := os.Getenv("PYRIGHT")
	if checker == "" {
		t.Skip("PYRIGHT does not name pyright's index.js, so the types were not tested; .ci/run installs it")
	}
	dir := t.TempDir()
	for _, path := range []string{"python/rubric_bundle.py", "testdata/python/types_of_client.py"} {
		must.Do(t, os.WriteFile(filepath.Join(dir, filepath.Base(path)), must.Get(os.ReadFile(path))(t), 0o666))
	}
	cmd := exec.Command("node", checker, "types_of_client.py")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
