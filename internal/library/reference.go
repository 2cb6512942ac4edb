package library

import (
	"fmt"
	"strings"

	"github.com/Masterminds/semver/v3"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
)

// Reference names a document, the acceptable versions, and the content: "x_v1",
// "x_v1@~1.2", "x_v1@1.2.0#sha256:…".
type Reference struct {
	ID string
	// Constraint is the constraint as written, or "" for any version.
	Constraint string
	// Digest is the required document digest, or "".
	Digest string
}

// ParseReference splits a reference. A digest requires a version, because the latest
// version changes with the next release. Check validates the parts.
func ParseReference(text string) (Reference, error) {
	rest, digest, hasDigest := strings.Cut(text, "#")
	id, constraint, hasConstraint := strings.Cut(rest, "@")
	switch {
	case hasDigest && !bundlefile.IsDigest(digest):
		return Reference{}, fmt.Errorf("the reference %+q ends with %+q: expected sha256: and 64 lowercase hexadecimal digits after the #", text, digest)
	case id == "" || strings.ContainsAny(id, " \t\r\n/"):
		return Reference{}, fmt.Errorf("the reference %+q does not begin with an ID: expected ID, ID@CONSTRAINT, or ID@VERSION#DIGEST", text)
	case hasConstraint && strings.TrimSpace(constraint) == "":
		return Reference{}, fmt.Errorf("the reference %+q has no version after the @: add one, such as %s@1.2.0 or %[2]s@~1.2, or remove the @", text, id)
	case hasDigest && !hasConstraint:
		return Reference{}, fmt.Errorf("the reference %+q has a digest but no version: expected ID@VERSION#DIGEST", text)
	}
	return Reference{ID: id, Constraint: constraint, Digest: digest}, nil
}

// Check returns an error if no document can have the ID, or no version can satisfy the
// constraint.
func (r Reference) Check() error {
	if !bundlefile.IsID(r.ID) {
		return fmt.Errorf("%q is not an ID: expected lowercase words joined by underscores, such as user_story_quality_v1", r.ID)
	}
	if r.Constraint == "" {
		return nil
	}
	_, err := newConstraint(r.Constraint)
	return err
}

// String returns "ID@CONSTRAINT#DIGEST" without the empty parts.
func (r Reference) String() string {
	text := r.ID
	if r.Constraint != "" {
		text += "@" + r.Constraint
	}
	if r.Digest != "" {
		text += "#" + r.Digest
	}
	return text
}

func newConstraint(text string) (*semver.Constraints, error) {
	c, err := semver.NewConstraint(text)
	if err != nil {
		return nil, fmt.Errorf("%q is not a version or a constraint: expected, for example, 1.2.0, ~1.2, ^1.0, or >=1.2 <2", text)
	}
	return c, nil
}

// maxNear is the length above which an ID is not compared with others, because the
// time grows with the length. An ID of a library has at most 128 bytes.
const maxNear = 160

// Near returns up to three similar IDs of documents that are not retired, the nearest
// first, of any kind if kind is "".
func (l *Library) Near(kind, id string) []string {
	if len(id) > maxNear {
		return nil
	}
	var ids []string
	for _, other := range l.IDs() {
		if kind == "" || other.Kind == kind {
			ids = append(ids, other.ID)
		}
	}
	return suggest.Words(id, ids, 3)
}
