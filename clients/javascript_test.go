package clients_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// TestJavaScriptClient runs the tests in JavaScript of what only a program in JavaScript can do.
func TestJavaScriptClient(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed, so this client was not tested")
	}
	releases := writeReleases(t)
	writeCertificates(t, releases)
	programs := must.Get(filepath.Glob("testdata/javascript/*.test.mjs"))(t)
	if len(programs) == 0 {
		t.Fatal("testdata/javascript has no tests")
	}
	for _, program := range programs {
		t.Run(strings.TrimSuffix(filepath.Base(program), ".test.mjs"), func(t *testing.T) {
			cmd := exec.Command(node, "--test", "--test-reporter=spec", program)
			cmd.Env = append(os.Environ(), "RELEASES="+releases)
			out, err := cmd.CombinedOutput()
			if err != nil || strings.Contains(string(out), "\nℹ pass 0\n") {
				t.Fatalf("%v\n%s", err, out)
			}
		})
	}
}
