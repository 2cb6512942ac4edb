package bundlefile

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Calibration is how well judges agree with people on a document, and what each may be used
// for, or the reason why there is none.
type Calibration struct {
	// ID is the ID of the document. Write sets it.
	ID string `json:"id"`
	// Judges has one entry for each name, sorted by it.
	Judges []Judge `json:"judges,omitempty"`
	// LabeledBy is who gave the labels: People, "authors" of the rubric, or a "model". It is ""
	// without statistics, and in format 1.
	LabeledBy string `json:"labeled_by,omitempty"`
	// Path is the entry with the statistics, or "" if the bundle has none.
	Path string `json:"path,omitempty"`
	// Reason says in sentences why there are no judges, or is "".
	Reason string `json:"reason,omitempty"`
}

// People is who has to label so that a judge may be used.
const People = "people"

var labelers = []string{People, "authors", "model"}

func (c *Calibration) id() string { return c.ID }

func (c *Calibration) encode() ([]byte, error) { return canonical(c) }

// check returns an error if no build writes the line.
func (c *Calibration) check(int) error {
	wrong := func(key, found, expected string) error {
		return fmt.Errorf("%s of the calibration of %+.100q is %+.100q, expected %s", key, c.ID, found, expected)
	}
	switch {
	case !IsID(c.ID):
		return wrong("id", c.ID, "the ID of a document")
	case !isStatistics(c.Path):
		return wrong("path", c.Path, "an entry below calibration/, or none")
	case c.Path == "" && c.LabeledBy != "" || c.Path != "" && !slices.Contains(labelers, c.LabeledBy):
		return wrong("labeled_by", c.LabeledBy, "people, authors, or model if there are statistics")
	case c.Path == "" && len(c.Judges) > 0:
		return wrong("path", "", "an entry below calibration/ if there are judges")
	case (c.Reason == "") != (len(c.Judges) > 0):
		return wrong("reason", c.Reason, "judges, or the reason why there are none")
	}
	for i := range c.Judges {
		j := &c.Judges[i]
		if err := j.check(c.LabeledBy, wrong); err != nil {
			return err
		}
		if i > 0 && j.Judge <= c.Judges[i-1].Judge {
			return wrong("judge", j.Judge, "each judge once, sorted by name")
		}
	}
	return nil
}

// isStatistics reports whether a path can be that of statistics, or of none.
func isStatistics(path string) bool {
	return path == "" || strings.HasPrefix(path, "calibration/") && IsName(path)
}

// firstCalibration is a line of format 1, which names no judge.
type firstCalibration struct {
	// Correlation is that of a calibrated judge, or nil.
	Correlation *Number `json:"correlation,omitempty"`
	ID          string  `json:"id"`
	Path        string  `json:"path,omitempty"`
	// Reason says why no judge is calibrated, or is "".
	Reason string `json:"reason,omitempty"`
}

func (c *firstCalibration) id() string { return c.ID }

func (c *firstCalibration) encode() ([]byte, error) { return canonical(c) }

func (c *firstCalibration) check(int) error {
	right := c.Correlation == nil && c.Reason != ""
	if c.Correlation != nil {
		right = c.Reason == "" && c.Path != "" && c.Correlation.isCorrelation()
	}
	if !right || !IsID(c.ID) || !isStatistics(c.Path) {
		return fmt.Errorf("the calibration of %+.100q is %+.100q, expected an entry below calibration/ with a correlation from -1 to 1, or the reason why there is none", c.ID, c.Path)
	}
	return nil
}

// todayForm returns the line in today's form.
func (c *firstCalibration) todayForm() Calibration {
	return Calibration{ID: c.ID, Path: c.Path, Reason: cmp.Or(c.Reason, "A bundle of format 1 does not name its judges.")}
}

// Calibration returns the calibration of a document, or nil if it names no labeled
// items. Errors are as for Read.
func (b *Bundle) Calibration(id string) (*Calibration, error) {
	data, err := b.Read(CalibrationName)
	if err != nil {
		return nil, err
	}
	if len(data) > 0 && data[len(data)-1] != '\n' || !utf8.Valid(data) {
		return nil, Integrity(problemf(CalibrationName, "must be lines of UTF-8 text, each ended by a line feed"))
	}
	text := findLine(data, id)
	if text == nil {
		return nil, nil
	}
	c, err := b.decodeCalibration(text)
	if err != nil {
		return nil, Integrity(problemf(CalibrationName, "the line of %s: %v", id, err))
	}
	return &c, nil
}

// decodeCalibration returns a line in today's form.
func (b *Bundle) decodeCalibration(text []byte) (Calibration, error) {
	if b.manifest.FormatVersion > 1 {
		return decodeLine[Calibration](text, b.manifest.FormatVersion)
	}
	c, err := decodeLine[firstCalibration](text, 1)
	return c.todayForm(), err
}

// calibrations returns the calibrations of all documents by ID.
func (b *Bundle) calibrations() (map[string]*Calibration, error) {
	data, err := b.Read(CalibrationName)
	if err != nil {
		return nil, err
	}
	all := map[string]*Calibration{}
	for c, err := range decodeLines(CalibrationName, data, b.decodeCalibration) {
		if err != nil {
			return nil, Integrity(err)
		}
		all[c.ID] = &c
	}
	return all, nil
}

// findLine returns the line of an ID among lines of canonical JSON, or nil if there is none. In
// canonical JSON, a quotation mark in a text is escaped, so what it finds can only be the key.
func findLine(data []byte, id string) []byte {
	at := bytes.Index(data, []byte(`"id":"`+id+`"`))
	if at < 0 {
		return nil
	}
	line, _, _ := bytes.Cut(data[bytes.LastIndexByte(data[:at], '\n')+1:], []byte{'\n'})
	return line
}
