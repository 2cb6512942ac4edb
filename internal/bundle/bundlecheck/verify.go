// Package bundlecheck holds what bundlefile does not know: whether the content of a
// bundle is what a build writes, and whether a bundle continues another one.
//
// It promises:
//
//   - Verify accepts what a build writes, of this program or an earlier one, and
//     nothing else that could be told from it without the repository.
//   - Document accepts a version of a document by itself, as Verify does. Whoever
//     hands out documents asks it, so that nobody gets one that Verify refuses.
//   - The clients in Python and JavaScript give the same answers: a test asks all of
//     them about the same bundles.
package bundlecheck

import (
	"fmt"
	"io"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
)

// The entries that every bundle has beside those of bundlefile.
const (
	LedgerName    = "retired.json"
	ChangelogName = "changelog.json"
)

// Verify reads all of a bundle and accepts it only if it is what a build writes: the
// container as bundlefile.Verify says, and in it each document, the index, the
// ledger, the changelog, and the other entries. Errors are as of bundlefile.Verify.
func Verify(r io.ReaderAt, size int64, o bundlefile.Options) (*bundlefile.Bundle, error) {
	c := &checker{said: map[string]bundlefile.IndexLine{}}
	b, err := bundlefile.Verify(r, size, o, c.entry)
	if err != nil {
		return nil, err
	}
	if err := c.agree(b); err != nil {
		return nil, bundlefile.Integrity(err)
	}
	return b, nil
}

// checker keeps of the entries what is compared with the index.
type checker struct {
	// said is what each version of a document says of what stands in the index.
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
		d, err := Document(kind, id, version, data)
		if err != nil {
			return err
		}
		// Whether it is calibrated follows from whether it names a dataset.
		line, err := bundlefile.LineOf(d.ID(), d.Kind.Name, data, []bundlefile.Version{{Version: d.Version()}})
		if d.Text("calibration_dataset") != "" {
			line.Calibration = &bundlefile.Calibration{}
		}
		c.said[name] = line
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

// checkText checks what a bundle carries for people and other programs.
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

// agree compares the entries with the index. bundlefile has compared the versions.
func (c *checker) agree(b *bundlefile.Bundle) error {
	switch {
	case !c.hasLedger:
		return problemf(LedgerName, "is missing: every bundle has it")
	case c.changelog == nil:
		return problemf(ChangelogName, "is missing: every bundle has it")
	}
	documents := c.changelog.Documents
	for line, err := range b.Index() {
		if err != nil {
			return err
		}
		name := bundlefile.DocumentPath(line.Kind, line.ID, line.Latest)
		if what := differs(&line, c.said[name]); what != "" {
			return problemf(bundlefile.IndexName, "says another %s of %s than %s", what, line.ID, name)
		}
		if len(documents) == 0 || !documents[0].isOf(&line) {
			return problemf(ChangelogName, "does not have the versions of %s in their order", line.ID)
		}
		documents = documents[1:]
	}
	if len(documents) > 0 {
		return problemf(ChangelogName, "has a document that the index does not have: %+.100q", documents[0].ID)
	}
	return nil
}

// differs is the key in which a line of the index is not what the latest version of
// the document says, or "".
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
	case (line.Calibration != nil) != calibrated:
		return "calibration"
	}
	return ""
}
