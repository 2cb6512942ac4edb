package registry

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"oras.land/oras-go/v2/content"

	"github.com/rubric-library/rubric-library/internal/library/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

// Pushed is what a push did.
type Pushed struct {
	// Reference is the repository with the digest of the manifest.
	Reference string
	// Version is the version of the library, and Digest the digest of the bundle.
	Version, Digest string
	// Attestation is the reference of the attestation, "" without one.
	Attestation string
	Tags        []Tag
}

// pushing is one call of Push.
type pushing struct {
	*Repository
	*Pushed
	manifest ocispec.Descriptor
	text     []byte // of the manifest
}

// Push stores a bundle with the file data, and an attestation unless it is nil. If the
// reference has a tag, Push sets that tag alone, and refuses an earlier version than it has.
// Otherwise, it sets the tags X.Y.Z, X.Y, X, and latest, of which the last three only move
// forward.
// If the registry does not let one of these three change, it stays, and its Tag says so.
//
// Before it stores anything, it verifies the bundle, and that no tag X.Y.Z refers to
// another manifest. Tags are set last. A step that fails is a *StoppedError.
func (r *Repository) Push(ctx context.Context, data, attestation []byte) (*Pushed, error) {
	ctx, cancel := context.WithTimeout(ctx, pushTime)
	defer cancel()
	b, err := bundlecheck.Verify(bytes.NewReader(data), int64(len(data)), bundlefile.Options{})
	if err != nil {
		return nil, err
	}
	p := &pushing{Repository: r, Pushed: &Pushed{Version: b.Manifest().LibraryVersion, Digest: b.Digest()}}
	tags := tagsOf(p.Version)
	if r.ref.Reference != "" {
		if r.ref.ValidateReferenceAsDigest() == nil {
			return nil, fmt.Errorf("%s names a digest: expected a tag or neither", r.ref)
		}
		if err := checkTag(r.ref.Reference, p.Version); err != nil {
			return nil, err
		}
		tags = []string{r.ref.Reference}
	}
	m := artifact(ArtifactType, layerType, layerTitle, data)
	m.Annotations = annotationsOf(b)
	if err := p.push(ctx, m, data, attestation, tags); err != nil {
		return nil, err
	}
	return p.Pushed, nil
}

func (p *pushing) push(ctx context.Context, m ocispec.Manifest, data, attestation []byte, tags []string) error {
	var err error
	if p.text, err = json.Marshal(m); err != nil {
		return err
	}
	p.manifest = content.NewDescriptorFromBytes(ocispec.MediaTypeImageManifest, p.text)
	var statement *statement
	if attestation != nil {
		if statement, err = readAttestation(attestation, m.Layers[0].Digest); err != nil {
			return err
		}
	}
	if p.ref.Reference != "" { // no tag may refer to a second form of a released version
		if _, err := p.plan(ctx, p.Version); err != nil {
			return err
		}
	}
	for _, name := range tags {
		t, err := p.plan(ctx, name)
		if err != nil {
			return err
		}
		p.Tags = append(p.Tags, t)
	}
	if err := p.upload(ctx, m, data); err != nil {
		return p.failedStep("uploading the bundle", err)
	}
	if err := p.store(ctx, p.manifest, p.text); err != nil {
		return p.failedStep("storing the manifest", err)
	}
	p.Reference = p.referenceTo(p.manifest)
	if statement != nil {
		if err := p.attach(ctx, statement, attestation); err != nil {
			return p.failedStep("storing the attestation", err)
		}
	}
	for i := range p.Tags {
		if err := p.set(ctx, &p.Tags[i]); err != nil {
			return p.failedStep("setting the tag "+p.Tags[i].Name, err)
		}
	}
	return nil
}

// upload stores the blobs of a manifest with one layer, data, if they are missing.
func (p *pushing) upload(ctx context.Context, m ocispec.Manifest, data []byte) error {
	if err := p.store(ctx, m.Config, ocispec.DescriptorEmptyJSON.Data); err != nil {
		return err
	}
	return p.store(ctx, m.Layers[0], data)
}

// store stores data if it is missing.
func (p *pushing) store(ctx context.Context, desc ocispec.Descriptor, data []byte) error {
	exists, err := p.remote.Exists(ctx, desc)
	if err != nil || exists {
		return err
	}
	failed := p.remote.Push(ctx, desc, bytes.NewReader(data))
	if failed == nil {
		return nil
	}
	// The answer to a request that was carried out can be lost.
	if exists, err := p.remote.Exists(ctx, desc); err != nil || !exists {
		return failed
	}
	return nil
}

// referenceTo returns the repository with the digest of a manifest.
func (p *pushing) referenceTo(manifest ocispec.Descriptor) string {
	ref := p.ref
	ref.Reference = string(manifest.Digest)
	return ref.String()
}
