package clients_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
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
			cmd := exec.Command(python, "-X", "dev", program)
			cmd.Env = append(os.Environ(), "RELEASES="+releases)
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.Contains(string(out), "\nOK") {
				t.Fatalf("%v\n%s", err, out)
			}
		})
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
