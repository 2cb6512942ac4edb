package registry

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"cuelabs.dev/go/oci/ociregistry/ocimem"
	"cuelabs.dev/go/oci/ociregistry/ociserver"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// withTokens is a registry of which anyone can read the repository acme/public, with an anonymous
// token, and only ann the repository acme/private. It returns its address.
func withTokens(t *testing.T) string {
	t.Helper()
	registry := ociserver.New(ocimem.New(), nil)
	var server *httptest.Server
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/token" {
			user, password, _ := r.BasicAuth()
			if user != "" && (user != "ann" || password != "secret") || user == "" && strings.Contains(r.URL.RawQuery, "private") {
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			fmt.Fprintf(w, `{"token": "granted%s"}`, user)
			return
		}
		token := r.Header.Get("Authorization")
		public := strings.HasPrefix(r.URL.Path, "/v2/acme/public/") && (r.Method == http.MethodGet || r.Method == http.MethodHead)
		if token != "Bearer grantedann" && !(public && token == "Bearer granted") {
			w.Header().Set("WWW-Authenticate", fmt.Sprintf(`Bearer realm="%s/token",service="test",scope="repository:%s:pull"`, server.URL, strings.Split(r.URL.Path, "/")[3]))
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		registry.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://")
}

func TestCredentialsThatCantBeReadCountAsNone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the credential helpers are shell scripts")
	}
	host := withTokens(t)
	helpers := t.TempDir()
	t.Setenv("PATH", helpers+string(os.PathListSeparator)+os.Getenv("PATH"))
	for name, script := range map[string]string{
		"fails": "echo secret; exit 1", "hangs": "exec sleep 60 2>/dev/null", "holds": "sleep 10 2>/dev/null &", "odd": "echo no JSON", "empty": "echo '{}'", "half": `echo '{"Username": "ann"}'`,
		"none": "echo credentials not found in native keychain; exit 1",
	} {
		must.Do(t, os.WriteFile(filepath.Join(helpers, "docker-credential-"+name), []byte("#!/bin/sh\n"+script+"\n"), 0o755))
	}
	must.Do(t, os.WriteFile(filepath.Join(helpers, "docker-credential-plain"), nil, 0o644))
	folder := t.TempDir()
	file := filepath.Join(folder, "config.json")
	password := base64.StdEncoding.EncodeToString([]byte("ann:secret"))
	t.Setenv("DOCKER_CONFIG", folder)
	must.Do(t, os.WriteFile(file, fmt.Appendf(nil, `{"auths": {%q: {"auth": %q}}}`, host, password), 0o600))
	data := bundleOf(t, "1.4.0", "a")
	for _, repository := range []string{"/acme/public", "/acme/private"} {
		mustPush(t, host+repository, data)
	}
	helper := func(name string) string { return fmt.Sprintf(`{"credsStore": %q}`, name) }
	for _, c := range []struct {
		reason, config string
		change         func(t *testing.T) // of the file or the environment
		says           string             // "" for no warning
	}{
		{"nothing is configured", `{}`, nil, ""},
		{"an empty file", "", nil, ""},
		{"no file", "", func(t *testing.T) { must.Do(t, os.Remove(file)) }, ""},
		{"a helper that has nothing", helper("none"), nil, ""},
		{"a helper of another host", `{"credHelpers": {"example.com": "missing"}}`, nil, ""},
		{"no home", `{}`, func(t *testing.T) { t.Setenv("DOCKER_CONFIG", ""); t.Setenv("HOME", "") }, "config.json is not found, because $HOME is not defined. Set HOME or DOCKER_CONFIG"},
		{"a file of another user", `{}`, unreadable, file + " can't be read: permission denied"},
		{"a file as the folder", `{}`, func(t *testing.T) { t.Setenv("DOCKER_CONFIG", file) }, filepath.Join(file, "config.json") + " can't be read: not a directory"},
		{"a folder", "", func(t *testing.T) {
			must.Do(t, os.Remove(file))
			must.Do(t, os.Mkdir(file, 0o777))
			t.Cleanup(func() { must.Do(t, os.Remove(file)) })
		}, file + " is not a configuration of Docker"},
		{"broken JSON", `{`, nil, file + " is not a configuration of Docker: expected JSON that `docker login` writes"},
		{"other JSON", `[]`, nil, file + " is not a configuration of Docker"},
		{"credentials without a colon", fmt.Sprintf(`{"auths": {%q: {"auth": %q}}}`, host, base64.StdEncoding.EncodeToString([]byte("secret"))), nil, file + " has no valid user and password for " + host},
		{"a user without a password", fmt.Sprintf(`{"auths": {%q: {"username": "secret"}}}`, host), nil, file + " has no valid user and password for " + host},
		{"a missing helper", helper("missing"), nil, "the credential helper docker-credential-missing, which " + file + " names, is not installed"},
		{"a helper of the host", fmt.Sprintf(`{"credHelpers": {%q: "missing"}}`, host), nil, "docker-credential-missing, which " + file + " names, is not installed"},
		{"a helper without permission to run it", helper("plain"), nil, "docker-credential-plain, which " + file + " names, "},
		{"a helper that fails", helper("fails"), nil, "docker-credential-fails, which " + file + " names, failed. To see why, run `echo " + host + " | docker-credential-fails get`"},
		{"a helper that hangs", helper("hangs"), nil, "docker-credential-hangs, which " + file + " names, did not answer within 1s"},
		{"a helper whose child holds its output", helper("holds"), nil, "docker-credential-holds, which " + file + " names, did not answer within 1s"},
		{"a helper without JSON", helper("odd"), nil, "docker-credential-odd, which " + file + " names, did not answer with a user and a password in JSON"},
		{"a helper without a password", helper("half"), nil, "docker-credential-half, which " + file + " names, did not answer with a user and a password in JSON"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			must.Do(t, os.WriteFile(file, []byte(c.config), 0o600))
			if c.change != nil {
				c.change(t)
			}
			var warnings []string
			open := func(repository string) *Repository {
				r := must.Get(Open(host+repository, Options{Warn: func(text string) { warnings = append(warnings, text) }}))(t)
				if strings.Contains(c.says, "within 1s") {
					r.store.time = time.Second
				}
				return r
			}
			public := open("/acme/public")
			for range 2 {
				if a, err := public.Fetch(t.Context(), ""); err != nil || string(a.Data) != string(data) {
					t.Errorf("the public repository gives %v", err)
				}
			}
			if want := "the credentials of Docker are not used: "; c.says == "" && len(warnings) > 0 || c.says != "" && (len(warnings) != 1 || !strings.HasPrefix(warnings[0], want) || !strings.Contains(warnings[0], c.says)) {
				t.Errorf("the warnings are %q", warnings)
			}
			private := open("/acme/private")
			for range 2 {
				_, err := private.Fetch(t.Context(), "")
				wantError(t, err, host+" refused access to acme/private: ", "docker login "+host, c.says)
				if strings.Contains(err.Error(), "secret") {
					t.Errorf("the error has a secret: %v", err)
				}
			}
		})
	}
}

func unreadable(t *testing.T) {
	file := filepath.Join(os.Getenv("DOCKER_CONFIG"), "config.json")
	must.Do(t, os.Chmod(file, 0))
	t.Cleanup(func() { must.Do(t, os.Chmod(file, 0o600)) })
	if f, err := os.Open(file); err == nil {
		f.Close()
		t.Skip("this user may read every file")
	}
}
