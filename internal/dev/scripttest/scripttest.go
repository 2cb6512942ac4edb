// Package scripttest runs the scripts that test the commands: txtar files with
// the commands of testscript and those that make real repositories and odd
// files. Each script states one behaviour and compares whole outputs.
package scripttest

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"

	_ "github.com/rubric-library/rubric-library/internal/dev/quick" // scripts make thousands of files
)

// Command is a command of a script.
type Command = func(ts *testscript.TestScript, neg bool, args []string)

// Run runs the scripts of a folder. update writes compared output anew; more are
// commands besides those of this package.
func Run(t *testing.T, dir string, update bool, more map[string]Command) {
	commands := map[string]Command{
		"exits":      exits,
		"validates":  validates(t),
		"bytes":      writeBytes,
		"plain":      plain,
		"repository": repository,
		"git":        git,
		"commit":     commit,
		"define":     define,
		"event":      event,
		"sample":     sample,
		"replace":    replace,
		"bump":       bump,
	}
	maps.Copy(commands, more)
	testscript.Run(t, testscript.Params{
		Files:               runnable(t, dir),
		Setup:               isolateGit,
		UpdateScripts:       update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds:                commands,
	})
}

// needsGit finds the commands that make a repository.
var needsGit = regexp.MustCompile(`(?m)^(git|repository|commit) `)

// runnable are the scripts of a folder that can run here: where git is absent,
// those that make a repository are skipped by name.
func runnable(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts in %s: %v", dir, err)
	}
	if _, err := exec.LookPath("git"); err == nil {
		return files
	}
	return slices.DeleteFunc(files, func(name string) bool {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !needsGit.Match(data) {
			return false
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Skip("git is not installed, and this script makes a real repository with it")
		})
		return true
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

// validates holds that a JSON file is what a schema of the repository describes:
// validates SCHEMA FILE, where SCHEMA is a name such as diff-output.
func validates(t *testing.T) Command {
	folder, err := filepath.Abs("../../schema")
	if err != nil {
		t.Fatal(err)
	}
	return func(ts *testscript.TestScript, neg bool, args []string) {
		if neg || len(args) != 2 {
			ts.Fatalf("usage: validates SCHEMA FILE")
		}
		schema, err := jsonschema.NewCompiler().Compile(filepath.Join(folder, args[0]+".schema.json"))
		ts.Check(err)
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(ts.ReadFile(args[1])))
		ts.Check(err)
		ts.Check(schema.Validate(value))
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

// plain makes of a file that spreadsheets read, with a byte order mark and CRLF,
// one that a script can hold: plain FILE.
func plain(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: plain FILE")
	}
	text, marked := strings.CutPrefix(ts.ReadFile(args[0]), "\uFEFF")
	if !marked || !strings.HasSuffix(text, "\r\n") {
		ts.Fatalf("%s has no byte order mark, or no CRLF at its end", args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.ReplaceAll(text, "\r\n", "\n")), 0o666))
}
