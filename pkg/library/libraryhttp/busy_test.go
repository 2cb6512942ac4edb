package libraryhttp

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// TestABusyServerIsCalledWhenItSaysSo follows a server that is busy after the first download.
func TestABusyServerIsCalledWhenItSaysSo(t *testing.T) {
	data := must.Get(os.ReadFile(filepath.Join("..", "..", "..", "internal", "release", "testdata", "format-2.zip")))(t)
	var calls atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if calls.Add(1) > 1 {
			w.Header().Set("Retry-After", "2")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		_, _ = w.Write(data)
	}))
	t.Cleanup(server.Close)
	start := time.Now()
	live := must.Get(library.Follow(t.Context(), HTTPS(server.URL), library.WithAnyDigest(), library.WithInterval(20*time.Millisecond)))(t)
	for calls.Load() < 3 && time.Since(start) < time.Minute {
		time.Sleep(10 * time.Millisecond)
	}
	took := time.Since(start)
	err := live.Status().Err
	must.Do(t, live.Close())
	if took < 2*time.Second || calls.Load() > 3 {
		t.Errorf("%d calls in %s", calls.Load(), took)
	}
	if err == nil || !strings.Contains(err.Error(), server.URL+": the server answers 429 Too Many Requests. It asks to try again in 2s") {
		t.Errorf("the error is %v", err)
	}
}
