package registry

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"oras.land/oras-go/v2/content"
	"oras.land/oras-go/v2/errdef"
	"oras.land/oras-go/v2/registry"
	"oras.land/oras-go/v2/registry/remote"
	"oras.land/oras-go/v2/registry/remote/auth"
	"oras.land/oras-go/v2/registry/remote/retry"

	"github.com/rubric-library/rubric-library/internal/files/httpclient"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
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
	store     *store        // nil with a header Authorization
	fetchTime time.Duration // safefile.MaxFetchTime, unless a test can't wait that long
}

// Options are how to call a registry.
type Options struct {
	httpclient.Options
	// Warn gets warnings about the store of credentials. nil stands for slog.Warn.
	Warn func(text string)
}

// Open parses a reference, HOST/REPOSITORY with :TAG or @DIGEST or neither, without
// calling the registry. Credentials come from the configuration of Docker and its
// credential helpers when the registry asks for them, unless the options have a header
// Authorization. A registry on a loopback address is called over HTTP, others over HTTPS.
func Open(reference string, o Options) (*Repository, error) {
	ref, err := parse(reference)
	if err != nil {
		return nil, err
	}
	origin := &url.URL{Scheme: "https", Host: ref.Host()}
	if loopback(ref.Registry) {
		origin.Scheme = "http"
	}
	hasToken := o.Has("Authorization")
	if hasToken && !o.Has("User-Agent") {
		o.AddHeader("User-Agent", userAgent)
	}
	client, err := o.Client(origin, answerTime, func(next http.RoundTripper) http.RoundTripper {
		return &retry.Transport{Base: next, Policy: func() retry.Policy { return patience{} }}
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", ref, err)
	}
	r := &Repository{
		remote: &remote.Repository{Reference: ref, Client: client, PlainHTTP: origin.Scheme == "http"}, ref: ref,
		fetchTime: safefile.MaxFetchTime,
	}
	r.remote.SkipReferrersGC = true // it needs the permission to delete
	if !hasToken {
		r.store = newStore(o.Warn)
		r.remote.Client = &auth.Client{
			Client:     client,
			Header:     http.Header{"User-Agent": {userAgent}},
			Credential: r.store.credential,
			Cache:      auth.NewCache(),
		}
	}
	return r, nil
}

const userAgent = "rubric"

// patience decides whether to call a registry again that failed, and when. If it asks to wait,
// it is called when it says so, unless that is too long.
type patience struct{}

// mostPatience is the longest time that a busy registry is waited for before each new call. If it asks for
// more, the call ends with an error that says when to try again. mostCalls is how often it is called again.
const (
	mostPatience = 30 * time.Second
	mostCalls    = 5
)

func (patience) Retry(attempt int, response *http.Response, err error) (time.Duration, error) {
	if err == nil {
		switch after := httpclient.RetryAfter(response); {
		case after > mostPatience || after > 0 && attempt >= mostCalls:
			return -1, nil
		case after > 0:
			return after, nil
		}
	}
	return retry.DefaultPolicy.Retry(attempt, response, err)
}

// loopback reports whether a registry, HOST or HOST:PORT, is on this machine.
func loopback(name string) bool { return httpclient.Loopback((&url.URL{Host: name}).Hostname()) }

// Artifact is the result of Fetch. If the digest was known, it has only the Digest. Otherwise the version,
// commit, and digest of the bundle are those in its manifest; bundlecheck.Verify shows whether it is valid.
type Artifact struct {
	// Reference is the repository with the digest of the manifest, which always refers to the same bytes, or
	// "" if the digest was known.
	Reference string
	// Digest is the digest of the manifest: "sha256:" and 64 hexadecimal digits.
	Digest string
	// Data is the file of the bundle, nil if the digest was known.
	Data []byte
}

// Fetch downloads the bundle that the reference refers to, the tag "latest" if it names neither a tag nor
// a digest, and checks it against its manifest and tag. It asks the registry for the digest first: if that
// is known, it downloads nothing else. known can be "".
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
		if r.store != nil && r.store.explainUnused() != "" { // some registries hide what a user may not read
			return nil, fmt.Errorf("%s does not exist. Note that %s", ref, r.store.explainUnused())
		}
		return nil, fmt.Errorf("%s does not exist", ref)
	case err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded): // not the timeout of a client
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
		return nil, notBundle("its manifest has %d bytes and the digest %.100q, expected at most %d and SHA-256",
			desc.Size, desc.Digest, mostManifest)
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
