// Package registry is a source of bundles in an OCI registry for library.Follow:
//
//	live, err := library.Follow(ctx, registry.OCI("ghcr.io/acme/rubrics:1.4"), library.WithDigest(sum))
//
// The credentials are those of `docker login` and its credential helpers, unless WithToken or
// WithHeader has others. If they can't be read, they count as empty, with a warning to
// slog.Default. A registry on a loopback address is called over HTTP. It is a package of its own,
// so that programs that import only package library don't depend on a client of registries.
package registry

import (
	"context"
	"net/http"

	"github.com/rubric-library/rubric-library/internal/library/registry"
)

// Source is a bundle in a registry. It is safe for concurrent use.
type Source struct {
	repository *registry.Repository
	wrong      error // about the reference or an option
}

// Option is an option of OCI.
type Option func(*registry.Options)

// WithHeader sends a header with each request to the host of the registry, and never to another
// one to which it redirects, or that issues its tokens. With the header Authorization, the
// credentials of `docker login` are not used.
func WithHeader(name, value string) Option {
	return func(o *registry.Options) { o.AddHeader(name, value) }
}

// WithToken sends "Authorization: Bearer TOKEN", as WithHeader does. The token is one that the
// registry itself accepts; a password that it exchanges for one belongs to `docker login`.
func WithToken(token string) Option { return func(o *registry.Options) { o.AddToken(token) } }

// WithCA trusts the certificates of a PEM file, in addition to those of the system.
func WithCA(pem []byte) Option { return func(o *registry.Options) { o.AddCA(pem) } }

// WithClient downloads with a client, whose transport decides about proxies, certificates, and
// how long an answer may take. Calls that fail for a short time are repeated.
func WithClient(c *http.Client) Option { return func(o *registry.Options) { o.UseClient(c) } }

// OCI returns the source for a reference: HOST/REPOSITORY:TAG, HOST/REPOSITORY@DIGEST, or
// HOST/REPOSITORY for the tag "latest". If a registry answers 429 or 503 with Retry-After, Fetch
// waits before each new call up to 30 seconds, and a Live up to an hour. A wrong reference or option is an error of
// Fetch.
func OCI(reference string, opts ...Option) *Source {
	var o registry.Options
	for _, opt := range opts {
		opt(&o)
	}
	r, err := registry.Open(reference, o)
	return &Source{r, err}
}

// Fetch downloads the bundle, at most 1 GiB, and returns it with the digest of its manifest.
// If the reference still refers to the manifest with the digest known, it downloads nothing
// and returns nil and known; known can be "". The bundle agrees with its manifest, but its
// documents are not verified.
func (s *Source) Fetch(ctx context.Context, known string) (bundle []byte, digest string, err error) {
	if s.wrong != nil {
		return nil, "", s.wrong
	}
	a, err := s.repository.Fetch(ctx, known)
	if err != nil {
		return nil, "", err
	}
	return a.Data, a.Digest, nil
}
