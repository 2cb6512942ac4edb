package bundle

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
)

// Reference is library.Reference.
type Reference = library.Reference

// ParseReference parses a reference. The error says what is wrong with it.
func ParseReference(text string) (Reference, error) {
	r, err := library.ParseReference(text)
	if err == nil {
		err = r.Check()
	}
	return r, err
}

// UnknownError says that a library has no document with an ID.
type UnknownError struct {
	ID string
	// Near are IDs that were possibly meant, the nearest first.
	Near []string
	// Retired is the ID's entry in the ledger, or nil.
	Retired *Retirement
}

func (e *UnknownError) Error() string {
	if e.Retired != nil {
		return fmt.Sprintf("%s was retired: %s%s", e.ID, e.Retired.Reason, instead(e.Retired.ReplacedBy))
	}
	message := fmt.Sprintf("there is no document with the ID %s", e.ID)
	if len(e.Near) > 0 {
		message += ". Did you mean " + strings.Join(e.Near, " or ") + "?"
	}
	return message
}

func instead(id string) string {
	if id == "" {
		return ""
	}
	return " Use " + id + " instead."
}

// VersionError says that no version of a document satisfies a reference.
type VersionError struct {
	Reference Reference
	// Versions are the versions in the library, from lowest to highest. Tombstone is
	// the requested version if it was withdrawn.
	Versions  []string
	Tombstone *bundlefile.Omission
}

func (e *VersionError) Error() string {
	if e.Tombstone != nil {
		return fmt.Sprintf("version %s of %s was withdrawn: %s", e.Tombstone.Version, e.Tombstone.ID, e.Tombstone.Reason)
	}
	return fmt.Sprintf("no version of %s satisfies %s; available versions: %s", e.Reference.ID, e.Reference.Constraint, strings.Join(e.Versions, ", "))
}

// OtherTextError says that a version does not have the text that a reference names.
type OtherTextError struct {
	Reference Reference
	Version   string
	Found     string // the document digest
}

func (e *OtherTextError) Error() string {
	return fmt.Sprintf("%s %s does not have the text that the reference names: its SHA-256 is %s", e.Reference.ID, e.Version, e.Found)
}

// Resolve finds the highest version of a document that satisfies a reference. The error
// is an *UnknownError, a *VersionError, an *OtherTextError, or one about the bundle.
func (l *Library) Resolve(r Reference) (line *bundlefile.IndexLine, version string, err error) {
	line, err = l.find(r.ID)
	if err != nil {
		return nil, "", err
	}
	if line == nil {
		if i := slices.IndexFunc(l.Tombstones, func(o bundlefile.Omission) bool { return o.ID == r.ID }); i >= 0 {
			return nil, "", &VersionError{Reference: r, Tombstone: &l.Tombstones[i]}
		}
		unknown := &UnknownError{ID: r.ID, Near: suggest.Words(r.ID, l.IDs(false), 3)}
		if retired, ok := l.Retired[r.ID]; ok {
			unknown.Retired = &retired
		}
		return nil, "", unknown
	}
	v, ok, err := library.NewLine(*line).Highest(r.Constraint)
	switch {
	case err != nil:
		return nil, "", err
	case ok && r.Digest != "" && r.Digest != v.Digest:
		return nil, "", &OtherTextError{r, v.Version, v.Digest}
	case ok:
		return line, v.Version, nil
	}
	missing := &VersionError{Reference: r}
	for _, v := range line.Versions {
		missing.Versions = append(missing.Versions, v.Version)
	}
	for i, o := range l.Tombstones {
		gone := library.NewLine(bundlefile.IndexLine{Versions: []bundlefile.Version{{Version: o.Version}}})
		if _, withdrawn, _ := gone.Highest(r.Constraint); withdrawn && o.ID == r.ID {
			missing.Tombstone = &l.Tombstones[i]
		}
	}
	return nil, "", missing
}

// Get resolves a reference and reads the canonical form of that version. The line has
// what is needed to choose a version; see library.Line.
func (l *Library) Get(reference string) (line *bundlefile.IndexLine, version string, data []byte, err error) {
	r, err := ParseReference(reference)
	if err == nil {
		line, version, err = l.Resolve(r)
	}
	if err == nil {
		data, err = l.Read(line, version)
	}
	return line, version, data, err
}

// Calibration returns the calibration of a document, given its latest version, or nil.
func (l *Library) Calibration(id string, data []byte) (*bundlefile.Calibration, error) {
	// Only a document with this key has one.
	// Within a text, the quotation mark is escaped.
	if !bytes.Contains(data, []byte(`"calibration_dataset":`)) {
		return nil, nil
	}
	return l.documents.Calibration(id)
}

// Search returns the documents that contain every word of a text, as library.Search
// does. Retired documents, and unless artifactType is "", other artifact types are
// omitted.
func (l *Library) Search(artifactType, text string) []library.Match {
	var lines []*library.Line
	for _, line := range l.Lines {
		if !line.Retired && (artifactType == "" || line.ArtifactType == artifactType) {
			lines = append(lines, library.NewLine(*line))
		}
	}
	return library.Search(lines, text)
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
	if c.library.Find(id) != nil {
		advice = fmt.Sprintf("Write %q instead", stem(k)+": "+id)
	}
	c.add(code, n.At, id, fmt.Sprintf("This is a whole %s: expected a reference, because a copy can drift from the library unnoticed. %s.", k.Noun, advice))
}
