package main

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/rubric-library/rubric-library/internal/cli"
)

var update = flag.Bool("update", false, "write the compared output anew")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"rubric-edit": func() { os.Exit(cli.Main(cli.Edit, os.Args[1:], cli.Standard())) },
		"rubric-lint": func() { os.Exit(cli.Main(cli.Lint, os.Args[1:], cli.Standard())) },
	})
}

// TestScripts runs the command as an author does. Each script states one
// behaviour.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		Setup:               isolateGit,
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":   exits,
			"git":     git,
			"commit":  commit,
			"replace": replace,
		},
	})
}

// isolateGit lets git depend on nothing of the machine, so that a script gives
// the same hashes everywhere.
func isolateGit(env *testscript.Env) error {
	for _, v := range []string{
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C", "TZ=UTC",
		"GIT_AUTHOR_NAME=Ann", "GIT_AUTHOR_EMAIL=ann@example.org", "GIT_AUTHOR_DATE=2024-01-01T12:00:00Z",
		"GIT_COMMITTER_NAME=Ann", "GIT_COMMITTER_EMAIL=ann@example.org", "GIT_COMMITTER_DATE=2024-01-01T12:00:00Z",
		"GIT_CONFIG_COUNT=3",
		"GIT_CONFIG_KEY_0=init.defaultBranch", "GIT_CONFIG_VALUE_0=main",
		"GIT_CONFIG_KEY_1=gc.auto", "GIT_CONFIG_VALUE_1=0",
		"GIT_CONFIG_KEY_2=core.fsync", "GIT_CONFIG_VALUE_2=none",
	} {
		key, value, _ := strings.Cut(v, "=")
		env.Setenv(key, value)
	}
	return nil
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

// git runs git, which must succeed: git ARG...
func git(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: git ARG...")
	}
	ts.Check(ts.Exec("git", args...))
}

// commit commits all that the working tree has: commit MESSAGE.
func commit(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: commit MESSAGE")
	}
	git(ts, neg, []string{"add", "-A"})
	git(ts, neg, []string{"commit", "-q", "-m", args[0]})
}

// replace replaces a text that occurs once in a file: replace FILE OLD NEW.
func replace(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: replace FILE OLD NEW")
	}
	text := ts.ReadFile(args[0])
	if n := strings.Count(text, args[1]); n != 1 {
		ts.Fatalf("%s has %q %d times, want once", args[0], args[1], n)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Replace(text, args[1], args[2], 1)), 0o666))
}
