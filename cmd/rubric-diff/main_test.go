package main

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/rubric-library/rubric-library/internal/cli"
)

var update = flag.Bool("update", false, "write the compared output anew")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"rubric-diff": func() { os.Exit(cli.Main(cli.Diff, os.Args[1:], cli.Standard())) },
		"rubric-lint": func() { os.Exit(cli.Main(cli.Lint, os.Args[1:], cli.Standard())) },
	})
}

// TestScripts runs the command as a user does. Each script states one behaviour
// and compares whole outputs.
func TestScripts(t *testing.T) { runScripts(t, "testdata/script") }

func runScripts(t *testing.T, dir string) {
	schema, err := filepath.Abs("../../schema/diff-output.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		Setup:               isolateGit,
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":   exits,
			"git":     git,
			"commit":  commit,
			"rubric":  rubric,
			"replace": replace,
			"validates": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) != 1 {
					ts.Fatalf("usage: validates FILE")
				}
				ts.Check(validate(schema, ts.ReadFile(args[0])))
			},
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

// isolateGit lets git depend on nothing of the machine.
func isolateGit(env *testscript.Env) error {
	for _, v := range []string{
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C", "TZ=UTC",
		"GIT_AUTHOR_NAME=Ann", "GIT_AUTHOR_EMAIL=ann@example.org", "GIT_AUTHOR_DATE=2024-01-01T12:00:00Z",
		"GIT_COMMITTER_NAME=Ann", "GIT_COMMITTER_EMAIL=ann@example.org", "GIT_COMMITTER_DATE=2024-01-01T12:00:00Z",
		"GIT_CONFIG_COUNT=2",
		"GIT_CONFIG_KEY_0=init.defaultBranch", "GIT_CONFIG_VALUE_0=main",
		"GIT_CONFIG_KEY_1=gc.auto", "GIT_CONFIG_VALUE_1=0",
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
	if err := ts.Exec("git", args...); neg || err != nil {
		ts.Fatalf("git %s: %v", strings.Join(args, " "), err)
	}
}

// commit commits all that the working tree has and sets $NAME to the first
// digits of the commit's hash, and $NAME_full to all: commit NAME.
func commit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: commit NAME")
	}
	git(ts, false, []string{"add", "-A"})
	git(ts, false, []string{"commit", "-q", "--allow-empty", "-m", args[0]})
	git(ts, false, []string{"rev-parse", "HEAD"})
	hash := strings.TrimSpace(ts.ReadFile("stdout"))
	ts.Setenv(args[0], hash[:12])
	ts.Setenv(args[0]+"_full", hash)
}

// rubricText is a rubric of which the ID, version and artifact type are filled
// in.
const rubricText = `rubric_id: ID
name: Clarity
version: "VERSION"
artifact_type: TYPE
criteria:
  - name: clarity
    description: Whether the reader knows who does what.
    weight: essential
    threshold: 3.0
    anchors:
      1: Neither actor nor action is named.
      2: The actor or the action is named.
      3: Actor and action are named.
      4: Actor, action and object are named.
      5: Actor, action, object and reason are named.
    examples:
      score_1: Make it better.
      score_5: A clerk archives an invoice so that the audit finds it.
scoring:
  pass_threshold: 3.5
  essential_minimum: 3.0
`

// rubric writes a rubric that is named after its file and of the type of its
// folder: rubric FILE VERSION.
func rubric(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: rubric FILE VERSION")
	}
	text := strings.NewReplacer(
		"ID", strings.TrimSuffix(path.Base(args[0]), ".yaml"), "VERSION", args[1], "TYPE", path.Base(path.Dir(args[0])),
	).Replace(rubricText)
	ts.Check(os.MkdirAll(filepath.Dir(ts.MkAbs(args[0])), 0o777))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o666))
}

// replace replaces a text that occurs once in a file; NEW can have escapes as in
// Go: replace FILE OLD NEW.
func replace(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: replace FILE OLD NEW")
	}
	text := ts.ReadFile(args[0])
	if n := strings.Count(text, args[1]); n != 1 {
		ts.Fatalf("%s has %q %d times, want once", args[0], args[1], n)
	}
	with, err := strconv.Unquote(`"` + strings.ReplaceAll(args[2], `"`, `\"`) + `"`)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Replace(text, args[1], with, 1)), 0o666))
}
