// Package scripttest helps tests that run the commands: those of scripts, pages, and
// workflows.
package scripttest

import (
	_ "embed"
	"errors"
	"flag"
	"io/fs"
	"os"
	"strings"
	"testing"

	_ "github.com/rubric-library/rubric-library/internal/dev/quick" // scripts make thousands of files
)

// InRoot runs the tests of a package about the whole repository in its root folder.
type InRoot struct{ *testing.M }

// Run runs the tests.
func (m InRoot) Run() int {
	must(chdirRoot())
	code := m.M.Run()
	if log := flag.Lookup("test.testlogfile"); log != nil && log.Value.String() != "" {
		must(logChdir(log.Value.String()))
	}
	return code
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// logChdir adds the working folder to the log from which `go test` learns what the tests
// read. The log begins after the change of the folder, and with paths of another one,
// `go test` would show cached results after a file changes.
func logChdir(file string) error {
	const header = "# test log\n"
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // -list runs no test
	}
	dir, dirErr := os.Getwd()
	rest, ok := strings.CutPrefix(string(data), header)
	if !ok {
		return errors.Join(err, dirErr, errors.New("the test log has another form"))
	}
	return errors.Join(dirErr, os.WriteFile(file, []byte(header+"chdir "+dir+"\n"+rest), 0o666))
}

func chdirRoot() error {
	for range 9 {
		if _, err := os.Stat("go.mod"); err == nil {
			return nil
		}
		if err := os.Chdir(".."); err != nil {
			return err
		}
	}
	return errors.New("no go.mod in the working folder or its parents")
}

// Text returns the content of a file.
func Text(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// rubricText is the template of Rubric.
//
//go:embed rubric.yaml
var rubricText string

// Rubric returns the text of a rubric without findings.
func Rubric(id, version, artifactType string) string {
	return strings.NewReplacer("ID", id, "VERSION", version, "TYPE", artifactType).Replace(rubricText)
}
