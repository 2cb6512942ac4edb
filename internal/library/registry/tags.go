package registry

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"oras.land/oras-go/v2/errdef"
	"oras.land/oras-go/v2/registry/remote/errcode"

	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// Tag is a tag after a push.
type Tag struct {
	Name string
	// Set means that the push set the tag. Otherwise, the tag already referred to the
	// bundle, has a higher Version, or is Immutable.
	Set bool
	// Version is the version of the library that the tag refers to.
	Version string
	// Immutable is what the registry answered because it does not let the tag change, or "".
	Immutable string

	before tagged // what a tag that is to be set refers to; nothing if it does not exist
	done   bool   // whether the push has set it
}

// tagged is what a tag refers to.
type tagged struct {
	manifest digest.Digest
	version  string
}

// plan decides whether to set a tag.
func (p *pushing) plan(ctx context.Context, name string) (Tag, error) {
	desc, err := p.remote.Resolve(ctx, name)
	switch {
	case errors.Is(err, errdef.ErrNotFound):
		return Tag{Name: name, Set: true, Version: p.Version}, nil
	case err != nil:
		return Tag{}, p.failedStep("reading the tag "+name, err)
	case desc.Digest == p.manifest.Digest:
		return Tag{Name: name, Version: p.Version}, nil
	case bundlefile.IsVersion(name):
		return Tag{}, p.refusal("the tag %s already refers to another manifest, %s, and this bundle has %s: a released version never changes. Nothing was pushed. Release the change as a new version",
			name, desc.Digest, p.manifest.Digest)
	}
	held, err := p.Repository.manifest(ctx, desc)
	switch {
	case errors.As(err, new(notBundleError)):
		return Tag{}, p.refusal("the tag %s refers to something else: %w. Nothing was pushed. Use another repository, or remove the tag", name, err)
	case err != nil:
		return Tag{}, p.failedStep("reading what the tag "+name+" refers to", err)
	}
	version := held.Annotations[ocispec.AnnotationVersion]
	order := bundlefile.CompareVersions(version, p.Version)
	switch {
	case order < 0:
		return Tag{Name: name, Set: true, Version: p.Version, before: tagged{desc.Digest, version}}, nil
	case order > 0 && p.ref.Reference != "":
		return Tag{}, p.refusal("the tag %s refers to library %s, which is later than this one, %s: services that follow the tag never go back. Nothing was pushed. To roll back from a version of a document, run `rubric yank` and release the library again",
			name, version, p.Version)
	case order > 0:
		return Tag{Name: name, Version: version}, nil
	}
	return Tag{}, p.refusal("the tag %s refers to another bundle of library %s, %s. Nothing was pushed. Find out which one was released, and push it with the tag",
		name, version, desc.Digest)
}

// refusal is the error of a push that must not happen.
func (p *pushing) refusal(format string, args ...any) error {
	return fmt.Errorf("%s: %w", p.ref, fmt.Errorf(format, args...))
}

// set sets a tag and checks what it refers to afterwards: another push can have changed it
// meanwhile, and the answer to a request that was carried out can be lost.
func (p *pushing) set(ctx context.Context, t *Tag) error {
	if !t.Set {
		return nil
	}
	failed := p.remote.PushReference(ctx, p.manifest, bytes.NewReader(p.text), t.Name)
	desc, err := p.remote.Resolve(ctx, t.Name)
	switch {
	case err == nil && desc.Digest == p.manifest.Digest:
		t.done = true
		return nil
	case failed == nil && err == nil:
		return fmt.Errorf("another push changed the tag %s at the same time: it refers to %s now, and this bundle has %s. Run the pushes one after the other",
			t.Name, desc.Digest, p.manifest.Digest)
	case failed == nil:
		return err
	}
	var answer *errcode.ErrorResponse
	floats := p.ref.Reference == "" && !bundlefile.IsVersion(t.Name)
	unchanged := err == nil && desc.Digest == t.before.manifest
	if floats && unchanged && errors.As(failed, &answer) && p.isImmutable(ctx, answer) {
		t.Set, t.Version, t.Immutable = false, t.before.version, answerOf(answer)
		return nil
	}
	return failed
}

// refusesChange are the statuses with which registries refuse to change an immutable tag. A 403
// is never one of them: it means that the user may not set tags.
var refusesChange = []int{
	http.StatusBadRequest, http.StatusMethodNotAllowed, http.StatusConflict, http.StatusPreconditionFailed,
}

// saysImmutable matches the words of registries for it. They have no common error code.
var saysImmutable = lazy.Expr(`(?i)immutab|overwrit`)

// otherReasons are the error codes that say that something else than the tag is wrong.
var otherReasons = []string{
	errcode.ErrorCodeBlobUnknown, errcode.ErrorCodeBlobUploadInvalid, errcode.ErrorCodeBlobUploadUnknown,
	errcode.ErrorCodeDenied, errcode.ErrorCodeDigestInvalid, errcode.ErrorCodeManifestBlobUnknown,
	errcode.ErrorCodeManifestInvalid, errcode.ErrorCodeManifestUnknown, errcode.ErrorCodeNameInvalid,
	errcode.ErrorCodeNameUnknown, errcode.ErrorCodeSizeInvalid, errcode.ErrorCodeUnauthorized,
	"MANIFEST_UNVERIFIED", "TOOMANYREQUESTS",
}

// isImmutable reports whether a registry refused to set a tag, which still refers to what it
// referred to, because it does not let the tag change.
func (p *pushing) isImmutable(ctx context.Context, answer *errcode.ErrorResponse) bool {
	if !slices.Contains(refusesChange, answer.StatusCode) {
		return false
	}
	if saysImmutable().MatchString(answer.Errors.Error()) {
		return true
	}
	for _, e := range answer.Errors {
		if slices.Contains(otherReasons, e.Code) {
			return false
		}
	}
	// A registry that refuses more than the tag, because it can only be read or does not accept
	// the manifest, refuses the manifest without the tag, too.
	return p.remote.Push(ctx, p.manifest, bytes.NewReader(p.text)) == nil
}
