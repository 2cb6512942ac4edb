package httpclient

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// BusyError means that a server is busy and said when to try again.
type BusyError struct {
	Status int
	After  time.Duration
}

func (e *BusyError) Error() string {
	return fmt.Sprintf("the server answers %d %s. It asks to try again in %s",
		e.Status, http.StatusText(e.Status), e.After.Round(time.Second))
}

// RetryAfter is how long the server asks to wait.
func (e *BusyError) RetryAfter() time.Duration { return e.After }

// mostAfter is about a century: a longer time overflows a Duration.
const mostAfter = 100 * 365 * 24 * time.Hour

// RetryAfter returns how long a server that is busy asks to wait, or 0 if it does not say so.
func RetryAfter(response *http.Response) time.Duration {
	if response.StatusCode != http.StatusTooManyRequests && response.StatusCode != http.StatusServiceUnavailable {
		return 0
	}
	text := response.Header.Get("Retry-After")
	// Out of range, it is the highest number.
	if seconds, err := strconv.ParseUint(text, 10, 64); err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(min(seconds, uint64(mostAfter/time.Second))) * time.Second
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(response.Header.Get("Date")) // its clock can differ from this one
	if err != nil {
		now = time.Now()
	}
	return min(max(at.Sub(now), 0), mostAfter)
}
