package registry_test

import (
	"bytes"
	"context"
	"net"
	"net/http"
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

// TestAPrivateRegistryGetsItsToken sends downloads of blobs to another host, as registries with
// storage elsewhere do. It must not get the token.
func TestAPrivateRegistryGetsItsToken(t *testing.T) {
	t.Setenv("DOCKER_CONFIG", t.TempDir())
	stored := ociserver.New(ocimem.New(), nil)
	away := 0
	storage := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		away++
		if r.Header.Get("Authorization") != "" || r.Header.Get("Private") != "" {
			t.Errorf("the storage gets %v", r.Header)
		}
		stored.ServeHTTP(w, r)
	}))
	t.Cleanup(storage.Close)
	protected := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Header.Get("Authorization") != "Bearer secret":
			w.Header().Set("WWW-Authenticate", `Bearer realm="http://`+r.Host+`/token"`)
			w.WriteHeader(http.StatusUnauthorized)
		case strings.Contains(r.URL.Path, "/blobs/"):
			http.Redirect(w, r, storage.URL+r.URL.Path, http.StatusTemporaryRedirect)
		default:
			stored.ServeHTTP(w, r)
		}
	})
	data := must.Get(os.ReadFile(filepath.Join("..", "..", "..", "internal", "release", "testdata", "format-1.zip")))(t)
	r := must.Get(internal.Open(strings.TrimPrefix(storage.URL, "http://")+"/acme/rubrics", internal.Options{}))(t)
	must.Get(r.Push(t.Context(), data, nil))(t)
	away = 0

	plain := httptest.NewServer(protected)
	t.Cleanup(plain.Close)
	secure := httptest.NewTLSServer(protected)
	t.Cleanup(secure.Close)
	client := secure.Client() // the certificate is for example.com
	client.Transport.(*http.Transport).DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		if address == "example.com:443" {
			address = secure.Listener.Addr().String()
		}
		return new(net.Dialer).DialContext(ctx, network, address)
	}
	local := strings.TrimPrefix(plain.URL, "http://") + "/acme/rubrics"
	for reason, source := range map[string]*registry.Source{
		"a token":  registry.OCI(local, registry.WithToken("secret"), registry.WithHeader("Private", "secret")),
		"a header": registry.OCI(local, registry.WithHeader("Authorization", "Bearer secret")),
		"a client": registry.OCI("example.com/acme/rubrics", registry.WithToken("secret"), registry.WithClient(client)),
	} {
		if got, _, err := source.Fetch(t.Context(), ""); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s: %d bytes, %v", reason, len(got), err)
		}
	}
	if away != 3 {
		t.Errorf("the storage was asked %d times", away)
	}
	for reason, c := range map[string]struct {
		opts []registry.Option
		says string
	}{
		"no token":              {nil, "refused access to acme/rubrics"},
		"a wrong token":         {[]registry.Option{registry.WithToken("hidden")}, "refused access to acme/rubrics: the registry answered 401 Unauthorized. Check the name, and the token or the header Authorization"},
		"a newline":             {[]registry.Option{registry.WithToken("hidden\n")}, "control character"},
		"no certificate":        {[]registry.Option{registry.WithCA([]byte("hidden"))}, "the CA has no valid certificate"},
		"a nil client":          {[]registry.Option{registry.WithClient(nil)}, "the client is nil"},
		"a client without time": {[]registry.Option{registry.WithClient(&http.Client{Timeout: 1})}, "can't be reached"},
	} {
		if _, _, err := registry.OCI(local, c.opts...).Fetch(t.Context(), ""); err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "hidden") {
			t.Errorf("%s: the error is %v", reason, err)
		}
	}
}
