// Package bundlecheck checks what bundlefile can't: that the content of a bundle is
// what a build writes, and that a bundle continues another one.
//
// It promises:
//
//   - Verify accepts what a build of this or an earlier program writes, and rejects
//     everything that can be distinguished from it without the repository.
//   - Document accepts a single version of a document if Verify does. Readers call it
//     for each document, so they never return one that Verify rejects.
//   - The clients in Python and JavaScript give the same answers: a test compares
//     them on the same bundles.
package bundlecheck

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
)

// The entries that every bundle has, in addition to those of bundlefile.
const (
	LedgerName    = "retired.json"
	ChangelogName = "changelog.json"
)

// Verify reads all of a bundle and accepts it only if it is what a build writes: the
// container as in bundlefile.Verify, and in it each document, the index, the ledger,
// the changelog, and the other entries. Errors are those of bundlefile.Verify.
func Verify(r io.ReaderAt, size int64, o bundlefile.Options) (*bundlefile.Bundle, error) {
	b, _, err := VerifyNext(r, size, o, Checked{})
	return b, err
}

// Checked has what passed Verify, of a bundle and of the one before it, to which a source
// can go back. It is valid in every bundle.
type Checked [2]checked

type checked struct {
	documents map[checkedKey]bool
	// lines are those of the index by their SHA-256. Each agrees with the document that
	// it names with its digest. Only what a bundle still has to be compared with is set.
	lines map[[sha256.Size]byte]bundlefile.IndexLine
}

// checkedKey is all that the check of a document depends on.
type checkedKey struct{ name, sum string }

// VerifyNext is like Verify for a bundle that has most documents of an earlier one: it does
// not decode and check those again. All bytes are compared with their sums.
func VerifyNext(r io.ReaderAt, size int64, o bundlefile.Options, before Checked) (*bundlefile.Bundle, Checked, error) {
	c := &checker{before: before, checked: checked{map[checkedKey]bool{}, map[[sha256.Size]byte]bundlefile.IndexLine{}}}
	b, err := bundlefile.Verify(r, size, o, c)
	switch {
	case err != nil:
	case !c.has.ledger:
		err = problemf(LedgerName, "is missing: it is required in every bundle")
	case !c.has.changelog:
		err = problemf(ChangelogName, "is missing: it is required in every bundle")
	case len(c.documents) > 0:
		err = problemf(ChangelogName, "has a document that is not in the index: %+.100q", c.documents[0].ID)
	}
	if err != nil {
		return nil, Checked{}, bundlefile.Integrity(err)
	}
	return b, Checked{c.checked, before[0]}, nil
}

// checker implements bundlefile.Content.
type checker struct {
	before  Checked
	checked checked
	// documents are those of the changelog that no line was compared with.
	documents []ChangelogDocument
	has       struct{ ledger, changelog bool }
	// known means that the last line is in before.
	known bool
	key   [sha256.Size]byte
}

func problemf(path, format string, args ...any) error {
	return bundlefile.Problem{Path: path, Message: fmt.Sprintf(format, args...)}
}

// Entry checks one entry by itself.
func (c *checker) Entry(name, sum string, data []byte) (err error) {
	kind, id, version, isDocument := bundlefile.SplitDocumentPath(name)
	switch {
	case isDocument:
		key := checkedKey{name, sum}
		if !c.before[0].documents[key] && !c.before[1].documents[key] {
			_, err = Document(kind, id, version, data)
		}
		c.checked.documents[key] = true
		return err
	case name == LedgerName:
		c.has.ledger = true
		_, err = Ledger(data)
	case name == ChangelogName:
		c.has.changelog = true
		c.documents, err = decodeChangelog(data)
	default:
		err = checkText(name, data)
	}
	if err != nil {
		return problemf(name, "%v", err)
	}
	return nil
}

// checkText checks the entries for people and other programs.
func checkText(name string, data []byte) error {
	if !utf8.Valid(data) {
		return fmt.Errorf("is not UTF-8")
	}
	switch folder, _, _ := strings.Cut(name, "/"); path.Ext(name) {
	case ".json":
		if name == bundlefile.ManifestName {
			return nil // bundlefile has checked it
		}
		value, err := decodeObject(data)
		if err == nil && folder == "conformance" {
			err = checkVectors(value)
		}
		return err
	case ".jsonl":
		if name == bundlefile.IndexName {
			return nil
		}
		number := 0
		for line := range strings.Lines(string(data)) {
			number++
			if strings.Trim(line, " \t\r\n") == "" {
				continue
			}
			if _, err := decodeObject([]byte(line)); err != nil {
				return fmt.Errorf("line %d %w", number, err)
			}
		}
	}
	return nil
}

// Decode decodes a line of the index, unless it is in before.
func (c *checker) Decode(text []byte) (line bundlefile.IndexLine, err error) {
	c.key = sha256.Sum256(text)
	if line, c.known = c.before[0].lines[c.key]; !c.known {
		line, c.known = c.before[1].lines[c.key]
	}
	if !c.known {
		line, err = bundlefile.DecodeIndexLine(text)
	}
	return line, err
}

// Line compares a line of the index with the latest version and the changelog. bundlefile
// has compared it with the entries, so a known line is that of the same documents as before.
func (c *checker) Line(b *bundlefile.Bundle, line *bundlefile.IndexLine) error {
	if c.has.changelog {
		if len(c.documents) == 0 || !c.documents[0].isOf(line) {
			return problemf(ChangelogName, "does not have the versions of %s in order", line.ID)
		}
		c.documents = c.documents[1:]
	}
	if !c.known {
		if err := agrees(b, line); err != nil {
			return err
		}
		line.Name, line.ArtifactType, line.Description, line.Language, line.Deprecated, line.Parts = "", "", "", "", nil, nil
	}
	c.checked.lines[c.key] = *line
	return nil
}

// agrees compares a line of the index with the latest version of the document, which is
// calibrated if it names a dataset.
func agrees(b *bundlefile.Bundle, line *bundlefile.IndexLine) error {
	name := bundlefile.DocumentPath(line.Kind, line.ID, line.Latest)
	data, err := b.Read(name)
	if err != nil {
		return err
	}
	said, err := bundlefile.LineOf(line.ID, line.Kind, data, line.Versions)
	var names struct {
		Dataset string `json:"calibration_dataset"`
	}
	if err == nil {
		err = json.Unmarshal(data, &names)
	}
	if err != nil {
		return problemf(name, "%v", err)
	}
	if what := differs(line, said, names.Dataset != ""); what != "" {
		return problemf(bundlefile.IndexName, "differs in %s of %s from %s", what, line.ID, name)
	}
	return nil
}

// differs returns the key in which a line of the index differs from the latest version
// of the document, or "".
func differs(line *bundlefile.IndexLine, said bundlefile.IndexLine, named bool) string {
	calibrated := line.Kind == bundlefile.KindRubric && !line.Retired && named
	switch {
	case line.Name != said.Name:
		return "name"
	case line.ArtifactType != said.ArtifactType:
		return "artifact_type"
	case line.Description != said.Description:
		return "description"
	case line.Language != said.Language:
		return "language"
	case (line.Deprecated == nil) != (said.Deprecated == nil), line.Deprecated != nil && *line.Deprecated != *said.Deprecated:
		return "deprecated"
	case !slices.Equal(line.Parts, said.Parts):
		return "parts"
	case (line.Calibration != nil) != calibrated:
		return "calibration"
	}
	return ""
}
