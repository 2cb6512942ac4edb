package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/rubric-library/rubric-library/internal/cli"
	"github.com/rubric-library/rubric-library/internal/scripttest"
)

var update = flag.Bool("update", false, "write the compared output anew")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"rubric-diff": func() { os.Exit(cli.Main(cli.Diff, os.Args[1:], cli.Standard())) },
		"rubric-lint": func() { os.Exit(cli.Main(cli.Lint, os.Args[1:], cli.Standard())) },
	})
}

func TestScripts(t *testing.T) { runScripts(t, "testdata/script") }

func runScripts(t *testing.T, dir string) {
	schema, err := filepath.Abs("../../schema/diff-output.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	scripttest.Run(t, dir, *update, map[string]scripttest.Command{
		"validates": func(ts *testscript.TestScript, neg bool, args []string) {
			if neg || len(args) != 1 {
				ts.Fatalf("usage: validates FILE")
			}
			ts.Check(validate(schema, ts.ReadFile(args[0])))
		},
	})
}

// validate checks JSON text against a JSON Schema in a file.
func validate(schema, text string) error {
	s, err := jsonschema.NewCompiler().Compile(schema)
	if err != nil {
		return err
	}
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return err
	}
	return s.Validate(v)
}
