package serve

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// TestWhatIsNotARequestIsAProblem sends what net/http refuses before the handler gets it.
func TestWhatIsNotARequestIsAProblem(t *testing.T) {
	r := run(t, Standard, libraryOf(start(t, sample())))
	const version, end = " HTTP/1.1\r\nHost: x\r\n", "\r\n"
	for _, c := range []struct {
		reason, request string
		status          int
		code            string
	}{
		{"an escape that is not one", "GET /v1/documents/%zz" + version + end, 400, "invalid_request"},
		{"a space in the path", "GET /v1/documents/a b" + version + end, 400, "invalid_request"},
		{"a control character", "GET /v1/\x01" + version + end, 400, "invalid_request"},
		{"no slash", "GET v1/library" + version + end, 400, "invalid_request"},
		{"no host", "GET /v1/library HTTP/1.1\r\n" + end, 400, "invalid_request"},
		{"two hosts", "GET /v1/library" + version + "Host: y\r\n" + end, 400, "invalid_request"},
		{"a host with a space", "GET /v1/library HTTP/1.1\r\nHost: a b\r\n" + end, 400, "invalid_request"},
		{"a line that is no header", "GET /v1/library" + version + "x\r\n" + end, 400, "invalid_request"},
		{"two lengths", "GET /v1/library" + version + "Content-Length: 1\r\nContent-Length: 2\r\n" + end, 400, "invalid_request"},
		{"another encoding", "POST /v1/library" + version + "Transfer-Encoding: gzip\r\n" + end, 501, "invalid_request"},
		{"another version", "GET /v1/library HTTP/3.0\r\nHost: x\r\n" + end, 505, "invalid_request"},
		{"no version", "GET /v1/library\r\n" + end, 400, "invalid_request"},
		{"TLS", "\x16\x03\x01\x00\x05hello\r\n" + end, 400, "invalid_request"},
		{"another expectation", "GET /v1/library" + version + "Expect: x\r\n" + end, 417, "invalid_request"},
		{"a very long header", "GET /v1/library" + version + "X: " + strings.Repeat("x", 2*maxRead) + end + end, 431, "too_large"},
		{"a second request that is not one", "GET /healthz" + version + end + "GET /%zz" + version + end, 400, "invalid_request"},
	} {
		answers := bufio.NewReader(r.dial(t, c.request))
		for range strings.Count(c.request, "/healthz") {
			response := must.Get(http.ReadResponse(answers, nil))(t)
			must.Get(io.Copy(io.Discard, response.Body))(t)
		}
		response, err := http.ReadResponse(answers, nil)
		if err != nil {
			t.Errorf("%s: %v", c.reason, err)
			continue
		}
		var p problem
		if err := json.NewDecoder(response.Body).Decode(&p); err != nil || response.StatusCode != c.status || p.Status != c.status || p.Code != c.code {
			t.Errorf("%s: %s %+v, %v", c.reason, response.Status, p, err)
		}
		if response.Header.Get("Content-Type") != "application/problem+json" || p.RequestID == "" || p.RequestID != response.Header.Get("X-Request-ID") || p.Detail == "" || !response.Close {
			t.Errorf("%s: %v %+v", c.reason, response.Header, p)
		}
	}
}

// TestABodyThatNobodyReadsDelaysNoAnswer sends a part of a body with requests that need none.
func TestABodyThatNobodyReadsDelaysNoAnswer(t *testing.T) {
	limits := Standard
	limits.Request = time.Hour
	r := run(t, limits, libraryOf(start(t, sample())))
	for _, path := range []string{"/healthz", "/v1/nothing"} {
		for _, body := range []string{"Content-Length: 1000\r\n\r\n{", "Transfer-Encoding: chunked\r\n\r\n5\r\n{"} {
			if got := answered(r.dial(t, "GET "+path+" HTTP/1.1\r\nHost: x\r\n"+body)); got[:1] != "2" && got[:1] != "4" {
				t.Errorf("%s with %q gives %s", path, body, got)
			}
		}
	}
	c := r.dial(t, strings.Replace(health, "\r\n\r\n", "\r\nContent-Length: 2\r\n\r\n{}", 1)+health)
	answers := bufio.NewReader(c)
	for i := range 2 { // a body that is there costs nothing
		response := must.Get(http.ReadResponse(answers, nil))(t)
		must.Get(io.Copy(io.Discard, response.Body))(t)
		if response.StatusCode != http.StatusOK || response.Close {
			t.Errorf("answer %d is %s %v", i, response.Status, response.Header)
		}
	}
}
