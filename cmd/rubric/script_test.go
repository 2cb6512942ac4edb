package main

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
)

// scriptCommand is a command of a script.
type scriptCommand = func(ts *testscript.TestScript, neg bool, args []string)

// runScripts runs the scripts of a folder: txtar files with the commands of testscript and
// commands that create real repositories and unusual files. Each script states one behavior
// and compares complete outputs. update rewrites the expected output; more are
// additional commands.
func runScripts(t *testing.T, dir string, update bool, more map[string]scriptCommand) {
	commands := map[string]scriptCommand{
		"exits":      taking("exits CODE COMMAND [ARG...]", 2, many, exits),
		"advice":     taking("advice", 0, 0, advice),
		"advises":    taking("advises RULE PATTERN [FLAG...]", 2, many, lintAdvises),
		"obeyed":     taking("obeyed RULE [FLAG...]", 1, many, lintObeyed),
		"validates":  taking("validates SCHEMA FILE", 2, 2, validates(t)),
		"bytes":      taking("bytes FILE QUOTED", 2, 2, writeBytes),
		"plain":      taking("plain FILE", 1, 1, plain),
		"repository": taking("repository DIR [ARG...]", 1, many, repository),
		"commit":     taking("commit NAME", 1, 1, commit),
		"define":     taking("define NAME [REV]", 1, 2, define),
		"sample":     taking("sample FILE VERSION", 2, 2, sample),
		"replace":    taking("replace FILE OLD NEW", 3, 3, replace),
		"bump":       taking("bump FILE VERSION", 2, 2, bump),
		"people":     taking("people FILE FROM TO", 3, 3, people),
		"scored":     taking("scored FILE FROM TO NOISE SEED", 5, 5, scored),
		"git":        git,
		"release":    taking("release NAME [REV [BUNDLE]]", 1, 3, release),
		"event":      event,
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

const many = 1000

// taking returns a command without a negation that takes from least to most arguments.
func taking(usage string, least, most int, do func(ts *testscript.TestScript, args []string)) scriptCommand {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		if neg || len(args) < least || len(args) > most {
			ts.Fatalf("usage: %s", usage)
		}
		do(ts, args)
	}
}

// needsGit matches the commands that create a repository.
var needsGit = regexp.MustCompile(`(?m)^(git|repository|commit) `)

// runnable returns the scripts of a folder that can run here: without git, it skips
// those that create a repository.
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

// exits runs a command and checks its exit code: exits CODE COMMAND [ARG...].
func exits(ts *testscript.TestScript, args []string) {
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

// advised matches the commands for Git in a message.
var advised = regexp.MustCompile(`"(git [^"]+)"|run: (git .+)`)

// advice runs the commands for Git that the last command named on the error stream, as a user
// who copies them would.
func advice(ts *testscript.TestScript, _ []string) {
	commands := advised.FindAllStringSubmatch(ts.ReadFile("stderr"), -1)
	if len(commands) == 0 {
		ts.Fatalf("the last command advises nothing")
	}
	for _, c := range commands {
		ts.Check(ts.Exec("sh", "-c", c[1]+c[2]))
	}
}

// validates checks a JSON file against a schema of the repository: validates SCHEMA
// FILE, where SCHEMA is a name such as diff-output.
func validates(t *testing.T) func(ts *testscript.TestScript, args []string) {
	folder, err := filepath.Abs("schema")
	if err != nil {
		t.Fatal(err)
	}
	return func(ts *testscript.TestScript, args []string) {
		schema, err := jsonschema.NewCompiler().Compile(filepath.Join(folder, args[0]+".schema.json"))
		ts.Check(err)
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(ts.ReadFile(args[1])))
		ts.Check(err)
		ts.Check(schema.Validate(value))
	}
}

// writeBytes writes a file from a Go string, for content that a script can't contain:
// bytes FILE '"quoted"'.
func writeBytes(ts *testscript.TestScript, args []string) {
	text, err := strconv.Unquote(args[1])
	ts.Check(err)
	name := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(filepath.Dir(name), 0o777))
	ts.Check(os.WriteFile(name, []byte(text), 0o666))
}

// plain removes the byte order mark of a file for spreadsheets, which a script can't contain:
// plain FILE.
func plain(ts *testscript.TestScript, args []string) {
	text, marked := strings.CutPrefix(ts.ReadFile(args[0]), "\uFEFF")
	if !marked {
		ts.Fatalf("%s has no byte order mark", args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o666))
}
