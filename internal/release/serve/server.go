package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"golang.org/x/net/netutil"

	"github.com/rubric-library/rubric-library/pkg/library"
)

// Limits are the limits of Run.
type Limits struct {
	// Connections is how many clients can be connected. Others wait.
	Connections int
	// Header, Request, Answer, and Idle are how long a client may take for the header of a
	// request, for all of it, for the answer, and until the next request.
	Header, Request, Answer, Idle time.Duration
	// Drain is how long calls may take when the server ends.
	Drain time.Duration
}

// Standard are the limits of the command.
var Standard = Limits{
	Connections: 250,
	Header:      5 * time.Second, Request: 15 * time.Second, Answer: 30 * time.Second, Idle: time.Minute, Drain: 10 * time.Second,
}

// maxHeader is the limit of the header of a request, in bytes.
const maxHeader = 16 << 10

// Run serves on a listener, which it closes, until ctx ends. Then it waits for the calls
// in flight, and closes the library that follow returned. Until follow returns, the server
// is not ready. If follow fails, Run ends with its error.
func (s *Server) Run(ctx context.Context, listener net.Listener, limits Limits, follow func(context.Context) (*library.Live, error)) (err error) {
	server := &http.Server{
		Handler: s, MaxHeaderBytes: maxHeader, ErrorLog: slog.NewLogLogger(slog.Default().Handler(), slog.LevelWarn),
		ReadHeaderTimeout: limits.Header, ReadTimeout: limits.Request, WriteTimeout: limits.Answer, IdleTimeout: limits.Idle,
	}
	failed, followed := make(chan error, 2), make(chan struct{})
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() { failed <- server.Serve(netutil.LimitListener(listener, limits.Connections)) }()
	go func() {
		defer close(followed)
		if live, err := follow(ctx); err != nil {
			failed <- err
		} else {
			s.Use(live)
			slog.Info("ready", "source", sourceOf(live.Current()), "bundle_version", live.Current().Version(), "bundle_digest", live.Current().Digest())
		}
	}()
	select {
	case <-ctx.Done():
	case err = <-failed:
	}
	if ctx.Err() != nil {
		err = nil // also if that is why follow failed
	}
	stop()
	drain, end := context.WithTimeout(context.Background(), limits.Drain)
	defer end()
	if server.Shutdown(drain) != nil {
		err = errors.Join(err, fmt.Errorf("calls that did not end within %s were cut off", limits.Drain), server.Close())
	}
	<-followed
	if live := s.live.Load(); live != nil {
		err = errors.Join(err, live.Close())
	}
	return err
}
