package bundlecheck

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/jsontext"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// Texts checks the texts of a bundle that Structure accepts: patterns are regular expressions,
// nothing is hidden, and the changelog is in the form that a build writes, with the versions
// of the index. Clients leave this to the commands, because no verdict is wrong without it: an
// expression that a program can't read is an error when it is used. The error is a
// *bundlefile.IntegrityError, or one of reading.
//
// refused says which documents have a pattern that the clients refuse, as builds of earlier programs
// let through.
func Texts(b *bundlefile.Bundle) (refused *Refused, err error) {
	c := textCheck{Bundle: b, refused: &Refused{}}
	if c.latest, err = latestOf(b); err != nil {
		return c.refused, err
	}
	for path := range b.Paths("r") {
		if err := c.entry(path, c.document); err != nil {
			return c.refused, err
		}
	}
	for _, path := range []string{bundlefile.ManifestName, bundlefile.CalibrationName, ChangelogName} {
		if err := c.entry(path, checkDirection); err != nil {
			return c.refused, err
		}
	}
	err = c.entry(ChangelogName, func(_ string, data []byte) error { return checkChangelog(data, b) })
	if err == nil && len(c.found) > 0 {
		err = &bundlefile.IntegrityError{Problems: c.found}
	}
	return c.refused, err
}

// textCheck collects what is wrong with the texts of a bundle.
type textCheck struct {
	*bundlefile.Bundle
	latest  map[string]bool // the entries of the latest versions
	found   bundlefile.ProblemList
	refused *Refused
}

// entry reads an entry and adds what is wrong with it. The error is one of reading.
func (c *textCheck) entry(path string, by func(path string, data []byte) error) error {
	data, err := c.Read(path)
	if err != nil {
		return err
	}
	if wrong := by(path, data); wrong != nil {
		c.found.Add(bundlefile.BundleProblem{Path: path, Message: wrong.Error()})
	}
	return nil
}

// document checks a version of a document, or the ledger.
func (c *textCheck) document(path string, data []byte) error {
	if path == LedgerName {
		return document.CheckVisible(data)
	}
	refused, err := document.CheckTexts(data)
	if err == nil && refused != nil {
		list := &c.refused.Others
		if c.latest[path] {
			list = &c.refused.Latest
		}
		list.Add(bundlefile.BundleProblem{Path: path, Message: refused.Error()})
	}
	return err
}

// Refused are the versions of documents with a pattern that the clients refuse.
type Refused struct {
	// Latest are the versions that consumers get today, and Others earlier, yanked, and retired ones.
	Latest, Others bundlefile.ProblemList
}

// latestOf has the entries of the latest versions of the documents that are not retired.
func latestOf(b *bundlefile.Bundle) (map[string]bool, error) {
	latest := map[string]bool{}
	for line, err := range b.Index() {
		if err != nil {
			return nil, err
		}
		if !line.Retired {
			latest[bundlefile.DocumentPath(line.Kind, line.ID, line.Latest)] = true
		}
	}
	return latest, nil
}

// checkDirection returns an error for a character that changes the order of the text around
// it. Other hidden characters can be what is left of a text that was shortened.
func checkDirection(_ string, data []byte) error {
	for _, c := range sanitize.FindHidden(string(data)) {
		if c.Kind == sanitize.Bidi {
			return document.HiddenError(c)
		}
	}
	return nil
}

// Changelog is the content of changelog.json.
type Changelog struct {
	SchemaVersion int                 `json:"schema_version"`
	Documents     []ChangelogDocument `json:"documents"`
}

// ChangelogDocument has the versions of a document in ascending order.
type ChangelogDocument struct {
	ID       string             `json:"id"`
	Kind     string             `json:"kind"`
	Versions []ChangelogVersion `json:"versions"`
}

// ChangelogVersion describes the changes of a version since the one before.
type ChangelogVersion struct {
	Version string  `json:"version"`
	Since   *string `json:"since"` // null for the first
	// Class is null for the first version, and if the two can't be compared.
	Class   *string           `json:"class"`
	Changes []ChangelogChange `json:"changes"`
}

// ChangelogChange is one change.
type ChangelogChange struct {
	Kind    string  `json:"kind"`
	Path    string  `json:"path"`
	Class   string  `json:"class"`
	Base    *string `json:"base"`
	Head    *string `json:"head"`
	Message string  `json:"message"`
}

// Encode returns the entry.
func (c *Changelog) Encode() ([]byte, error) {
	data, err := jsontext.Encode(c, "", "")
	return append(data, '\n'), err
}

// classes are the possible classes of a change or a version.
var classes = []string{"none", "patch", "minor", "major"}

// decodeChangelog reads what Encode writes, and nothing else.
func decodeChangelog(data []byte) ([]ChangelogDocument, error) {
	var c Changelog
	if err := json.Unmarshal(data, &c); err != nil {
		return nil, errors.New("is not the JSON of a changelog")
	}
	if again, err := c.Encode(); err != nil || !bytes.Equal(again, data) || c.SchemaVersion != 1 || c.Documents == nil {
		return nil, errors.New("is not in the form that a build writes")
	}
	for _, d := range c.Documents {
		for _, v := range d.Versions {
			if !v.isRight() {
				return nil, errors.New("has invalid changes of version " + v.Version)
			}
		}
	}
	return c.Documents, nil
}

// isRight reports whether a build can have written the changes of a version.
func (v *ChangelogVersion) isRight() bool {
	if v.Changes == nil || v.Class == nil && len(v.Changes) > 0 {
		return false
	}
	if v.Class != nil && (v.Since == nil || !slices.Contains(classes, *v.Class)) {
		return false
	}
	for _, change := range v.Changes {
		if change.Kind == "" || change.Message == "" || !slices.Contains(classes, change.Class) {
			return false
		}
	}
	return true
}

func checkChangelog(data []byte, b *bundlefile.Bundle) error {
	documents, err := decodeChangelog(data)
	if err != nil {
		return err
	}
	for line, err := range b.Index() {
		if err != nil {
			return err
		}
		if len(documents) == 0 || !documents[0].isOf(&line) {
			return fmt.Errorf("does not have the versions of %s in order", line.ID)
		}
		documents = documents[1:]
	}
	if len(documents) > 0 {
		return fmt.Errorf("has a document that is not in the index: %+.100q", documents[0].ID)
	}
	return nil
}

// isOf reports whether a document of the changelog has the versions of a line of the
// index, each since the one before.
func (d *ChangelogDocument) isOf(line *bundlefile.IndexLine) bool {
	if d.ID != line.ID || d.Kind != line.Kind || len(d.Versions) != len(line.Versions) {
		return false
	}
	for i, v := range d.Versions {
		if v.Version != line.Versions[i].Version || (v.Since == nil) != (i == 0) ||
			i > 0 && *v.Since != d.Versions[i-1].Version {
			return false
		}
	}
	return true
}
