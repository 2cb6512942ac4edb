package library

import lib "github.com/rubric-library/rubric-library/internal/library"

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
	return lib.Reference{ID: r.ID, Constraint: r.Version, Digest: r.Digest}.String()
}

// ParseReference reads "ID", "ID@CONSTRAINT" or "ID@VERSION#DIGEST": what
// contracts say, and what String gives. It does not check whether there is such a
// document.
func ParseReference(text string) (Reference, error) {
	r, err := lib.ParseReference(text)
	return Reference{ID: r.ID, Version: r.Constraint, Digest: r.Digest}, err
}
