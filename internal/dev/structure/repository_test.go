package structure_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

const module = "github.com/rubric-library/rubric-library"

// layers are the rooms of the house, folders with packages, from top to bottom: a package
// imports only its own room and those below.
var layers = []string{
	"internal/dev",
	"cmd",
	"internal/cli",
	"internal/authoring",
	"internal/release",
	"internal/lint",
	"internal/rulesets",
	"internal/change",
	"internal/calibration",
	"internal/gitrepo",
	"pkg/library",
	"internal/library",
	"internal/render",
	"internal/document",
	"internal/text",
	"internal/files",
	"clients/javascript",
	"clients/python",
	"editor",
	"pkg/ruleset",
	"pkg/rubric",
}

// mostGroups is the number of rooms in internal/ that a newcomer can remember.
const mostGroups = 16

// importers are the packages that may import an external module. Modules that only
// tests import are in testOnly.
//
// Which version follows another, and whether a change fits its version, is decided in
// internal/change only: the other importers of semver read a version or match a constraint.
var (
	importers = map[string][]string{
		"github.com/go-git/go-git/v5":          {"internal/gitrepo", "internal/gitrepo/objects"},
		"gopkg.in/yaml.v3":                     {"internal/document/yamltree", "internal/dev/documenttest"},
		"github.com/spf13/cobra":               {"internal/cli", "internal/cli/author", "internal/cli/bundles", "internal/cli/calibrate", "internal/cli/check", "internal/cli/command", "internal/cli/rules"},
		"github.com/spf13/pflag":               {"internal/cli/calibrate", "internal/cli/command"},
		"github.com/expr-lang/expr":            {"internal/lint/expression"},
		"github.com/yuin/goldmark":             {"internal/document/markdown"},
		"github.com/Masterminds/semver/v3":     {"internal/change", "internal/change/compat", "internal/change/holdings", "internal/gitrepo", "internal/lint/rules", "internal/lint/rules/datasets", "pkg/library"},
		"github.com/rogpeppe/go-internal":      {"internal/rulesets/evaluate", "internal/lint", "internal/lint/printer"},
		"pgregory.net/rapid":                   {"internal/dev/documenttest", "internal/dev/rendertest"},
		"oras.land/oras-go/v2":                 {"internal/library/registry"},
		"github.com/opencontainers/image-spec": {"internal/library/registry"},
		"github.com/opencontainers/go-digest":  {"internal/library/registry"},
		"go.opentelemetry.io/otel":             {"pkg/library/libraryotel"},
		"go.opentelemetry.io/otel/metric":      {"pkg/library/libraryotel"},
		"golang.org/x/net":                     {"internal/release/serve"},
		"golang.org/x/term":                    {"internal/cli/command"},
		"golang.org/x/text":                    {"internal/text/regex", "internal/text/duplicate", "internal/text/sanitize", "internal/document", "internal/change/holdings", "internal/lint/expression", "internal/lint/rules", "internal/library/bundlefile", "pkg/rubric"},
	}
	testOnly = []string{"cuelabs.dev/go/oci/ociregistry", "github.com/chromedp/cdproto", "github.com/chromedp/chromedp", "github.com/google/go-cmp", "github.com/prometheus/client_golang", "github.com/prometheus/otlptranslator", "go.opentelemetry.io/otel/exporters/prometheus", "github.com/santhosh-tekuri/jsonschema/v6", "go.opentelemetry.io/otel/sdk/metric"}
)

// goPackage is a part of the output of `go list -json`.
type goPackage struct {
	ImportPath, Doc         string
	Dir                     string
	Standard                bool
	Imports                 []string
	TestImports             []string
	XTestImports            []string
	GoFiles, IgnoredGoFiles []string
}

func listPackages(t *testing.T, dir string, args ...string) []goPackage {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-json"}, args...)...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list %v: %v\n%s", args, err, &stderr)
	}
	var packages []goPackage
	dec := json.NewDecoder(bytes.NewReader(out))
	for {
		var p goPackage
		if err := dec.Decode(&p); err == io.EOF {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}

func TestImportsPointDown(t *testing.T) {
	groups := map[string]bool{}
	for _, p := range listPackages(t, ".", "./...") {
		name := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		if len(p.GoFiles) == 0 {
			continue
		}
		if path := strings.Split(name, "/"); path[0] == "internal" {
			groups[path[1]] = true
		}
		if !strings.HasPrefix(p.Doc, "Package ") && !strings.HasPrefix(p.Doc, "Command ") {
			t.Errorf("package %s has no doc comment that says what it promises", name)
		}
		layer := layerOf(name)
		if layer < 0 {
			t.Errorf("package %s is in no room: say where it belongs", name)
			continue
		}
		for _, path := range p.Imports {
			if inner, ok := strings.CutPrefix(path, module+"/"); !ok {
				checkModule(t, name, path)
			} else if below := layerOf(inner); below < layer || strings.HasPrefix(layers[layer], "pkg/ru") {
				t.Errorf("%s imports %s, which is not below it", name, inner)
			}
		}
	}
	for group := range groups {
		doc, err := os.ReadFile(filepath.Join("internal", group, "doc.go"))
		if err != nil || !strings.HasPrefix(string(doc), "// Package "+group+" ") || !strings.Contains(string(doc), "import") {
			t.Errorf("internal/%s/doc.go does not say what the group promises and may import: %v", group, err)
		}
	}
	if len(groups) > mostGroups {
		t.Errorf("internal/ has %d rooms, and %d are enough", len(groups), mostGroups)
	}
}

// layerOf returns the number of the layer with the longest matching name, or -1.
func layerOf(name string) int {
	found := -1
	for i, layer := range layers {
		if (name == layer || strings.HasPrefix(name, layer+"/")) && (found < 0 || len(layer) > len(layers[found])) {
			found = i
		}
	}
	return found
}

// checkModule checks an import of another module.
func checkModule(t *testing.T, name, path string) {
	t.Helper()
	if first, _, _ := strings.Cut(path, "/"); !strings.Contains(first, ".") {
		return // the standard library
	}
	// The module is the one with the longest matching name, as for the go command.
	longest := ""
	for mod := range importers {
		if (path == mod || strings.HasPrefix(path, mod+"/")) && len(mod) > len(longest) {
			longest = mod
		}
	}
	packages := importers[longest]
	if longest == "" {
		t.Errorf("%s imports %s, which no package may import outside tests", name, path)
	} else if !slices.Contains(packages, name) {
		t.Errorf("%s imports %s, which only %v may", name, path, packages)
	}
}

func TestEveryDependencyHasItsReason(t *testing.T) {
	mod := must.Get(os.ReadFile("go.mod"))(t)
	page := must.Get(os.ReadFile("docs/development/development.md"))(t)
	for line := range strings.Lines(string(mod)) {
		fields := strings.Fields(strings.TrimPrefix(line, "require "))
		if len(fields) != 2 || !strings.HasPrefix(fields[1], "v") {
			continue // no requirement, or an indirect one
		}
		_, isImported := importers[fields[0]]
		if !isImported && !slices.Contains(testOnly, fields[0]) {
			t.Errorf("%s is required by go.mod and nobody may import it", fields[0])
		}
		if !strings.Contains(string(page), "`"+fields[0]+"`") {
			t.Errorf("docs/development/development.md does not say why %s is here", fields[0])
		}
	}
}

func TestMainFilesAreShort(t *testing.T) {
	mains, err := filepath.Glob("cmd/*/main.go")
	if err != nil || len(mains) == 0 {
		t.Fatalf("no commands found: %v", err)
	}
	for _, name := range mains {
		data := must.Get(os.ReadFile(name))(t)
		if lines := bytes.Count(data, []byte("\n")); lines > 20 {
			t.Errorf("%s has %d lines; a command's work belongs into internal/cli", name, lines)
		}
	}
}

// TestConsumersPullInLittle checks the dependencies of a program that imports the models,
// as a judge service does.
func TestConsumersPullInLittle(t *testing.T) {
	for _, p := range listPackages(t, ".", "-deps", "./pkg/rubric", "./pkg/ruleset") {
		if !p.Standard && !strings.HasPrefix(p.ImportPath, module+"/pkg/") && !strings.HasPrefix(p.ImportPath, "golang.org/x/text/") {
			t.Errorf("importing pkg/rubric and pkg/ruleset pulls in %s", p.ImportPath)
		}
	}
}

// TestGitIsReadWithoutTheNetwork checks that go-git's root package and transports, which
// link HTTP and SSH, are in no program.
func TestGitIsReadWithoutTheNetwork(t *testing.T) {
	const git = "github.com/go-git/go-git/v5"
	packages := listPackages(t, ".", "-deps", "./cmd/...")
	if !slices.ContainsFunc(packages, func(p goPackage) bool { return strings.HasPrefix(p.ImportPath, git+"/") }) {
		t.Fatal("no program has go-git, so this test checks nothing")
	}
	for _, p := range packages {
		if p.ImportPath == git || strings.HasPrefix(p.ImportPath, git+"/plumbing/transport") || strings.HasPrefix(p.ImportPath, "golang.org/x/crypto/ssh") {
			t.Errorf("a program has %s", p.ImportPath)
		}
	}
	for _, p := range listPackages(t, ".", "-deps", "./internal/gitrepo") {
		if p.ImportPath == "net" || strings.HasPrefix(p.ImportPath, "crypto/tls") || p.ImportPath == "os/exec" {
			t.Errorf("reading a repository needs %s", p.ImportPath)
		}
	}
}
