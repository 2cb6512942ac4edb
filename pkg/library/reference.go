package library

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/Masterminds/semver/v3"

	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// Kind is the kind of a document.
type Kind string

// The kinds of documents.
const (
	KindRubric  Kind = "rubric"
	KindRuleSet Kind = "rule_set"
)

// noun returns the kind as part of a sentence.
func (k Kind) noun() string {
	return cmp.Or(map[Kind]string{KindRubric: "rubric", KindRuleSet: "rule set"}[k], "document")
}

// Reference identifies one version of a document and its content. Store its text with
// each score.
type Reference struct {
	ID string `json:"id"`
	// Version is the semantic version, such as "1.2.0". In a request, it can be a
	// constraint, or "" for the latest version.
	Version string `json:"version"`
	// Digest is the document digest, "sha256:" and 64 hexadecimal digits. In a
	// request, "" accepts any content.
	Digest string `json:"digest"`
}

// ParseReference parses "ID", "ID@CONSTRAINT", or "ID@VERSION#DIGEST", the format of
// String. A digest requires a version, because the latest version changes with the next
// release. ParseReference does not check whether the document exists; Check validates the
// parts.
func ParseReference(text string) (Reference, error) {
	rest, digest, hasDigest := strings.Cut(text, "#")
	id, constraint, hasConstraint := strings.Cut(rest, "@")
	switch {
	case hasDigest && !bundlefile.IsDigest(digest):
		return Reference{}, fmt.Errorf("in the reference %+q, what is after the # %w", text, bundlefile.CheckDigest(digest))
	case id == "" || strings.ContainsAny(id, " \t\r\n/"):
		return Reference{}, fmt.Errorf("the reference %+q does not begin with an ID: expected ID, ID@CONSTRAINT, or ID@VERSION#DIGEST", text)
	case hasConstraint && strings.TrimSpace(constraint) == "":
		return Reference{}, fmt.Errorf("the reference %+q has no version after the @: add one, such as %s@1.2.0 or %[2]s@~1.2, or remove the @", text, id)
	case hasDigest && !hasConstraint:
		return Reference{}, fmt.Errorf("the reference %+q has a digest but no version: expected ID@VERSION#DIGEST", text)
	}
	return Reference{id, constraint, digest}, nil
}

// Check returns an error if no document can have the ID, or no version can satisfy the
// constraint.
func (r Reference) Check() error {
	if !bundlefile.IsID(r.ID) {
		return fmt.Errorf("%q is not an ID: expected lowercase words joined by underscores, such as user_story_quality_v1", r.ID)
	}
	if r.Version == "" {
		return nil
	}
	_, err := newConstraint(r.Version)
	return err
}

// String returns "ID@VERSION#DIGEST" without empty parts.
func (r Reference) String() string {
	text := r.ID
	if r.Version != "" {
		text += "@" + r.Version
	}
	if r.Digest != "" {
		text += "#" + r.Digest
	}
	return text
}

// The grammar of constraints is that of the clients in other languages, which is less than what package semver
// accepts: no document has a prerelease or build metadata, and a number has one form.
const (
	blank   = `[\t\n\f\r ]`
	version = `v?` + number + `(?:\.` + number + `){0,2}`
	number  = `(?:0|[1-9][0-9]{0,14}|[xX*])`
	single  = `(?:!=|>=|=>|<=|=<|~>|[=<>~^])?` + blank + `*` + version
	between = `(` + version + `)` + blank + `+-` + blank + `+(` + version + `)`
	some    = `(?:` + between + `|` + single + `)`
	all     = blank + `*` + some + `(?:(?:` + blank + `+|` + blank + `*,` + blank + `*)` + some + `)*` + blank + `*`
)

var (
	isConstraint = lazy.Expr(`^(?:` + all + `)(?:\|\|(?:` + all + `))*$`)
	ranges       = lazy.Expr(between)
)

func newConstraint(text string) (*semver.Constraints, error) {
	// Package semver reads a range only in some places of a constraint.
	c, err := semver.NewConstraint(ranges().ReplaceAllString(text, ` >=$1 <=$2 `))
	if err != nil || !isConstraint().MatchString(text) {
		return nil, fmt.Errorf("%q is not a version or a constraint: expected, for example, 1.2.0, ~1.2, ^1.0, or >=1.2 <2", text)
	}
	return c, nil
}

// satisfying returns what reports whether a version satisfies a constraint, "" for any. The error
// means that the constraint is not valid, so that no version satisfies it.
func satisfying(constraint string) (func(version string) bool, error) {
	if constraint == "" {
		return bundlefile.IsVersion, nil
	}
	c, err := newConstraint(constraint)
	return func(version string) bool {
		v, invalid := semver.StrictNewVersion(version)
		return err == nil && invalid == nil && c.Check(v)
	}, err
}
