package bundlefile

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// IndexLine has what is needed to list and find a document. Unless noted otherwise,
// the values are those of the latest version.
type IndexLine struct {
	ArtifactType string `json:"artifact_type"`
	// Calibration is nil if the document names no labeled items to compare judges
	// with. It is a line of the entry CalibrationName.
	Calibration *Calibration `json:"-"`
	// Deprecated is set if the document should no longer be adopted.
	Deprecated  *Deprecation `json:"deprecated,omitempty"`
	Description string       `json:"description,omitempty"`
	ID          string       `json:"id"`
	// Keywords are what people search for that is in no other text: the value of
	// metadata.keywords, which no judge reads. Format 1 has none.
	Keywords string `json:"keywords,omitempty"`
	// Kind is KindRubric or KindRuleSet.
	Kind string `json:"kind"`
	// Language is a BCP 47 tag; "" means "en".
	Language string `json:"language,omitempty"`
	// Latest is the highest of Versions that is not yanked, or of a retired document
	// without such a version, the highest.
	Latest string `json:"latest"`
	Name   string `json:"name"`
	// Owner is the value of metadata.owner. Format 1 and the first bundles of format 2 have none.
	Owner string `json:"owner,omitempty"`
	// Parts are the parts of the document that a search covers, in its order.
	Parts []Part `json:"parts,omitempty"`
	// Retired means that the library no longer has the document. The entry
	// retired.json has the reason.
	Retired bool `json:"retired,omitempty"`
	// Versions are all versions in the bundle, in ascending order.
	Versions []Version `json:"versions"`
}

// Part is a criterion, a negative criterion, or a rule.
type Part struct {
	// List is the key of the document's list: criteria, negative_criteria, or rules.
	List string `json:"list"`
	// Name is the name of a criterion, or the ID of a rule.
	Name string `json:"name"`
	// Text is the description, or "".
	Text string `json:"text,omitempty"`
}

// Version is a version of a document.
type Version struct {
	// Commit is the full hash of the commit that first had the version on the main branch,
	// and Time its time, such as 2026-11-21T08:30:00Z. Both are "" if they are unknown.
	Commit string `json:"commit,omitempty"`
	// Digest is "sha256:" and the SHA-256 of the version's entry.
	Digest string `json:"digest"`
	// Release is the version of the library that first contained it, or "" if it is unknown.
	Release string `json:"release,omitempty"`
	Time    string `json:"time,omitempty"`
	Version string `json:"version"`
}

// isNewer reports whether the line has what format 2 introduced: keywords, an owner, or a version that
// says where it comes from.
func (l *IndexLine) isNewer() bool {
	return l.Keywords+l.Owner != "" ||
		slices.ContainsFunc(l.Versions, func(v Version) bool { return v.Commit+v.Time+v.Release != "" })
}

// Deprecation says why a document should no longer be used.
type Deprecation struct {
	Reason string `json:"reason"`
	// ReplacedBy is the ID of the document to use instead, or "".
	ReplacedBy string `json:"replaced_by,omitempty"`
}

// LineOf returns the line of a document with its versions in ascending order. latest
// is the canonical form of the last one that is not yanked.
func LineOf(id, kind string, latest []byte, versions []Version) (IndexLine, error) {
	type part struct{ Name, ID, Description string } // each has one of the first two
	var d struct {
		IndexLine                                  // the keys that documents have too
		Version   string                           `json:"version"`
		Metadata  struct{ Keywords, Owner string } `json:"metadata"`
		Criteria  []part                           `json:"criteria"`
		Negative  []part                           `json:"negative_criteria"`
		Rules     []part                           `json:"rules"`
	}
	err := json.Unmarshal(latest, &d)
	line := d.IndexLine
	line.ID, line.Kind, line.Versions, line.Latest = id, kind, versions, d.Version
	line.Keywords, line.Owner = d.Metadata.Keywords, d.Metadata.Owner
	for i, list := range [][]part{d.Criteria, d.Negative, d.Rules} {
		for _, p := range list {
			line.Parts = append(line.Parts, Part{partLists[i], p.Name + p.ID, p.Description})
		}
	}
	return line, err
}

// partLists are the lists of documents that a search covers.
var partLists = []string{"criteria", "negative_criteria", "rules"}

func (l *IndexLine) id() string { return l.ID }

func (l *IndexLine) encode() ([]byte, error) { return canonical(l) }

// check returns an error if the index of a bundle of a format can't have the line.
func (l *IndexLine) check(format int) error {
	wrong := func(key, found, expected string) error {
		return fmt.Errorf("%s of %+.100q is %+.100q, expected %s", key, l.ID, found, expected)
	}
	switch {
	case format == 1 && l.isNewer():
		return fmt.Errorf("%s has keywords, an owner, or a version with a commit, a time, or a release, which format 1 does not have", l.ID)
	case !IsID(l.ID):
		return wrong("id", l.ID, "the ID of a document")
	case l.Kind != KindRubric && l.Kind != KindRuleSet:
		return wrong("kind", l.Kind, KindRubric+" or "+KindRuleSet)
	case l.Name == "":
		return wrong("name", l.Name, "a name")
	case !IsID(l.ArtifactType):
		return wrong("artifact_type", l.ArtifactType, "lowercase words joined by underscores")
	case l.Deprecated != nil && l.Deprecated.Reason == "":
		return wrong("deprecated.reason", "", "a reason")
	case l.Deprecated != nil && l.Deprecated.ReplacedBy != "" && !IsID(l.Deprecated.ReplacedBy):
		return wrong("deprecated.replaced_by", l.Deprecated.ReplacedBy, "the ID of a document")
	}
	for _, p := range l.Parts {
		if !slices.Contains(partLists, p.List) || p.Name == "" {
			return wrong("parts", p.List+" "+p.Name, "a criterion, a negative criterion, or a rule with a name")
		}
	}
	return l.checkVersions(wrong)
}

func (l *IndexLine) checkVersions(wrong func(key, found, expected string) error) error {
	for i, v := range l.Versions {
		switch {
		case !IsVersion(v.Version):
			return wrong("versions", v.Version, "a version such as 1.0.0")
		case i > 0 && CompareVersions(l.Versions[i-1].Version, v.Version) >= 0:
			return wrong("versions", v.Version, "each version once, in ascending order")
		case !IsDigest(v.Digest):
			return wrong("versions", v.Digest, "sha256: and 64 hexadecimal digits")
		case v.Commit != "" && !isCommit(v.Commit):
			return wrong("versions", v.Commit, "the full hash of a commit")
		case (v.Commit == "") != (v.Time == "") || v.Time != "" && !IsTime(v.Time):
			return wrong("versions", v.Time, "the time of the commit in UTC, such as 2026-11-21T08:30:00Z")
		case v.Release != "" && !IsVersion(v.Release):
			return wrong("versions", v.Release, "a version of the library such as 1.4.0")
		}
	}
	if !slices.ContainsFunc(l.Versions, func(v Version) bool { return v.Version == l.Latest }) {
		return wrong("latest", l.Latest, "one of its versions")
	}
	return nil
}

// TimeFormat is the form of times in the index, which are in UTC.
const TimeFormat = "2006-01-02T15:04:05Z"

// IsTime reports whether the index can have a time, from 1970 to 9999.
func IsTime(text string) bool {
	at, err := time.Parse(TimeFormat, text)
	return err == nil && at.Format(TimeFormat) == text && at.Year() >= 1970
}
