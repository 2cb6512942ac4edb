package serve

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

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
	w.Header().Set("Cache-Control", "no-store")
	if c.lib != nil && c.body == nil {
		tag = strconv.Quote(digestOf(body))
		w.Header().Set("Cache-Control", "no-cache") // caches ask each time, so that the audit is complete
	}
	if c.reference.ID != "" {
		w.Header().Set("Rubric-Reference", c.reference.String())
		if reason := c.lib.Yanked(c.reference.ID, c.reference.Version); reason != "" {
			w.Header().Set("Rubric-Yanked", inert(reason))
		} else if tag != "" && c.isExact() && c.CacheExact > 0 {
			// Without public, no cache gives an answer to a request with Authorization to other callers.
			w.Header().Set("Cache-Control", fmt.Sprintf("max-age=%d", c.CacheExact/time.Second))
			w.Header().Set("Vary", strings.TrimSuffix("Accept-Encoding, "+c.actorHeader, ", "))
			w.Header().Del("X-Request-ID") // other callers get this answer, too
		}
	}
	send(w, r, http.StatusOK, mediaType, body, tag)
	return nil
}

// isExact reports whether a call names the one version that it is about, whose content never
// changes. A version in a folder can change.
func (c *call) isExact() bool {
	return strings.TrimPrefix(c.query["version"], "v") == c.reference.Version && sourceOf(c.lib) == "bundle"
}

// writeProblem answers with an error. The log has what the caller must not see.
func writeProblem(w http.ResponseWriter, r *http.Request, err error) {
	p := problemOf(err)
	p.Type, p.Title, p.RequestID = "about:blank", http.StatusText(p.Status), w.Header().Get("X-Request-ID")
	gone := r.Context().Err() != nil && errors.Is(err, context.Canceled) // so the client left, and nothing failed
	if p.Status >= 500 && p.Code != errNotReady.Code && !gone {
		slog.Error("a call failed", "request_id", p.RequestID, "error", err.Error())
	}
	p.Detail = strings.ToValidUTF8(p.Detail[:min(len(p.Detail), 4096)], "") // it can list a whole request
	body, _ := jsontext.Encode(p, "", "")                                   // it has only texts
	w.Header().Set("Cache-Control", "no-store")
	send(w, r, p.Status, "application/problem+json", body, "")
}

// send writes an answer. tag is its ETag, or "" for none.
func send(w http.ResponseWriter, r *http.Request, code int, mediaType string, body []byte, tag string) {
	h := w.Header()
	if tag != "" {
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
