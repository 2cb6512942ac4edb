package libraryhttp

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// seen records the headers with which a server is called.
func seen(t *testing.T, handler http.HandlerFunc) (server *httptest.Server, headers func() []http.Header) {
	t.Helper()
	var all []http.Header
	server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		all = append(all, r.Header.Clone())
		handler(w, r)
	}))
	t.Cleanup(server.Close)
	return server, func() []http.Header { return all }
}

// TestSecretsStayWithTheirHost redirects to another port, which net/http takes for the same host,
// and back, with every kind of secret.
func TestSecretsStayWithTheirHost(t *testing.T) {
	var home, other *httptest.Server
	home, atHome := seen(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/away":
			http.Redirect(w, r, other.URL+"/end", http.StatusFound)
		case "/round":
			http.Redirect(w, r, other.URL+"/back", http.StatusTemporaryRedirect)
		case "/here":
			http.Redirect(w, r, home.URL+"/end", http.StatusFound)
		default:
			fmt.Fprint(w, "bundle")
		}
	})
	other, atOther := seen(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/back" {
			http.Redirect(w, r, home.URL+"/end", http.StatusFound)
			return
		}
		fmt.Fprint(w, "bundle")
	})
	secrets := []struct {
		reason, address string
		opts            []Option
		header          string
	}{
		{"a token", home.URL, []Option{WithToken("secret")}, "Authorization"},
		{"a header", home.URL, []Option{WithHeader("Private-Token", "secret")}, "Private-Token"},
		{"cookies", home.URL, []Option{WithHeader("Cookie", "a=secret")}, "Cookie"},
		{"a user and a password", strings.Replace(home.URL, "://", "://reader:secret@", 1), nil, "Authorization"},
	}
	for _, c := range secrets {
		for path, sent := range map[string][]bool{"/end": {true}, "/here": {true, true}, "/away": {true}, "/round": {true, false}} {
			before, away := len(atHome()), len(atOther())
			data, _, err := HTTPS(c.address+path+"?signature=secret", append(c.opts, trusting(home), trusting(other))...).Fetch(t.Context(), "")
			if err != nil || string(data) != "bundle" {
				t.Fatalf("%s, %s: %q, %v", c.reason, path, data, err)
			}
			for i, header := range atHome()[before:] {
				if i >= len(sent) || (header.Get(c.header) != "") != sent[i] {
					t.Errorf("%s, %s: request %d to the host has %v", c.reason, path, i, header)
				}
			}
			for _, header := range atOther()[away:] {
				if strings.Contains(fmt.Sprint(header), "secret") || header.Get("Authorization") != "" {
					t.Errorf("%s, %s: the other host gets %v", c.reason, path, header)
				}
			}
		}
	}
}

func TestWrongOptionsAreErrorsWithoutSecrets(t *testing.T) {
	for _, c := range []struct {
		reason string
		opts   []Option
		says   string
	}{
		{"a newline after a token", []Option{WithToken("secret\n")}, "the value of the header Authorization has a control character, such as a newline at its end"},
		{"a name with a space", []Option{WithHeader("a b", "secret")}, `the name of a header is "a b"`},
		{"no name", []Option{WithHeader("", "secret")}, `the name of a header is ""`},
		{"a name that Go keeps elsewhere", []Option{WithHeader("host", "secret")}, "but not Host"},
		{"no certificate", []Option{WithCA([]byte("secret"))}, "the CA has no valid certificate"},
		{"no client", []Option{WithClient(nil)}, "the client is nil"},
		{"a client and a CA", []Option{WithClient(http.DefaultClient), trusting(httptest.NewTLSServer(nil))}, "use either a client or a CA"},
	} {
		_, _, err := HTTPS("https://reader:secret@localhost:1/rubrics.zip?secret", c.opts...).Fetch(t.Context(), "")
		if err == nil || !strings.Contains(err.Error(), "https://localhost:1/rubrics.zip: ") || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: the error is %v", c.reason, err)
		}
	}
}

func TestAClientOfTheProgramIsUsed(t *testing.T) {
	server, headers := seen(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/plain" {
			http.Redirect(w, r, "http://localhost:1/x", http.StatusFound)
			return
		}
		fmt.Fprint(w, "bundle")
	})
	client := server.Client()
	checked := 0
	client.CheckRedirect = func(*http.Request, []*http.Request) error { checked++; return nil }
	transport := client.Transport
	if data, _, err := HTTPS(server.URL, WithClient(client), WithToken("secret")).Fetch(t.Context(), ""); err != nil || string(data) != "bundle" || headers()[0].Get("Authorization") != "Bearer secret" {
		t.Errorf("the client gives %q, %v, with %v", data, err, headers())
	}
	if _, _, err := HTTPS(server.URL+"/plain", WithClient(client)).Fetch(t.Context(), ""); err == nil || !strings.Contains(err.Error(), "from https to http") {
		t.Errorf("a redirect to http gives %v", err)
	}
	if client.Transport != transport || checked > 0 {
		t.Errorf("the client of the program has changed, or was asked %d times about a redirect that is not allowed", checked)
	}
	client.Timeout = time.Nanosecond
	if _, _, err := HTTPS(server.URL, WithClient(client)).Fetch(t.Context(), ""); err == nil {
		t.Error("the timeout of the client is ignored")
	}
}
