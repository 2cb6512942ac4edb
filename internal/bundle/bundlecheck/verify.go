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
	b, _, err := VerifyNext(r, size, o, nil)
	return b, err
}

// Checked has the documents of a bundle that passed Verify.
type Checked map[checkedKey]bundlefile.IndexLine

// checkedKey is all that the check of a document depends on.
type checkedKey struct {
	name string
	sum  [sha256.Size]byte
}

// VerifyNext is like Verify for a bundle that has most documents of an earlier one: it does
// not decode and check those again.
func VerifyNext(r io.ReaderAt, size int64, o bundlefile.Options, before Checked) (*bundlefile.Bundle, Checked, error) {
	c := &checker{said: map[string]bundlefile.IndexLine{}, before: before, checked: Checked{}}
	b, err := bundlefile.Verify(r, size, o, c.entry)
	if err != nil {
		return nil, nil, err
	}
	if err := c.agree(b); err != nil {
		return nil, nil, bundlefile.Integrity(err)
	}
	return b, c.checked, nil
}

// checker keeps the parts of the entries that are compared with the index.
type checker struct {
	before, checked Checked
	// said has the index line that follows from each version of a document.
	said      map[string]bundlefile.IndexLine
	changelog *Changelog
	hasLedger bool
}

func problemf(path, format string, args ...any) error {
	return bundlefile.Problem{Path: path, Message: fmt.Sprintf(format, args...)}
}

// entry checks one entry by itself.
func (c *checker) entry(name string, data []byte) (err error) {
	kind, id, version, isDocument := bundlefile.SplitDocumentPath(name)
	switch {
	case isDocument:
		key := checkedKey{name, sha256.Sum256(data)}
		if line, ok := c.before[key]; ok {
			c.said[name], c.checked[key] = line, line
			return nil
		}
		d, err := Document(kind, id, version, data)
		if err != nil {
			return err
		}
		// A document is calibrated if it names a dataset.
		line, err := bundlefile.LineOf(d.ID(), d.Kind.Name, data, []bundlefile.Version{{Version: d.Version()}})
		if d.Text("calibration_dataset") != "" {
			line.Calibration = &bundlefile.Calibration{}
		}
		c.said[name], c.checked[key] = line, line
		return err
	case name == LedgerName:
		c.hasLedger = true
		_, err = Ledger(data)
	case name == ChangelogName:
		c.changelog, err = decodeChangelog(data)
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

// agree compares the entries with the index, except for the versions, which bundlefile
// compares.
func (c *checker) agree(b *bundlefile.Bundle) error {
	switch {
	case !c.hasLedger:
		return problemf(LedgerName, "is missing: it is required in every bundle")
	case c.changelog == nil:
		return problemf(ChangelogName, "is missing: it is required in every bundle")
	}
	documents := c.changelog.Documents
	for line, err := range b.Index() {
		if err != nil {
			return err
		}
		name := bundlefile.DocumentPath(line.Kind, line.ID, line.Latest)
		if what := differs(&line, c.said[name]); what != "" {
			return problemf(bundlefile.IndexName, "differs in %s of %s from %s", what, line.ID, name)
		}
		if len(documents) == 0 || !documents[0].isOf(&line) {
			return problemf(ChangelogName, "does not have the versions of %s in order", line.ID)
		}
		documents = documents[1:]
	}
	if len(documents) > 0 {
		return problemf(ChangelogName, "has a document that is not in the index: %+.100q", documents[0].ID)
	}
	return nil
}

// differs returns the key in which a line of the index differs from the latest version
// of the document, or "".
func differs(line *bundlefile.IndexLine, said bundlefile.IndexLine) string {
	calibrated := line.Kind == bundlefile.KindRubric && !line.Retired && said.Calibration != nil
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
