package pages_test

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/cli"
	"github.com/rubric-library/rubric-library/internal/cli/check"
	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// TestMain lets the documentation pages run the commands by name.
func TestMain(m *testing.M) {
	programs := map[string]func(){}
	for name, program := range map[string]func(command.Streams) *cobra.Command{
		"rubric":      cli.Rubric,
		"rubric-diff": check.Diff,
		"rubric-lint": check.Lint,
	} {
		programs[name] = func() { os.Exit(command.Main(program, os.Args[1:], command.Standard())) }
	}
	testscript.Main(scripttest.InRoot{M: m}, programs)
}
