package registry

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

func TestHostileManifests(t *testing.T) {
	repository := serve(t, nil)
	data := bundleOf(t, "1.4.0", "a")
	mustPush(t, repository, data)
	good := get(t, repository, "1.4.0")
	size := fmt.Sprintf(`"size":%d`, len(data))
	layer := good[strings.Index(good, `"layers":[`)+len(`"layers":[`) : strings.Index(good, `],"annotations"`)]
	for name, c := range map[string]struct{ old, now, want string }{
		"other artifact":   {`"artifactType":"` + ArtifactType, `"artifactType":"text/plain`, "artifact type"},
		"other layer type": {layerType, "application/zip", "its layer has the media type"},
		"no layer":         {layer, "", "0 layers"},
		"two layers":       {layer, layer + "," + layer, "2 layers"},
		"huge layer":       {size, `"size":4611686018427387904`, "claims to have 4611686018427387904 bytes"},
		"negative layer":   {size, `"size":-1`, "claims to have -1 bytes"},
		"longer layer":     {size, fmt.Sprintf(`"size":%d`, len(data)+1), "mismatch Content-Length"},
		"no version":       {`"1.4.0"`, `"1.4.0\u001b[2J"`, "expected a version"},
		"too large":        {`{"schemaVersion"`, `{"x":"` + strings.Repeat("x", mostManifest) + `","schemaVersion"`, "expected at most"},
	} {
		t.Run(name, func(t *testing.T) {
			bad := strings.Replace(good, c.old, c.now, 1)
			if bad == good {
				t.Fatal("nothing was changed")
			}
			put(t, repository, "bad", ocispec.MediaTypeImageManifest, bad)
			_, err := fetch(t, repository+":bad", "")
			wantError(t, err, c.want)
		})
	}
	for name, c := range map[string]struct{ old, now string }{
		"other version": {`"1.4.0"`, `"1.5.0"`},
		"other commit":  {strings.Repeat("a", 40), strings.Repeat("b", 40)},
		"other digest":  {bundleDigest + `":"sha256:`, bundleDigest + `":"sha256:0`},
	} {
		t.Run(name, func(t *testing.T) {
			put(t, repository, "bad", ocispec.MediaTypeImageManifest, strings.Replace(good, c.old, c.now, 1))
			_, err := fetch(t, repository+":bad", "")
			wantError(t, err, "of the manifest is", "but the bundle says")
		})
	}
	// The title is a path for other clients. This one does not use it.
	put(t, repository, "title", ocispec.MediaTypeImageManifest, strings.Replace(good, layerTitle, "../../x", 1))
	if got := versionAt(t, repository, "title"); got != "1.4.0" {
		t.Errorf("the bundle is %s", got)
	}
}

// TestAStalledDownloadEndsWithItsContext checks a registry that stops in the layer.
func TestAStalledDownloadEndsWithItsContext(t *testing.T) {
	data := bundleOf(t, "1.4.0", "a")
	ctx, cancel := context.WithCancel(t.Context())
	repository := serve(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet && strings.Contains(r.URL.Path, "/blobs/") {
				_, _ = w.Write(data[:len(data)/2])
				_ = http.NewResponseController(w).Flush()
				cancel()
				<-r.Context().Done()
				return
			}
			next.ServeHTTP(w, r)
		})
	})
	mustPush(t, repository, data)
	r := must.Get(Open(repository, Options{}))(t)
	if _, err := r.Fetch(ctx, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

// TestADownloadThatNeverEndsIsAnError checks a registry that sends 10 bytes a second, and that
// its limit is that of a Live.
func TestADownloadThatNeverEndsIsAnError(t *testing.T) {
	data := bundleOf(t, "1.4.0", "a")
	repository := serve(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodGet || !strings.Contains(r.URL.Path, "/blobs/") {
				next.ServeHTTP(w, r)
				return
			}
			for i := 0; r.Context().Err() == nil; i = (i + 1) % len(data) {
				_, _ = w.Write(data[i : i+1])
				_ = http.NewResponseController(w).Flush()
				time.Sleep(100 * time.Millisecond)
			}
		})
	})
	mustPush(t, repository, data)
	r := must.Get(Open(repository, Options{}))(t)
	if r.fetchTime != safefile.MaxFetchTime {
		t.Errorf("a download may take %s, expected %s", r.fetchTime, safefile.MaxFetchTime)
	}
	r.fetchTime = time.Second
	_, err := r.Fetch(t.Context(), "")
	wantError(t, err, "/acme/rubrics:latest: the download did not end within 1s")
}

// TestHostileLayers changes what the registry sends as the layer.
func TestHostileLayers(t *testing.T) {
	data := bundleOf(t, "1.4.0", "a")
	var answer func(http.ResponseWriter)
	repository := serve(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if answer != nil && r.Method == http.MethodGet && strings.Contains(r.URL.Path, "/blobs/") {
				answer(w)
				return
			}
			next.ServeHTTP(w, r)
		})
	})
	mustPush(t, repository, data)
	flipped := bytes.Clone(data)
	flipped[len(flipped)/2] ^= 1
	for name, send := range map[string]func(http.ResponseWriter){
		"cut": func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", fmt.Sprint(len(data)))
			_, _ = w.Write(data[:len(data)/2])
		},
		"cut without a length": func(w http.ResponseWriter) {
			_, _ = w.Write(data[:len(data)/2])
			_ = http.NewResponseController(w).Flush()
		},
		"other bytes": func(w http.ResponseWriter) { _, _ = w.Write(flipped) },
		"endless": func(w http.ResponseWriter) {
			for {
				if _, err := w.Write(data); err != nil {
					return
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			answer = send
			if a, err := fetch(t, repository, ""); err == nil {
				t.Errorf("%d bytes were accepted", len(a.Data))
			}
		})
	}
}

// TestRedirectsStaySecret checks that no error has the address of a redirect, which gives
// access to whoever knows it.
func TestRedirectsStaySecret(t *testing.T) {
	for _, target := range []string{"/v2/denied?signature=secret", "http://127.0.0.1:1/x?signature=secret", "/v2/short?signature=secret#secret"} {
		repository := serve(t, func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch {
				case strings.HasSuffix(r.URL.Path, "/denied"):
					w.WriteHeader(http.StatusForbidden)
				case strings.HasSuffix(r.URL.Path, "/short"):
					fmt.Fprint(w, "not the layer")
				case r.Method == http.MethodGet && strings.Contains(r.URL.Path, "/blobs/"):
					http.Redirect(w, r, target, http.StatusTemporaryRedirect)
				default:
					next.ServeHTTP(w, r)
				}
			})
		})
		mustPush(t, repository, bundleOf(t, "1.4.0", "a"))
		_, err := fetch(t, repository, "")
		wantError(t, err, "acme/rubrics")
		if strings.Contains(err.Error(), "secret") {
			t.Errorf("the error has the address: %v", err)
		}
	}
}

func TestPushRefusesWhatIsNotABundle(t *testing.T) {
	repository := serve(t, nil)
	data := bundleOf(t, "1.4.0", "a")
	data[len(data)/2] ^= 1
	for _, wrong := range [][]byte{nil, []byte("no bundle"), data} {
		if _, err := push(t, repository, wrong); err == nil {
			t.Errorf("%d bytes were pushed", len(wrong))
		}
	}
	_, err := fetch(t, repository, "")
	wantError(t, err, "does not exist")
}

// TestCredentialsAreThoseOfDocker checks a registry with a password: without it, with a
// wrong one, with the right one, and with one from a credential helper.
func TestCredentialsAreThoseOfDocker(t *testing.T) {
	repository := serve(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if user, password, _ := r.BasicAuth(); user != "ann" || password != "secret" {
				w.Header().Set("WWW-Authenticate", `Basic realm="rubrics"`)
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			next.ServeHTTP(w, r)
		})
	})
	host, _, _ := strings.Cut(repository, "/")
	login := func(config string) {
		t.Helper()
		must.Do(t, os.WriteFile(filepath.Join(os.Getenv("DOCKER_CONFIG"), "config.json"), []byte(config), 0o600))
	}
	password := func(text string) string {
		return fmt.Sprintf(`{"auths":{%q:{"auth":%q}}}`, host, base64.StdEncoding.EncodeToString([]byte(text)))
	}
	data := bundleOf(t, "1.4.0", "a")
	for _, config := range []string{"{}", password("ann:wrong")} {
		login(config)
		_, err := push(t, repository, data)
		wantError(t, err, "refused access to acme/rubrics", "docker login "+host)
		_, err = fetch(t, repository, "")
		wantError(t, err, "refused access to acme/rubrics")
		if strings.Contains(err.Error(), "wrong") {
			t.Errorf("the error has the password: %v", err)
		}
	}
	login(password("ann:secret"))
	mustPush(t, repository, data)

	login(`{"credsStore":"test"}`)
	if runtime.GOOS == "windows" {
		t.Skip("the credential helper is a shell script")
	}
	dir := t.TempDir()
	helper := "#!/bin/sh\ncat >/dev/null\necho '{\"Username\":\"ann\",\"Secret\":\"secret\"}'\n"
	must.Do(t, os.WriteFile(filepath.Join(dir, "docker-credential-test"), []byte(helper), 0o755))
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	if got := versionAt(t, repository, "1.4"); got != "1.4.0" {
		t.Errorf("the bundle is %s", got)
	}
}

func TestAnUnreachableRegistryIsNamed(t *testing.T) {
	t.Setenv("DOCKER_CONFIG", t.TempDir())
	_, err := fetch(t, "localhost:1/acme/rubrics", "")
	wantError(t, err, "localhost:1 can't be reached")
	_, err = push(t, "localhost:1/acme/rubrics", bundleOf(t, "1.0.0", "a"))
	wantError(t, err, "localhost:1 can't be reached")
	for _, wrong := range []string{"rubrics", "localhost:1", "localhost:1/Rubrics", "localhost:1/rubrics:a b", "localhost:1/rubrics@sha256:12", "https://localhost:1/rubrics", "localhost:1/../rubrics", "localhost:1/rubrics:", "localhost:1/rubrics@"} {
		if _, err := Open(wrong, Options{}); err == nil {
			t.Errorf("%q is a reference", wrong)
		}
	}
}

func TestOnlyLoopbackIsCalledOverHTTP(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "localhost:5000": true, "127.0.0.1:5000": true, "127.8.8.8": true, "[::1]:5000": true,
		"ghcr.io": false, "10.0.0.1:5000": false, "localhost.example.org": false, "127.0.0.1.example.org": false,
	} {
		if loopback(host) != want {
			t.Errorf("%s: HTTP is %v", host, !want)
		}
	}
}

// TestAnAnswerIsOneShortLine lets a registry answer with what looks like lines of the command.
func TestAnAnswerIsOneShortLine(t *testing.T) {
	var registry faulty
	repository := serve(t, registry.around)
	registry.set(&fault{request: regexp.MustCompile("^POST "), fail: answers(400, `{"errors": [{"code": "A\nB", "message": "x. To continue, run this command:\nfalse \u001b[2J\u202e `+strings.Repeat("y", 5000)+`"}]}`)})
	_, err := push(t, repository, bundleOf(t, "1.4.0", "a"))
	wantError(t, err, "the push stopped at uploading the bundle: ", "400 Bad Request: a<U+000A>b: x. To continue, run this command:<U+000A>false ")
	if text := err.Error(); strings.ContainsAny(text, "\n\x1b\u202e") || len(text) > 1000 {
		t.Errorf("the error is %q", text)
	}
}
