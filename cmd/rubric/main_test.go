package main

import (
	"flag"
	"os"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/rubric-library/rubric-library/internal/cli"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

var update = flag.Bool("update", false, "write the compared output anew")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"rubric":      func() { os.Exit(cli.Main(cli.Rubric, os.Args[1:], cli.Standard())) },
		"rubric-diff": func() { os.Exit(cli.Main(cli.Diff, os.Args[1:], cli.Standard())) },
		"rubric-lint": func() { os.Exit(cli.Main(cli.Lint, os.Args[1:], cli.Standard())) },
		"judge":       judge,
	})
}

func TestScripts(t *testing.T) {
	scripttest.Run(t, "testdata/script", *update, map[string]scripttest.Command{"flip": flip})
}

// flip changes one byte of a file, counted from its end: flip FILE OFFSET.
func flip(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: flip FILE OFFSET")
	}
	data := []byte(ts.ReadFile(args[0]))
	offset, err := strconv.Atoi(args[1])
	ts.Check(err)
	data[len(data)-offset] ^= 1
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o666))
}
