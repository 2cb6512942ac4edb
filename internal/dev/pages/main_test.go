package pages_test

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/cli"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// TestMain lets the documentation pages run the commands by name.
func TestMain(m *testing.M) {
	programs := map[string]func(){}
	for name, command := range map[string]func(cli.Streams) *cobra.Command{
		"rubric":      cli.Rubric,
		"rubric-diff": cli.Diff,
		"rubric-lint": cli.Lint,
	} {
		programs[name] = func() { os.Exit(cli.Main(command, os.Args[1:], cli.Standard())) }
	}
	testscript.Main(scripttest.InRoot{M: m}, programs)
}
