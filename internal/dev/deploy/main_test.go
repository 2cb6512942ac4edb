// Package deploy_test checks examples/deploy: everything that a machine without a container
// runtime, a cluster, or systemd as its first process can check.
package deploy_test

import (
	"os"
	"os/exec"
	"testing"

	_ "github.com/rubric-library/rubric-library/internal/cli" // the program, so that no result is of an earlier one
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

const examples = "examples/deploy/"

// built is the folder of the program that the Containerfile builds.
var built string

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "rubric-image-")
	if err != nil {
		panic(err)
	}
	built = folder
	code := scripttest.InRoot{M: m}.Run()
	_ = os.RemoveAll(built)
	os.Exit(code)
}

// needs skips a test if a program is missing.
func needs(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not installed", name)
		}
	}
}
