package library

import lib "github.com/rubric-library/rubric-library/internal/library"

// Kind is the kind of a document.
type Kind string

// The kinds of documents.
const (
	KindRubric  Kind = "rubric"
	KindRuleSet Kind = "rule_set"
)

// noun returns the kind as part of a sentence.
func (k Kind) noun() string {
	switch k {
	case KindRubric:
		return "rubric"
	case KindRuleSet:
		return "rule set"
	}
	return "document"
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

// String returns "ID@VERSION#DIGEST" without empty parts.
func (r Reference) String() string {
	return lib.Reference{ID: r.ID, Constraint: r.Version, Digest: r.Digest}.String()
}

// ParseReference parses "ID", "ID@CONSTRAINT", or "ID@VERSION#DIGEST", the format of
// String. It does not check whether the document exists.
func ParseReference(text string) (Reference, error) {
	r, err := lib.ParseReference(text)
	return Reference{ID: r.ID, Version: r.Constraint, Digest: r.Digest}, err
}
