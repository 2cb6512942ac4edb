package site

import (
	"fmt"
	"strings"
	"time"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/render"
)

// entry is a document in a list.
type entry struct {
	*bundlefile.IndexLine
	Folder string
	// Count is the number of criteria or rules.
	Count int
	// Change is the class of the latest version in words, or "first version".
	Change string
	// When is the time of the latest version, zero if unknown.
	When    time.Time
	Measure *measure // nil if the rubric has no calibration dataset
}

// measure is the calibration of a rubric in numbers.
type measure struct {
	// Correlation is the lowest correlation of the criteria, or nil if the rubric is
	// not calibrated; then Reason says why.
	Correlation *float64 `json:"correlation,omitempty"`
	Reason      string   `json:"reason,omitempty"`
	// Criterion has the lowest correlation, Low and High are its interval, and Attainable
	// is the agreement of people with each other on it.
	Criterion  string   `json:"criterion,omitempty"`
	Low        *float64 `json:"low,omitempty"`
	High       *float64 `json:"high,omitempty"`
	Attainable *float64 `json:"attainable,omitempty"`
}

// newMeasure combines the calibration in the index with its report.
func newMeasure(line *bundlefile.IndexLine, reports []*calibration.Report) *measure {
	if line.Calibration == nil {
		return nil
	}
	m := &measure{Correlation: line.Calibration.Correlation, Reason: line.Calibration.Reason}
	if m.Correlation == nil {
		return m
	}
	r := newest(reports)
	if r == nil {
		return m
	}
	for i := range r.Criteria {
		c := &r.Criteria[i]
		if c.Name != r.Overall.MinimumOf {
			continue
		}
		m.Criterion = c.Name
		if c.Spearman.Defined() && c.Spearman.Interval.Defined() {
			m.Low, m.High = &c.Spearman.Interval.Low, &c.Spearman.Interval.High
		}
		if c.People.Attainable.Defined() {
			m.Attainable = &c.People.Attainable.Number
		}
	}
	return m
}

// newest returns the report of the correlation: the calibrated report with the newest
// run, the first of equals, or nil.
func newest(reports []*calibration.Report) *calibration.Report {
	var found *calibration.Report
	for _, r := range reports {
		if r.Calibrated && r.Judge != nil && (found == nil || r.Judge.Date > found.Judge.Date) {
			found = r
		}
	}
	return found
}

// String returns the calibration as one line.
func (m *measure) String() string {
	if m == nil {
		return "no calibration dataset"
	}
	if m.Correlation == nil {
		return "not calibrated: " + render.FirstSentence(m.Reason)
	}
	text := fmt.Sprintf("calibration %.2f", *m.Correlation)
	if m.Low != nil && m.High != nil {
		text += fmt.Sprintf(" (%.2f to %.2f)", *m.Low, *m.High)
	}
	if m.Attainable != nil {
		text += fmt.Sprintf(", attainable %.2f", *m.Attainable)
	}
	return text
}

// The statuses of documents.
const (
	active     = "active"
	draft      = "draft"
	deprecated = "deprecated"
	retired    = "retired"
)

var statuses = []string{active, draft, deprecated, retired}

// Status returns the status of the document.
func (e *entry) Status() string {
	switch {
	case e.Retired:
		return retired
	case e.Deprecated != nil:
		return deprecated
	case strings.HasPrefix(e.Latest, "0."):
		return draft
	}
	return active
}

// Page returns the path of the document's page from the root of the site.
func (e *entry) Page() string { return e.Folder + "/index.html" }

// KindWords returns the kind in words.
func (e *entry) KindWords() string { return strings.ReplaceAll(e.Kind, "_", " ") }

// Facts returns what a list shows of the document after its name and ID.
func (e *entry) Facts() []string {
	parts := count(e.Count, "criterion", "criteria")
	if e.Kind == bundlefile.KindRuleSet {
		parts = count(e.Count, "rule", "rules")
	}
	facts := []string{e.KindWords() + " " + e.Latest, e.Status(), parts}
	if e.Kind == bundlefile.KindRubric && !e.Retired {
		facts = append(facts, e.Measure.String())
	}
	change := e.Change
	if day := date(e.When); day != "" {
		change += " on " + day
	}
	return append(facts, "last change: "+change)
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
