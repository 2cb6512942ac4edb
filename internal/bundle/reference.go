package bundle

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// Reference is a reference as it is written, with a constraint.
type Reference = library.Reference

// ParseReference parses a reference. The error says what is wrong with it.
func ParseReference(text string) (Reference, error) {
	r, err := library.ParseReference(text)
	if err == nil {
		err = r.Check()
	}
	return r, err
}

// ReferenceError says why a reference names no usable version of a document.
type ReferenceError struct {
	// Code is the code of its finding in a contract.
	Code    string
	Message string
}

func (e *ReferenceError) Error() string { return e.Message }

// worded is an error of the library in the words of the commands.
func worded(err error) error {
	if e, ok := errors.AsType[*library.NotFoundError](err); ok {
		message := "there is no document with the ID " + e.ID
		if near := e.Near(); len(near) > 0 {
			message += ". Did you mean " + strings.Join(near, " or ") + "?"
		}
		return &ReferenceError{CodeUnknown, message}
	}
	if e, ok := errors.AsType[*library.RetiredError](err); ok {
		return &ReferenceError{CodeRetired, fmt.Sprintf("%s was retired: %s%s", e.ID, cmp.Or(e.Reason, "The library no longer has it."), instead(e.ReplacedBy))}
	}
	if e, ok := errors.AsType[*library.ConstraintError](err); ok {
		message := fmt.Sprintf("no version of %s satisfies %s; available versions: %s", e.ID, e.Constraint, strings.Join(e.Versions, ", "))
		if w := e.Withdrawn; w != nil {
			message = fmt.Sprintf("version %s of %s was withdrawn: %s", w.Version, w.ID, w.Reason)
		}
		return &ReferenceError{CodeUnsatisfied, message}
	}
	return err
}

func instead(id string) string {
	if id == "" {
		return ""
	}
	return " Use " + id + " instead."
}

// Resolved is the version that a reference names.
type Resolved struct {
	library.Reference
	// Latest is the latest version of the document.
	Latest string
	// Retired is why the library no longer has the document, or nil.
	Retired *library.RetiredError
}

// Resolve finds the highest version of a document that satisfies a reference, also of a
// retired one. The error is a *ReferenceError, or one about the bundle.
func Resolve(l *library.Library, r Reference) (*Resolved, error) {
	var found Resolved
	latest, err := l.Resolve(r.ID, "")
	if errors.As(err, &found.Retired) {
		if latest, err = l.Resolve(r.ID, found.Retired.LastVersion); err != nil {
			return nil, worded(found.Retired) // no version is left
		}
	}
	found.Reference, found.Latest = latest, latest.Version
	if err == nil && r.Version != "" {
		found.Reference, err = l.Resolve(r.ID, r.Version)
	}
	switch {
	case err != nil:
		return nil, worded(err)
	case r.Digest != "" && r.Digest != found.Digest:
		return nil, &ReferenceError{CodeOtherText, fmt.Sprintf("%s %s does not have the text that the reference names: its SHA-256 is %s", r.ID, found.Version, found.Digest)}
	}
	return &found, nil
}

// Entries returns the entries of all documents that have a version, sorted by ID.
func Entries(l *library.Library) ([]*library.Entry, error) {
	all, err := l.Search(library.Query{IncludeDeprecated: true, IncludeRetired: true})
	var entries []*library.Entry
	for i := range all {
		if len(all[i].Versions) > 0 { // in a folder, a retired ID has no versions
			entries = append(entries, &all[i].Entry)
		}
	}
	return entries, err
}

// The keys for references to documents of a kind are its stem, such as rubric,
// with one of these parts.
const (
	listPart    = "s"
	idPart      = "_id"
	versionPart = "_version"
)

var parts = []string{"", listPart, idPart, versionPart}

func stem(k *document.Kind) string { return strings.TrimSuffix(k.IDKey, idPart) }

// referenceKey splits a key for references. The kind of any other key is nil.
func referenceKey(key string) (k *document.Kind, part string) {
	for _, k := range document.Kinds() {
		if part, ok := strings.CutPrefix(key, stem(k)); ok && slices.Contains(parts, part) {
			return k, part
		}
	}
	return nil, ""
}

// misspelled returns the key for references that was probably meant, or "". It differs in
// case, separators, and at most one letter: with two letters, "public" would be a
// misspelled "rubric".
func misspelled(key string) string {
	key = letters(key)
	for edits := range 2 {
		for _, k := range document.Kinds() {
			for _, part := range parts {
				if suggest.Within(key, letters(stem(k)+part), edits) {
					return stem(k) + part
				}
			}
		}
	}
	return ""
}

// letters is a key in lowercase, without separators.
func letters(key string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("_-. ", r) {
			return -1
		}
		return unicode.ToLower(r)
	}, key)
}

// embeddedKind returns the kind of document that a mapping is, or nil: a rubric has
// criteria with anchors, and a rule set has rules with a severity and a check.
func embeddedKind(n *yamltree.Loose) *document.Kind {
	holds := func(list string, keys ...string) bool {
		items := n.Get(list)
		return items != nil && slices.ContainsFunc(items.Items, func(item *yamltree.Loose) bool {
			return !slices.ContainsFunc(keys, func(key string) bool { return item.Get(key) == nil })
		})
	}
	switch {
	case holds("criteria", "anchors"):
		return &document.Rubric
	case holds("rules", "severity", "check"):
		return &document.RuleSet
	}
	return nil
}

// embedded reports a document that was copied into a contract.
func (c *contract) embedded(n *yamltree.Loose, k *document.Kind) {
	c.References++
	id, code := "", CodeEmbedded
	if k == &document.RuleSet {
		code = CodeRuleSet
	}
	if v := n.Get(k.IDKey); v != nil {
		id = v.Value
	}
	advice := "Add it to the library, and refer to it by its ID"
	if _, err := c.library.Entry(id); err == nil {
		advice = fmt.Sprintf("Write %q instead", stem(k)+": "+id)
	}
	c.add(code, n.At, id, fmt.Sprintf("This is a whole %s: expected a reference, because a copy can drift from the library unnoticed. %s.", k.Noun, advice))
}
