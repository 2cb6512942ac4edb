//go:build unix

package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// TestServeFollowsAPrivateServerThatIsBusy sends the headers of a file, and counts the checks of a
// server that asks to wait.
func TestServeFollowsAPrivateServerThatIsBusy(t *testing.T) {
	data := must.Get(os.ReadFile(published(t)[0]))(t)
	var calls atomic.Int32
	source := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Header.Get("Authorization") != "Bearer secret":
			w.WriteHeader(http.StatusUnauthorized)
		case calls.Add(1) == 1:
			_, _ = w.Write(data)
		default:
			w.Header().Set("Retry-After", "4")
			w.WriteHeader(http.StatusTooManyRequests)
		}
	}))
	t.Cleanup(source.Close)
	headers := filepath.Join(t.TempDir(), "headers")
	must.Do(t, os.WriteFile(headers, []byte("Authorization: Bearer secret\n"), 0o600))
	s := serve(t, source.URL+"/b.zip", "--interval", "100ms", "--header-file", headers)
	time.Sleep(2 * time.Second)
	if got := s.version(t); got != "1.0.0" || calls.Load() != 2 {
		t.Errorf("library %s is served after %d calls in 2 s", got, calls.Load())
	}
	log := s.stop(t, syscall.SIGTERM)
	if !strings.Contains(log, "the server answers 429 Too Many Requests. It asks to try again in 4s") || strings.Contains(log, "secret") {
		t.Errorf("the log is\n%s", log)
	}
}
