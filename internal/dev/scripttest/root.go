package scripttest

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// InRoot runs the tests of a package about the whole repository in its root folder.
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
			panic("no go.mod in the working folder or its parents")
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

// Text returns the content of a file.
func Text(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// PageFile matches a file in a page: its name and its content.
var PageFile = regexp.MustCompile("(?s)<!-- file: (\\S+) -->\n\n```\\w*\n(.*?)```")
