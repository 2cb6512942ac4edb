package bundle

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
)

// Reference names a document and the versions of it that will do: "x_v1",
// "x_v1@~1.2", "x_v1@1.2.0#sha256:…".
type Reference struct {
	ID string
	// Constraint is as it was written, "" for any version.
	Constraint string
	// Digest is what the document digest must be, or "".
	Digest string

	allowed *semver.Constraints // nil for any version
}

var isDigest = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)

// ParseReference reads a reference. The error says what is wrong with it.
func ParseReference(text string) (Reference, error) {
	text, digest, hasDigest := strings.Cut(text, "#")
	if hasDigest && !isDigest.MatchString(digest) {
		return Reference{}, fmt.Errorf("%q stands behind the #, and sha256: with 64 digits from 0 to 9 and a to f was expected", digest)
	}
	id, constraint, hasConstraint := strings.Cut(text, "@")
	if hasConstraint && strings.TrimSpace(constraint) == "" {
		return Reference{}, fmt.Errorf("a version is missing after the @ of %q. Write one such as %s@1.2.0 or %s@~1.2, or leave the @ out", text, id, id)
	}
	r, err := newReference(id, constraint)
	r.Digest = digest
	return r, err
}

// newReference is a reference of an ID and a constraint, which can be "".
func newReference(id, constraint string) (Reference, error) {
	r := Reference{ID: id, Constraint: strings.TrimSpace(constraint)}
	if len(id) > 128 || !isID.MatchString(id) {
		return r, fmt.Errorf("%q is no ID: an ID has lower-case words joined by underscores, such as user_story_quality_v1", id)
	}
	if r.Constraint == "" {
		return r, nil
	}
	allowed, err := semver.NewConstraint(r.Constraint)
	if err != nil {
		return r, fmt.Errorf("%q is no version and no constraint such as ~1.2, ^1.0 or >=1.2 <2", r.Constraint)
	}
	r.allowed = allowed
	return r, nil
}

func (r Reference) String() string {
	if r.Constraint == "" {
		return r.ID
	}
	return r.ID + "@" + r.Constraint
}

// IsVersion tells whether a text is a version: three whole numbers.
func IsVersion(text string) bool { return isVersion.MatchString(text) }

// allows tells whether a version will do.
func (r Reference) allows(version string) bool {
	v, err := semver.StrictNewVersion(version)
	return err == nil && (r.allowed == nil || r.allowed.Check(v))
}

// Stored is the reference to store beside a score: it names one text for ever.
func Stored(id, version, digest string) string { return id + "@" + version + "#" + digest }

// UnknownError says that a library has no document of an ID.
type UnknownError struct {
	ID string
	// Near are IDs that may have been meant, the nearest first.
	Near []string
	// Retired is the ID's line in the ledger, nil if there is none.
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

// VersionError says that no version of a document will do.
type VersionError struct {
	Reference Reference
	// Versions are those that the library has, from lowest to highest, and
	// Tombstone the one that was asked for where it was withdrawn.
	Versions  []string
	Tombstone *bundlefile.Omission
}

func (e *VersionError) Error() string {
	if e.Tombstone != nil {
		return fmt.Sprintf("version %s of %s was withdrawn: %s", e.Tombstone.Version, e.Tombstone.ID, e.Tombstone.Reason)
	}
	return fmt.Sprintf("no version of %s is %s: there is %s", e.Reference.ID, e.Reference.Constraint, strings.Join(e.Versions, ", "))
}

// OtherTextError says that a version has another text than the reference says.
type OtherTextError struct {
	Reference Reference
	Version   string
	Found     string // the document digest
}

func (e *OtherTextError) Error() string {
	return fmt.Sprintf("%s %s here is not the text that the reference names: its SHA-256 is %s", e.Reference.ID, e.Version, e.Found)
}

// Resolve finds the highest version of a document that will do. The error is an
// *UnknownError, a *VersionError or an *OtherTextError.
func (l *Library) Resolve(r Reference) (line *bundlefile.IndexLine, version string, err error) {
	line = l.Find(r.ID)
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
	for i := len(line.Versions) - 1; i >= 0; i-- {
		v := line.Versions[i]
		if !r.allows(v.Version) {
			continue
		}
		if r.Digest != "" && r.Digest != v.Digest {
			return nil, "", &OtherTextError{r, v.Version, v.Digest}
		}
		return line, v.Version, nil
	}
	missing := &VersionError{Reference: r}
	for _, v := range line.Versions {
		missing.Versions = append(missing.Versions, v.Version)
	}
	for i, o := range l.Tombstones {
		if o.ID == r.ID && r.allows(o.Version) {
			missing.Tombstone = &l.Tombstones[i]
		}
	}
	return nil, "", missing
}

// Search lists the documents that are not retired, of an artifact type unless it
// is "", whose ID, name or description has every word, whatever its case.
func (l *Library) Search(artifactType string, words []string) []*bundlefile.IndexLine {
	var found []*bundlefile.IndexLine
	for i := range l.Lines {
		line := &l.Lines[i]
		if line.Retired || artifactType != "" && line.ArtifactType != artifactType {
			continue
		}
		text := strings.ToLower(line.ID + "\n" + line.Name + "\n" + line.Description)
		if !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, strings.ToLower(word)) }) {
			found = append(found, line)
		}
	}
	return found
}
