package serve

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

const (
	health   = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
	postHead = "POST /v1/documents/story_v1/hits HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 15\r\n\r\n"
	postBody = `{"text":"etc."}`
	// settled is how long the server takes at most to notice what was sent.
	settled = 250 * time.Millisecond
)

// idle connects and waits for an answer.
func (r *running) idle(t *testing.T) net.Conn {
	t.Helper()
	c := r.dial(t, health)
	if got := answered(c); !strings.HasPrefix(got, "200") {
		t.Fatalf("a client gets %s", got)
	}
	return c
}

// TestIdleConnectionsGiveWay opens as many connections as there can be, each of which is idle in
// a different way.
func TestIdleConnectionsGiveWay(t *testing.T) {
	limits := Standard
	limits.Header = time.Minute // else half a header ends by itself on a slow machine
	r := run(t, limits, libraryOf(start(t, sample())))
	var idle []net.Conn
	for i := range limits.Connections {
		switch i % 3 {
		case 0:
			idle = append(idle, r.idle(t))
		case 1:
			idle = append(idle, r.dial(t, ""))
		default:
			idle = append(idle, r.dial(t, "GET /healthz HTTP/1.1\r\nHost:"))
		}
	}
	time.Sleep(limits.Grace)
	const more = 40
	for range more {
		r.idle(t)
	}
	closed := 0
	for i, c := range idle {
		_ = c.SetReadDeadline(time.Now().Add(time.Millisecond))
		if _, err := c.Read(make([]byte, 1)); err != nil && !isTimeout(err) {
			closed++
			if i > 2*more { // a byte of a header counts once as new
				t.Errorf("connection %d was closed before older ones", i)
			}
		}
	}
	if closed != more {
		t.Errorf("%d connections gave way to %d", closed, more)
	}
}

func isTimeout(err error) bool {
	timeout, ok := err.(net.Error)
	return ok && timeout.Timeout()
}

// TestARequestInFlightKeepsItsPlace: a client waits until another one is answered, and that one is
// not cut off. Neither is one that has begun its request, while another one is idle.
func TestARequestInFlightKeepsItsPlace(t *testing.T) {
	limits := Standard
	limits.Connections = 2
	r := run(t, limits, libraryOf(start(t, sample())))
	for answered(r.dial(t, strings.Replace(health, "healthz", "readyz", 1)))[:3] != "200" {
		time.Sleep(time.Millisecond)
	}
	first, second := r.dial(t, postHead), r.dial(t, postHead)
	time.Sleep(settled)
	third := r.dial(t, health)
	_ = third.SetReadDeadline(time.Now().Add(settled))
	if _, err := third.Read(make([]byte, 1)); !isTimeout(err) {
		t.Fatalf("while all are in flight, a third client gets %v", err)
	}
	must.Get(io.WriteString(first, postBody))(t)
	_ = third.SetReadDeadline(time.Now().Add(20 * time.Second))
	for name, c := range map[string]net.Conn{"first": first, "third": third} {
		if got := answered(c); !strings.HasPrefix(got, "200") {
			t.Errorf("the %s client gets %s", name, got)
		}
	}
	must.Get(io.WriteString(second, postBody))(t)
	if got := answered(second); !strings.HasPrefix(got, "200") {
		t.Errorf("the second client gets %s", got)
	}

	older, newer := r.idle(t), r.idle(t)
	time.Sleep(limits.Grace)
	must.Get(io.WriteString(older, health[:10]))(t)
	time.Sleep(settled)
	r.idle(t)
	must.Get(io.WriteString(older, health[10:]))(t)
	if got := answered(older); !strings.HasPrefix(got, "200") {
		t.Errorf("the client that had begun its request gets %s", got)
	}
	if _, err := newer.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("the idle client gets %v", err)
	}
}

// TestSlowHeadersKeepNobodyOut opens connections with half a header again as soon as they are closed.
func TestSlowHeadersKeepNobodyOut(t *testing.T) {
	limits := Standard
	limits.Connections, limits.Grace = 8, 150*time.Millisecond
	r := run(t, limits, libraryOf(start(t, sample())))
	ctx, stop := context.WithCancel(t.Context())
	var slow sync.WaitGroup
	for range 2 * limits.Connections {
		slow.Go(func() {
			for ctx.Err() == nil {
				c, err := net.Dial("tcp", r.address)
				if err != nil {
					continue
				}
				for ctx.Err() == nil && err == nil { // a byte of the header at a time
					_, err = io.WriteString(c, "G")
					time.Sleep(20 * time.Millisecond)
				}
				_ = c.Close()
			}
		})
	}
	failed := 0
	for range 8 {
		if got := answered(r.dial(t, health)); !strings.HasPrefix(got, "200") {
			failed++
		}
	}
	stop()
	slow.Wait()
	if failed > 0 {
		t.Errorf("%d of 8 clients got no answer", failed)
	}
}

// TestManyClientsShareFewConnections: clients that keep their connections, and send the next request
// at once unless an answer says that its connection ends, lose no request.
func TestManyClientsShareFewConnections(t *testing.T) {
	limits := Standard
	limits.Connections, limits.Grace = 5, 2*time.Second // the machine can be busy
	r := run(t, limits, libraryOf(start(t, sample())))
	for r.server.live.Load() == nil {
		time.Sleep(time.Millisecond)
	}
	var clients sync.WaitGroup
	for range 4 * limits.Connections {
		clients.Go(func() {
			if err := r.calls(50); err != nil {
				t.Error(err)
			}
		})
	}
	clients.Wait()
}

// calls sends requests that may not be repeated.
func (r *running) calls(left int) error {
	for left > 0 {
		c, err := net.Dial("tcp", r.address)
		if err != nil {
			return err
		}
		defer c.Close()
		for answers, ends := bufio.NewReader(c), false; left > 0 && !ends; left-- {
			_, err := io.WriteString(c, postHead+postBody)
			if err != nil {
				return err
			}
			response, err := http.ReadResponse(answers, nil)
			if err != nil {
				return err
			}
			if _, err = io.Copy(io.Discard, response.Body); err != nil || response.StatusCode != http.StatusOK {
				return fmt.Errorf("%s, %w", response.Status, err)
			}
			ends = response.Close
		}
		_ = c.Close()
	}
	return nil
}

// TestHealthHasAListener: health and metrics answer on their own listener, also while every
// connection of the other one is in flight, and that one does not have them.
func TestHealthHasAListener(t *testing.T) {
	s := start(t, sample())
	limits := Standard
	limits.Connections = 1
	main, probes := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t), must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	ctx, end := context.WithCancel(t.Context())
	ended, server := make(chan error, 1), New("")
	go func() { ended <- server.Run(ctx, Listeners{Main: main, Health: probes}, limits, libraryOf(s)) }()
	for server.live.Load() == nil {
		time.Sleep(time.Millisecond)
	}
	status := func(listener net.Listener, path string) int {
		t.Helper()
		c := must.Get(net.Dial("tcp", listener.Addr().String()))(t)
		defer c.Close()
		must.Get(fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", path))(t)
		response := must.Get(http.ReadResponse(bufio.NewReader(c), nil))(t)
		_ = response.Body.Close()
		return response.StatusCode
	}
	for path, want := range map[string][2]int{
		"/healthz": {404, 200}, "/readyz": {404, 200}, "/metrics": {404, 200}, "/openapi.json": {200, 404}, "/v1/library": {200, 404}, "/": {404, 404},
	} {
		if got := [2]int{status(main, path), status(probes, path)}; got != want {
			t.Errorf("%s gives %v, want %v", path, got, want)
		}
	}
	busy := must.Get(net.Dial("tcp", main.Addr().String()))(t)
	must.Get(io.WriteString(busy, postHead))(t)
	time.Sleep(settled)
	if got := status(probes, "/healthz"); got != http.StatusOK {
		t.Errorf("/healthz gives %d while the server is busy", got)
	}
	_ = busy.Close()
	end()
	must.Do(t, <-ended)
	for _, listener := range []net.Listener{main, probes} {
		if _, err := net.Dial("tcp", listener.Addr().String()); err == nil {
			t.Errorf("%s still listens", listener.Addr())
		}
	}
}
