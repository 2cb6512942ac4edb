package main

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/rubric-library/rubric-library/internal/cli"
	"github.com/rubric-library/rubric-library/internal/cli/check"
	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

var update = flag.Bool("update", false, "write the compared output anew")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"rubric-lint": func() { os.Exit(command.Main(check.Lint, os.Args[1:], command.Standard())) },
		"rubric-diff": func() { os.Exit(command.Main(check.Diff, os.Args[1:], command.Standard())) },
		"rubric":      func() { os.Exit(command.Main(cli.Rubric, os.Args[1:], command.Standard())) },
	})
}

func TestScripts(t *testing.T) {
	source := must.Get(filepath.Abs("../../examples/hooks/pre-receive"))(t)
	// hook REPOSITORY installs the example in a bare repository.
	hook := func(ts *testscript.TestScript, _ bool, args []string) {
		data, err := os.ReadFile(source)
		ts.Check(err)
		ts.Check(os.WriteFile(filepath.Join(ts.MkAbs(args[0]), "hooks", "pre-receive"), data, 0o777))
	}
	scripttest.Run(t, "testdata/script", *update, map[string]scripttest.Command{"hook": hook})
}
