package main

import (
	"flag"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/rubric-library/rubric-library/internal/cli"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

var update = flag.Bool("update", false, "write the compared output anew")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"rubric-edit": func() { os.Exit(cli.Main(cli.Edit, os.Args[1:], cli.Standard())) },
		"rubric-lint": func() { os.Exit(cli.Main(cli.Lint, os.Args[1:], cli.Standard())) },
	})
}

func TestScripts(t *testing.T) { scripttest.Run(t, "testdata/script", *update, nil) }
