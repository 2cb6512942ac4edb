package generated

import (
	"bytes"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

var update = flag.Bool("update", false, "write the generated files anew")

func TestGeneratedFilesAreUpToDate(t *testing.T) {
	files := must.Get(Files())(t)
	clients := must.Get(Clients(func(path string) ([]byte, error) {
		return os.ReadFile(filepath.Join("..", "..", "..", filepath.FromSlash(path)))
	}))(t)
	maps.Copy(files, clients)
	for name, want := range files {
		path := filepath.Join("..", "..", "..", filepath.FromSlash(name))
		got, err := os.ReadFile(path)
		switch {
		case err == nil && bytes.Equal(got, want):
		case *update:
			t.Logf("writing %s", name)
			must.Do(t, os.WriteFile(path, want, 0o666))
		default:
			t.Errorf("%s is stale: run `go test ./internal/dev/generated -update` and look at what changed", name)
		}
	}
}
