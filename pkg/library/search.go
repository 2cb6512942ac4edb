package library

import (
	"strings"

	lib "github.com/rubric-library/rubric-library/internal/library"
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

// entryOf is the entry of a line, with which it shares nothing that can be changed.
func entryOf(l *lib.Line) Entry {
	e := Entry{
		ID: l.ID, Kind: Kind(l.Kind), Name: l.Name, ArtifactType: l.ArtifactType,
		Description: l.Description, Language: l.Language, Latest: l.Latest,
		Deprecated: (*Deprecation)(copied(l.Deprecated)),
	}
	for _, v := range l.Versions {
		e.Versions = append(e.Versions, Version(v))
	}
	if r := l.Retirement; r != nil {
		e.Retired = &Retirement{Reason: r.Reason, ReplacedBy: r.ReplacedBy}
	}
	if c := l.Calibration; c != nil {
		e.Calibration = &Calibration{Correlation: copied(c.Correlation), Reason: c.Reason}
	}
	return e
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
	words := strings.Fields(q.Text)
	var found []Entry
	for _, line := range all {
		if q.matches(line, words) {
			found = append(found, entryOf(line))
		}
	}
	return found, nil
}

func (q *Query) matches(l *lib.Line, words []string) bool {
	switch {
	case q.Kind != "" && Kind(l.Kind) != q.Kind,
		l.Retired && !q.IncludeRetired,
		l.Deprecated != nil && !q.IncludeDeprecated && !l.Retired:
		return false
	}
	return l.Matches(q.ArtifactType, words)
}

// Entry is what the library says of a document, whether it is current,
// deprecated or retired. It is a *NotFoundError if there is none.
func (l *Library) Entry(id string) (Entry, error) {
	if err := l.check(); err != nil {
		return Entry{}, err
	}
	line, err := l.line("", id)
	if err != nil {
		return Entry{}, err
	}
	return entryOf(line), nil
}

// IDs are the IDs of all documents that are not retired, sorted. Errors are as of
// Search.
func (l *Library) IDs() ([]string, error) {
	all, err := l.all()
	var ids []string
	for _, line := range all {
		if !line.Retired {
			ids = append(ids, line.ID)
		}
	}
	return ids, err
}

func (l *Library) all() ([]*lib.Line, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	lines, err := l.documents.Lines()
	if err != nil {
		return nil, public(err)
	}
	return lines, nil
}
