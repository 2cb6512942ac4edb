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
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/rubric-library/rubric-library/internal/files/plainhttp"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// HTTPS returns a source that downloads a bundle, again only if its ETag changed. A user and
// password in the address are sent as basic authentication. The address must be https, or
// http for localhost and loopback IP addresses; the same applies to redirects, which can't
// change the scheme. A server that sends no answer within 30 seconds is an error.
// Proxies are taken from the environment.
func HTTPS(address string) library.Source {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.ResponseHeaderTimeout = 30 * time.Second
	return &remote{address, &http.Client{Transport: transport, CheckRedirect: checkRedirect}}
}

type remote struct {
	address string
	client  *http.Client
}

func (r *remote) Fetch(ctx context.Context, known string) ([]byte, string, error) {
	at, err := url.Parse(r.address)
	if err == nil {
		err = checkAddress(at)
	}
	if err != nil {
		// The error of Parse has the whole address, which can contain credentials.
		return nil, "", errors.New("the address of the bundle must be a valid https address, or http for localhost")
	}
	data, tag, err := r.get(ctx, known)
	if err != nil {
		if e, ok := errors.AsType[*url.Error](err); ok {
			err = plainhttp.Explain(e.Err) // a query can contain a signature
		}
		return nil, "", fmt.Errorf("%s://%s%s: %w", at.Scheme, at.Host, at.EscapedPath(), err)
	}
	return data, tag, nil
}

func (r *remote) get(ctx context.Context, known string) ([]byte, string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, r.address, nil)
	if err != nil {
		return nil, "", err
	}
	if known != "" {
		request.Header.Set("If-None-Match", known)
	}
	response, err := r.client.Do(request)
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
	var data bytes.Buffer
	// A wrong length must not reserve memory that is never filled.
	data.Grow(int(min(max(response.ContentLength, 0), 64<<20)) + bytes.MinRead)
	_, err = data.ReadFrom(io.LimitReader(response.Body, library.MaxFetched+1))
	return data.Bytes(), response.Header.Get("ETag"), err
}

func checkAddress(at *url.URL) error {
	ip := net.ParseIP(at.Hostname())
	loopback := at.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
	if at.Host == "" || at.Scheme != "https" && (at.Scheme != "http" || !loopback) {
		return fmt.Errorf("expected https, or http for localhost, got %s://%s", at.Scheme, at.Host)
	}
	return nil
}

func checkRedirect(next *http.Request, via []*http.Request) error {
	if len(via) >= 10 {
		return errors.New("it redirects more than 10 times")
	}
	if from := via[0].URL.Scheme; next.URL.Scheme != from {
		return fmt.Errorf("it redirects from %s to %s, which is not allowed", from, next.URL.Scheme)
	}
	return checkAddress(next.URL)
}
