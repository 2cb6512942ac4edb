package main

import (
	"flag"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/rubric-library/rubric-library/internal/cli/check"
	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

var update = flag.Bool("update", false, "write the compared output anew")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"rubric-diff": func() { os.Exit(command.Main(check.Diff, os.Args[1:], command.Standard())) },
		"rubric-lint": func() { os.Exit(command.Main(check.Lint, os.Args[1:], command.Standard())) },
	})
}

func TestScripts(t *testing.T) { scripttest.Run(t, "testdata/script", *update, nil) }
