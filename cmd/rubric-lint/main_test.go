package main

import (
	"errors"
	"flag"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/rubric-library/rubric-library/internal/cli"
)

var update = flag.Bool("update", false, "write the compared output anew")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"rubric-lint": func() { os.Exit(cli.Main(cli.Lint, os.Args[1:], cli.Standard())) },
	})
}

// TestScripts runs the command as a user does. Each script states one behaviour
// and compares whole outputs.
func TestScripts(t *testing.T) {
	commands := map[string]func(*testscript.TestScript, bool, []string){
		"exits": exits,
		"bytes": writeBytes,
	}
	maps.Copy(commands, repositoryCommands)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		Setup:               isolateGit,
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds:                commands,
	})
}

// exits runs a command and holds its exit code: exits CODE COMMAND [ARG...].
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARG...]")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = strconv.Itoa(exit.ExitCode())
	} else {
		ts.Check(err)
	}
	if got != args[0] {
		ts.Fatalf("%v exits with %s, want %s", args[1:], got, args[0])
	}
}

// writeBytes writes a file from a Go string, for what a script can't hold:
// bytes FILE '"quoted"'.
func writeBytes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: bytes FILE QUOTED")
	}
	text, err := strconv.Unquote(args[1])
	ts.Check(err)
	name := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(filepath.Dir(name), 0o777))
	ts.Check(os.WriteFile(name, []byte(text), 0o666))
}
