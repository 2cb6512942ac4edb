package library

import (
	"fmt"
	"strings"
)

// Kind tells rubrics and rule sets apart.
type Kind string

// The kinds of documents.
const (
	KindRubric  Kind = "rubric"
	KindRuleSet Kind = "rule_set"
)

// noun is the kind in a sentence.
func (k Kind) noun() string {
	switch k {
	case KindRubric:
		return "rubric"
	case KindRuleSet:
		return "rule set"
	}
	return "document"
}

// Reference names one version of a document, and its content. Its text is what
// to store beside a score.
type Reference struct {
	ID string `json:"id"`
	// Version is the semantic version, such as "1.2.0". In what a contract says
	// it can be a constraint, or "" for the latest.
	Version string `json:"version"`
	// Digest is the document digest, "sha256:" and 64 hexadecimal digits, or ""
	// for any content.
	Digest string `json:"digest"`
}

// String is "ID@VERSION#DIGEST", without the parts that are empty.
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

// ParseReference reads "ID", "ID@CONSTRAINT" or "ID@VERSION#DIGEST": what
// contracts say, and what String gives. It does not look whether there is such a
// document.
func ParseReference(text string) (Reference, error) {
	rest, digest, hasDigest := strings.Cut(text, "#")
	id, version, hasVersion := strings.Cut(rest, "@")
	hex, isSHA := strings.CutPrefix(digest, "sha256:")
	switch {
	case id == "" || strings.ContainsAny(id, " \t\r\n/"):
		return Reference{}, fmt.Errorf("the reference %+q does not begin with an ID; expected ID, ID@CONSTRAINT or ID@VERSION#DIGEST", text)
	case hasVersion && version == "":
		return Reference{}, fmt.Errorf("the reference %+q has no version after the @; leave the @ away for the latest version", text)
	case hasDigest && !(isSHA && len(hex) == 64 && strings.Trim(hex, "0123456789abcdef") == ""):
		return Reference{}, fmt.Errorf("the reference %+q ends with %+q; expected sha256: and 64 hexadecimal digits in lower case after the #", text, digest)
	case hasDigest && !hasVersion:
		return Reference{}, fmt.Errorf("the reference %+q has a digest and no version; expected ID@VERSION#DIGEST", text)
	}
	return Reference{ID: id, Version: version, Digest: digest}, nil
}
