package serve

import (
	"container/list"
	"net"
	"net/http"
	"sync"
	"time"
)

// connections is a listener with a limit for the connections that are open. At the limit, a
// new connection takes the place of the one that has waited for a request for the longest, unless
// its wait only began: its request can be on its way. Half a header keeps no place: its first
// byte begins the wait anew, and no other byte does. A request whose header has arrived is in
// flight and keeps its place.
//
// The server has to report the states of its connections to changed.
type connections struct {
	net.Listener
	limit int
	grace time.Duration // how long a connection keeps its place at least

	mu      sync.Mutex
	change  sync.Cond // of what follows
	open    int
	waiting list.List // of *connection, without a request, the longest wait first
	held    bool      // whether a new connection waits for a place
	closed  bool
}

// connection is a connection that has a place.
type connection struct {
	net.Conn
	of *connections

	// What follows is guarded by of.mu.
	wait  *list.Element // in of.waiting, or nil while a request is in flight
	since time.Time     // when the wait began
	read  bool          // whether a byte arrived since it began
	gone  bool          // whether its place is free
}

func limited(listener net.Listener, limits Limits) *connections {
	l := &connections{Listener: listener, limit: limits.Connections, grace: limits.Grace}
	l.change.L = &l.mu
	return l
}

// Accept returns the next connection after it has a place.
func (l *connections) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	defer func() { l.held = false }()
	for l.open >= l.limit && !l.closed {
		l.held = true
		if oldest, left := l.oldestConnection(); oldest == nil {
			l.change.Wait()
		} else if left > 0 {
			again := time.AfterFunc(left, l.change.Broadcast)
			l.change.Wait()
			again.Stop()
		} else if !oldest.read && pending(oldest.Conn) {
			oldest.began() // the server has not read its request yet
		} else {
			l.leave(oldest)
			_ = oldest.Conn.Close() // its client is told by this alone
		}
	}
	if l.closed {
		_ = accepted.Close()
		return nil, net.ErrClosed
	}
	l.open++
	c := &connection{Conn: accepted, of: l, since: time.Now()}
	c.wait = l.waiting.PushBack(c)
	return c, nil
}

// oldestConnection returns the connection that has waited the longest, or nil, and how long it keeps its
// place. The caller holds the lock.
func (l *connections) oldestConnection() (*connection, time.Duration) {
	if l.waiting.Len() == 0 {
		return nil, 0
	}
	c := l.waiting.Front().Value.(*connection)
	return c, l.grace - time.Since(c.since)
}

// Close ends Accept, and not the connections.
func (l *connections) Close() error {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.change.Broadcast()
	return l.Listener.Close()
}

// recordState is called by an http.Server whenever a connection changes its state.
func (l *connections) recordState(conn net.Conn, state http.ConnState) {
	c := conn.(*connection)
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case c.gone:
	case state == http.StateActive && c.wait != nil:
		l.waiting.Remove(c.wait)
		c.wait = nil
	case state == http.StateIdle:
		c.wait, c.since, c.read = l.waiting.PushBack(c), time.Now(), false
		l.change.Broadcast()
	}
}

// isFull reports whether a new connection waits for a place.
func (l *connections) isFull() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.held
}

// leave frees the place of a connection. The caller holds the lock.
func (l *connections) leave(c *connection) {
	if c.gone {
		return
	}
	if c.wait != nil {
		l.waiting.Remove(c.wait)
	}
	c.gone = true
	l.open--
	l.change.Broadcast()
}

// Read notices the first byte of a request.
func (c *connection) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 {
		c.of.mu.Lock()
		if c.wait != nil && !c.gone && !c.read {
			c.began()
		}
		c.of.mu.Unlock()
	}
	return n, err
}

// began begins the wait anew, because the first byte of a request arrived. The caller holds the lock.
func (c *connection) began() {
	c.read, c.since = true, time.Now()
	c.of.waiting.MoveToBack(c.wait)
}

// Close closes the connection and frees its place.
func (c *connection) Close() error {
	c.of.mu.Lock()
	c.of.leave(c)
	c.of.mu.Unlock()
	return c.Conn.Close()
}

// CloseWrite lets the server end an answer before the rest of a request has arrived.
func (c *connection) CloseWrite() error {
	if tcp, ok := c.Conn.(*net.TCPConn); ok {
		return tcp.CloseWrite()
	}
	return nil
}
