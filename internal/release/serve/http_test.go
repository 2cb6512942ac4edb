package serve

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// TestConditionalRequests checks each GET of a bundle: its tag gives 304 in either form,
// and HEAD has the same header.
func TestConditionalRequests(t *testing.T) {
	s := start(t, sample())
	for _, target := range []string{
		"/v1/library", "/v1/documents", "/v1/search?q=story", "/v1/documents/story_v1", "/v1/documents/api_v1",
		"/v1/documents/story_v1/judge-view", "/v1/documents/story_v1/answer-schema",
	} {
		a := s.send("GET", target, "")
		tag := a.Header.Get("ETag")
		if tag != `"`+digestOf(a.body)+`"` || a.Header.Get("Cache-Control") != "no-cache" {
			t.Errorf("%s has the header %v", target, a.Header)
		}
		for _, known := range []string{tag, "W/" + tag, `"other", ` + tag, "*"} {
			if again := s.send("GET", target, "", "If-None-Match", known); again.StatusCode != http.StatusNotModified || len(again.body) > 0 || again.Header.Get("ETag") != tag {
				t.Errorf("%s with %s: %s %v", target, known, again.Status, again.Header)
			}
		}
		if other := s.send("GET", target, "", "If-None-Match", `"other"`); other.StatusCode != http.StatusOK {
			t.Errorf("%s with another tag: %s", target, other.Status)
		}
		head := s.send("HEAD", target, "")
		if head.StatusCode != http.StatusOK || len(head.body) > 0 || head.ContentLength != int64(len(a.body)) || head.Header.Get("ETag") != tag {
			t.Errorf("HEAD %s: %s %v", target, head.Status, head.Header)
		}
	}
}

// TestOnlyExactVersionsAreCached: a cache keeps what never changes, and asks for all else.
func TestOnlyExactVersionsAreCached(t *testing.T) {
	l := sample()
	l.Ledger += "yanked:\n  - {id: story_v1, version: \"1.0.0\", reason: It is too lax.}\n"
	s := start(t, l)
	const kept, story = "max-age=3600", "/v1/documents/story_v1"
	for _, c := range []struct{ method, target, body, cache, why string }{
		{"GET", story + "?version=1.2.0", "", kept, "exact"},
		{"HEAD", story + "?version=1.2.0", "", kept, "exact"},
		{"GET", story + "?version=v1.2.0", "", kept, "exact"},
		{"GET", story + "/judge-view?version=1.2.0", "", kept, "exact"},
		{"GET", story + "/answer-schema?version=1.2.0", "", kept, "exact"},
		{"GET", "/v1/documents/gone_v1?version=1.1.0", "", kept, "retired versions stay as they are"},
		{"GET", story + "?version=1.0.0", "", "no-cache", "yanked"},
		{"GET", story, "", "no-cache", "the latest version changes"},
		{"GET", story + "?version=1.2", "", "no-cache", "a constraint"},
		{"GET", story + "?version=%3D1.2.0", "", "no-cache", "a constraint"},
		{"GET", story + "?version=%3E%3D1.2.0", "", "no-cache", "a constraint"},
		{"GET", story + "/calibration", "", "no-cache", "of the latest version"},
		{"GET", "/v1/documents", "", "no-cache", "changes"},
		{"GET", "/v1/library", "", "no-cache", "changes"},
		{"GET", story + "?version=9.9.9", "", "no-store", "an error"},
		{"GET", "/v1/documents/gone_v1", "", "no-store", "an error"},
		{"POST", story + "/hits?version=1.2.0", postBody, "no-store", "computed"},
		{"GET", "/healthz", "", "no-store", "changes"},
	} {
		for _, duration := range []time.Duration{0, time.Hour} {
			s.server.CacheExact = duration
			want, vary := c.cache, ""
			if want == kept && duration == 0 {
				want = "no-cache"
			} else if want == kept {
				vary = "Accept-Encoding, X-Forwarded-User"
			}
			for _, known := range []string{`"other"`, "*"} {
				a := s.send(c.method, c.target, c.body, "If-None-Match", known)
				kept := vary != ""
				if a.Header.Get("Cache-Control") != want || a.Header.Get("Vary") != vary || kept != (a.Header.Get("X-Request-ID") == "") {
					t.Errorf("%s %s (%s) with %s: %s, %v", c.method, c.target, c.why, duration, a.Status, a.Header)
				}
			}
		}
	}
}

// TestTagsFollowTheBundle checks that no tag outlives the content that it is for.
func TestTagsFollowTheBundle(t *testing.T) {
	l := sample()
	s := start(t, l)
	tags := map[string]string{}
	changing := []string{"/v1/library", "/v1/documents", "/v1/search?q=clarity", "/v1/documents/story_v1", "/v1/documents/story_v1/judge-view"}
	fixed := []string{"/v1/documents/story_v1?version=~1.0", "/v1/documents/api_v1", "/v1/search?q=rest"}
	for _, target := range append(changing, fixed...) {
		tags[target] = s.send("GET", target, "").Header.Get("ETag")
	}
	l.Version, l.Previous = "1.5.0", s.live.Current().Digest()
	l.Documents = append(l.Documents, strings.Replace(rubricOf("story_v1", "1.3.0", "stories"), "Make it better.", "Improve it.", 1)+negative)
	s.publish(l)
	must.Do(t, s.live.Check(t.Context()))
	for _, target := range changing {
		if a := s.send("GET", target, "", "If-None-Match", tags[target]); a.StatusCode != http.StatusOK {
			t.Errorf("%s keeps its tag: %s", target, a.Status)
		}
	}
	for _, target := range fixed {
		if a := s.send("GET", target, "", "If-None-Match", tags[target]); a.StatusCode != http.StatusNotModified {
			t.Errorf("%s loses its tag: %s", target, a.Status)
		}
	}
}

// TestARefusedBundleChangesNothing checks that what does not continue the bundle in use is
// never served, and that the server stays ready.
func TestARefusedBundleChangesNothing(t *testing.T) {
	l := sample()
	s := start(t, l)
	want := s.send("GET", "/v1/library", "").body
	l.Version, l.Documents = "1.5.0", []string{ruleSet}
	s.publish(l)
	if err := s.live.Check(t.Context()); err == nil {
		t.Fatal("the bundle is accepted")
	}
	if got := s.send("GET", "/v1/library", "").body; !bytes.Equal(got, want) {
		t.Errorf("the library is %s, want %s", got, want)
	}
	if got := get[status](s, "/readyz"); got.Version != "1.4.0" {
		t.Errorf("the server is %+v", got)
	}
}

func TestRequestIDs(t *testing.T) {
	s := start(t, sample())
	if a := s.send("GET", "/healthz", "", "X-Request-ID", "request-17"); a.Header.Get("X-Request-ID") != "request-17" {
		t.Errorf("the request ID is %q", a.Header.Get("X-Request-ID"))
	}
	one, two := s.send("GET", "/healthz", "").Header.Get("X-Request-ID"), s.send("GET", "/healthz", "").Header.Get("X-Request-ID")
	if len(one) < 20 || one == two {
		t.Errorf("the new request IDs are %q and %q", one, two)
	}
	if body := string(s.send("GET", "/nothing", "", "X-Request-ID", "request-17").body); !strings.Contains(body, `"request_id":"request-17"`) {
		t.Errorf("the problem is %s", body)
	}
}

// TestAPanicIsAProblem checks that a bug fails one call, and tells the caller nothing.
func TestAPanicIsAProblem(t *testing.T) {
	s := start(t, sample(), library.WithAudit(auditTo(broken{})))
	a := s.send("GET", "/v1/documents/story_v1", "")
	if a.StatusCode != http.StatusInternalServerError || strings.Contains(string(a.body), "goroutine") || strings.Contains(string(a.body), "broken") {
		t.Errorf("%s\n%s", a.Status, a.body)
	}
	if a := s.send("GET", "/v1/library", ""); a.StatusCode != http.StatusOK {
		t.Errorf("the next call gives %s", a.Status)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { panic("broken") }

// TestAClientThatLeavesIsNoError ends a request before its document is returned.
func TestAClientThatLeavesIsNoError(t *testing.T) {
	var log bytes.Buffer
	defer slog.SetDefault(slog.Default())
	slog.SetDefault(slog.New(slog.NewJSONHandler(&log, nil)))
	s := start(t, sample())
	ctx, leave := context.WithCancel(t.Context())
	leave()
	w := httptest.NewRecorder()
	s.server.ServeHTTP(w, httptest.NewRequest("GET", "/v1/documents/story_v1", nil).WithContext(ctx))
	if w.Code < 400 || strings.Contains(log.String(), "a call failed") {
		t.Errorf("%d, and the log has %s", w.Code, &log)
	}
}
