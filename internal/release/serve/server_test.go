package serve

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// running is a server with its limits.
type running struct {
	address string
	server  *Server
	end     context.CancelFunc
	ended   chan error
}

// run runs a server with short limits.
func run(t *testing.T, limits Limits, follow func(context.Context) (*library.Live, error)) *running {
	t.Helper()
	listener := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	ctx, end := context.WithCancel(t.Context())
	r := &running{listener.Addr().String(), New(""), end, make(chan error, 1)}
	go func() { r.ended <- r.server.Run(ctx, Listeners{Main: listener}, limits, follow) }()
	t.Cleanup(func() {
		end()
		<-r.ended
	})
	return r
}

// stop ends the server and returns the error of Run.
func (r *running) stop() error {
	r.end()
	err := <-r.ended
	r.ended <- nil
	return err
}

// dial connects and sends the start of a request.
func (r *running) dial(t *testing.T, text string) net.Conn {
	t.Helper()
	c := must.Get(net.Dial("tcp", r.address))(t)
	t.Cleanup(func() { _ = c.Close() })
	must.Do(t, c.SetDeadline(time.Now().Add(20*time.Second)))
	must.Get(io.WriteString(c, text))(t)
	return c
}

// answered returns the status of the answer on a connection, or the error.
func answered(c net.Conn) string {
	response, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return err.Error()
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return fmt.Sprint(response.StatusCode, " ", string(body), err)
}

// libraryOf returns a follow for the library of another server.
func libraryOf(s *started) func(context.Context) (*library.Live, error) {
	return func(ctx context.Context) (*library.Live, error) {
		return library.Follow(ctx, library.File(s.path), library.WithAnyDigest())
	}
}

func TestNotReadyUntilABundleIsVerified(t *testing.T) {
	s := start(t, sample())
	verify := make(chan struct{})
	r := run(t, Standard, func(ctx context.Context) (*library.Live, error) {
		<-verify
		return libraryOf(s)(ctx)
	})
	for path, want := range map[string]string{
		"/healthz": "200", "/metrics": "200", "/openapi.json": "200", "/readyz": "503", "/v1/library": "503", "/v1/documents/story_v1": "503",
	} {
		if got := answered(r.dial(t, "GET "+path+" HTTP/1.1\r\nHost: x\r\n\r\n")); !strings.HasPrefix(got, want) {
			t.Errorf("%s before: %s, want %s", path, got, want)
		}
	}
	close(verify)
	for {
		if got := answered(r.dial(t, "GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n")); strings.HasPrefix(got, "200") {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if err := r.stop(); err != nil {
		t.Error(err)
	}
}

func TestNoBundleEndsTheServer(t *testing.T) {
	wrong := errors.New("no such registry")
	r := run(t, Standard, func(context.Context) (*library.Live, error) { return nil, wrong })
	err := <-r.ended
	r.ended <- nil
	if !errors.Is(err, wrong) {
		t.Errorf("Run gives %v", err)
	}
}

func TestInterruptWhileTheSourceStalls(t *testing.T) {
	r := run(t, Standard, func(ctx context.Context) (*library.Live, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	if err := r.stop(); err != nil {
		t.Errorf("Run gives %v", err)
	}
}

// TestSlowClientsAreCutOff checks that neither a slow header nor a slow body nor a silent
// connection holds a connection, and that a long header is refused.
func TestSlowClientsAreCutOff(t *testing.T) {
	limits := Standard
	limits.Header, limits.Request, limits.Idle = 100*time.Millisecond, 200*time.Millisecond, 300*time.Millisecond
	r := run(t, limits, libraryOf(start(t, sample())))
	const post = "POST /v1/documents/story_v1/hits HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
	for name, c := range map[string]struct{ text, want string }{
		"silent":      {"", "EOF"},
		"slow header": {"GET / HTTP/1.1\r\nHost:", "EOF"},
		"slow body":   {post + "Content-Length: 100\r\n\r\n{\"text\":", "408"},
		"no body":     {post + "Transfer-Encoding: chunked\r\n\r\n", "408"},
		"long header": {"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: " + strings.Repeat("x", 30_000) + "\r\n\r\n", "431"},
		"long query":  {"GET /v1/search?q=" + strings.Repeat("x", 1<<20) + " HTTP/1.1\r\nHost: x\r\n\r\n", "431"},
		"no host":     {"GET /healthz HTTP/1.1\r\n\r\n", "400"},
		"two lengths": {post + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}", "400"},
		"smuggling":   {post + "Content-Length: 5\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n", "501"},
		"not HTTP":    {"\x16\x03\x01\x02\x00\x01\r\n\r\n", "400"},
	} {
		t.Run(name, func(t *testing.T) {
			conn := must.Get(net.Dial("tcp", r.address))(t)
			defer conn.Close()
			_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
			go func() { _, _ = io.WriteString(conn, c.text) }() // the server can close while it is sent
			if got := answered(conn); !strings.Contains(got, c.want) && !(c.want == "431" && strings.Contains(got, "reset")) {
				t.Errorf("the answer is %s, want %s", got, c.want)
			}
		})
	}
}

// TestShutdownDrains checks that a call in flight ends with its answer, new ones are
// refused, and one that does not end is cut off and reported.
func TestShutdownDrains(t *testing.T) {
	const head = "POST /v1/documents/story_v1/hits HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 15\r\n\r\n"
	for _, c := range []struct {
		rest, answer, err string
	}{{`{"text":"etc."}`, "200", ""}, {"", "", "cut off"}} {
		limits := Standard
		if c.rest == "" {
			limits.Drain = 100 * time.Millisecond
		}
		s := start(t, sample())
		r := run(t, limits, libraryOf(s))
		for r.server.live.Load() == nil {
			time.Sleep(time.Millisecond)
		}
		conn := r.dial(t, head)
		time.Sleep(100 * time.Millisecond) // until the server has read the header
		r.end()
		for closed := false; !closed; time.Sleep(time.Millisecond) {
			other, err := net.Dial("tcp", r.address)
			if closed = err != nil; !closed {
				_ = other.Close()
			}
		}
		if _, err := io.WriteString(conn, c.rest); err != nil {
			t.Error(err)
		}
		if got := answered(conn); !strings.HasPrefix(got, c.answer) {
			t.Errorf("the call in flight gives %s", got)
		}
		err := <-r.ended
		r.ended <- nil
		if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("Run gives %v, want %q", err, c.err)
		}
		if _, err := net.Dial("tcp", r.address); err == nil {
			t.Error("the server still listens")
		}
	}
}
