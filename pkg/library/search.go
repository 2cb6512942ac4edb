package library

import (
	"maps"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
)

// Entry describes a document for lists and for choosing it, without its text. Unless
// stated otherwise, the fields are those of the latest version.
type Entry struct {
	ID           string `json:"id"`
	Kind         Kind   `json:"kind"`
	Name         string `json:"name"`
	ArtifactType string `json:"artifact_type"`
	Description  string `json:"description,omitempty"`
	// Language is a BCP 47 tag; "" means "en".
	Language string `json:"language,omitempty"`
	// Latest is the highest of Versions that is not yanked.
	Latest string `json:"latest"`
	// Versions are all versions, from lowest to highest, also those that are yanked or
	// withdrawn. A folder has no versions of retired documents except for withdrawn ones.
	Versions []Version `json:"versions"`
	// Deprecated is nil unless the document is deprecated for new uses.
	Deprecated *Deprecation `json:"deprecated,omitempty"`
	// Retired is nil unless the document is retired. In a folder, a retired document
	// has only ID, Kind, and Latest.
	Retired *Retirement `json:"retired,omitempty"`
	// Calibration is nil if the document names no calibration dataset, and in a
	// folder, where calibration is not computed.
	Calibration *Calibration `json:"calibration,omitempty"`
}

// Version is a version of a document.
type Version struct {
	Version string `json:"version"`
	// Digest is the document digest, "sha256:" and 64 hexadecimal digits, or "" if the version is
	// withdrawn.
	Digest string `json:"digest,omitempty"`
	// Commit is the full hash of the commit that first had the version, and Time its time in
	// UTC, such as 2026-11-21T08:30:00Z. Both are "" if they are unknown.
	Commit string `json:"commit,omitempty"`
	Time   string `json:"time,omitempty"`
	// Release is the version of the library that first contained it, or "" if it is unknown.
	Release string `json:"release,omitempty"`
	// Yanked is why constraints no longer select the version, or "".
	Yanked string `json:"yanked,omitempty"`
	// Withdrawn is why the content of the version is no longer published, or "". Nothing else is
	// known of a withdrawn version.
	Withdrawn string `json:"withdrawn,omitempty"`
}

// Available returns the versions that are not withdrawn, from lowest to highest.
func (e *Entry) Available() []Version {
	return slices.DeleteFunc(slices.Clone(e.Versions), func(v Version) bool { return v.Withdrawn != "" })
}

// Deprecation says why a document should no longer be used.
type Deprecation struct {
	Reason string `json:"reason"`
	// ReplacedBy is the ID of the document to use instead, or "".
	ReplacedBy string `json:"replaced_by,omitempty"`
}

// Retirement says why a document was retired.
type Retirement struct {
	// Reason is "" if the library does not say.
	Reason string `json:"reason,omitempty"`
	// ReplacedBy is the ID of the document to use instead, or "".
	ReplacedBy string `json:"replaced_by,omitempty"`
}

// Withdrawal is a version whose content must no longer be published. The version stays
// taken.
type Withdrawal struct {
	ID      string `json:"id"`
	Version string `json:"version"`
	Reason  string `json:"reason"`
}

func (w *Withdrawal) why() string { return "it was withdrawn: " + w.Reason }

// Draft reports whether the document has only versions below 1.0.0, whose meaning can
// change with every minor version.
func (e *Entry) Draft() bool { return strings.HasPrefix(e.Latest, "0.") }

// entry returns the entry of a line as a deep copy.
func (d *documents) entry(l *line) Entry {
	e := Entry{
		ID: l.ID, Kind: Kind(l.Kind), Name: l.Name, ArtifactType: l.ArtifactType,
		Description: l.Description, Language: l.Language, Latest: l.Latest,
		Deprecated: (*Deprecation)(copied(l.Deprecated)),
	}
	for _, v := range l.Versions {
		e.Versions = append(e.Versions, Version{
			v.Version, v.Digest, v.Commit, v.Time, v.Release, d.yanked[[2]string{l.ID, v.Version}], "",
		})
	}
	for _, w := range d.withdrawn {
		if w.ID == l.ID {
			e.Versions = append(e.Versions, Version{Version: w.Version, Withdrawn: w.Reason})
		}
	}
	slices.SortFunc(e.Versions, func(a, b Version) int { return bundlefile.CompareVersions(a.Version, b.Version) })
	if r := l.retirement; r != nil {
		e.Retired = &Retirement{Reason: r.Reason, ReplacedBy: r.ReplacedBy}
	}
	e.Calibration = calibrationOf(l.Calibration)
	return e
}

// Query is a search query. Empty fields match everything.
type Query struct {
	// ArtifactType is the exact artifact type, such as "jira_tickets".
	ArtifactType string
	// Text is a list of words, or a reference, of which only the ID counts. Each word
	// must appear in the ID, the artifact type, the name, the description, the keywords
	// (metadata.keywords), the owner (metadata.owner), or in a criterion, a negative criterion,
	// or a rule. If no document has all the words, those that have the most are found. Case,
	// order, the plural, and characters between words are ignored, and so are words that every
	// document has. A word can also be part of a longer one (up to three ASCII characters only
	// its beginning), and if no document has it, it can have one typo or join two words.
	Text string
	// Kind limits the search to rubrics or rule sets.
	Kind Kind
	// IncludeDeprecated includes deprecated documents.
	IncludeDeprecated bool
	// IncludeRetired includes retired documents, whether they were deprecated before
	// or not.
	IncludeRetired bool
}

// Match is a document that a search found.
type Match struct {
	Entry
	// Score ranks the results of one search. It is 0 if the query has no words.
	Score int `json:"score"`
	// Matched are the places with the words of the query, one for each word: "id",
	// "artifact_type", "name", "description", "keywords", "owner", "criteria[NAME]",
	// "negative_criteria[NAME]", or "rules[ID]".
	Matched []string `json:"matched"`
	// Partial means that no document has all the words of the query.
	Partial bool `json:"partial"`
}

// Search returns the documents that match a query, best first, and by ID among equals. It
// reads no document and writes no audit record. The results include drafts; see
// Entry.Draft. The error is an *IntegrityError if the bundle's index was changed.
func (l *Library) Search(q Query) ([]Match, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	all, err := l.documents.all()
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(slices.Clone(all), func(line *line) bool { return !l.includes(&q, line) })
	words := make([]*bundlefile.Words, len(all))
	for i, line := range all {
		words[i] = line.words
	}
	var found []Match
	for _, f := range bundlefile.Search(words, q.Text) {
		found = append(found, Match{l.documents.entry(all[f.Index]), f.Score, f.Matched, f.Partial})
	}
	return found, nil
}

// SimilarArtifactTypes returns up to three artifact types with a similar spelling, most similar
// first, or none if a document has the artifact type itself.
func (l *Library) SimilarArtifactTypes(artifactType string) ([]string, error) {
	all, err := l.Search(Query{IncludeDeprecated: true, IncludeRetired: true})
	var types []string
	for _, m := range all {
		if m.ArtifactType != "" { // a retired ID in a folder has none
			types = append(types, m.ArtifactType)
		}
	}
	if err != nil || artifactType == "" || len(artifactType) > maxNear || slices.Contains(types, artifactType) {
		return nil, err
	}
	slices.Sort(types)
	return suggest.Words(artifactType, slices.Compact(types), 3), nil
}

// includes reports whether a query is about a document, whatever its text.
func (l *Library) includes(q *Query, line *line) bool {
	switch {
	case q.Kind != "" && Kind(line.Kind) != q.Kind, q.ArtifactType != "" && line.ArtifactType != q.ArtifactType:
		return false
	case line.Retired:
		return q.IncludeRetired
	case line.Deprecated != nil && !q.IncludeDeprecated:
		return false
	}
	// A folder can have a document of which only a yanked version is left.
	return slices.ContainsFunc(line.Versions, func(v bundlefile.Version) bool {
		return l.Yanked(line.ID, v.Version) == ""
	})
}

// Entry returns the entry of a document, which can be current, deprecated, or retired.
// The error is a *NotFoundError if the document does not exist.
func (l *Library) Entry(id string) (Entry, error) {
	if err := l.check(); err != nil {
		return Entry{}, err
	}
	line, err := l.line("", id, l.documents.fullLine)
	if err != nil {
		return Entry{}, err
	}
	return l.documents.entry(line), nil
}

// ID is the ID of a document and the kind of the document that has it.
type ID struct {
	ID   string `json:"id"`
	Kind Kind   `json:"kind"`
}

// IDs returns the IDs of all documents that are not retired, sorted by ID. The error is
// that the library is closed.
func (l *Library) IDs() ([]ID, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	return l.documents.ids(), nil
}

// Retired returns the IDs of all documents that are not in the library any more, sorted by
// ID. It includes those of which no version is left.
func (l *Library) Retired() ([]string, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	ledger, err := l.documents.ledger()
	if err != nil {
		return nil, err
	}
	gone := maps.Clone(ledger)
	for _, id := range l.about.Retired {
		gone[id] = ledger[id]
	}
	for _, id := range l.documents.ids() {
		delete(gone, id.ID) // an exception can restore a document
	}
	return slices.Sorted(maps.Keys(gone)), nil
}
