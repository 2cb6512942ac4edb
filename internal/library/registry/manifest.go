package registry

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/opencontainers/image-spec/specs-go"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"oras.land/oras-go/v2/content"

	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

const (
	// ArtifactType is the type of a bundle in a registry.
	ArtifactType = "application/vnd.rubric-library.bundle.v1"
	// layerType is the media type of its file.
	layerType = ArtifactType + "+zip"
	// bundleDigest is the annotation with the digest of the bundle, which `rubric verify
	// --digest` expects.
	bundleDigest = "io.github.rubric-library.bundle.digest"
	layerTitle   = "rubrics.zip"
)

// artifact returns the manifest of an artifact with one layer, and the title under which
// other clients save it.
func artifact(artifactType, mediaType, title string, data []byte) ocispec.Manifest {
	layer := content.NewDescriptorFromBytes(mediaType, data)
	layer.Annotations = map[string]string{ocispec.AnnotationTitle: title}
	return ocispec.Manifest{
		Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: ocispec.MediaTypeImageManifest,
		ArtifactType: artifactType, Config: ocispec.DescriptorEmptyJSON, Layers: []ocispec.Descriptor{layer},
	}
}

// annotationsOf describes a bundle. There is no time: a bundle has none.
func annotationsOf(b *bundlefile.Bundle) map[string]string {
	about := b.Manifest()
	return map[string]string{
		ocispec.AnnotationVersion:  about.LibraryVersion,
		ocispec.AnnotationRevision: about.Commit,
		bundleDigest:               b.Digest(),
	}
}

// checkAnnotations returns an error if annotations say something else than the bundle.
func checkAnnotations(annotations map[string]string, b *bundlefile.Bundle) error {
	want := annotationsOf(b)
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if annotations[key] != want[key] {
			return fmt.Errorf("the annotation %s of the manifest is %.100q, but the bundle says %q: the manifest was not written by `rubric push`, or it was changed",
				key, annotations[key], want[key])
		}
	}
	return nil
}

// parseManifest reads the manifest of a bundle from a registry.
func parseManifest(mediaType string, data []byte) (*ocispec.Manifest, error) {
	var m ocispec.Manifest
	if mediaType != ocispec.MediaTypeImageManifest {
		return nil, notBundle("its manifest has the media type %.100q, expected %q", mediaType, ocispec.MediaTypeImageManifest)
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, notBundle("its manifest is not valid JSON")
	}
	switch {
	case m.MediaType != mediaType:
		return nil, notBundle("its manifest claims the media type %.100q, expected %q", m.MediaType, mediaType)
	case m.ArtifactType != ArtifactType:
		return nil, notBundle("its artifact type is %.100q, expected %q", m.ArtifactType, ArtifactType)
	case len(m.Layers) != 1:
		return nil, notBundle("it has %d layers, expected one", len(m.Layers))
	case m.Layers[0].MediaType != layerType:
		return nil, notBundle("its layer has the media type %.100q, expected %q", m.Layers[0].MediaType, layerType)
	case !bundlefile.IsDigest(string(m.Layers[0].Digest)):
		return nil, notBundle("the digest of its layer is %.100q, expected sha256: and 64 digits", m.Layers[0].Digest)
	case m.Layers[0].Size <= 0 || m.Layers[0].Size > safefile.MaxBundle:
		return nil, notBundle("its layer claims to have %d bytes, expected 1 to %d", m.Layers[0].Size, safefile.MaxBundle)
	case !bundlefile.IsVersion(m.Annotations[ocispec.AnnotationVersion]):
		return nil, notBundle("its annotation %s is %.100q, expected a version such as 1.4.0",
			ocispec.AnnotationVersion, m.Annotations[ocispec.AnnotationVersion])
	}
	return &m, nil
}

// notBundleError means that a manifest is for something else.
type notBundleError string

func (e notBundleError) Error() string { return "not a bundle from `rubric push`: " + string(e) }

func notBundle(format string, args ...any) error { return notBundleError(fmt.Sprintf(format, args...)) }

// latest is the tag of the highest version.
const latest = "latest"

// tagsOf are the tags of a version, the exact one first.
func tagsOf(version string) []string {
	major, rest, _ := strings.Cut(version, ".")
	minor, _, _ := strings.Cut(rest, ".")
	return []string{version, major + "." + minor, major, latest}
}

// checkTag returns an error if a tag names a version that the library doesn't have.
func checkTag(tag, version string) error {
	if tag != "" && strings.Trim(tag, "0123456789.") == "" && !slices.Contains(tagsOf(version), tag) {
		return fmt.Errorf("the tag %s is not for library %s", tag, version)
	}
	return nil
}
