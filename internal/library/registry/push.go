package registry

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"oras.land/oras-go/v2/content"
	"oras.land/oras-go/v2/errdef"

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

// Tag is a tag after a push.
type Tag struct {
	Name string
	// Set means that the push set the tag. Otherwise, the tag already referred to the
	// bundle, or has a higher Version.
	Set bool
	// Version is the version of the library that the tag refers to.
	Version string
}

// pushing is one call of Push.
type pushing struct {
	*Repository
	*Pushed
	manifest ocispec.Descriptor
}

// Push stores a bundle with the file data, and an attestation unless it is nil. If the
// reference has a tag, Push sets that tag alone, and refuses an earlier version than it has.
// Otherwise, it sets the tags X.Y.Z, X.Y, X, and latest, of which the last three only move
// forward.
// Before it stores anything, it verifies the bundle, and that no tag X.Y.Z refers to
// another manifest. A tag that can't be read is an error.
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
		return nil, r.explain(r.ref, err)
	}
	return p.Pushed, nil
}

func (p *pushing) push(ctx context.Context, m ocispec.Manifest, data, attestation []byte, tags []string) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	p.manifest = content.NewDescriptorFromBytes(ocispec.MediaTypeImageManifest, text)
	p.Reference = p.at(p.manifest)
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
		return err
	}
	if err := p.store(ctx, p.manifest, text); err != nil {
		return err
	}
	if statement != nil {
		if err := p.attach(ctx, statement, attestation); err != nil {
			return err
		}
	}
	for _, t := range p.Tags {
		if err := p.set(ctx, t, text); err != nil {
			return err
		}
	}
	return nil
}

// plan decides whether to set a tag.
func (p *pushing) plan(ctx context.Context, name string) (Tag, error) {
	desc, err := p.remote.Resolve(ctx, name)
	switch {
	case errors.Is(err, errdef.ErrNotFound):
		return Tag{name, true, p.Version}, nil
	case err != nil:
		return Tag{}, err
	case desc.Digest == p.manifest.Digest:
		return Tag{name, false, p.Version}, nil
	case bundlefile.IsVersion(name):
		return Tag{}, fmt.Errorf("the tag %s already refers to another manifest, %s, and this bundle has %s: a released version never changes. Nothing was pushed. Release the change as a new version", name, desc.Digest, p.manifest.Digest)
	}
	held, err := p.Repository.manifest(ctx, desc)
	if err != nil {
		return Tag{}, fmt.Errorf("the tag %s refers to something else: %w. Nothing was pushed. Use another repository, or remove the tag", name, err)
	}
	version := held.Annotations[ocispec.AnnotationVersion]
	order := bundlefile.CompareVersions(version, p.Version)
	switch {
	case order < 0:
		return Tag{name, true, p.Version}, nil
	case order > 0 && p.ref.Reference != "":
		return Tag{}, fmt.Errorf("the tag %s refers to library %s, which is later than this one, %s: services that follow the tag never go back. Nothing was pushed. To roll back from a version of a document, run `rubric yank` and release the library again", name, version, p.Version)
	case order > 0:
		return Tag{name, false, version}, nil
	}
	return Tag{}, fmt.Errorf("the tag %s refers to another bundle of library %s, %s. Nothing was pushed. Find out which one was released, and push it with the tag", name, version, desc.Digest)
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
	return p.remote.Push(ctx, desc, bytes.NewReader(data))
}

// set sets a tag and checks that it is set: another push can have changed it meanwhile.
func (p *pushing) set(ctx context.Context, t Tag, manifest []byte) error {
	if !t.Set {
		return nil
	}
	if err := p.remote.PushReference(ctx, p.manifest, bytes.NewReader(manifest), t.Name); err != nil {
		return err
	}
	desc, err := p.remote.Resolve(ctx, t.Name)
	if err == nil && desc.Digest != p.manifest.Digest {
		err = fmt.Errorf("another push changed the tag %s at the same time: it refers to %s now, and this bundle has %s. Run the pushes one after the other", t.Name, desc.Digest, p.manifest.Digest)
	}
	return err
}

// at returns the repository with the digest of a manifest.
func (p *pushing) at(manifest ocispec.Descriptor) string {
	ref := p.ref
	ref.Reference = string(manifest.Digest)
	return ref.String()
}
