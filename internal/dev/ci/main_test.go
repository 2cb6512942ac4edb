package ci_test

import (
	"os"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

const module = "github.com/rubric-library/rubric-library"

// builtTools is the folder for the builds of the scripts, shared by all tests. Builds
// are keyed by their sources, so that no test gets the programs of another.
var builtTools string

// tests are the tests of this package, with a folder for their builds.
type tests struct{ *testing.M }

func (m tests) Run() int {
	var err error
	if builtTools, err = os.MkdirTemp("", "rubric-tools"); err != nil {
		panic(err)
	}
	defer os.RemoveAll(builtTools)
	return scripttest.InRoot{M: m.M}.Run()
}

// weekly skips a scenario that only .ci/fuzz plays through, because it takes long and shows
// neither that the gate holds nor that nothing forged is released.
func weekly(t *testing.T) {
	t.Helper()
	if os.Getenv("WEEKLY") == "" {
		t.Skip("run .ci/fuzz, or set WEEKLY=1")
	}
}

func TestMain(m *testing.M) { os.Exit(tests{m}.Run()) }
