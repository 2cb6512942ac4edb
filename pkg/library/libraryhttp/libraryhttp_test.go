package libraryhttp

import (
	"bytes"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/pkg/library"
)

// trusting makes a source trust the certificates of a test server.
func trusting(server *httptest.Server) Option {
	return WithCA(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}))
}

func TestHTTPSDownloadsOnlyWhatChanged(t *testing.T) {
	content, sent := "first", 0
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		tag := strconv.Quote(content)
		w.Header().Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		if user, password, _ := r.BasicAuth(); user != "reader" || password != "secret" {
			http.Error(w, "", http.StatusUnauthorized)
		}
		sent++
		fmt.Fprint(w, content)
	}))
	defer server.Close()
	source := HTTPS(strings.Replace(server.URL, "://", "://reader:secret@", 1), trusting(server))
	known := ""
	for i, c := range []struct {
		content string
		data    string
		sent    int
	}{{"first", "first", 1}, {"first", "", 1}, {"second", "second", 2}, {"second", "", 2}} {
		content = c.content
		data, tag, err := source.Fetch(t.Context(), known)
		if err != nil || string(data) != c.data || tag != strconv.Quote(c.content) || sent != c.sent {
			t.Errorf("fetch %d gives %q, %s, %v after %d downloads", i, data, tag, err, sent)
		}
		if (data == nil) != (c.data == "") {
			t.Errorf("fetch %d: unchanged must be nil, got %v", i, data)
		}
		known = tag
	}
	if _, _, err := HTTPS(server.URL).Fetch(t.Context(), ""); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("an unknown certificate gives %v", err)
	}
}

func TestHTTPSRefuses(t *testing.T) {
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "plain") }))
	defer plain.Close()
	secure := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/cut":
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, "too little")
		case "/cut-chunks":
			fmt.Fprint(w, "too little")
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		case "/error":
			http.Error(w, "a bundle", http.StatusInternalServerError)
		case "/partial":
			w.WriteHeader(http.StatusPartialContent)
		case "/unchanged":
			w.WriteHeader(http.StatusNotModified)
		case "/huge":
			w.Header().Set("Content-Length", strconv.Itoa(library.MaxFetched*4))
			fmt.Fprint(w, "never the rest")
		case "/plain":
			http.Redirect(w, r, plain.URL, http.StatusFound)
		case "/other-host":
			http.Redirect(w, r, "https://"+r.Host+"/ok", http.StatusFound)
		case "/file":
			http.Redirect(w, r, "file:///etc/passwd", http.StatusFound)
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
		default:
			fmt.Fprint(w, "ok")
		}
	}))
	defer secure.Close()
	for _, c := range []struct{ address, says string }{
		{secure.URL + "/cut", "unexpected EOF"},
		{secure.URL + "/cut-chunks", "EOF"},
		{secure.URL + "/error", "500 Internal Server Error"},
		{secure.URL + "/partial", "206"},
		{secure.URL + "/unchanged", "304"},
		{secure.URL + "/huge", "EOF"},
		{secure.URL + "/plain", "from https to http"},
		{secure.URL + "/file", "from https to file"},
		{secure.URL + "/loop", "more than 10"},
		{"http://example.com/rubrics.zip", "must be a valid https address"},
		{"ftp://localhost/rubrics.zip", "must be a valid https address"},
		{"rubrics.zip", "must be a valid https address"},
		{"https:///rubrics.zip", "must be a valid https address"},
		{"https://user:hidden\n@example.com", "must be a valid https address"},
		{"http://127.0.0.1:1/rubrics.zip?signature=hidden", "refused"},
	} {
		source := HTTPS(c.address, trusting(secure))
		_, _, err := source.Fetch(t.Context(), "")
		if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "hidden") {
			t.Errorf("%s: the error is %v", c.address, err)
		}
	}
	for _, address := range []string{secure.URL + "/other-host", plain.URL, strings.Replace(plain.URL, "127.0.0.1", "localhost", 1)} {
		if data, _, err := HTTPS(address, trusting(secure)).Fetch(t.Context(), ""); err != nil || len(data) == 0 {
			t.Errorf("%s is refused: %v", address, err)
		}
	}
	if err := checkAddress(&url.URL{Scheme: "http", Host: "localhost.example.com"}); err == nil {
		t.Error("a host that only begins with localhost is accepted without encryption")
	}
}

// TestALargeBundleIsCopiedOnce counts the memory for a download whose length is known, and reads one
// whose length is not.
func TestALargeBundleIsCopiedOnce(t *testing.T) {
	const size = unproven + 6<<20
	body := bytes.Repeat([]byte("0123456789abcdef"), size/16)
	for _, c := range []struct {
		reason string
		length int64
		most   uint64 // 0 for any
	}{
		{"a length that is right", size, unproven + size},
		{"a length that is too high", 2 * size, unproven + 2*size},
		{"a length that is too low", 1, 0},
		{"no length", -1, 0},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got, err := read(bytes.NewReader(body), c.length)
		runtime.ReadMemStats(&after)
		if err != nil || !bytes.Equal(got, body) {
			t.Fatalf("%s: %d bytes, %v", c.reason, len(got), err)
		}
		if taken := after.TotalAlloc - before.TotalAlloc; c.most > 0 && taken > c.most+1<<20 {
			t.Errorf("%s: reading %d bytes takes %d, want at most %d", c.reason, size, taken, c.most)
		}
	}
}
