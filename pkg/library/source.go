package library

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"time"

	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// Source is where a Live gets its bundles.
type Source interface {
	// Fetch returns the bundle and a tag for its content, or the known tag and nil if the
	// content still has that tag. The known tag is "" for the first call; a source
	// that has no tags returns "". Errors must name the source, but no credentials.
	//
	// Fetch must not return a part of a bundle without an error, must stop when ctx is
	// done, and should refuse more than MaxFetched bytes. The caller keeps the bundle.
	Fetch(ctx context.Context, known string) (bundle []byte, tag string, err error)
}

// MaxFetched is the size limit of a bundle that is followed, in bytes, because a Live keeps
// it in memory.
const MaxFetched = 1 << 30

// fetched reads a bundle of a declared size in bytes, or less than 0 if it is unknown.
func fetched(r io.Reader, size int64) ([]byte, error) {
	var data bytes.Buffer
	// A wrong size must not reserve memory that is never filled.
	data.Grow(int(min(max(size, 0), 64<<20)) + bytes.MinRead)
	_, err := data.ReadFrom(io.LimitReader(r, MaxFetched+1))
	if err == nil && data.Len() > MaxFetched {
		err = fmt.Errorf("it has more than %d bytes", MaxFetched)
	}
	return data.Bytes(), err
}

// File returns a source that reads a file. To update it, rename a new file to its path; a
// file that is overwritten in place is also safe, because nothing is used before the whole
// file was read and verified.
func File(path string) Source { return file(path) }

type file string

func (f file) Fetch(_ context.Context, known string) ([]byte, string, error) {
	// Unlike os.Open, DirFS never waits for the writer of a named pipe.
	r, err := safefile.DirFS(filepath.Dir(string(f))).Open(filepath.Base(string(f)))
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", string(f), safefile.Reason(err))
	}
	defer r.Close()
	// Times and sizes can stay the same when the content changes.
	hash := sha256.New()
	size, err := io.Copy(hash, io.LimitReader(r, MaxFetched+1))
	tag := fmt.Sprintf("%x", hash.Sum(nil))
	var data []byte
	if err == nil && tag != known {
		if _, err = r.(io.Seeker).Seek(0, io.SeekStart); err == nil {
			data, err = fetched(r, size)
		}
	}
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", string(f), safefile.Reason(err))
	}
	return data, tag, nil
}

// HTTPS returns a source that downloads a bundle, again only if its ETag changed. A user and
// password in the address are sent as basic authentication. The address must be https, or
// http for localhost and loopback IP addresses; the same applies to redirects, which can't
// change the scheme. A server that sends no answer within 30 seconds is an error.
// Proxies are taken from the environment.
func HTTPS(address string) Source {
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
		// A query can contain a signature.
		return nil, "", fmt.Errorf("%s://%s%s: %w", at.Scheme, at.Host, at.EscapedPath(), withoutAddress(err))
	}
	return data, tag, nil
}

func withoutAddress(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
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
	data, err := fetched(response.Body, response.ContentLength)
	return data, response.Header.Get("ETag"), err
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
