package httpclient

import (
	"net/http"
	"testing"
	"time"
)

func TestRetryAfter(t *testing.T) {
	date := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, c := range []struct {
		reason string
		status int
		text   string
		want   time.Duration
	}{
		{"seconds", 429, "4", 4 * time.Second},
		{"an unavailable service", 503, "4", 4 * time.Second},
		{"a date, by the clock of the server", 503, date.Add(time.Minute).Format(http.TimeFormat), time.Minute},
		{"a date in the past", 429, date.Add(-time.Minute).Format(http.TimeFormat), 0},
		{"more seconds than a duration has", 429, "9223372036854775807", mostAfter},
		{"more seconds than a number has", 429, "99999999999999999999999", mostAfter},
		{"a date that is far away", 429, "Fri, 31 Dec 9999 23:59:59 GMT", mostAfter},
		{"nothing", 429, "", 0},
		{"no time", 429, "soon", 0},
		{"a negative number", 429, "-4", 0},
		{"a fraction", 429, "1.5", 0},
		{"another status", 500, "4", 0},
		{"an answer", 200, "4", 0},
	} {
		header := http.Header{"Retry-After": {c.text}, "Date": {date.Format(http.TimeFormat)}}
		if got := RetryAfter(&http.Response{StatusCode: c.status, Header: header}); got != c.want {
			t.Errorf("%s: %s, want %s", c.reason, got, c.want)
		}
	}
	ahead := http.Header{"Retry-After": {time.Now().Add(time.Minute).UTC().Format(http.TimeFormat)}}
	if got := RetryAfter(&http.Response{StatusCode: 429, Header: ahead}); got < 50*time.Second || got > time.Minute {
		t.Errorf("a date without a clock of the server gives %s", got)
	}
}
