package registry

import (
	"errors"
	"net/http"
	"strconv"
	"sync/atomic"
	"testing"
	"time"
)

// TestABusyRegistryIsCalledWhenItSaysSo checks that a short time is waited for, and that a long
// one is an error that says when to try again.
func TestABusyRegistryIsCalledWhenItSaysSo(t *testing.T) {
	for _, c := range []struct {
		status, after int
		waits         bool
	}{{429, 1, true}, {503, 1, true}, {429, 3600, false}, {503, 3600, false}} {
		var calls, refusals atomic.Int32
		repository := serve(t, func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				calls.Add(1)
				if refusals.Add(-1) >= 0 {
					w.Header().Set("Retry-After", strconv.Itoa(c.after))
					w.WriteHeader(c.status)
					return
				}
				next.ServeHTTP(w, r)
			})
		})
		mustPush(t, repository, bundleOf(t, "1.4.0", "a"))
		refusals.Store(1)
		calls.Store(0)
		start := time.Now()
		a, err := fetch(t, repository, "")
		took := time.Since(start)
		if c.waits {
			if err != nil || a.Data == nil || took < time.Duration(c.after)*time.Second {
				t.Errorf("%d: after %s: %v", c.status, took, err)
			}
			continue
		}
		wantError(t, err, repository+":latest: the server answers "+strconv.Itoa(c.status), "It asks to try again in 1h0m0s")
		var busy interface{ RetryAfter() time.Duration } // as a Live asks for it
		if !errors.As(err, &busy) || busy.RetryAfter() != time.Hour || calls.Load() != 1 {
			t.Errorf("%d: %v after %d calls", c.status, err, calls.Load())
		}
		refusals.Store(1)
		_, err = push(t, repository, bundleOf(t, "1.4.1", "a"))
		wantError(t, err, "the push stopped at reading the tag 1.4.1: ", "It asks to try again in 1h0m0s")
	}
}
