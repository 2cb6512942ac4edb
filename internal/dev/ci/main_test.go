package ci_test

import (
	"os"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

const module = "github.com/rubric-library/rubric-library"

// builtTools is where the scripts keep what they built, for all tests: by their
// sources, so that no test gets the programs of another one's.
var builtTools string

// tests are the tests of this package, with a folder for what they build.
type tests struct{ *testing.M }

func (m tests) Run() int {
	var err error
	if builtTools, err = os.MkdirTemp("", "rubric-tools"); err != nil {
		panic(err)
	}
	defer os.RemoveAll(builtTools)
	return scripttest.InRoot{M: m.M}.Run()
}

func TestMain(m *testing.M) { os.Exit(tests{m}.Run()) }
