package scripttest

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// InRoot is the tests of a package about the repository as a whole: they run with its
// root as their working folder.
type InRoot struct{ *testing.M }

// Run runs the tests.
func (m InRoot) Run() int {
	chdirRoot()
	return m.M.Run()
}

func chdirRoot() {
	dir, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			panic("no go.mod is in the working folder or above it")
		}
		dir = filepath.Dir(dir)
	}
	if err == nil {
		err = os.Chdir(dir)
	}
	if err != nil {
		panic(err)
	}
}

// Text is the content of a file.
func Text(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// PageFile finds a file that a page shows: its name and its content.
var PageFile = regexp.MustCompile("(?s)<!-- file: (\\S+) -->\n\n```\\w*\n(.*?)```")
