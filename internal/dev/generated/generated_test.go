package generated

import (
	"bytes"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the generated files anew")

func TestGeneratedFilesAreUpToDate(t *testing.T) {
	files, err := Files()
	if err != nil {
		t.Fatal(err)
	}
	clients, err := Clients(func(path string) ([]byte, error) {
		return os.ReadFile(filepath.Join("..", "..", "..", filepath.FromSlash(path)))
	})
	if err != nil {
		t.Fatal(err)
	}
	maps.Copy(files, clients)
	for name, want := range files {
		path := filepath.Join("..", "..", "..", filepath.FromSlash(name))
		got, err := os.ReadFile(path)
		switch {
		case err == nil && bytes.Equal(got, want):
		case *update:
			t.Logf("writing %s", name)
			if err := os.WriteFile(path, want, 0o666); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("%s is stale: run `go test ./internal/dev/generated -update` and look at what changed", name)
		}
	}
}
