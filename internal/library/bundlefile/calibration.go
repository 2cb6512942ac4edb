package bundlefile

import (
	"bytes"
	"fmt"
	"iter"
	"math"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// Calibration is how well the best judge agrees with people, and what it may be used for, or
// the reason why that is unknown.
type Calibration struct {
	// Path is the entry with the statistics, or "" if the bundle has none.
	Path string `json:"path,omitempty"`
	// Correlation is the lowest over the criteria, from -1 to 1, of the newest run. It is nil
	// unless labels and answers are for the current words of the rubric, and by people, or if
	// it can't be computed. In format 1, it is nil unless the judge was calibrated.
	Correlation *float64 `json:"correlation,omitempty"`
	// Judge and Date are those of that run, also if its correlation can't be computed, and ""
	// in format 1.
	Judge string `json:"judge,omitempty"`
	Date  string `json:"date,omitempty"`
	// Rank says whether the judge's order of works may stand for that of people, and Gate
	// whether its verdicts may. Both are Met, LibraryLimits, Undecided, or NotMet, and ""
	// without statistics and in format 1.
	Rank string `json:"rank,omitempty"`
	Gate string `json:"gate,omitempty"`
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

// calibrationLine is a line of the entry CalibrationName.
type calibrationLine struct {
	ID string `json:"id"`
	Calibration
}

// encode returns the line without a line feed.
func (l *calibrationLine) encode() []byte { return appendJSON(nil, reflect.ValueOf(*l), false) }

// decodeCalibration returns a function that decodes a line of a bundle of a format.
func decodeCalibration(format int) func([]byte) (calibrationLine, error) {
	return func(data []byte) (calibrationLine, error) {
		var l calibrationLine
		err := decode(data, &l)
		if err == nil {
			err = l.check(format)
		}
		return l, err
	}
}

// check returns an error if a bundle of a format can't have the line.
func (l *calibrationLine) check(format int) error {
	right := l.right
	if format == 1 {
		right = l.right1
	}
	if !IsID(l.ID) || l.Path != "" && !(strings.HasPrefix(l.Path, "calibration/") && isName(l.Path)) || !right() || !utf8.ValidString(l.Reason) {
		return fmt.Errorf("the calibration of %+.100q is %+.100q, expected an entry below calibration/ with a correlation from -1 to 1 and what the judge may be used for, or the reason why there is none, in UTF-8", l.ID, l.Path)
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

// encodeCalibrations returns the entry CalibrationName for a sorted index.
func encodeCalibrations(index []IndexLine) ([]byte, error) {
	out := []byte{}
	for _, l := range index {
		if l.Calibration == nil {
			continue
		}
		line := calibrationLine{l.ID, *l.Calibration}
		if err := line.check(FormatVersion); err != nil {
			return nil, problemf(CalibrationName, "%v", err)
		}
		out = append(append(out, line.encode()...), '\n')
	}
	return out, nil
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
	line, err := decodeCalibration(b.manifest.FormatVersion)(text)
	if err != nil {
		return nil, Integrity(problemf(CalibrationName, "the line of %s: %v", id, err))
	}
	return &line.Calibration, nil
}

// calibrations returns the calibrations of all documents by ID.
func (b *Bundle) calibrations() (map[string]*Calibration, error) {
	data, err := b.Read(CalibrationName)
	if err != nil {
		return nil, err
	}
	all := map[string]*Calibration{}
	before := ""
	for line, err := range decodeLines(CalibrationName, data, decodeCalibration(b.manifest.FormatVersion)) {
		if err == nil && line.ID <= before {
			err = problemf(CalibrationName, "%s follows %s: expected each document once, sorted by ID", line.ID, before)
		}
		if err != nil {
			return nil, Integrity(err)
		}
		all[line.ID], before = &line.Calibration, line.ID
	}
	return all, nil
}

// decodeLines yields the decoded lines of an entry, which end with line feeds. An error is
// a Problem, and ends the sequence.
func decodeLines[T any](name string, data []byte, decode func([]byte) (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for n := 1; len(data) > 0; n++ {
			var line T
			end := bytes.IndexByte(data[:min(len(data), MaxIndexLine+1)], '\n')
			if end < 0 {
				yield(line, problemf(name, "line %d is longer than %d bytes", n, MaxIndexLine))
				return
			}
			line, err := decode(data[:end])
			if err != nil {
				yield(line, problemf(name, "line %d: %v", n, err))
				return
			}
			if !yield(line, nil) {
				return
			}
			data = data[end+1:]
		}
	}
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
