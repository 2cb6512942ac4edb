// Package libraryhttp follows a bundle that a server publishes:
//
//	live, err := library.Follow(ctx, libraryhttp.HTTPS(address), library.WithDigest(digest))
package libraryhttp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/rubric-library/rubric-library/internal/files/httpclient"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// Option is an option of HTTPS.
type Option func(*httpclient.Options)

// WithHeader sends a header with each request to the host of the address, and never to another
// one to which it redirects. Use it once for each header.
func WithHeader(name, value string) Option {
	return func(o *httpclient.Options) { o.AddHeader(name, value) }
}

// WithToken sends "Authorization: Bearer TOKEN", as WithHeader does.
func WithToken(token string) Option { return func(o *httpclient.Options) { o.AddToken(token) } }

// WithCA trusts the certificates of a PEM file, in addition to those of the system.
func WithCA(pem []byte) Option { return func(o *httpclient.Options) { o.AddCA(pem) } }

// WithClient downloads with a client, whose transport decides about proxies, certificates, and
// how long an answer may take. HTTPS checks redirects before the client does.
func WithClient(c *http.Client) Option { return func(o *httpclient.Options) { o.UseClient(c) } }

// HTTPS returns a source that downloads a bundle, again only if its ETag changed. A user and
// password in the address are sent as basic authentication. The address must be https, or
// http for localhost and loopback IP addresses; the same applies to redirects, which can't
// change the scheme. A server that sends no answer within 30 seconds is an error.
// Proxies are taken from the environment. If a server answers 429 or 503 with Retry-After, a Live
// waits that long, at most an hour. A wrong address or option is an error of Fetch.
func HTTPS(address string, opts ...Option) library.Source {
	at, err := url.Parse(address)
	if err == nil {
		err = checkAddress(at)
	}
	if err != nil {
		// The error of Parse has the whole address, which can contain credentials.
		return &source{wrong: errors.New("the address of the bundle must be a valid https address, or http for localhost")}
	}
	var o httpclient.Options
	for _, opt := range opts {
		opt(&o)
	}
	if user := at.User; user != nil && !o.Has("Authorization") {
		password, _ := user.Password()
		o.AddBasic(user.Username(), password)
	}
	at.User = nil // as a header, it is not sent to another host
	client, err := o.Client(at, 30*time.Second, nil)
	if err != nil {
		return &source{wrong: fmt.Errorf("%s: %w", name(at), err)}
	}
	inner := client.CheckRedirect
	client.CheckRedirect = func(next *http.Request, via []*http.Request) error {
		if err := checkRedirect(next, via); err != nil {
			return err
		}
		return inner(next, via)
	}
	return &source{at, client, nil}
}

// source is a bundle at an address.
type source struct {
	address *url.URL
	client  *http.Client
	wrong   error // about the address or an option
}

// name is an address without its query, which can contain a signature.
func name(at *url.URL) string { return at.Scheme + "://" + at.Host + at.EscapedPath() }

func (s *source) Fetch(ctx context.Context, known string) ([]byte, string, error) {
	if s.wrong != nil {
		return nil, "", s.wrong
	}
	data, tag, err := s.get(ctx, known)
	if err != nil {
		if e, ok := errors.AsType[*url.Error](err); ok {
			err = httpclient.Explain(e.Err) // without the address
		}
		return nil, "", fmt.Errorf("%s: %w", name(s.address), err)
	}
	return data, tag, nil
}

func (s *source) get(ctx context.Context, known string) ([]byte, string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.address.String(), nil)
	if err != nil {
		return nil, "", err
	}
	if known != "" {
		request.Header.Set("If-None-Match", known)
	}
	response, err := s.client.Do(request)
	if err != nil {
		return nil, "", err
	}
	defer response.Body.Close()
	switch {
	case response.StatusCode == http.StatusNotModified && known != "":
		return nil, known, nil
	case response.StatusCode != http.StatusOK:
		return nil, "", fmt.Errorf("the server answers %d %s", response.StatusCode, http.StatusText(response.StatusCode))
	}
	data, err := read(response.Body, response.ContentLength)
	return data, response.Header.Get("ETag"), err
}

// unproven is how much memory is reserved for a length that a server only states.
const unproven = 64 << 20

// read reads a bundle, and at most a byte more than MaxFetched. Its length is -1 if it is not known.
// Once a good part has arrived, the memory for all of it is reserved at once: a buffer that doubles
// takes three times as much.
func read(body io.Reader, length int64) ([]byte, error) {
	data := bytes.NewBuffer(make([]byte, 0, max(0, min(length, unproven))+bytes.MinRead))
	if _, err := data.ReadFrom(io.LimitReader(body, unproven)); err != nil || data.Len() < unproven {
		return data.Bytes(), err
	}
	if length > unproven {
		whole := make([]byte, data.Len(), min(length, library.MaxFetched)+bytes.MinRead)
		copy(whole, data.Bytes())
		data = bytes.NewBuffer(whole)
	}
	_, err := data.ReadFrom(io.LimitReader(body, library.MaxFetched+1-unproven))
	return data.Bytes(), err
}

func checkAddress(at *url.URL) error {
	if at.Host == "" || at.Scheme != "https" && (at.Scheme != "http" || !httpclient.Loopback(at.Hostname())) {
		return fmt.Errorf("expected https, or http for localhost, got %s://%s", at.Scheme, at.Host)
	}
	return nil
}

func checkRedirect(next *http.Request, via []*http.Request) error {
	if from := via[0].URL.Scheme; next.URL.Scheme != from {
		return fmt.Errorf("it redirects from %s to %s, which is not allowed", from, next.URL.Scheme)
	}
	return checkAddress(next.URL)
}
