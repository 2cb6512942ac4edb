// Package httpclient makes the HTTP clients of sources of bundles, says which hosts may be called
// without TLS, and explains the error of a server that has none. It promises:
//
//   - Headers that grant access are sent to the host of the source only, also after redirects.
//   - A server that is busy and says when to try again is a *BusyError.
package httpclient

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// nameCharacters are those of the name of a header: RFC 9110, section 5.1.
const nameCharacters = "!#$%&'*+.^_`|~-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// Options are what a source needs in addition to its address.
type Options struct {
	header http.Header
	ca     []byte
	client *http.Client
	wrong  error
}

// AddHeader adds a header to each request to the host of the source.
func (o *Options) AddHeader(name, value string) {
	isControl := func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }
	isHost := strings.EqualFold(name, "Host") // Go keeps this header elsewhere
	switch {
	case name == "" || strings.Trim(name, nameCharacters) != "" || isHost:
		o.wrong = errors.Join(o.wrong,
			fmt.Errorf("the name of a header is %.100q: expected one such as Authorization, but not Host", name))
	case strings.ContainsFunc(value, isControl): // which can be a secret
		o.wrong = errors.Join(o.wrong,
			fmt.Errorf("the value of the header %s has a control character, such as a newline at its end. Remove it", name))
	default:
		o.header = o.header.Clone() // that of a copy of the options stays as it is
		if o.header == nil {
			o.header = http.Header{}
		}
		o.header.Add(name, value)
	}
}

// AddToken adds the header of a bearer token.
func (o *Options) AddToken(token string) { o.AddHeader("Authorization", "Bearer "+token) }

// AddBasic adds the header of basic authentication.
func (o *Options) AddBasic(user, password string) {
	o.AddHeader("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(user+":"+password)))
}

// Has reports whether there is a header with a name.
func (o *Options) Has(name string) bool { return o.header.Get(name) != "" }

// AddCA trusts the certificates of a PEM file, in addition to those of the system.
func (o *Options) AddCA(pem []byte) {
	if !x509.NewCertPool().AppendCertsFromPEM(pem) {
		o.wrong = errors.Join(o.wrong, errors.New("the CA has no valid certificate: expected the text of a PEM file"))
	}
	o.ca = append(append(o.ca, '\n'), pem...)
}

// UseClient uses a client with its transport, timeout, cookies, and check of redirects.
func (o *Options) UseClient(c *http.Client) {
	if c == nil {
		o.wrong = errors.Join(o.wrong, errors.New("the client is nil"))
	}
	o.client = c
}

// Client returns the client for a source at origin, an address of which the path does not count.
// An answer of the server must begin within answerTime, unless UseClient has set a client. wrap
// wraps its transport; nil wraps nothing.
func (o *Options) Client(
	origin *url.URL, answerTime time.Duration, wrap func(http.RoundTripper) http.RoundTripper,
) (*http.Client, error) {
	switch {
	case o.wrong != nil:
		return nil, o.wrong
	case o.client != nil && o.ca != nil:
		return nil, errors.New("a client has its own CAs: use either a client or a CA")
	}
	client := &http.Client{}
	if o.client != nil {
		*client = *o.client
	}
	next := client.Transport
	switch {
	case o.client == nil:
		next = o.transport(answerTime)
	case next == nil:
		next = http.DefaultTransport
	}
	if wrap != nil {
		next = wrap(next)
	}
	client.Transport = &transport{next, origin, o.header}
	client.CheckRedirect = func(r *http.Request, via []*http.Request) error {
		r.Header.Del("Referer") // which can have a signature
		if o.client != nil && o.client.CheckRedirect != nil {
			return o.client.CheckRedirect(r, via)
		}
		if len(via) > 10 {
			return errors.New("it redirects more than 10 times")
		}
		return nil
	}
	return client, nil
}

func (o *Options) transport(answerTime time.Duration) http.RoundTripper {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.ResponseHeaderTimeout = answerTime
	if o.ca != nil {
		roots, err := x509.SystemCertPool()
		if err != nil { // then only the CA is trusted
			roots = x509.NewCertPool()
		}
		roots.AppendCertsFromPEM(o.ca)
		t.TLSClientConfig = &tls.Config{RootCAs: roots}
	}
	return t
}

// transport adds headers to the requests to a host.
type transport struct {
	next   http.RoundTripper
	origin *url.URL
	header http.Header
}

func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if len(t.header) > 0 && t.hasStayed(r) {
		r = r.Clone(r.Context())
		for name, values := range t.header {
			if _, has := r.Header[name]; !has {
				r.Header[name] = values
			}
		}
	}
	response, err := t.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if after := RetryAfter(response); after > 0 {
		response.Body.Close()
		return nil, &BusyError{response.StatusCode, after}
	}
	return response, nil
}

// hasStayed reports whether a request and those that were redirected to it are for the host of
// the source. Another host must not choose the path of a request that has the headers.
func (t *transport) hasStayed(r *http.Request) bool {
	for {
		if !sameOrigin(r.URL, t.origin) {
			return false
		}
		if r.Response == nil || r.Response.Request == nil {
			return true
		}
		r = r.Response.Request
	}
}

func sameOrigin(a, b *url.URL) bool {
	return strings.EqualFold(a.Scheme, b.Scheme) && strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

func port(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case strings.EqualFold(u.Scheme, "https"):
		return "443"
	}
	return "80"
}
