package bundles

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

func TestHeadersOfAFile(t *testing.T) {
	for _, c := range []struct {
		reason, text, want, says string
	}{
		{"a token", "Authorization: Bearer secret\n", "[{Authorization Bearer secret}]", ""},
		{"lines of Windows, a comment, and an empty line", "# read only\r\n\r\nPrivate-Token:secret\r\nX-B: a:b\r\n", "[{Private-Token secret} {X-B a:b}]", ""},
		{"nothing", "\n# secret\n", "", "which has no header: expected lines such as Authorization: Bearer TOKEN"},
		{"a token alone", "secret", "", "line 1: expected NAME: VALUE"},
		{"no value", "A: 1\nsecret:\n", "", "line 2: expected NAME: VALUE"},
	} {
		got, err := parseHeaders(c.text)
		if err == nil && fmt.Sprint(got) != c.want || (err != nil) != (c.says != "") {
			t.Errorf("%s: %v, %v", c.reason, got, err)
		}
		if err != nil && (!strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "secret")) {
			t.Errorf("%s: the error is %v", c.reason, err)
		}
	}
}

// TestATokenIsReplacedWhileAServerRuns changes the file between two checks.
func TestATokenIsReplacedWhileAServerRuns(t *testing.T) {
	token := "first"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+token {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		fmt.Fprint(w, "bundle")
	}))
	t.Cleanup(server.Close)
	file := filepath.Join(t.TempDir(), "headers")
	source := &private{file: file, open: address(server.URL)}
	fetch := func(want string) {
		t.Helper()
		data, _, err := source.Fetch(context.Background(), "")
		if want == "" && (err != nil || string(data) != "bundle") || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q, %v, want an error with %q", data, err, want)
		}
	}
	fetch("--header-file: " + file + " does not exist")
	for _, now := range []string{"first", "second"} {
		token = now
		if now != "first" {
			fetch("the server answers 401 Unauthorized")
		}
		must.Do(t, os.WriteFile(file, []byte("Authorization: Bearer "+now+"\n"), 0o600))
		fetch("")
		fetch("")
	}
	must.Do(t, os.WriteFile(file, []byte("Authorization\n"), 0o600))
	fetch("--header-file: " + file + ", line 1: expected NAME: VALUE")
	must.Do(t, os.WriteFile(file, []byte("a b: c\n"), 0o600))
	fetch(`the name of a header is "a b"`)
}
