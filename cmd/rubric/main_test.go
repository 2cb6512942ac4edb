package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"cuelabs.dev/go/oci/ociregistry/ocimem"
	"cuelabs.dev/go/oci/ociregistry/ociserver"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/rubric-library/rubric-library/internal/cli"
	"github.com/rubric-library/rubric-library/internal/cli/check"
	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

var update = flag.Bool("update", false, "write the compared output anew")

// programs are what this binary is under other names.
var programs = map[string]func(){
	"rubric":      func() { os.Exit(command.Main(cli.Rubric, os.Args[1:], command.Standard())) },
	"rubric-diff": func() { os.Exit(command.Main(check.Diff, os.Args[1:], command.Standard())) },
	"rubric-lint": func() { os.Exit(command.Main(check.Lint, os.Args[1:], command.Standard())) },
	"judge":       judge,
}

func TestMain(m *testing.M) {
	testscript.Main(scripttest.InRoot{M: m}, programs)
}

func TestScripts(t *testing.T) {
	for _, program := range []string{"rubric", "rubric-diff", "rubric-lint"} {
		t.Run(program, func(t *testing.T) {
			runScripts(t, "cmd/"+program+"/testdata/script", *update, map[string]scriptCommand{
				"flip": flip, "registry": startRegistry, "example": copyExample, "hook": installHook(t),
			})
		})
	}
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

// startRegistry starts an OCI registry in memory and sets $REGISTRY to its address. While the
// file "refuse" exists, the registry refuses requests: the file has a regular expression for
// METHOD PATH BODY, a status, and the body of the answer, each on a line.
func startRegistry(ts *testscript.TestScript, _ bool, _ []string) {
	registry, file := ociserver.New(ocimem.NewWithConfig(&ocimem.Config{LaxChildReferences: true}), nil), ts.MkAbs("refuse")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if lines, err := os.ReadFile(file); err == nil {
			refusal := strings.SplitN(string(lines), "\n", 3)
			body, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(body))
			if status, err := strconv.Atoi(refusal[1]); err == nil && regexp.MustCompile(refusal[0]).MatchString(r.Method+" "+r.URL.Path+" "+string(body)) {
				w.WriteHeader(status)
				fmt.Fprint(w, refusal[2])
				return
			}
		}
		registry.ServeHTTP(w, r)
	}))
	ts.Defer(server.Close)
	ts.Setenv("REGISTRY", strings.TrimPrefix(server.URL, "http://"))
}

// installHook returns a command that installs the example of a hook as a file of a bare
// repository: hook FILE.
func installHook(t *testing.T) scriptCommand {
	data := must.Get(os.ReadFile("examples/hooks/pre-receive"))(t)
	return func(ts *testscript.TestScript, _ bool, args []string) {
		ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o777))
	}
}

// copyExample copies an example of the repository: example PATH.
func copyExample(ts *testscript.TestScript, _ bool, args []string) {
	data, err := os.ReadFile("examples/" + args[0])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(path.Base(args[0])), data, 0o666))
}

// TestInitTakesFewSteps counts what an author types between an empty folder and a
// pull request that the gate rejects: it has to fit in five minutes.
func TestInitTakesFewSteps(t *testing.T) {
	steps := regexp.MustCompile(`(?m)^(exits|git|replace) .*`).FindAllString(scripttest.Text(t, "cmd/rubric/testdata/script/init-gate.txtar"), -1)
	if len(steps) < 6 || len(steps) > 8 {
		t.Errorf("%d steps, want 8 at most:\n%s", len(steps), strings.Join(steps, "\n"))
	}
}
