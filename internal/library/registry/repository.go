package registry

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"oras.land/oras-go/v2/content"
	"oras.land/oras-go/v2/errdef"
	"oras.land/oras-go/v2/registry"
	"oras.land/oras-go/v2/registry/remote"
	"oras.land/oras-go/v2/registry/remote/auth"
	"oras.land/oras-go/v2/registry/remote/credentials"
	"oras.land/oras-go/v2/registry/remote/errcode"
	"oras.land/oras-go/v2/registry/remote/retry"

	"github.com/rubric-library/rubric-library/internal/files/limits"
	"github.com/rubric-library/rubric-library/internal/files/plainhttp"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

// mostManifest is the limit of a manifest, in bytes. One of a bundle has about 900.
const mostManifest = 64 << 10

const (
	// answerTime is how long a registry may take until its answer begins, and pushTime how
	// long Push may take: enough for 1 GiB at 600 kB a second.
	answerTime = time.Minute
	pushTime   = 30 * time.Minute
)

// Repository is a repository of a registry with the tag or digest that a reference names.
type Repository struct {
	remote    *remote.Repository
	ref       registry.Reference
	fetchTime time.Duration // limits.Fetch, unless a test can't wait that long
}

// Open parses a reference, HOST/REPOSITORY with :TAG or @DIGEST or neither, without
// calling the registry. Credentials come from the configuration of Docker and its
// credential helpers when the registry asks for them. A registry on a loopback address is
// called over HTTP, others over HTTPS.
func Open(reference string) (*Repository, error) {
	ref, err := parse(reference)
	if err != nil {
		return nil, err
	}
	r := &remote.Repository{Reference: ref}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.ResponseHeaderTimeout = answerTime
	r.Client = &auth.Client{
		Client:     &http.Client{Transport: retry.NewTransport(transport)},
		Header:     http.Header{"User-Agent": {"rubric"}},
		Credential: credential,
		Cache:      auth.NewCache(),
	}
	r.PlainHTTP = loopback(r.Reference.Registry)
	r.SkipReferrersGC = true // it needs the permission to delete
	return &Repository{r, r.Reference, limits.Fetch}, nil
}

// credential reads the configuration of Docker each time, because it can change while a
// service runs.
func credential(ctx context.Context, host string) (auth.Credential, error) {
	store, err := credentials.NewStoreFromDocker(credentials.StoreOptions{})
	if err != nil {
		return auth.EmptyCredential, fmt.Errorf("the credentials of Docker can't be read: %w", err)
	}
	return credentials.Credential(store)(ctx, host)
}

// loopback reports whether a registry, HOST or HOST:PORT, is on this machine.
func loopback(name string) bool {
	host := (&url.URL{Host: name}).Hostname()
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Artifact is a bundle as it was downloaded. It has the bytes that its manifest names, and
// the version, commit, and digest; only bundlecheck.Verify shows whether it is valid.
type Artifact struct {
	// Reference is the repository with the digest of the manifest, which always refers to
	// the same bytes.
	Reference string
	// Digest is the digest of the manifest: "sha256:" and 64 hexadecimal digits.
	Digest string
	// Data is the file of the bundle, nil if the digest was known.
	Data []byte
}

// Fetch downloads the bundle that the reference refers to, the tag "latest" if it names
// neither a tag nor a digest. If its manifest has the digest known, it downloads nothing;
// known can be "".
func (r *Repository) Fetch(ctx context.Context, known string) (*Artifact, error) {
	ctx, cancel := context.WithTimeout(ctx, r.fetchTime)
	defer cancel()
	ref := r.ref
	if ref.Reference == "" {
		ref.Reference = latest
	}
	a, err := r.fetch(ctx, ref, known)
	switch {
	case errors.Is(err, errdef.ErrNotFound):
		return nil, fmt.Errorf("%s does not exist", ref)
	case errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("%s: the download did not end within %s: %w", ref, r.fetchTime, context.DeadlineExceeded)
	}
	return a, r.explain(ref, err)
}

func (r *Repository) fetch(ctx context.Context, ref registry.Reference, known string) (*Artifact, error) {
	desc, err := r.remote.Resolve(ctx, ref.Reference)
	if err != nil {
		return nil, err
	}
	if string(desc.Digest) == known {
		return &Artifact{Digest: known}, nil
	}
	m, err := r.manifest(ctx, desc)
	if err != nil {
		return nil, err
	}
	if ref.ValidateReferenceAsDigest() != nil {
		if err := checkTag(ref.Reference, m.Annotations[ocispec.AnnotationVersion]); err != nil {
			return nil, err
		}
	}
	layer, err := r.remote.Blobs().Fetch(ctx, m.Layers[0])
	if err != nil {
		return nil, err
	}
	defer layer.Close()
	data, err := content.ReadAll(layer, m.Layers[0])
	if err != nil {
		return nil, fmt.Errorf("the download is not what the manifest names: %w", err)
	}
	b, err := bundlefile.Open(bytes.NewReader(data), int64(len(data)), bundlefile.Options{})
	if err == nil {
		err = checkAnnotations(m.Annotations, b)
	}
	if err != nil {
		return nil, err
	}
	ref.Reference = string(desc.Digest)
	return &Artifact{Reference: ref.String(), Digest: ref.Reference, Data: data}, nil
}

// manifest downloads the manifest of a bundle.
func (r *Repository) manifest(ctx context.Context, desc ocispec.Descriptor) (*ocispec.Manifest, error) {
	if !bundlefile.IsDigest(string(desc.Digest)) || desc.Size > mostManifest {
		return nil, notBundle("its manifest has %d bytes and the digest %.100q, expected at most %d and SHA-256", desc.Size, desc.Digest, mostManifest)
	}
	body, err := r.remote.Manifests().Fetch(ctx, desc)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	data, err := content.ReadAll(body, desc)
	if err != nil {
		return nil, fmt.Errorf("its manifest does not have its digest: %w", err)
	}
	return parseManifest(desc.MediaType, data)
}

// explain says what an error of a call means. It leaves out addresses: registries redirect
// to ones that contain credentials.
func (r *Repository) explain(ref registry.Reference, err error) error {
	host := r.ref.Registry
	var answer *errcode.ErrorResponse
	var failed *url.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &answer):
		err = answerOf(answer)
		if answer.StatusCode != http.StatusUnauthorized && answer.StatusCode != http.StatusForbidden {
			break
		}
		fallthrough
	case errors.Is(err, auth.ErrBasicCredentialNotFound):
		return fmt.Errorf("%s refused access to %s: %w. Check the name, and log in with `docker login %[1]s` as a user who has access", host, r.ref.Repository, err)
	case errors.As(err, &failed):
		advice := ""
		if host != "localhost" && !strings.ContainsAny(host, ".:") {
			advice = ". A reference begins with the host of the registry, such as ghcr.io"
		}
		return fmt.Errorf("%s can't be reached for %s: %w%s", host, r.ref.Repository, plainhttp.Explain(failed.Err), advice)
	}
	return fmt.Errorf("%s: %w", ref, err)
}

// answerOf says what a registry answered, without the address.
func answerOf(answer *errcode.ErrorResponse) error {
	err := fmt.Errorf("the registry answered %d %s", answer.StatusCode, http.StatusText(answer.StatusCode))
	if len(answer.Errors) > 0 {
		err = fmt.Errorf("%w: %w", err, answer.Errors)
	}
	return err
}
