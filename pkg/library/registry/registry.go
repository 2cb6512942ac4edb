// Package registry is a source of bundles in an OCI registry for library.Follow:
//
//	live, err := library.Follow(ctx, registry.OCI("ghcr.io/acme/rubrics:1.4"), library.WithDigest(sum))
//
// The credentials are those of `docker login` and its credential helpers. A registry on a
// loopback address is called over HTTP. It is a package of its own, so that programs that
// import only package library don't depend on a client of registries.
package registry

import (
	"context"

	"github.com/rubric-library/rubric-library/internal/library/registry"
)

// Source is a bundle in a registry. It is safe for concurrent use.
type Source struct {
	repository *registry.Repository
	wrong      error // of the reference
}

// OCI returns the source for a reference: HOST/REPOSITORY:TAG, HOST/REPOSITORY@DIGEST, or
// HOST/REPOSITORY for the tag "latest". An invalid reference is an error of Fetch.
func OCI(reference string) *Source {
	r, err := registry.Open(reference)
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
