package bundle

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
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
// is an *UnknownError, a *VersionError, or an *OtherTextError.
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

// Search lists the documents whose ID, name, or description has every word, ignoring
// case. Retired documents, and unless artifactType is "", other artifact types are
// omitted.
func (l *Library) Search(artifactType string, words []string) []*bundlefile.IndexLine {
	var found []*bundlefile.IndexLine
	for _, line := range l.Lines {
		if !line.Retired && line.Matches(artifactType, words) {
			found = append(found, line)
		}
	}
	return found
}
