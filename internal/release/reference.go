package release

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// ParseReference parses a reference. The error says what is wrong with it.
func ParseReference(text string) (library.Reference, error) {
	r, err := library.ParseReference(text)
	if err == nil {
		err = r.Check()
	}
	return r, err
}

// codeOf is the code of the finding about a reference that names no usable version.
func codeOf(err error) string {
	switch {
	case errors.As(err, new(*library.NotFoundError)):
		return CodeUnknown
	case errors.As(err, new(*library.RetiredError)):
		return CodeRetired
	case errors.As(err, new(*library.DigestError)):
		return CodeOtherText
	}
	return CodeUnsatisfied
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
// retired one. Errors are those of library.Resolve.
func Resolve(l *library.Library, r library.Reference) (*Resolved, error) {
	var found Resolved
	latest, err := l.Resolve(r.ID, "")
	if errors.As(err, &found.Retired) {
		if latest, err = l.Resolve(r.ID, found.Retired.LastVersion); err != nil {
			return nil, noneLeft(l, r, found.Retired)
		}
	}
	found.Reference, found.Latest = latest, latest.Version
	// In a folder, the only version can be yanked, so that none is the latest.
	if r.Version != "" && (err == nil || errors.As(err, new(*library.ConstraintError))) {
		found.Reference, err = l.Resolve(r.ID, r.Version)
	}
	if err == nil && r.Digest != "" && r.Digest != found.Digest {
		err = &library.DigestError{
			Reference: library.Reference{ID: r.ID, Version: found.Version, Digest: r.Digest}, Found: found.Digest,
		}
	}
	if err != nil {
		return nil, err
	}
	return &found, nil
}

// noneLeft is the error for a retired document of which no version is left: if it names a
// withdrawn version, why that was withdrawn.
func noneLeft(l *library.Library, r library.Reference, retired *library.RetiredError) error {
	var none *library.ConstraintError
	if _, err := l.Resolve(r.ID, r.Version); errors.As(err, &none) && none.Withdrawn != nil {
		return none
	}
	return retired
}

// Entries returns the entries of all documents that have a version, sorted by ID.
func Entries(l *library.Library) ([]*library.Entry, error) {
	all, err := l.Search(library.Query{IncludeDeprecated: true, IncludeRetired: true})
	var entries []*library.Entry
	for i := range all {
		if len(all[i].Available()) > 0 { // in a folder, a retired ID has none
			entries = append(entries, &all[i].Entry)
		}
	}
	return entries, err
}

// NewestFirst compares versions of the library to sort them, the newest first.
func NewestFirst(a, b string) int { return bundlefile.CompareVersions(b, a) }

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

// reportEmbedded reports a document that was copied into a contract.
func (c *contract) reportEmbedded(n *yamltree.Loose, k *document.Kind) {
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
	c.add(code, n.At, id, fmt.Sprintf("This is a whole %s: expected a reference, because a copy can drift from the library unnoticed. %s.",
		k.Noun, advice))
}
