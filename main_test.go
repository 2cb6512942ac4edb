package repository_test

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/cli"
)

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
	return m.M.Run()
}

// TestMain lets the pages of the documentation run the commands by their names.
func TestMain(m *testing.M) {
	programs := map[string]func(){}
	for name, command := range map[string]func(cli.Streams) *cobra.Command{
		"rubric-bundle":    cli.Bundle,
		"rubric-calibrate": cli.Calibrate,
		"rubric-diff":      cli.Diff,
		"rubric-edit":      cli.Edit,
		"rubric-lint":      cli.Lint,
		"rubric-rules":     cli.Rules,
	} {
		programs[name] = func() { os.Exit(cli.Main(command, os.Args[1:], cli.Standard())) }
	}
	testscript.Main(tests{m}, programs)
}
