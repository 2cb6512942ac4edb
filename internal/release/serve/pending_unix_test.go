//go:build unix

package serve

import (
	"io"
	"net"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// TestARequestThatHasArrivedKeepsItsPlace: on a busy machine, the server reads a request only some time
// after it arrived. Here, it never does.
func TestARequestThatHasArrivedKeepsItsPlace(t *testing.T) {
	limits := Standard
	limits.Connections, limits.Grace = 1, time.Second
	l := limited(must.Get(net.Listen("tcp", "127.0.0.1:0"))(t), limits)
	defer l.Close()
	dial := func() net.Conn {
		c := must.Get(net.Dial("tcp", l.Addr().String()))(t)
		t.Cleanup(func() { _ = c.Close() })
		return c
	}
	first := dial()
	must.Get(l.Accept())(t)
	time.Sleep(limits.Grace)
	must.Get(io.WriteString(first, health))(t)
	time.Sleep(settled)
	began := time.Now()
	dial()
	must.Get(l.Accept())(t)
	if kept := time.Since(began); kept < limits.Grace {
		t.Errorf("the connection with a request gave way after %s", kept)
	}
	dial()
	began = time.Now()
	time.Sleep(limits.Grace) // the second one sends nothing
	must.Get(l.Accept())(t)
	if waited := time.Since(began); waited > 2*limits.Grace-settled {
		t.Errorf("an idle connection gave way after %s", waited)
	}
}
