package library

import (
	"bytes"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/pkg/rubric"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// Document is one version of a document. Exactly one of Rubric and RuleSet is not nil.
type Document struct {
	// Reference identifies the version and its content. Store its text with each score.
	Reference Reference
	Rubric    *rubric.Rubric
	RuleSet   *ruleset.RuleSet
	// Yanked is why constraints no longer select this version, or "". Its content is unchanged.
	Yanked string

	canonical []byte // shared
}

// JSON returns the canonical form of the document, RFC 8785 JSON as in the bundle. Its
// SHA-256 is the digest of Reference.
func (d *Document) JSON() []byte { return bytes.Clone(d.canonical) }

// Kind returns the kind of the document, or "" for the zero value.
func (d *Document) Kind() Kind {
	switch {
	case d.Rubric != nil:
		return KindRubric
	case d.RuleSet != nil:
		return KindRuleSet
	}
	return ""
}

// decode returns the document that a canonical form was read as. Its texts are those of the digest,
// which earlier releases did not write in NFC.
func decode(ref Reference, from *document.Document) *Document {
	d := &Document{Reference: ref, canonical: from.File.Data}
	if from.Kind == &document.RuleSet {
		d.RuleSet = &ruleset.RuleSet{}
		schema.Decode(from.Kind.Table, from.Root(), d.RuleSet)
		return d
	}
	d.Rubric = &rubric.Rubric{}
	schema.Decode(from.Kind.Table, from.Root(), d.Rubric)
	return d
}
