package registry

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cuelabs.dev/go/oci/ociregistry/ocimem"
	"cuelabs.dev/go/oci/ociregistry/ociserver"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"oras.land/oras-go/v2"
	"oras.land/oras-go/v2/content/file"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

// serve starts a registry and returns the address of a repository in it. around can
// change what the registry answers.
func serve(t testing.TB, around func(http.Handler) http.Handler) string {
	t.Helper()
	t.Setenv("DOCKER_CONFIG", t.TempDir()) // the user's credentials must not decide
	handler := ociserver.New(ocimem.NewWithConfig(&ocimem.Config{LaxChildReferences: true}), nil)
	if around != nil {
		handler = around(handler)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://") + "/acme/rubrics"
}

// bundleOf is the released bundle as another version of the library, from a commit whose
// hash consists of a digit: a real bundle, with other bytes for each commit.
func bundleOf(t *testing.T, version, commit string) []byte {
	t.Helper()
	data := golden(t, "format-2.zip")
	b := must.Get(bundlefile.Open(bytes.NewReader(data), int64(len(data)), bundlefile.Options{}))(t)
	about := b.Manifest()
	about.LibraryVersion, about.Commit = version, strings.Repeat(commit, 40)
	var index []bundlefile.IndexLine
	for line, err := range b.Index() {
		if err != nil {
			t.Fatal(err)
		}
		index = append(index, line)
	}
	var files []bundlefile.File
	for path := range b.Paths("") {
		if path == bundlefile.ManifestName || path == bundlefile.IndexName || path == bundlefile.SumsName {
			continue
		}
		content := must.Get(b.Read(path))(t)
		files = append(files, bundlefile.File{Path: path, Data: content})
	}
	var out bytes.Buffer
	must.Get(bundlefile.Write(&out, about, index, files))(t)
	return out.Bytes()
}

// released is the bundle of format 1 that the tests of package bundle keep.
func released(t *testing.T) []byte { return golden(t, "format-1.zip") }

func golden(t *testing.T, name string) []byte {
	t.Helper()
	return must.Get(os.ReadFile(filepath.Join("..", "..", "release", "testdata", name)))(t)
}

func push(t *testing.T, reference string, data []byte) (*Pushed, error) {
	t.Helper()
	r := must.Get(Open(reference, Options{}))(t)
	return r.Push(t.Context(), data, nil)
}

func mustPush(t *testing.T, reference string, data []byte) *Pushed {
	t.Helper()
	return must.Get(push(t, reference, data))(t)
}

func fetch(t *testing.T, reference, known string) (*Artifact, error) {
	t.Helper()
	r := must.Get(Open(reference, Options{}))(t)
	return r.Fetch(t.Context(), known)
}

func wantError(t *testing.T, err error, texts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want %q", texts)
	}
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("the error is %q, want one with %q", err, text)
		}
	}
}

// put sends a manifest to a registry.
func put(t *testing.T, repository, tag, mediaType, manifest string) {
	t.Helper()
	host, path, _ := strings.Cut(repository, "/")
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPut, "http://"+host+"/v2/"+path+"/manifests/"+tag, strings.NewReader(manifest))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", mediaType)
	resp := must.Get(http.DefaultClient.Do(req))(t)
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	if resp.StatusCode != http.StatusCreated {
		t.Fatalf("%s: %s %s", tag, resp.Status, text)
	}
}

// get downloads the manifest of a tag or digest.
func get(t *testing.T, repository, reference string) string {
	t.Helper()
	host, path, _ := strings.Cut(repository, "/")
	resp, err := http.Get("http://" + host + "/v2/" + path + "/manifests/" + reference)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", reference, resp.Status, err)
	}
	return string(text)
}

// goldenManifest is the manifest of the released bundle. It never changes: a change would
// give every released bundle another digest.
const goldenManifest = `{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json",` +
	`"artifactType":"application/vnd.rubric-library.bundle.v1",` +
	`"config":{"mediaType":"application/vnd.oci.empty.v1+json","digest":"sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a","size":2,"data":"e30="},` +
	`"layers":[{"mediaType":"application/vnd.rubric-library.bundle.v1+zip","digest":"sha256:3393364530a480474bf3119c249aa6c5fc6edbcb8c933f94667c16746fdb002d","size":19937,"annotations":{"org.opencontainers.image.title":"rubrics.zip"}}],` +
	`"annotations":{"io.github.rubric-library.bundle.digest":"sha256:0370e536290039c62385d91247994015591e2d23a3d91e066a3ea8292a78d249","org.opencontainers.image.revision":"965250154a85846276d9aedb9f946a8a9561464c","org.opencontainers.image.version":"1.4.0"}}`

func TestAPulledBundleIsThePushedOne(t *testing.T) {
	repository := serve(t, nil)
	data := released(t)
	pushed := mustPush(t, repository, data)
	if got := get(t, repository, "1.4.0"); got != goldenManifest {
		t.Errorf("the manifest is\n%s\nwant\n%s", got, goldenManifest)
	}
	for _, reference := range []string{repository, repository + ":1.4.0", repository + ":1.4", repository + ":1", repository + ":latest", pushed.Reference} {
		a := must.Get(fetch(t, reference, ""))(t)
		if !bytes.Equal(a.Data, data) || a.Reference != pushed.Reference {
			t.Errorf("%s is %d bytes of %s, want %d of %s", reference, len(a.Data), a.Reference, len(data), pushed.Reference)
		}
		if known, err := fetch(t, reference, a.Digest); err != nil || known.Data != nil || known.Digest != a.Digest {
			t.Errorf("a known manifest gives %v", err)
		}
	}
	// Other clients name the file after the title of the layer.
	dir := t.TempDir()
	store, err := file.New(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	r := must.Get(Open(repository, Options{}))(t)
	must.Get(oras.Copy(t.Context(), r.remote, "1.4", store, "", oras.DefaultCopyOptions))(t)
	if got, err := os.ReadFile(filepath.Join(dir, layerTitle)); err != nil || !bytes.Equal(got, data) {
		t.Errorf("oras pulls %d bytes, %v", len(got), err)
	}
	_, err = fetch(t, repository+":1.5", "")
	wantError(t, err, ":1.5 does not exist")
	again := mustPush(t, repository, data)
	for _, tag := range again.Tags {
		if tag.Set {
			t.Errorf("a second push sets the tag %s", tag.Name)
		}
	}
}

func TestManifestIsForOneImageManifestOnly(t *testing.T) {
	repository := serve(t, nil)
	put(t, repository, "latest", ocispec.MediaTypeImageIndex, `{"schemaVersion":2,"mediaType":"`+ocispec.MediaTypeImageIndex+`","manifests":[]}`)
	_, err := fetch(t, repository, "")
	wantError(t, err, "media type", ocispec.MediaTypeImageIndex)
	_, err = push(t, repository, bundleOf(t, "1.0.0", "a"))
	wantError(t, err, "the tag latest refers to something else", "Nothing was pushed")
	_, err = fetch(t, repository+":1.0.0", "")
	wantError(t, err, "does not exist")
}
