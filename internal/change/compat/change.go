package compat

import (
	"bytes"
	"regexp"
	"slices"

	"github.com/Masterminds/semver/v3"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// ChangeKind says how a value changed.
type ChangeKind string

// The kinds of changes. Raised means stricter, lowered means less strict.
const (
	Added     = ChangeKind(schema.Added)
	Removed   = ChangeKind(schema.Removed)
	Raised    = ChangeKind(schema.Raised)
	Lowered   = ChangeKind(schema.Lowered)
	Renamed   = ChangeKind(schema.Renamed)   // an element, or the document itself
	Reordered = ChangeKind(schema.Reordered) // the elements that both versions have
	Moved     = ChangeKind(schema.Moved)     // a text, to another key of its group
	Replaced  = ChangeKind(schema.Replaced)  // all texts of a group at once
	// Changed is another word, flag, pattern, or reference, or another kind of
	// document.
	Changed = ChangeKind(schema.Changed)
	// Reworded is another text that people or a judge read.
	Reworded ChangeKind = "reworded"
	// Unclassified is a difference without a class in the tables, which is a bug in
	// the tool.
	Unclassified ChangeKind = "unclassified"
)

// MeaningChange is a difference in meaning between two versions of a document.
type MeaningChange struct {
	// Kind is how a value changed. raised means stricter, lowered less strict. unreadable: the
	// only change of an unreadable document. gone: the only change of a document that was removed
	// without an entry in the ledger. unclassified: an error of the tool.
	Kind ChangeKind `json:"kind"`
	// Path is the path, with the names of elements: criteria[clarity].threshold. Empty for the
	// document as a whole.
	Path string `json:"path"`
	// Class is what the change can do. major: something that passed can fail, the set of scores
	// changed, the scale is reversed, or a search no longer finds the document. minor: from the same
	// scores, nothing that passed can fail, but something that failed can pass, or a judge reads
	// other words, so that the same work can get other scores. patch: neither a judge nor the
	// verdict uses it. none: the meaning is the same. null: unknown.
	Class schema.Class `json:"class"`
	// Base is null if the base has no value.
	Base *Value `json:"base"`
	// Head is null if the head has no value.
	Head *Value `json:"head"`
	// Message is the change and its effect, in a sentence.
	Message string `json:"message"`

	// Effect is the end of the message: what the change can do.
	Effect string `json:"-"`
}

// Value is the value on one side of a change.
type Value struct {
	// Text is a text, a number, the name of an element, or JSON for groups and lists.
	Text string `json:"value"`
	// Span is its place. A value that is not in the file, because it is the default or
	// follows from others, is shown at the first key of its group.
	Span source.Span `json:"-"`

	// Revision is the full hash of the commit that contains it; empty for a folder.
	Revision        string `json:"revision"`
	File            string `json:"file"`
	source.Position        // of the start of Span; like Revision and File, it is set by package diff
}

// Compare returns the changes from base to head, both of which must be Valid. They are
// sorted by class, highest first. In a class, texts in which numbers became others come
// first, and then the order is that of keys and of elements in the head. Effective values are
// compared, so an explicit default is not a change. The version itself is ignored.
func Compare(base, head *document.Document) []MeaningChange {
	if bytes.Equal(base.File.Data, head.File.Data) {
		return nil
	}
	if base.Kind != head.Kind {
		return []MeaningChange{otherKind(base, head)}
	}
	return compare(base.Kind.Table, base, head)
}

func compare(table *schema.Value, base, head *document.Document) []MeaningChange {
	before, after := Content(base), Content(head)
	if bytes.Equal(before, after) {
		return nil
	}
	w := walk{}
	w.document(table, base, head)
	if r := base.Rubric(); r != nil {
		w.minimums(r, head.Rubric())
		w.negatives(r, head.Rubric())
	}
	if len(w.found) == 0 {
		return []MeaningChange{{ // that the walk did not see
			Kind: Unclassified, Class: schema.Patch, Message: unclassified,
			Base: &Value{Text: string(before), Span: base.Root().Span},
			Head: &Value{Text: string(after), Span: head.Root().Span},
		}}
	}
	return w.changes()
}

// Content returns the canonical form of a valid document without its version.
func Content(d *document.Document) []byte {
	return schema.Canonical(without(d.Kind.Table, versionKey), d.NormalRoot())
}

const versionKey = "version"

// without returns an object's type without one of its keys.
func without(v *schema.Value, key string) *schema.Value {
	rest := *v
	rest.Fields = slices.DeleteFunc(slices.Clone(v.Fields), func(f schema.Field) bool { return f.Key == key })
	return &rest
}

// Class returns the highest class among changes; None if there are none.
func Class(changes []MeaningChange) schema.Class {
	class := schema.None
	for i := range changes {
		class = max(class, changes[i].Class)
	}
	return class
}

// largest is the largest number in a version, according to the schema.
const largest = 999_999_999

// Required returns the lowest version that may follow base after changes of a class.
// With major version 0, a document is a draft, and a major change requires only a minor
// step. Without a change, the version stays the same. If a number is already the
// largest, the next more significant number increases.
func Required(base *semver.Version, class schema.Class) *semver.Version {
	next := *base
	switch {
	case class <= schema.None:
	case class == schema.Patch && base.Patch() < largest:
		next = base.IncPatch()
	case (class < schema.Major || base.Major() == 0) && base.Minor() < largest:
		next = base.IncMinor()
	default:
		next = base.IncMajor()
	}
	return &next
}

// Follows reports whether a version is the next after base in one of its numbers: only
// 1.2.4, 1.3.0, and 2.0.0 follow 1.2.3.
func Follows(base, head *semver.Version) bool {
	nexts := []semver.Version{base.IncPatch(), base.IncMinor(), base.IncMajor()}
	return slices.ContainsFunc(nexts, func(next semver.Version) bool { return head.Equal(&next) })
}

var idMajor = regexp.MustCompile(`_v([1-9][0-9]{0,8})$`)

// Firsts returns the versions at which a new document with an ID can start, lowest first:
// N.0.0 if the ID ends in _vN and N is not 1, otherwise 0.1.0 (a draft) and 1.0.0.
func Firsts(id string) []*semver.Version {
	if m := idMajor.FindStringSubmatch(id); m != nil && m[1] != "1" {
		return []*semver.Version{semver.MustParse(m[1] + ".0.0")}
	}
	return []*semver.Version{semver.New(0, 1, 0, "", ""), semver.New(1, 0, 0, "", "")}
}

// First returns the version at which a new document should start instead of its own: a
// draft stays a draft.
func First(id string, has *semver.Version) *semver.Version {
	firsts := Firsts(id)
	if has.Major() == 0 {
		return firsts[0]
	}
	return firsts[len(firsts)-1]
}
