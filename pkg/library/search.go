package library

import (
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"
)

// Entry is what it takes to list a document and to choose it, without its text.
// Where nothing else is said, it is what the latest version says.
type Entry struct {
	ID           string `json:"id"`
	Kind         Kind   `json:"kind"`
	Name         string `json:"name"`
	ArtifactType string `json:"artifact_type"`
	Description  string `json:"description,omitempty"`
	// Language is a BCP 47 tag; "" means "en".
	Language string `json:"language,omitempty"`
	// Latest is the highest of Versions.
	Latest string `json:"latest"`
	// Versions are those that the library holds, from lowest to highest. A
	// folder holds no version of what is retired.
	Versions []Version `json:"versions"`
	// Deprecated is nil unless nobody should begin to use the document.
	Deprecated *Deprecation `json:"deprecated,omitempty"`
	// Retired is nil unless the document was taken out of the library. In a
	// folder, nothing but ID, Kind and Latest is known of it then.
	Retired *Retirement `json:"retired,omitempty"`
	// Calibration is nil where no labelled items are named to compare judges with,
	// and in a folder, where nothing is computed.
	Calibration *Calibration `json:"calibration,omitempty"`
}

// Version is a version of a document.
type Version struct {
	Version string `json:"version"`
	// Digest is the document digest, "sha256:" and 64 hexadecimal digits.
	Digest string `json:"digest"`
}

// Deprecation says why a document should no longer be used.
type Deprecation struct {
	Reason string `json:"reason"`
	// ReplacedBy is the ID of the document to use instead, or "".
	ReplacedBy string `json:"replaced_by,omitempty"`
}

// Retirement says why a document is gone.
type Retirement struct {
	// Reason is "" if the library doesn't say.
	Reason string `json:"reason,omitempty"`
	// ReplacedBy is the ID of the document to use instead, or "".
	ReplacedBy string `json:"replaced_by,omitempty"`
}

// Calibration says how well a judge agrees with people on the latest version, or
// why that can't be said.
type Calibration struct {
	// Correlation is the lowest over the criteria, -1 to 1, of a judge that reached
	// the target on labels by people, both for the words that the rubric has now. It
	// is nil where there is none.
	Correlation *float64 `json:"correlation"`
	// Reason says in a sentence why there is no correlation; else it is "".
	Reason string `json:"reason,omitempty"`
}

// Draft tells whether the document has only versions below 1.0.0, whose meaning
// can still change with every minor version.
func (e *Entry) Draft() bool { return strings.HasPrefix(e.Latest, "0.") }

// entry is an Entry as a store has it.
type entry struct {
	Entry
	numbers []*semver.Version // of Versions
}

// number reads the versions. It returns the first that is none.
func (e *entry) number() (wrong string) {
	for _, v := range e.Versions {
		n, err := semver.StrictNewVersion(v.Version)
		if err != nil {
			return v.Version
		}
		e.numbers = append(e.numbers, n)
	}
	return ""
}

// clone shares nothing with e that can be changed.
func (e *entry) clone() Entry {
	c := e.Entry
	c.Versions = slices.Clone(e.Versions)
	c.Deprecated, c.Retired, c.Calibration = copied(e.Deprecated), copied(e.Retired), copied(e.Calibration)
	if c.Calibration != nil {
		c.Calibration.Correlation = copied(c.Calibration.Correlation)
	}
	return c
}

// copied is a new pointer to an equal value, nil for nil.
func copied[T any](p *T) *T {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}

// Query says what to search for. What is empty limits nothing.
type Query struct {
	// ArtifactType is the whole name, such as "jira_tickets".
	ArtifactType string
	// Text is words that all have to stand somewhere in the ID, the name or the
	// description, or in a word of these; upper and lower case are the same.
	Text string
	// Kind limits the search to rubrics or to rule sets.
	Kind Kind
	// IncludeDeprecated also finds what nobody should begin to use.
	IncludeDeprecated bool
	// IncludeRetired also finds what is gone, whether it was deprecated before or
	// not.
	IncludeRetired bool
}

// Search finds documents by what they are about, sorted by ID. It reads no
// document and writes no audit. Drafts are found, too; Entry.Draft tells them. The
// error is an *IntegrityError if the bundle's index was changed.
func (l *Library) Search(q Query) ([]Entry, error) {
	all, err := l.all()
	if err != nil {
		return nil, err
	}
	words := strings.Fields(strings.ToLower(q.Text))
	var found []Entry
	for _, e := range all {
		if q.matches(e, words) {
			found = append(found, e.clone())
		}
	}
	return found, nil
}

func (q *Query) matches(e *entry, words []string) bool {
	if q.Kind != "" && e.Kind != q.Kind ||
		q.ArtifactType != "" && e.ArtifactType != q.ArtifactType ||
		e.Deprecated != nil && !q.IncludeDeprecated && e.Retired == nil ||
		e.Retired != nil && !q.IncludeRetired {
		return false
	}
	if len(words) == 0 {
		return true
	}
	text := strings.ToLower(e.ID + "\n" + e.Name + "\n" + e.Description)
	return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) })
}

// Entry is what the library says of a document, whether it is current,
// deprecated or retired. It is a *NotFoundError if there is none.
func (l *Library) Entry(id string) (Entry, error) {
	if err := l.check(); err != nil {
		return Entry{}, err
	}
	e, err := l.store.entry(id)
	if err == nil && e == nil {
		err = l.notFound("", id)
	}
	if err != nil {
		return Entry{}, err
	}
	return e.clone(), nil
}

// IDs are the IDs of all documents that are not retired, sorted. Errors are as of
// Search.
func (l *Library) IDs() ([]string, error) {
	all, err := l.all()
	var ids []string
	for _, e := range all {
		if e.Retired == nil {
			ids = append(ids, e.ID)
		}
	}
	return ids, err
}

func (l *Library) all() ([]*entry, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	return l.store.entries()
}
