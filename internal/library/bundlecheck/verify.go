// Package bundlecheck checks what bundlefile can't: that the content of a bundle is
// what a build writes, and that a bundle continues another one.
//
// It promises:
//
//   - Verify accepts what a build of this or an earlier program writes, and rejects
//     everything that can be distinguished from it without the repository. It consists of
//     Structure and Texts.
//   - Open checks what decides which version a reader selects: the manifest, the ledger, and that
//     the index has a line for each document.
//   - Document accepts a single version of a document if Structure does. Readers call it
//     for each document, so they never return one that Structure rejects.
//   - The clients in Python and JavaScript give the same answers as Structure: a test
//     compares them on the same bundles.
package bundlecheck

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

// Entries of a bundle, in addition to those of bundlefile.
const (
	LedgerName    = "retired.json"
	ChangelogName = "changelog.json"
)

// required are the entries that every build has written, in addition to those of bundlefile.
// The other vectors came later.
var required = []string{ChangelogName, "conformance/hits.json", "conformance/verdict.json", LedgerName}

// Verify reads all of a bundle and accepts it only if it is what a build writes: both
// Structure and Texts accept it. Errors are those of bundlefile.Verify.
func Verify(r io.ReaderAt, size int64, o bundlefile.Options) (*bundlefile.Bundle, error) {
	b, err := Structure(r, size, o)
	if err == nil {
		_, err = Texts(b)
	}
	return b, err
}

// Open opens a bundle as bundlefile.Open does, and checks its ledger. Every reader of a library uses
// it, so that each refuses the same bundles before it reads a document.
func Open(r io.ReaderAt, size int64, o bundlefile.Options) (*bundlefile.Bundle, error) {
	b, err := bundlefile.Open(r, size, o)
	if err == nil {
		err = checkLedger(b)
	}
	if err != nil {
		return nil, bundlefile.Integrity(err)
	}
	return b, nil
}

// Structure checks the container as bundlefile.Verify does, and in it each document, the
// index, the ledger, and the form of the other entries. Errors are those of
// bundlefile.Verify.
func Structure(r io.ReaderAt, size int64, o bundlefile.Options) (*bundlefile.Bundle, error) {
	b, err := bundlefile.Verify(r, size, o, content{})
	for _, name := range required {
		if err == nil && b.EntryDigest(name) == "" {
			err = problemf(name, "is missing: it is required in every bundle")
		}
	}
	if err == nil {
		err = checkLedger(b)
	}
	if err != nil {
		return nil, bundlefile.Integrity(err)
	}
	return b, nil
}

// content implements bundlefile.Content.
type content struct{}

func problemf(path, format string, args ...any) error {
	return bundlefile.BundleProblem{Path: path, Message: fmt.Sprintf(format, args...)}
}

// Entry checks one entry by itself. The error is a bundlefile.BundleProblem.
func (content) Entry(name string, data []byte) error { return Entry(name, data) }

// Entry checks the content of an entry with a valid name as Structure does. The error is a
// bundlefile.BundleProblem.
func Entry(name string, data []byte) (err error) {
	kind, id, version, isDocument := bundlefile.SplitDocumentPath(name)
	switch {
	case isDocument:
		_, err = Document(kind, id, version, data)
		return err
	case name == LedgerName:
		_, err = RetiredIDs(data)
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
	folder, _, _ := strings.Cut(name, "/")
	switch path.Ext(name) {
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
		if name == bundlefile.IndexName || name == bundlefile.CalibrationName {
			return nil
		}
		for i, line := range bytes.Split(data, []byte("\n")) {
			if _, err := decodeObject(line); err != nil && len(bytes.Trim(line, " \t\r")) > 0 {
				return fmt.Errorf("line %d %w", i+1, err)
			}
		}
	}
	return nil
}

// Line compares a line of the index with the latest version of the document.
func (content) Line(b *bundlefile.Bundle, line *bundlefile.IndexLine) error {
	name := bundlefile.DocumentPath(line.Kind, line.ID, line.Latest)
	data, err := b.Read(name)
	if err != nil {
		return err
	}
	var names struct {
		Dataset string `json:"calibration_dataset"`
	}
	said, err := bundlefile.LineOf(line.ID, line.Kind, data, line.Versions)
	if err == nil && bytes.Contains(data, []byte("calibration_dataset")) {
		err = json.Unmarshal(data, &names)
	}
	if err != nil {
		return problemf(name, "%v", err)
	}
	said.Retired, said.Calibration = line.Retired, line.Calibration
	if said.Keywords != line.Keywords && b.Manifest().FormatVersion == 1 {
		said.Keywords = ""
	}
	if line.Owner == "" { // the bundle is older than the key
		said.Owner = ""
	}
	if !reflect.DeepEqual(&said, line) {
		return problemf(bundlefile.IndexName, "does not have the texts of %s for %s", name, line.ID)
	}
	calibrated := line.Kind == bundlefile.KindRubric && !line.Retired && names.Dataset != ""
	if calibrated != (line.Calibration != nil) {
		return problemf(bundlefile.IndexName, "differs in the calibration of %s from its latest version", line.ID)
	}
	return nil
}
