package serve

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"net/url"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/pkg/library"
)

// Server answers requests. Create it with New. It is safe for concurrent use.
type Server struct {
	// CacheExact is for how long a cache may keep an exact version that is not yanked, in whole
	// seconds; the audit then lacks what the cache answers. If it is 0, caches ask each time. It
	// must not be changed after the first request.
	CacheExact time.Duration

	actorHeader string
	metrics     *metrics
	live        atomic.Pointer[library.Live] // nil until the first bundle is verified
	computing   chan struct{}                // limits the computations at a time, which can take much memory
}

// New returns a server without a library. actorHeader is the name of the header with the
// actor, or "".
func New(actorHeader string) *Server {
	return &Server{
		actorHeader: actorHeader, metrics: newMetrics(), computing: make(chan struct{}, 4*runtime.GOMAXPROCS(0)),
	}
}

// Telemetry is what the server's library has to report to.
func (s *Server) Telemetry() library.Telemetry { return s.metrics }

// Use answers requests from a library.
func (s *Server) Use(live *library.Live) { s.live.Store(live) }

// ServeHTTP answers a request to any route.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.serve(w, r, func(route) bool { return true })
}

// serverFor returns a server for the routes that has accepts.
func (s *Server) serverFor(has func(route) bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, has) })
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request, has func(route) bool) {
	id := inert(r.Header.Get("X-Request-ID"))
	if id == "" {
		id = rand.Text()
	}
	w.Header().Set("X-Request-ID", id)
	defer func() {
		if cause := recover(); cause != nil {
			writeProblem(w, r, fmt.Errorf("this is a bug: %v\n%s", cause, debug.Stack()))
		}
	}()
	if size := headerSize(r); size > maxHeader {
		writeProblem(w, r, &problem{
			Status: http.StatusRequestHeaderFieldsTooLarge, Code: "too_large",
			Detail: fmt.Sprintf("the path, the query, and the header have %d bytes, more than %d", size, maxHeader),
		})
		return
	}
	rt, document := routeOf(r.URL.EscapedPath())
	if rt == nil || rt.body == nil {
		// Else a body that never arrives delays the answer, and keeps the place of the connection.
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(unreadTime))
	}
	if rt == nil || !has(*rt) {
		writeProblem(w, r, errNoPath)
		return
	}
	s.handle(rt, document, w, r.WithContext(library.WithRequestID(r.Context(), id)))
}

// unreadTime is how long net/http may read a body that no route reads, before the answer.
const unreadTime = time.Second

// headerSize is the size of the first line and the header of a request, in bytes.
func headerSize(r *http.Request) int {
	size := len(r.RequestURI)
	for name, values := range r.Header {
		for _, value := range values {
			size += len(name) + len(value) + len(": \r\n")
		}
	}
	return size
}

// routeOf returns the route of a path, and the ID in it, or nil. No path is made clean:
// http.ServeMux would redirect to the clean one.
func routeOf(escaped string) (_ *route, document string) {
	given := strings.Split(escaped, "/")
	for i, segment := range given {
		given[i], _ = url.PathUnescape(segment) // the escapes of a request's path are valid
	}
	for i := range routes {
		pattern := strings.Split(routes[i].path, "/")
		matches := func(want, got string) bool { return want == got || want == "{id}" && got != "" }
		if !slices.EqualFunc(pattern, given, matches) {
			continue
		}
		if at := slices.Index(pattern, "{id}"); at >= 0 {
			document = given[at]
		}
		return &routes[i], document
	}
	return nil, ""
}

// inert returns the text of a caller's header, of at most 128 characters, that is safe to
// log and to send back.
func inert(header string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' || c > '~' {
			return '_'
		}
		return c
	}, header[:min(len(header), 128)])
}

func (s *Server) handle(rt *route, document string, w http.ResponseWriter, r *http.Request) {
	c := &call{Server: s, ctx: r.Context(), id: document}
	err := c.read(rt, w, r)
	if err == nil {
		var result any
		if result, err = c.answer(rt); err == nil {
			err = write(w, r, c, result)
		}
	}
	if err != nil {
		writeProblem(w, r, err)
	}
}

func (c *call) answer(rt *route) (_ any, err error) {
	if rt.body != nil || rt.name == "search" || rt.name == "listDocuments" {
		c.computing <- struct{}{}
		defer func() { <-c.computing }()
	}
	if rt.body != nil {
		if c.body, err = decode(c.data, rt.body); err != nil {
			return nil, err
		}
	}
	return rt.answer(c)
}

func (c *call) read(rt *route, w http.ResponseWriter, r *http.Request) (err error) {
	allowed := rt.method
	if rt.method == http.MethodGet {
		allowed = "GET, HEAD"
	}
	if !slices.Contains(strings.Split(allowed, ", "), r.Method) {
		w.Header().Set("Allow", allowed)
		return &problem{
			Status: http.StatusMethodNotAllowed, Code: "method_not_allowed",
			Detail: "this path allows only " + allowed,
		}
	}
	if c.query, err = rt.readQuery(r.URL.RawQuery); err != nil {
		return err
	}
	if rt.body != nil {
		if c.data, err = readBody(w, r); err != nil {
			return err
		}
	}
	if actors := r.Header.Values(c.actorHeader); len(actors) > 1 {
		return invalid("the header %s is repeated, so the actor is not known", c.actorHeader)
	} else if len(actors) == 1 {
		c.ctx = library.WithActor(c.ctx, inert(actors[0]))
	}
	if !strings.HasPrefix(rt.path, "/v1/") {
		return nil
	}
	live := c.live.Load()
	if live == nil {
		return errNotReady
	}
	c.lib = live.Current()
	return nil
}

func (rt *route) readQuery(raw string) (map[string]string, error) {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return nil, invalid("the query is not valid: separate parameters by & and escape other special characters")
	}
	query := map[string]string{}
	for name, given := range values {
		i := slices.IndexFunc(rt.query, func(p parameter) bool { return p.name == name })
		switch {
		case i < 0:
			return nil, invalid("the parameter %q is unknown here. /openapi.json lists all parameters", name)
		case len(given) > 1 || !utf8.ValidString(given[0]):
			return nil, invalid("the parameter %q is repeated or not UTF-8", name)
		case given[0] == "" && name == "version":
			return nil, invalid("the parameter \"version\" is empty. For the latest version, leave it out")
		case given[0] != "" && rt.query[i].values != nil && !slices.Contains(rt.query[i].values, given[0]):
			return nil, invalid("the parameter %q must be %s, got %q", name, strings.Join(rt.query[i].values, " or "), given[0])
		}
		query[name] = given[0]
	}
	if constraint := query["version"]; constraint != "" {
		if err := (library.Reference{ID: "any", Version: constraint}).Check(); err != nil {
			return nil, invalid("%v", err)
		}
	}
	return query, nil
}

func (s *Server) readiness() (any, error) {
	live := s.live.Load()
	if live == nil {
		return nil, errNotReady
	}
	l := live.Current()
	return status{"ready", sourceOf(l), l.Version(), l.Digest(), live.Status().Confirmed.UTC().Format(time.RFC3339)}, nil
}
