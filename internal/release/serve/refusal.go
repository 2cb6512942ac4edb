package serve

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"net/http"
	"strconv"

	"github.com/rubric-library/rubric-library/internal/document/jsontext"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// refusal matches what net/http itself answers to a request that it does not give to the handler,
// after which it closes the connection. No answer of the handler begins like this.
var refusal = lazy.Expr(`^HTTP/1\.[01] (?:([45][0-9]{2}) [^\r\n]*\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n|(417) )`)

// Write writes a problem instead of a refusal of net/http.
func (c *connection) Write(p []byte) (int, error) {
	refused := refusal().FindSubmatch(p)
	if refused == nil {
		return c.Conn.Write(p)
	}
	status, _ := strconv.Atoi(string(bytes.Join(refused[1:], nil))) // three digits
	if _, err := c.Conn.Write(refusedAs(status)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// refusedAs is the answer to a request that is not one.
func refusedAs(status int) []byte {
	p := problem{
		Type: "about:blank", Title: http.StatusText(status), Status: status, Code: "invalid_request",
		RequestID: rand.Text(),
	}
	switch status {
	case http.StatusRequestHeaderFieldsTooLarge:
		p.Code, p.Detail = "too_large", fmt.Sprintf("the path, the query, and the header have more than %d bytes", maxHeader)
	case http.StatusExpectationFailed:
		p.Detail = "the header Expect must be 100-continue, or absent"
	default:
		p.Detail = "the request is not valid HTTP/1.1: escape special characters in its path, and check its headers"
	}
	body, _ := jsontext.Encode(p, "", "") // it has only texts
	var b bytes.Buffer
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\nCache-Control: no-store\r\nConnection: close\r\nContent-Length: %d\r\nContent-Type: application/problem+json\r\nX-Request-ID: %s\r\n\r\n",
		status, p.Title, len(body), p.RequestID)
	b.Write(body)
	return b.Bytes()
}
