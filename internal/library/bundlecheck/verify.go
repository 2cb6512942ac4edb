// Package bundlecheck checks what bundlefile can't: that the content of a bundle is
// what a build writes, and that a bundle continues another one.
//
// It promises:
//
//   - Verify accepts what a build of this or an earlier program writes, and rejects
//     everything that can be distinguished from it without the repository. It consists of
//     Structure and Texts.
//   - Document accepts a single version of a document if Structure does. Readers call it
//     for each document, so they never return one that Structure rejects.
//   - The clients in Python and JavaScript give the same answers as Structure: a test
//     compares them on the same bundles.
package bundlecheck

import (
	"bytes"
	"cmp"
	"crypto/sha256"
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
		err = Texts(b)
	}
	return b, err
}

// Structure checks the container as bundlefile.Verify does, and in it each document, the
// index, the ledger, and the form of the other entries. Errors are those of
// bundlefile.Verify.
func Structure(r io.ReaderAt, size int64, o bundlefile.Options) (*bundlefile.Bundle, error) {
	b, _, err := StructureNext(r, size, o, Checked{})
	return b, err
}

// Checked has what passed Structure, of a bundle and of the one before it, to which a source
// can go back. It is valid in every bundle.
type Checked [2]checked

type checked struct {
	// documents are the names and sums of the entries.
	documents map[[2]string]bool
	// lines are those of the index by their SHA-256.
	lines map[[sha256.Size]byte]*checkedLine
}

// checkedLine is a line that agrees with the document that it names with its digest. Of the
// line, only what a bundle still has to be compared with is set.
type checkedLine struct {
	bundlefile.IndexLine
	// calibrated means that the document names a dataset.
	calibrated bool
}

// StructureNext is like Structure for a bundle that has most documents of an earlier one: it does
// not decode and check those again. All bytes are compared with their sums.
func StructureNext(r io.ReaderAt, size int64, o bundlefile.Options, before Checked) (*bundlefile.Bundle, Checked, error) {
	c := &checker{before: before, checked: checked{map[[2]string]bool{}, map[[sha256.Size]byte]*checkedLine{}}}
	b, err := bundlefile.Verify(r, size, o, c)
	for _, name := range required {
		if err == nil && b.EntryDigest(name) == "" {
			err = problemf(name, "is missing: it is required in every bundle")
		}
	}
	if err == nil {
		err = checkLedger(b)
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
	// key and known are of the last line. known is nil if the line is not in before.
	key   [sha256.Size]byte
	known *checkedLine
}

func problemf(path, format string, args ...any) error {
	return bundlefile.Problem{Path: path, Message: fmt.Sprintf(format, args...)}
}

// Entry checks one entry by itself.
func (c *checker) Entry(name, sum string, data []byte) (err error) {
	kind, id, version, isDocument := bundlefile.SplitDocumentPath(name)
	switch {
	case isDocument:
		key := [2]string{name, sum}
		if !c.before[0].documents[key] && !c.before[1].documents[key] {
			_, err = Document(kind, id, version, data)
		}
		c.checked.documents[key] = true
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

// Decode decodes a line of the index, unless it is in before.
func (c *checker) Decode(text []byte) (bundlefile.IndexLine, error) {
	c.key = sha256.Sum256(text)
	c.known = cmp.Or(c.before[0].lines[c.key], c.before[1].lines[c.key])
	if c.known != nil {
		return c.known.IndexLine, nil
	}
	return bundlefile.DecodeIndexLine(text)
}

// Line compares a line of the index with the latest version. A known line has the same digest
// of that as before.
func (c *checker) Line(b *bundlefile.Bundle, line *bundlefile.IndexLine) (err error) {
	if c.known == nil {
		if c.known, err = agreeing(b, line); err != nil {
			return err
		}
	}
	c.checked.lines[c.key] = c.known
	if calibrated := line.Kind == bundlefile.KindRubric && !line.Retired && c.known.calibrated; calibrated != (line.Calibration != nil) {
		return problemf(bundlefile.IndexName, "differs in the calibration of %s from its latest version", line.ID)
	}
	return nil
}

// agreeing compares a line of the index with the latest version of the document.
func agreeing(b *bundlefile.Bundle, line *bundlefile.IndexLine) (*checkedLine, error) {
	name := bundlefile.DocumentPath(line.Kind, line.ID, line.Latest)
	data, err := b.Read(name)
	if err != nil {
		return nil, err
	}
	var names struct {
		Dataset string `json:"calibration_dataset"`
	}
	said, err := bundlefile.LineOf(line.ID, line.Kind, data, line.Versions)
	if err == nil && bytes.Contains(data, []byte("calibration_dataset")) {
		err = json.Unmarshal(data, &names)
	}
	if err != nil {
		return nil, problemf(name, "%v", err)
	}
	said.Retired, said.Calibration = line.Retired, line.Calibration
	if said.Keywords != line.Keywords && b.Manifest().FormatVersion == 1 {
		said.Keywords = ""
	}
	if !reflect.DeepEqual(&said, line) {
		return nil, problemf(bundlefile.IndexName, "does not have the texts of %s for %s", name, line.ID)
	}
	short := bundlefile.IndexLine{ID: line.ID, Kind: line.Kind, Latest: line.Latest, Versions: line.Versions, Retired: line.Retired, Calibration: line.Calibration}
	return &checkedLine{short, names.Dataset != ""}, nil
}
