package bundlefile

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Calibration is how well the best judge agrees with people, and what it may be used for, or
// the reason why that is unknown.
type Calibration struct {
	// Correlation is the lowest over the criteria, from -1 to 1, of the newest run. It is nil
	// unless labels and answers are for the current words of the rubric, and by people, or if
	// it can't be computed. In format 1, it is nil unless the judge was calibrated.
	Correlation *float64 `json:"correlation,omitempty"`
	// Date and Judge are those of that run, also if its correlation can't be computed, and ""
	// in format 1.
	Date string `json:"date,omitempty"`
	// Gate says whether the judge's verdicts may stand for those of people, and Rank whether
	// its order of works may. Both are Met, LibraryLimits, Undecided, or NotMet, and ""
	// without statistics and in format 1.
	Gate string `json:"gate,omitempty"`
	// ID is the ID of the document. Write sets it.
	ID    string `json:"id"`
	Judge string `json:"judge,omitempty"`
	// Path is the entry with the statistics, or "" if the bundle has none.
	Path string `json:"path,omitempty"`
	Rank string `json:"rank,omitempty"`
	// Reason says in sentences why the judge may not gate, or is "".
	Reason string `json:"reason,omitempty"`
}

// What a judge may be used for.
const (
	Met           = "met"
	LibraryLimits = "library_limits" // met by limits that are looser than the defaults
	Undecided     = "undecided"      // too few items or runs to tell
	NotMet        = "not_met"
)

var outcomes = []string{Met, LibraryLimits, Undecided, NotMet}

func (c *Calibration) id() string { return c.ID }

func (c *Calibration) encode() ([]byte, error) {
	line := *c
	if c.Correlation != nil && *c.Correlation == 0 {
		line.Correlation = new(0.0) // RFC 8785 has no -0
	}
	return canonical(line)
}

// check returns an error if a bundle of a format can't have the line.
func (c *Calibration) check(format int) error {
	right := c.right
	if format == 1 {
		right = c.right1
	}
	if !IsID(c.ID) || c.Path != "" && !(strings.HasPrefix(c.Path, "calibration/") && IsName(c.Path)) || !right() {
		return fmt.Errorf("the calibration of %+.100q is %+.100q, expected an entry below calibration/ with a correlation from -1 to 1 and what the judge may be used for, or the reason why there is none", c.ID, c.Path)
	}
	return nil
}

// right1 checks a line of format 1.
func (c *Calibration) right1() bool {
	if c.Judge+c.Date+c.Rank+c.Gate != "" {
		return false
	}
	if c.Correlation == nil {
		return c.Reason != ""
	}
	return c.Reason == "" && c.Path != "" && math.Abs(*c.Correlation) <= 1 // false for NaN
}

func (c *Calibration) right() bool {
	if c.Path == "" {
		return c.Reason != "" && c.Correlation == nil && c.Judge+c.Date+c.Rank+c.Gate == ""
	}
	run := isWords(c.Judge, "_-") && IsTime(c.Date+"T00:00:00Z")
	measured := c.Correlation != nil && math.Abs(*c.Correlation) <= 1 && run
	none := c.Correlation == nil && (run || c.Judge+c.Date == "") && c.Gate != Met && c.Gate != LibraryLimits
	return (measured || none) && slices.Contains(outcomes, c.Rank) && slices.Contains(outcomes, c.Gate) && (c.Reason == "") == (c.Gate == Met)
}

// Calibration returns the calibration of a document, or nil if it names no labeled
// items. Errors are as for Read.
func (b *Bundle) Calibration(id string) (*Calibration, error) {
	data, err := b.Read(CalibrationName)
	if err != nil {
		return nil, err
	}
	text := findLine(data, id)
	if text == nil {
		return nil, nil
	}
	c, err := decodeLine[Calibration](text, b.manifest.FormatVersion)
	if err != nil {
		return nil, Integrity(problemf(CalibrationName, "the line of %s: %v", id, err))
	}
	return &c, nil
}

// calibrations returns the calibrations of all documents by ID.
func (b *Bundle) calibrations() (map[string]*Calibration, error) {
	data, err := b.Read(CalibrationName)
	if err != nil {
		return nil, err
	}
	all := map[string]*Calibration{}
	for c, err := range decodeLines[Calibration](CalibrationName, data, b.manifest.FormatVersion) {
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
