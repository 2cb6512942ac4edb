package registry_test

import (
	"bytes"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cuelabs.dev/go/oci/ociregistry/ocimem"
	"cuelabs.dev/go/oci/ociregistry/ociserver"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	internal "github.com/rubric-library/rubric-library/internal/library/registry"
	"github.com/rubric-library/rubric-library/pkg/library/registry"
)

func TestASourceFetchesABundleOnce(t *testing.T) {
	t.Setenv("DOCKER_CONFIG", t.TempDir())
	server := httptest.NewServer(ociserver.New(ocimem.New(), nil))
	t.Cleanup(server.Close)
	reference := strings.TrimPrefix(server.URL, "http://") + "/acme/rubrics"
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "internal", "release", "testdata", "format-1.zip"))
	if err != nil {
		t.Fatal(err)
	}
	source := registry.OCI(reference + ":1.4")
	if _, _, err := source.Fetch(t.Context(), ""); err == nil || !strings.Contains(err.Error(), reference+":1.4 does not exist") {
		t.Errorf("an empty registry gives %v", err)
	}
	r := must.Get(internal.Open(reference, internal.Options{}))(t)
	pushed := must.Get(r.Push(t.Context(), data, nil))(t)
	got, digest, err := source.Fetch(t.Context(), "")
	if err != nil || !bytes.Equal(got, data) || !strings.HasSuffix(pushed.Reference, "@"+digest) {
		t.Errorf("the source gives %d bytes of %s, %v, want %d of %s", len(got), digest, err, len(data), pushed.Reference)
	}
	again, same, err := source.Fetch(t.Context(), digest)
	if err != nil || again != nil || same != digest {
		t.Errorf("an unchanged bundle gives %d bytes of %s, %v", len(again), same, err)
	}
	server.Close()
	if _, _, err := source.Fetch(t.Context(), digest); err == nil {
		t.Error("a registry that is down counts as unchanged")
	}
	if _, _, err := registry.OCI("no reference").Fetch(t.Context(), ""); err == nil {
		t.Error("an invalid reference is no error")
	}
}
