package serve

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/jsontext"
)

func digestOf(data []byte) string { return fmt.Sprintf("sha256:%x", sha256.Sum256(data)) }

// write answers with the result of a call. The ETag is the digest of the body, which for a
// document is its own digest.
func write(w http.ResponseWriter, r *http.Request, c *call, result any) (err error) {
	mediaType, body := "application/json", []byte(nil)
	switch result := result.(type) {
	case documentJSON:
		body = result
	case json.RawMessage:
		body = result
	case text:
		mediaType, body = "text/plain; version=0.0.4; charset=utf-8", []byte(result)
	default:
		if body, err = jsontext.Encode(result, "", ""); err != nil {
			return err
		}
	}
	tag := ""
	if c.lib != nil && c.body == nil {
		tag = strconv.Quote(digestOf(body))
	}
	if c.reference.ID != "" {
		w.Header().Set("Rubric-Reference", c.reference.String())
		if reason := c.lib.Yanked(c.reference.ID, c.reference.Version); reason != "" {
			w.Header().Set("Rubric-Yanked", inert(reason))
		}
	}
	send(w, r, http.StatusOK, mediaType, body, tag)
	return nil
}

// writeProblem answers with an error. The log has what the caller must not see.
func writeProblem(w http.ResponseWriter, r *http.Request, err error) {
	p := problemOf(err)
	p.Type, p.Title, p.RequestID = "about:blank", http.StatusText(p.Status), w.Header().Get("X-Request-ID")
	if p.Status >= 500 && p.Code != errNotReady.Code {
		slog.Error("a call failed", "request_id", p.RequestID, "error", err.Error())
	}
	p.Detail = strings.ToValidUTF8(p.Detail[:min(len(p.Detail), 4096)], "") // it can list a whole request
	body, _ := jsontext.Encode(p, "", "")                                   // it has only texts
	send(w, r, p.Status, "application/problem+json", body, "")
}

// send writes an answer. tag is its ETag, or "" if it must not be cached.
func send(w http.ResponseWriter, r *http.Request, code int, mediaType string, body []byte, tag string) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	if tag != "" {
		h.Set("Cache-Control", "no-cache") // caches ask each time, so that the audit is complete
		h.Set("ETag", tag)
		if matchesTag(r.Header, tag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	h.Set("Content-Type", mediaType)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(code)
	_, _ = w.Write(body) // an error means that the client is gone; HEAD writes nothing
}

// matchesTag reports whether If-None-Match has a tag. Weak and strong tags are equal here.
func matchesTag(h http.Header, tag string) bool {
	for known := range strings.SplitSeq(strings.Join(h.Values("If-None-Match"), ","), ",") {
		if known = strings.TrimSpace(known); known == "*" || strings.TrimPrefix(known, "W/") == tag {
			return true
		}
	}
	return false
}
