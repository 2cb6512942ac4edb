package library

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"
)

type busy time.Duration

func (b busy) Error() string             { return "busy" }
func (b busy) RetryAfter() time.Duration { return time.Duration(b) }

// TestALiveWaitsAsLongAsItsSourceAsks counts the checks of a source that is busy.
func TestALiveWaitsAsLongAsItsSourceAsks(t *testing.T) {
	for _, c := range []struct {
		reason      string
		err         error
		least, most time.Duration // of the delay
	}{
		{"no error", nil, -time.Hour, 0},
		{"another error", errors.New("down"), -time.Hour, 0},
		{"a busy source", fmt.Errorf("https://example.com: %w", busy(time.Minute)), 50 * time.Second, time.Minute},
		{"a time in the past", busy(-time.Minute), -time.Hour, 0},
		{"a time that would end the updates", busy(1000 * time.Hour), 59 * time.Minute, time.Hour},
	} {
		l, err := newLive("bundle", []Option{WithInterval(time.Millisecond)})
		if err != nil {
			t.Fatal(err)
		}
		checks := 0
		l.renew = func(context.Context) error { checks++; return c.err }
		if err := l.Check(t.Context()); !errors.Is(err, c.err) {
			t.Errorf("%s: %v", c.reason, err)
		}
		if got := l.delay(); got < c.least && !l.notBefore.IsZero() || got > c.most {
			t.Errorf("%s: the delay is %s", c.reason, got)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		l.follow(ctx)
		cancel()
		if waits := c.most > 0; waits != (checks == 1) {
			t.Errorf("%s: %d checks in 100 ms", c.reason, checks)
		}
	}
}
