package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/rubric-library/rubric-library/pkg/library"
)

// Listeners are where Run serves. It closes them.
type Listeners struct {
	Main net.Listener
	// Health is for the health and the metrics, which Main then does not have. It is optional.
	Health net.Listener
}

// Limits are the limits of Run.
type Limits struct {
	// Connections is how many clients can be connected to a listener, at least 1. Then the one
	// that has waited the longest without a request in flight gives way to a new one.
	Connections int
	// Grace is how long a connection without a request in flight is safe from that.
	Grace time.Duration
	// Header, Request, Answer, and Idle are how long a client may take for the header of a
	// request, for all of it, for the answer, and until the next request.
	Header, Request, Answer, Idle time.Duration
	// Drain is how long calls may take when the server ends.
	Drain time.Duration
}

// Standard are the limits of the command.
var Standard = Limits{
	Connections: 250, Grace: 200 * time.Millisecond,
	Header: 5 * time.Second, Request: 15 * time.Second, Answer: 30 * time.Second, Idle: time.Minute,
	Drain: 10 * time.Second,
}

// maxHeader is the limit of the header of a request, in bytes. Above maxRead, net/http answers, and
// not with a problem.
const (
	maxHeader = 16 << 10
	maxRead   = 64 << 10
)

// Run serves until ctx ends. Then it waits for the calls in flight, and closes the library that
// follow returned. Until follow returns, the server is not ready. If follow fails, Run ends with
// its error.
func (s *Server) Run(
	ctx context.Context, listeners Listeners, limits Limits,
	follow func(context.Context) (*library.Live, error),
) (err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	failed, followed := make(chan error, 3), make(chan struct{})
	var servers []*http.Server // the one that ends first is the first
	start := func(listener net.Listener, handler http.Handler) {
		limited := limited(listener, limits)
		server := limits.server(limited, handler)
		servers = append(servers, server)
		go func() { failed <- server.Serve(limited) }()
	}
	if listeners.Health == nil {
		start(listeners.Main, s)
	} else {
		start(listeners.Health, s.serverFor(route.isHealth))
		start(listeners.Main, s.serverFor(func(r route) bool { return !r.isHealth() }))
	}
	go func() {
		defer close(followed)
		if live, err := follow(ctx); err != nil {
			failed <- err
		} else {
			s.Use(live)
			slog.Info("ready", "source", sourceOf(live.Current()), "bundle_version", live.Current().Version(),
				"bundle_digest", live.Current().Digest())
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
	err = errors.Join(err, shutDown(servers, limits.Drain))
	<-followed
	if live := s.live.Load(); live != nil {
		err = errors.Join(err, live.Close())
	}
	return err
}

// shutDown waits for the calls in flight of the servers, for a time in all, and cuts off the rest.
func shutDown(servers []*http.Server, drain time.Duration) (err error) {
	ctx, end := context.WithTimeout(context.Background(), drain)
	defer end()
	for _, server := range servers {
		if server.Shutdown(ctx) != nil {
			err = errors.Join(err, fmt.Errorf("calls that did not end within %s were cut off", drain), server.Close())
		}
	}
	return err
}

// server returns a server for a listener. While a new connection waits for a place, that of a call
// is closed after its answer, which says so: its client sends no other request that would be lost.
func (l Limits) server(listener *connections, handler http.Handler) *http.Server {
	return &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if listener.isFull() {
				w.Header().Set("Connection", "close")
			}
			handler.ServeHTTP(w, r)
		}),
		ConnState: listener.recordState, DisableGeneralOptionsHandler: true, MaxHeaderBytes: maxRead,
		ErrorLog:          slog.NewLogLogger(slog.Default().Handler(), slog.LevelWarn),
		ReadHeaderTimeout: l.Header, ReadTimeout: l.Request, WriteTimeout: l.Answer, IdleTimeout: l.Idle,
	}
}
